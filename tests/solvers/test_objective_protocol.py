"""A plain numpy objective whose data lie in blocks of rows, in every method."""

from __future__ import annotations

import itertools
import threading

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import objective as protocol
from regiht._solving.registry import methods_with

N, S = 24, 4
OPTIONAL = (
    "is_quadratic", "value_and_gradient", "gradient_at", "gradient_reaching",
    "largest_off_support", "second_derivatives", "curvatures", "approximate_curvatures",
    "intercept", "work",
)  # fmt: skip
LOSSES = ("squared", "logistic")
CONSTRAINTS = ("plain", "positive", "groups")
METHODS = {
    "plain": regiht.methods(),
    "positive": methods_with("knows_positive"),
    "groups": methods_with("knows_groups"),
}


def dense(part):
    return part.toarray() if sparse.issparse(part) else part


class RowBlocks:
    """Σ over blocks of loss(A x, y), plus (ridge/2)‖x‖²: a value and a gradient, counted."""

    def __init__(self, blocks, loss, ridge):
        self.blocks, self.loss, self.ridge = blocks, loss, ridge
        self.calls = dict.fromkeys(("value", "gradient", *OPTIONAL), 0)

    def evaluate(self, z, y):
        """Values, slopes and curvatures of the samples of a block."""
        if self.loss == "squared":
            return 0.5 * (z - y) ** 2, z - y, np.ones_like(z)
        p = 1 / (1 + np.exp(-z))
        return np.logaddexp(0, z) - y * z, p - y, p * (1 - p)

    def value(self, x):
        self.calls["value"] += 1
        total = sum(self.evaluate(A @ x, y)[0].sum() for A, y in self.blocks)
        return total + 0.5 * self.ridge * x @ x

    def gradient(self, x):
        self.calls["gradient"] += 1
        return self.full_gradient(x)

    def full_gradient(self, x):
        return sum(A.T @ self.evaluate(A @ x, y)[1] for A, y in self.blocks) + self.ridge * x


class CompleteRowBlocks(RowBlocks):
    """The same with all there is to offer, each sum over the blocks."""

    @property
    def is_quadratic(self):
        return self.loss == "squared"

    def value_and_gradient(self, x):
        self.calls["value_and_gradient"] += 1
        return RowBlocks.value(self, x), self.full_gradient(x)

    def gradient_at(self, x, columns):
        self.calls["gradient_at"] += 1
        slopes = sum(A[:, columns].T @ self.evaluate(A @ x, y)[1] for A, y in self.blocks)
        return slopes + self.ridge * x[columns]

    def gradient_reaching(self, x, support, magnitude):
        self.calls["gradient_reaching"] += 1
        gradient = self.full_gradient(x)
        outside = np.setdiff1d(np.arange(x.size), support)
        reaching = outside[np.abs(gradient[outside]) >= magnitude]
        return reaching[::-1], gradient[reaching[::-1]]

    def largest_off_support(self, x, support, count):
        self.calls["largest_off_support"] += 1
        gradient = self.full_gradient(x)
        outside = np.setdiff1d(np.arange(x.size), support)
        largest = outside[np.argsort(-np.abs(gradient[outside]), kind="stable")[:count]]
        return largest, gradient[largest]

    def second_derivatives(self, x, rows, columns):
        self.calls["second_derivatives"] += 1
        total = self.ridge * np.equal.outer(rows, columns)
        for A, y in self.blocks:
            curvature = self.evaluate(A @ x, y)[2]
            left, right = dense(A[:, rows]), dense(A[:, columns])
            total = total + left.T @ (curvature[:, None] * right)
        return total

    def curvatures(self, x, columns):
        self.calls["curvatures"] += 1
        total = np.full(columns.size, self.ridge)
        for A, y in self.blocks:
            part = A[:, columns]
            squares = part.power(2) if sparse.issparse(part) else part**2
            total += squares.T @ self.evaluate(A @ x, y)[2]
        return total

    def approximate_curvatures(self, x):
        self.calls["approximate_curvatures"] += 1
        return self.curvatures(x, np.arange(x.size))

    def intercept(self, x):
        self.calls["intercept"] += 1
        return 7.0 + x.sum()

    def work(self):
        self.calls["work"] += 1
        return 500.0 * N * sum(self.calls.values())


def offering(*names):
    """A class of row blocks that offers some of it."""
    members = {name: vars(CompleteRowBlocks)[name] for name in names}
    return type("SomeRowBlocks", (RowBlocks,), members)


OFFERS = {
    "nothing": RowBlocks,
    "everything": CompleteRowBlocks,
    "second derivatives": offering("second_derivatives"),
    "entries": offering("gradient_at", "is_quadratic"),
}


def make_problem(loss, seed=0):
    """Four columns that stand out, two groups of two; and blocks of unlike height."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(240, N)) * rng.uniform(0.5, 2.0, size=N)
    signal = X[:, [2, 3, 10, 11]] @ np.array([2.0, 1.4, 1.7, 1.1])
    noise = rng.normal(size=240)
    y = signal + 0.5 * noise if loss == "squared" else (signal + noise > 0).astype(float)
    bounds = [0, 13, 14, 240]
    blocks = [(X[a:b], y[a:b]) for a, b in itertools.pairwise(bounds)]
    return X, y, blocks


def constrained(constraint):
    if constraint == "positive":
        return S, {"positive": True}
    if constraint == "groups":
        return 2, {"groups": np.arange(N) // 2}
    return S, {}


@pytest.mark.parametrize("offer", OFFERS)
@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("loss", LOSSES)
def test_every_method_gives_the_answer_of_the_built_in_model(loss, constraint, offer):
    X, y, blocks = make_problem(loss)
    s, options = constrained(constraint)
    for method in METHODS[constraint]:
        for polish in (None,) if method == "best" else (None, "swap"):  # it ends with swaps anyway
            each = {**options, "method": method, "polish": polish, "refit": True, "max_iter": 100}
            own = regiht.minimize(OFFERS[offer](blocks, loss, 0.5), N, s, **each)
            built_in = regiht.solve(X, y, s, loss=loss, ridge=0.5, **each)
            assert own.support.tolist() == built_in.support.tolist(), (method, polish)
            np.testing.assert_allclose(own.fun, built_in.fun, rtol=1e-9, err_msg=method)
            np.testing.assert_allclose(own.x, built_in.x, rtol=1e-6, atol=1e-7, err_msg=method)
            assert own.swap_optimal == built_in.swap_optimal
            assert own.success == built_in.success


@pytest.mark.parametrize("loss", LOSSES)
def test_what_is_offered_is_used(loss):
    _, _, blocks = make_problem(loss)
    objective = CompleteRowBlocks(blocks, loss, 0.5)
    regiht.minimize(objective, N, S, method="best", polish="swap")
    # The last is never needed where reaching entries are offered.
    idle = ("is_quadratic", "value_and_gradient")
    assert all(objective.calls[name] > 0 for name in OPTIONAL if name not in idle)
    assert protocol.offered(objective) == OPTIONAL
    assert protocol.offered(RowBlocks(blocks, loss, 0.5)) == ()


@pytest.mark.parametrize("name", ["value_and_gradient", "gradient_at"])
def test_steps_take_value_and_gradient_together_and_refits_only_the_support(name):
    _, _, blocks = make_problem("logistic")
    steps = offering(name)(blocks, "logistic", 0.5)
    regiht.minimize(steps, N, S, method="iht", step=0.01, max_iter=50)
    refits = offering(name)(blocks, "logistic", 0.5)
    regiht.minimize(refits, N, S, method="gradient")
    if name == "value_and_gradient":
        assert steps.calls["value_and_gradient"] >= 45
        assert steps.calls["gradient"] <= 5
    else:
        assert steps.calls["gradient"] >= 45
        assert refits.calls["gradient"] == 1
        assert refits.calls["gradient_at"] > S


def test_steps_ask_for_the_entries_that_reach_instead_of_the_gradient():
    _, _, blocks = make_problem("logistic")
    plain, reaching = (
        offering("gradient_at", *more)(blocks, "logistic", 0.5)
        for more in ((), ("gradient_reaching",))
    )
    results = [
        regiht.minimize(each, N, S, method="regiht", step=0.02, max_iter=50)
        for each in (plain, reaching)
    ]
    np.testing.assert_allclose(results[0].x, results[1].x, rtol=1e-12)
    assert reaching.calls["gradient_reaching"] >= 49
    assert reaching.calls["gradient"] <= 1
    assert results[1].n_gradients < results[0].n_gradients


def test_best_does_less_for_an_objective_whose_work_is_dear():
    _, _, blocks = make_problem("logistic")
    evaluations = []
    for each in (1.0, 1e9):
        objective = offering("second_derivatives")(blocks, "logistic", 0.5)
        objective.work = lambda each=each, calls=objective.calls: each * sum(calls.values())
        regiht.minimize(objective, N, S, method="best")
        evaluations.append(objective.calls["value"])
    assert evaluations[1] < 0.5 * evaluations[0]


@pytest.mark.parametrize("method", ["regiht", "omp", "best"])
def test_full_gradients_are_counted(method):
    _, _, blocks = make_problem("logistic")
    objective = offering("value_and_gradient", "second_derivatives")(blocks, "logistic", 0.5)
    result = regiht.minimize(objective, N, S, method=method)
    assert result.n_gradients == objective.calls["gradient"] + objective.calls["value_and_gradient"]


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_the_intercept_is_that_of_the_answer(constraint):
    _, _, blocks = make_problem("squared")
    s, options = constrained(constraint)
    objective = offering("intercept")(blocks, "squared", 0.5)
    for method in METHODS[constraint]:
        result = regiht.minimize(objective, N, s, method=method, **options)
        assert result.intercept == 7.0 + result.x.sum()


def cheap_problem(cols, loss):
    """Six columns that matter, and sparse ones that do not."""
    rng = np.random.default_rng(5)
    rows = 300
    planted = rng.normal(size=(rows, 6))
    others = sparse.random(rows, cols - 6, 0.01, random_state=rng, data_rvs=rng.standard_normal)
    X = sparse.hstack([planted, others], format="csr")
    signal = planted @ np.linspace(3, 1, 6)
    noise = np.random.default_rng(6).normal(size=rows)
    y = signal + 0.3 * noise if loss == "squared" else (signal + noise > 0).astype(float)
    return [(X[:120].tocsc(), y[:120]), (X[120:].tocsc(), y[120:])]


@pytest.mark.parametrize(
    ("loss", "names"),
    [("squared", ("gradient_at", "second_derivatives", "curvatures")),
     ("logistic", ("gradient_at", "second_derivatives", "curvatures")),
     ("logistic", ())],
)  # fmt: skip
def test_full_gradients_of_best_do_not_grow_with_the_columns(loss, names):
    Offering = offering("is_quadratic", *names)
    counts = []
    for cols in (4_700, 47_000):
        objective = Offering(cheap_problem(cols, loss), loss, 1.0)
        result = regiht.minimize(objective, cols, 6, method="best", max_iter=32)
        assert result.support.tolist() == list(range(6))
        assert result.n_gradients == objective.calls["gradient"]
        counts.append(objective.calls["gradient"])
    assert counts[1] <= 1.1 * counts[0]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("name", ["second_derivatives", "curvatures", "approximate_curvatures"])
def test_second_derivatives_that_are_not_finite_do_not_break_it(name, bad):
    _, _, blocks = make_problem("logistic")
    objective = CompleteRowBlocks(blocks, "logistic", 0.5)
    whole = getattr(objective, name)
    setattr(objective, name, lambda *arguments: bad * np.asarray(whole(*arguments)))
    result = regiht.minimize(objective, N, S, method="best", polish="swap")
    assert result.support.size <= S
    np.testing.assert_allclose(result.fun, objective.value(result.x), rtol=1e-12)


def test_all_methods_are_called_on_the_thread_that_asked():
    _, _, blocks = make_problem("logistic")
    threads = set()

    class Watching(CompleteRowBlocks):
        def __getattribute__(self, name):
            threads.add(threading.get_ident())
            return super().__getattribute__(name)

    objective = Watching(blocks, "logistic", 0.5)
    done = []

    def work():
        result = regiht.minimize(objective, N, S, method="best", polish="swap")
        done.append((threading.get_ident(), result.support.tolist()))

    threads.clear()
    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    assert threads == {done[0][0]}
    assert done[0][1] == [2, 3, 10, 11]


def test_arguments_may_be_kept_and_changed():
    _, _, blocks = make_problem("logistic")

    def spoiling(name):
        def method(self, *arguments):
            answer = vars(CompleteRowBlocks)[name](self, *[np.copy(each) for each in arguments])
            for each in arguments:
                if isinstance(each, np.ndarray):
                    each[:] = 0
            return answer

        return method

    names = [name for name in OPTIONAL if name != "is_quadratic"]
    Spoiling = type("Spoiling", (RowBlocks,), {name: spoiling(name) for name in names})
    spoiled = regiht.minimize(Spoiling(blocks, "logistic", 0.5), N, S, method="best")
    straight = regiht.minimize(CompleteRowBlocks(blocks, "logistic", 0.5), N, S, method="best")
    np.testing.assert_array_equal(spoiled.x, straight.x)

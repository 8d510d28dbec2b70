"""`regiht.minimize`: a function of one's own in the same solvers."""

import numpy as np
import pytest

import regiht
from regiht import datasets, reference

METHODS, LOSSES = ("iht", "regiht"), regiht.losses()


class Quadratic:
    """½‖x − center‖², counting its calls."""

    def __init__(self, center):
        self.center = np.asarray(center, dtype=float)
        self.values = self.gradients = 0

    def value(self, x):
        self.values += 1
        return 0.5 * np.sum((x - self.center) ** 2)

    def gradient(self, x):
        self.gradients += 1
        return x - self.center


class Function:
    """Any two functions as an objective."""

    def __init__(self, value, gradient):
        self.value, self.gradient = value, gradient


@pytest.fixture(scope="module")
def problem(make_target):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(50, 30))
    return X, {loss: make_target(loss, X[:, :3].sum(axis=1), rng) for loss in LOSSES}


@pytest.mark.pairs
@pytest.mark.parametrize("safeguard", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
def test_the_same_function_gives_the_same_run(method, loss, safeguard, problem):
    X, targets = problem
    objective = reference.LinearObjective(X, targets[loss], loss, ridge=0.3)
    options = {
        "method": method, "step": 2e-3, "max_iter": 60, "safeguard": safeguard, "keep": [7],
        "x0": np.linspace(-0.1, 0.1, 30), "w0": np.linspace(0.4, 1, 30), "history": True,
    }  # fmt: skip
    own = regiht.minimize(objective, 30, 5, **options)
    built_in = regiht.solve(X, targets[loss], 5, loss=loss, ridge=0.3, **options)
    np.testing.assert_array_equal(own.support, built_in.support)
    np.testing.assert_allclose(own.x, built_in.x, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(own.weights, built_in.weights, rtol=1e-9)
    for name in ("fun", "regularized_fun"):
        np.testing.assert_allclose(own.history[name], built_in.history[name], rtol=1e-9)
    np.testing.assert_array_equal(
        own.history["support_changes"], built_in.history["support_changes"]
    )
    assert own.status == built_in.status


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
def test_a_step_is_chosen_for_a_function_of_ones_own(method, loss, problem):
    X, targets = problem
    objective = reference.LinearObjective(X, targets[loss], loss, ridge=0.3)
    own = regiht.minimize(objective, 30, 5, method=method)
    built_in = regiht.solve(X, targets[loss], 5, loss=loss, ridge=0.3, method=method)
    np.testing.assert_allclose(own.fun, built_in.fun, rtol=1e-3)
    np.testing.assert_allclose(own.fun, objective.value(own.x), rtol=1e-12)


def test_a_result_in_the_users_own_coordinates():
    result = regiht.minimize(Quadratic([3.0, 1.0, 2.0]), 3, 2, method="iht", step=1.0)
    assert result.x.tolist() == [3.0, 0.0, 2.0]
    np.testing.assert_array_equal(result.coef, result.x)
    assert result.intercept == 0.0
    assert (result.fun, result.support.tolist()) == (0.5, [0, 2])


def test_gradients_are_counted():
    objective = Quadratic(np.arange(9.0))
    result = regiht.minimize(objective, 9, 2, step=0.3, max_iter=25, history=True)
    assert result.n_gradients == objective.gradients == 25
    assert objective.values <= 27


@pytest.mark.parametrize("step", [None, 0.3])
def test_answers_of_other_types_will_do(step):
    center = np.array([3.0, -1.0, 2.0, 0.0])
    straight = regiht.minimize(Quadratic(center), 4, 2, step=step, max_iter=40)
    conversions = {
        "list": lambda g: g.tolist(),
        "reversed twice": lambda g: np.ascontiguousarray(g[::-1])[::-1],
        "column of a matrix": lambda g: np.column_stack([g, g])[:, 0],
    }
    for convert in conversions.values():
        quadratic = Quadratic(center)
        objective = Function(
            lambda x, q=quadratic: np.asarray(q.value(x)),
            lambda x, q=quadratic, c=convert: c(q.gradient(x)),
        )
        result = regiht.minimize(objective, 4, 2, step=step, max_iter=40)
        np.testing.assert_array_equal(result.x, straight.x)


def test_an_objective_may_keep_and_change_what_it_gets():
    quadratic, kept = Quadratic([3.0, -1.0, 2.0]), []

    def gradient(x):
        result = quadratic.gradient(x)
        kept.append(x)
        x[:] = np.nan
        return result

    spoiled = regiht.minimize(Function(quadratic.value, gradient), 3, 2, step=0.5, max_iter=10)
    straight = regiht.minimize(Quadratic([3.0, -1.0, 2.0]), 3, 2, step=0.5, max_iter=10)
    np.testing.assert_array_equal(spoiled.x, straight.x)
    assert len(kept) == 10


@pytest.mark.parametrize("place", ["value", "gradient"])
@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_what_an_objective_raises_passes_through(error, place):
    def fail(_):
        raise error("mine")

    objective = Quadratic([1.0, 2.0])
    setattr(objective, place, fail)
    with pytest.raises(error, match="mine"):
        regiht.minimize(objective, 2, 1)


BAD_ANSWERS = {
    "gradient-too-short": ({"gradient": lambda x: x[:-1]}, r"shape \(3,\); got \(2,\)"),
    "gradient-scalar": ({"gradient": lambda _: 1.0}, "shape"),
    "gradient-column": ({"gradient": lambda x: x[:, None]}, "shape"),
    "gradient-text": ({"gradient": lambda _: ["a", "b", "c"]}, r"gradient\(x\) must hold real"),
    "gradient-complex": ({"gradient": lambda x: 1j * x}, "complex"),
    "gradient-none": ({"gradient": lambda _: None}, "gradient"),
    "value-text": ({"value": lambda _: "high"}, r"value\(x\) must return a number; got str"),
    "value-none": ({"value": lambda _: None}, "number; got NoneType"),
    "value-vector": ({"value": lambda x: x}, "number; got ndarray"),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
@pytest.mark.parametrize("step", [None, 0.5])
def test_bad_answers_are_explained(name, step):
    methods, message = BAD_ANSWERS[name]
    objective = Quadratic([1.0, 2.0, 3.0])
    for method, function in methods.items():
        setattr(objective, method, function)
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.minimize(objective, 3, 1, step=step)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", ["value", "gradient", "both"])
@pytest.mark.parametrize("step", [None, 0.5])
@pytest.mark.parametrize("method", METHODS)
def test_answers_that_are_not_finite_end_the_run(method, step, place, bad):
    """From the third point on, so that there is a best iterate to return."""
    objective, points = Quadratic([1.0, 2.0, 3.0]), set()

    def spoil(function, answer):
        def spoiled(x):
            points.add(tuple(x))
            return answer if len(points) > 2 else function(x)

        return spoiled

    if place != "gradient":
        objective.value = spoil(objective.value, bad)
    if place != "value":
        objective.gradient = spoil(objective.gradient, np.full(3, bad))
    result = regiht.minimize(objective, 3, 2, method=method, step=step, max_iter=60)
    assert result.status == "diverged"
    assert np.isfinite(result.x).all()
    assert np.isfinite(result.fun)
    assert np.isfinite(result.weights).all()


def test_an_objective_that_is_not_one_is_refused():
    for objective in (None, np.ones(3), Function(None, None)):
        with pytest.raises(regiht.InvalidArgumentError, match="must have a method value"):
            regiht.minimize(objective, 3, 1)


def test_callback_history_and_limits_work_for_a_function_of_ones_own():
    seen = []
    result = regiht.minimize(
        Quadratic(np.arange(6.0)), 6, 2, step=0.1, history=True,
        callback=lambda it: seen.append(it.fun) or it.number == 8,
    )  # fmt: skip
    assert (result.status, result.n_iter) == ("stopped", 8)
    np.testing.assert_array_equal(seen, result.history["fun"])
    limited = regiht.minimize(Quadratic(np.arange(6.0)), 6, 2, step=0.1, time_limit=1e-9)
    assert (limited.status, limited.n_iter) == ("time_limit", 1)


def test_an_objective_may_solve_itself():
    tiny = datasets.tiny()
    inner = regiht.solve(tiny.X, tiny.y, 3, max_iter=10).fun

    def value(x):
        assert regiht.solve(tiny.X, tiny.y, 3, max_iter=10).fun == inner
        return 0.5 * np.sum((x - 1) ** 2)

    result = regiht.minimize(Function(value, lambda x: x - 1), 4, 2, step=0.5, max_iter=5)
    assert result.support.tolist() == [0, 1]

"""Blocks in this process: the answers of the built-in model, and what they cost."""

from __future__ import annotations

import itertools
import pickle
import re
import time

import numpy as np
import pytest

import regiht
import regiht.distributed
from regiht import datasets
from regiht.distributed.ordered_sum import ordered_sum
from regiht.reference import LinearObjective

ROWS, COLS, S = 500, 40, 4
SETTINGS = {
    "plain": {},
    "intercept": {"intercept": True},
    "standardized": {"center": True, "scale": True},
    "intercept and scale": {"intercept": True, "scale": True},
}


def assert_same(blocks, whole):
    assert blocks.support.tolist() == whole.support.tolist()
    np.testing.assert_allclose(blocks.fun, whole.fun, rtol=1e-9)
    np.testing.assert_allclose(blocks.coef, whole.coef, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(blocks.intercept, whole.intercept, rtol=1e-7, atol=1e-9)


@pytest.mark.pairs
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("loss", regiht.losses())
def test_every_loss_gives_the_answer_of_the_whole_matrix(make, cut, loss, is_sparse, setting):
    X, y = make(loss, is_sparse=is_sparse)
    for method in ("regiht", "omp", "htp", "best"):
        options = {"loss": loss, "method": method, "ridge": 0.1, "refit": True, "max_iter": 150}
        options |= SETTINGS[setting]
        assert_same(
            regiht.distributed.solve(cut(X), cut(y), S, **options),
            regiht.solve(X, y, S, **options),
        )


@pytest.mark.parametrize("loss", ["squared", "logistic"])
@pytest.mark.parametrize("method", [m for m in regiht.methods() if m != "arht"])
def test_every_method_gives_the_answer_of_the_whole_matrix(make, cut, method, loss):
    X, y = make(loss)
    options = {"loss": loss, "method": method, "ridge": 0.1, "refit": True, "max_iter": 100}
    if method != "best":
        options["polish"] = "swap"
    assert_same(
        regiht.distributed.solve(cut(X), cut(y), S, **options), regiht.solve(X, y, S, **options)
    )


@pytest.mark.parametrize("loss", ["squared", "logistic", "poisson"])
def test_sample_weights_are_those_of_the_whole_matrix(make, cut, loss):
    X, y = make(loss)
    weights = np.random.default_rng(1).uniform(0, 2, ROWS)
    weights[100:101] = 0.0  # all of a block
    options = {"loss": loss, "ridge": 0.1, "refit": True, "intercept": True, "scale": True}
    assert_same(
        regiht.distributed.solve(cut(X), cut(y), S, sample_weight=cut(weights), **options),
        regiht.solve(X, y, S, sample_weight=weights, **options),
    )


@pytest.mark.parametrize("options", [
    {"keep": [20, 21]}, {"positive": True}, {"groups": np.arange(COLS) // 2},
    {"safeguard": True, "step": 1e-3}, {"weight_step": "adaptive"},
])  # fmt: skip
def test_constraints_and_steps_are_those_of_the_whole_matrix(make, cut, options):
    X, y = make("logistic")
    each = {"loss": "logistic", "ridge": 0.5, "refit": True, **options}
    assert_same(regiht.distributed.solve(cut(X), cut(y), S, **each), regiht.solve(X, y, S, **each))


def test_a_value_that_is_nearly_zero_keeps_its_digits(make, cut):
    X, _ = make("squared")
    y = X[:, [1, 5]] @ [3.0, -2.0] + 1e-9 * np.random.default_rng(2).normal(size=ROWS)
    result = regiht.distributed.solve(cut(X), cut(y), 2, method="best")
    exact = LinearObjective(X, y, "squared", 0.0).value(result.x)
    np.testing.assert_allclose(result.fun, exact, rtol=1e-6)
    assert result.support.tolist() == [1, 5]


def test_large_means_cost_no_digits_with_an_intercept(make, cut):
    X, y = make("squared")
    whole = regiht.solve(X, y, S, intercept=True, center=True, refit=True)
    far = regiht.distributed.solve(cut(X + 1e5), cut(y), S, intercept=True, refit=True)
    assert far.support.tolist() == whole.support.tolist()
    np.testing.assert_allclose(far.coef, whole.coef, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("loss", ["logistic", "huber"])
def test_screening_changes_no_bit_and_fewer_bytes_come_back(make, cut, loss):
    X, y = make(loss, is_sparse=True)
    rng = np.random.default_rng(3)
    X = np.hstack([X.toarray(), rng.normal(size=(ROWS, 400)) * (rng.random((ROWS, 400)) < 0.05)])
    with_it, without = (
        regiht.distributed.solve(
            cut(X), cut(y), S, loss=loss, ridge=1.0, screening=screening, center=True, scale=True
        )
        for screening in (True, False)
    )
    assert with_it.x.tobytes() == without.x.tobytes()
    assert with_it.n_iter == without.n_iter
    assert with_it.communication.bytes_in < 0.5 * without.communication.bytes_in


def test_blocks_of_one_row_and_empty_blocks_change_nothing(make, cut):
    X, y = make("logistic")
    bounds = (0, 1, 1, 2, 2, 250, 500, 500)
    options = {"loss": "logistic", "ridge": 0.1, "refit": True, "intercept": True}
    assert_same(
        regiht.distributed.solve(cut(X, bounds), cut(y, bounds), S, **options),
        regiht.solve(X, y, S, **options),
    )


def test_a_column_that_is_constant_in_every_block_but_varies_is_used(make, cut):
    X, y = make("squared")
    X[:, 3] = np.repeat(np.arange(4.0), np.diff([0, 100, 101, 350, 500]))
    X[:, 4] = 7.0
    y = y + 5 * X[:, 3]
    result = regiht.distributed.solve(cut(X), cut(y), S, scale=True, center=True)
    assert 3 in result.support
    assert 4 not in result.support


@pytest.mark.parametrize("count", range(1, 18))
def test_the_ordered_sum_is_a_tree_over_the_numbers_of_the_blocks(count):
    def shape(names):
        if len(names) == 1:
            return names[0]
        half = 1 << (len(names) - 1).bit_length() - 1
        return f"({shape(names[:half])}{shape(names[half:])})"

    names = [chr(ord("a") + k) for k in range(count)]
    assert ordered_sum(names, lambda a, b: f"({a}{b})") == shape(names)


def test_squared_loss_takes_few_rounds_for_many_iterations(cut):
    problem = datasets.year_like(4_000)
    bounds = np.linspace(0, 4_000, 9).astype(int)
    result = regiht.distributed.solve(
        cut(problem.X, bounds), cut(problem.y, bounds), 11, center=True, scale=True, step=4 / 11,
        max_iter=800, intercept=True,
    )  # fmt: skip
    assert result.n_iter == 800
    assert result.communication.rounds <= 15


@pytest.mark.parametrize(("method", "most"), [("regiht", 1.5), ("best", 400)])
def test_logistic_loss_takes_few_rounds(cut, method, most):
    problem = datasets.rcv1_like(3_000, 8_000, 100_000)
    bounds = np.linspace(0, 3_000, 5).astype(int)
    result = regiht.distributed.solve(
        cut(problem.X, bounds), cut(np.asarray(problem.y, dtype=float), bounds), 10,
        loss="logistic", ridge=0.1, center=True, scale=True, method=method,
    )  # fmt: skip
    assert result.communication.rounds <= most * (result.n_iter if method == "regiht" else 1)


def test_gram_columns_are_fetched_when_they_are_needed(cut):
    problem = datasets.wide(200, 3_000, s=10)
    blocks = cut(problem.X, (0, 90, 200)), cut(problem.y, (0, 90, 200))
    whole = regiht.solve(problem.X, problem.y, 10)
    result = regiht.distributed.solve(*blocks, 10)
    assert_same(result, whole)
    assert result.communication.rounds < 0.2 * result.n_iter
    assert result.communication.bytes_in < 8 * 3_000 * 3_000  # not all columns


def test_the_result_can_be_pickled_and_counts_its_communication(make, cut):
    X, y = make("logistic")
    result = regiht.distributed.solve(cut(X), cut(y), S, loss="logistic", ridge=0.1, max_iter=5)
    again = pickle.loads(pickle.dumps(result))
    assert again.communication == result.communication
    assert again.communication.rounds > 5
    assert again.x.tolist() == result.x.tolist()
    assert "support" in repr(result)


def test_a_start_on_a_column_that_is_left_out_took_its_place(make, cut):
    X, y = make("squared")
    X[:, 3] = 1.0  # constant, so that scaling leaves it out
    start = np.zeros(COLS)
    start[[1, 3]] = 0.5, 1.0
    options = {"x0": start, "method": "omp", "center": True, "scale": True}
    found = regiht.distributed.solve(cut(X), cut(y), 2, **options)
    whole = regiht.solve(X, y, 2, **options)
    assert found.support.tolist() == whole.support.tolist()
    np.testing.assert_allclose(found.x, whole.x, rtol=1e-9)


def test_each_class_took_the_whole_time_limit(make, cut):
    late = pytest.importorskip("sklearn.exceptions").ConvergenceWarning
    X, _ = make("logistic")
    y = np.arange(len(X)) % 3
    seen = []
    model = regiht.SparseClassifier(
        2, method="regiht", max_iter=10**8, time_limit=0.6,
        options={"step": 1e-6, "callback": lambda _: seen.append(time.monotonic())},
    )  # fmt: skip
    with pytest.warns(late, match="ended 3 of 3 parts"):
        regiht.distributed.fit(model, cut(X), cut(y))
    assert seen[-1] - seen[0] < 1.2


def test_time_limits_and_callbacks_end_a_run(make, cut):
    X, y = make("logistic")
    options = {"loss": "logistic", "ridge": 0.1}
    late = regiht.distributed.solve(cut(X), cut(y), S, time_limit=1e-6, **options)
    assert late.status == "time_limit"
    stopped = regiht.distributed.solve(cut(X), cut(y), S, callback=lambda _: True, **options)
    assert stopped.status == "stopped"
    assert stopped.n_iter == 1


@pytest.mark.parametrize(("change", "message"), [
    (lambda X, y: (X, y[:-1]), "y must be a list of as many blocks as X has"),
    (lambda X, y: (X[0], y[0]), "For a matrix in memory use regiht.solve"),
    (lambda X, y: (X, [*y[:-1], y[-1][1:]]), "block 3 has 150 rows in X and 149 in y"),
    (lambda X, y: ([*X[:-1], X[-1][:, :5]], y), "block 0 has 40 of them and block 3 has 5"),
    (lambda X, y: ([each[:0] for each in X], [each[:0] for each in y]), "all of its blocks"),
    (lambda X, y: ([*X[:-1], np.full_like(X[-1], np.nan)], y), "block 3: X must not contain NaN"),
    (lambda X, y: (X, [np.full_like(each, 2.0) for each in y]), "needs labels 0 and 1"),
    (lambda X, y: (X, [np.ones_like(each) for each in y]), "needs both labels"),
])  # fmt: skip
def test_blocks_that_do_not_fit_are_refused(make, cut, change, message):
    X, y = make("logistic")
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.distributed.solve(*change(cut(X), cut(y)), S, loss="logistic", intercept=True)


def test_the_signature_is_that_of_solve():
    import inspect  # noqa: PLC0415

    own, solve = (inspect.signature(f).parameters for f in (regiht.distributed.solve, regiht.solve))
    assert own.keys() - solve.keys() == {"client"}
    assert solve.keys() - own.keys() == {"n_threads"}
    assert own["y"].default is own["s"].default is None  # shards bring y along
    for name in own.keys() & solve.keys() - {"y", "s"}:
        assert own[name].default == solve[name].default


def test_the_bits_depend_on_the_blocks_alone(make, cut):
    X, y = make("logistic")
    results = [
        regiht.distributed.solve(cut(X), cut(y), S, loss="logistic", ridge=0.1, intercept=True)
        for _ in range(2)
    ]
    assert results[0].x.tobytes() == results[1].x.tobytes()
    assert all(a == b for a, b in itertools.pairwise(r.communication for r in results))


def test_progress_shows_rounds_and_bytes(make, cut, capsys):
    X, y = make("logistic")
    result = regiht.distributed.solve(
        cut(X), cut(y), S, loss="logistic", max_iter=40, step=0.01, progress=True,
        callback=lambda iteration: time.sleep(0.1) if iteration.number == 3 else None,
    )  # fmt: skip
    shown = re.findall(r"(\d+) rounds, ([\d.e+-]+) MB", capsys.readouterr().err)
    rounds, megabytes = zip(*shown, strict=True)
    assert 0 < int(rounds[0]) <= result.communication.rounds
    assert float(megabytes[0]) > 0
    assert str(result.communication).startswith(f"{result.communication.rounds} rounds, ")

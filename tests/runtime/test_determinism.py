"""Same input, same bits: thread counts, repetitions, ties."""

import numpy as np
import pytest

import regiht

METHODS, LOSSES = ("iht", "regiht"), regiht.losses()
THREADS = (1, 2, 3, 7)
# Enough multiply-adds for threads to be used; the first spans several chunks of 4096 rows.
SHAPES = {"tall": (9001, 41), "wide": (73, 4001)}


def assert_same_bits(a, b):
    np.testing.assert_array_equal(a.x, b.x)
    np.testing.assert_array_equal(a.weights, b.weights)
    np.testing.assert_array_equal(a.support, b.support)
    assert (a.fun, a.n_iter, a.status, a.n_gradients, a.step) == (
        b.fun, b.n_iter, b.status, b.n_gradients, b.step,
    )  # fmt: skip
    if a.history is not None:
        for name in ("fun", "regularized_fun", "support_changes"):
            np.testing.assert_array_equal(a.history[name], b.history[name])


@pytest.fixture(scope="module", params=SHAPES)
def large(request, make_target):
    rng = np.random.default_rng(5)
    shape = SHAPES[request.param]
    X = rng.normal(size=shape) * (rng.random(shape) < 0.5)
    prediction = X[:, :4] @ np.array([1.0, -0.5, 0.7, 0.3])
    return X, {loss: make_target(loss, prediction, rng) for loss in LOSSES}


@pytest.mark.parametrize("screening", [True, False])
@pytest.mark.parametrize("standardized", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_thread_count_changes_no_bit(method, standardized, screening, large, all_designs):
    X, targets = large
    for design in all_designs(X, center=standardized, scale=standardized):
        runs = [
            regiht.solve(
                design, targets["squared"], 6, method=method, screening=screening, max_iter=12,
                history=True, n_threads=n,
            )
            for n in THREADS
        ]  # fmt: skip
        for run in runs[1:]:
            assert_same_bits(run, runs[0])


@pytest.mark.parametrize("loss", LOSSES)
def test_thread_count_changes_no_bit_for_any_loss(loss, large, stored):
    X, targets = large
    weights = np.random.default_rng(6).uniform(0.5, 1.5, len(X))
    design = regiht.Design(stored(X, "csc_array", np.float32, np.int64), center=True, scale=True)
    runs = [
        regiht.solve(
            design, targets[loss], 6, loss=loss, ridge=0.1, sample_weight=weights, max_iter=15,
            n_threads=n, history=True,
        )
        for n in THREADS
    ]  # fmt: skip
    for run in runs[1:]:
        assert_same_bits(run, runs[0])


@pytest.mark.parametrize("way", [{}, {"center": True, "scale": True}])
def test_thread_count_changes_no_bit_of_a_product(way, large, all_designs):
    X, _ = large
    rng = np.random.default_rng(8)
    x, v = rng.normal(size=X.shape[1]), rng.normal(size=X.shape[0])
    for design in all_designs(X, **way):
        core = design._core
        for n in THREADS[1:]:
            np.testing.assert_array_equal(core.apply(x, n), core.apply(x, 1))
            np.testing.assert_array_equal(core.apply_transpose(v, n), core.apply_transpose(v, 1))


def test_the_preparation_of_a_design_repeats_its_bits(large, all_designs):
    X, _ = large
    first = list(all_designs(X, center=True, scale=True))
    again = list(all_designs(X, center=True, scale=True))
    for a, b in zip(first, again, strict=True):
        np.testing.assert_array_equal(a.means, b.means)
        np.testing.assert_array_equal(a.factors, b.factors)


@pytest.mark.parametrize("step", [None, 1e-4])
@pytest.mark.parametrize("method", METHODS)
def test_repeated_runs_are_identical(method, step, large, all_designs):
    X, targets = large
    for design in all_designs(X):
        runs = [
            regiht.solve(
                design, targets["logistic"], 5, loss="logistic", method=method, step=step,
                max_iter=15, history=True,
            )
            for _ in range(3)
        ]  # fmt: skip
        assert_same_bits(runs[1], runs[0])
        assert_same_bits(runs[2], runs[0])


def test_no_argument_is_changed(stored):
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(30, 20)), rng.normal(size=30)
    arrays = {
        "x0": rng.normal(size=20), "w0": rng.uniform(0, 1, 20),
        "sample_weight": rng.uniform(0, 1, 30), "keep": np.array([3, 1]),
    }  # fmt: skip
    matrix = stored(X, "csc_array")
    before = {name: array.copy() for name, array in arrays.items()} | {"y": y.copy()}
    data = matrix.data.copy()
    regiht.solve(matrix, y, 4, center=True, scale=True, **arrays)
    for name, array in (arrays | {"y": y}).items():
        np.testing.assert_array_equal(array, before[name])
    np.testing.assert_array_equal(matrix.data, data)


@pytest.mark.parametrize("s", [1, 2, 5, 11])
@pytest.mark.parametrize("step", [None, 1.0])
@pytest.mark.parametrize("method", METHODS)
def test_of_equal_magnitudes_the_lowest_index_wins(method, step, s, all_designs):
    signs = np.where(np.arange(11) % 3 == 0, -1.0, 1.0)
    for design in all_designs(np.eye(11)):
        result = regiht.solve(design, signs, s, method=method, step=step, max_iter=1)
        assert result.support.tolist() == list(range(s))


@pytest.mark.parametrize("rows", [3, 100, 5000])
@pytest.mark.parametrize("standardized", [False, True])
def test_of_identical_columns_the_first_are_selected(rows, standardized, all_designs):
    """The gradient entry of a column has the same bits wherever the column stands."""
    rng = np.random.default_rng(10)
    X = np.repeat(rng.normal(size=(rows, 1)), 37, axis=1)
    y = rng.normal(size=rows)
    for design in all_designs(X, center=standardized, scale=standardized):
        for s in (1, 4):
            result = regiht.solve(design, y, s, method="iht", step=1e-5, max_iter=1)
            assert result.support.tolist() == list(range(s))


@pytest.mark.parametrize("screening", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_a_later_twin_never_comes_without_the_earlier(method, screening, all_designs):
    rng = np.random.default_rng(11)
    A = rng.normal(size=(60, 20))
    X = np.hstack([A, A[:, ::-1]])  # column 39 - j is the twin of j
    y = A[:, :5] @ rng.normal(size=5)
    for design in all_designs(X):
        supports = []
        regiht.solve(
            design, y, 5, method=method, step=2e-3, max_iter=100, screening=screening,
            callback=lambda it, seen=supports: seen.append(set(it.support.tolist())),
        )  # fmt: skip
        for support in supports:
            assert all(39 - j in support for j in support if j >= 20)

"""Every entry of a grid or a batch is the single solve, to the bit."""

from itertools import product

import numpy as np
import pytest

import regiht

METHODS = ("iht", "regiht")
THREADS = (1, 2, 3)


def grid_and_singles(matrix, y, s, step, weight_step, n_threads, **options):
    grid = regiht.solve_grid(
        matrix, y, s, step=step, weight_step=weight_step, n_threads=n_threads, **options
    )
    singles = [
        regiht.solve(matrix, y, each_s, step=each_step, weight_step=each_weight_step, **options)
        for each_s, each_step, each_weight_step in product(s, step, weight_step)
    ]
    assert len(grid) == len(singles)
    return grid, singles


@pytest.mark.parametrize("n_threads", THREADS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", ["wide", "narrow"])
def test_entries_of_a_least_squares_grid_are_single_solves(
    shape, method, n_threads, request, assert_same_entry
):
    X, y = request.getfixturevalue(shape)
    grid, singles = grid_and_singles(
        X, y, [1, 3, 5, 9], [None, 1e-4, 1e-3], [None, 0.2], n_threads,
        method=method, max_iter=50, ridge=0.1,
    )  # fmt: skip
    for entry, single in zip(grid, singles, strict=True):
        assert_same_entry(entry, single)


@pytest.mark.parametrize("n_threads", THREADS)
@pytest.mark.parametrize("method", METHODS)
def test_entries_of_a_sparse_logistic_grid_are_single_solves(
    method, n_threads, text, assert_same_entry
):
    grid, singles = grid_and_singles(
        *text, [2, 6], [None, 0.5, 4.0], [None, 0.1], n_threads,
        method=method, loss="logistic", ridge=0.1, max_iter=40,
    )  # fmt: skip
    for entry, single in zip(grid, singles, strict=True):
        assert_same_entry(entry, single)
    assert any(entry.intercept != 0.0 for entry in grid)


@pytest.mark.parametrize("loss", regiht.losses())
def test_every_option_reaches_every_entry(loss, wide, make_target, assert_same_entry):
    X, _ = wide
    rng = np.random.default_rng(4)
    y = make_target(loss, 0.2 * X[:, :3].sum(axis=1), rng)
    options = {
        "loss": loss, "ridge": 0.2, "max_iter": 25, "tol": 1e-3, "round_threshold": 0.7,
        "x0": 0.01 * rng.normal(size=150), "w0": rng.uniform(0.5, 1, 150), "safeguard": True,
        "screening": False, "sample_weight": rng.uniform(0, 2, 60), "keep": [140, 7],
        "center": True, "scale": True, "history": True,
    }  # fmt: skip
    grid, singles = grid_and_singles(X, y, [2, 5], [None, 0.02], [0.05], 2, **options)
    batch = regiht.solve_batch(X, y[:, None], 5, step=0.02, weight_step=0.05, **options)
    for entry, single in zip([*grid, *batch], [*singles, singles[-1]], strict=True):
        assert_same_entry(entry, single)
        assert {7, 140} <= set(entry.support.tolist())


@pytest.mark.parametrize("n_threads", THREADS)
@pytest.mark.parametrize("shape", ["wide", "narrow"])
@pytest.mark.parametrize("step", [None, 1e-3])
def test_entries_of_a_batch_are_single_solves(step, shape, n_threads, request, assert_same_entry):
    X, y = request.getfixturevalue(shape)
    Y = np.column_stack([y, X[:, 5] - X[:, 20], np.random.default_rng(5).normal(size=len(y))])
    batch = regiht.solve_batch(X, Y, 6, step=step, max_iter=50, n_threads=n_threads)
    for k, entry in enumerate(batch):
        assert_same_entry(entry, regiht.solve(X, Y[:, k], 6, step=step, max_iter=50))


@pytest.mark.parametrize("n_threads", THREADS)
def test_entries_of_a_sparse_logistic_batch_are_single_solves(n_threads, text, assert_same_entry):
    design, y = text
    Y = np.column_stack([y, 1 - y, np.roll(y, 1)])
    options = {"loss": "logistic", "ridge": 0.1, "max_iter": 40}
    batch = regiht.solve_batch(design, Y, 5, n_threads=n_threads, **options)
    for k, entry in enumerate(batch):
        assert_same_entry(entry, regiht.solve(design, Y[:, k], 5, **options))


@pytest.mark.parametrize(
    "stored_as", [np.asarray, np.asfortranarray, lambda Y: Y.astype(np.float32), np.ndarray.tolist]
)
def test_targets_of_a_batch_may_be_stored_in_any_way(stored_as, wide, assert_same_entry):
    X, _ = wide
    Y = np.random.default_rng(6).integers(-3, 4, size=(60, 4)).astype(float)
    expected = regiht.solve_batch(X, Y, 3, max_iter=20)
    for ours, theirs in zip(
        regiht.solve_batch(X, stored_as(Y), 3, max_iter=20), expected, strict=True
    ):
        assert_same_entry(ours, theirs)


@pytest.mark.parametrize("loss", ["squared", "huber"])
@pytest.mark.parametrize("method", METHODS)
def test_what_was_solved_before_on_a_design_changes_no_bit(method, loss, narrow, assert_same_entry):
    """The Gram matrix that a grid leaves behind is not used where a fresh Design has none."""
    X, y = narrow
    used = regiht.Design(X, center=True, scale=True)
    regiht.solve_grid(used, y, [1, 10, 30], max_iter=200, loss=loss, method=method)
    regiht.solve_batch(used, np.column_stack([y, -y]), 20, loss=loss, screening=False)
    for s, max_iter in product((1, 4, 5, 12), (10, 50)):
        options = {"loss": loss, "method": method, "max_iter": max_iter, "history": True}
        fresh = regiht.Design(X, center=True, scale=True)
        expected = regiht.solve(fresh, y, s, **options)
        assert_same_entry(regiht.solve(used, y, s, **options), expected)
        assert_same_entry(regiht.solve_grid(used, y, [s, 40], **options)[0], expected)


def test_no_argument_is_changed(wide):
    X, y = (array.copy() for array in wide)
    s, step = [2, 3], [None, 1e-3]
    regiht.solve_grid(X, y, s, step=step, max_iter=5)
    regiht.solve_batch(X, y[:, None], 2, max_iter=5)
    assert (s, step) == ([2, 3], [None, 1e-3])
    np.testing.assert_array_equal(X, wide[0])
    np.testing.assert_array_equal(y, wide[1])

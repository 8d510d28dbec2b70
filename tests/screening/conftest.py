"""Adversarial matrices, and the run with screening against the run without it.

The comparison is exact, not to a tolerance. A gradient entry that survives the screening is
computed by the very sum that the full product uses, and the entries of the support are computed
alike in both runs. So the same columns make the same bits, and one column that was left out
wrongly, or one bit more or less, shows in an iterate.
"""

import functools

import numpy as np
import pytest

import regiht
from regiht import reference

# Large enough for screening to be used, and too wide for a Gram matrix of all columns.
ROWS, COLS = 64, 200
# So wide that squared loss learns inner products by pairs; else it learns whole columns of the
# Gram matrix, and bounds gradients by those.
WIDE_COLS = 2100


def gaussian(rng):
    return rng.normal(size=(ROWS, COLS))


def ties(rng):
    """Entries of −1, 0 and 1: gradients are full of equal magnitudes."""
    return rng.integers(-1, 2, size=(ROWS, COLS)).astype(float)


def near_ties(rng):
    """Groups of columns that differ in their last bits."""
    X = np.repeat(rng.normal(size=(ROWS, 20)), 10, axis=1)
    return X * (1 + 1e-15 * rng.integers(-3, 4, size=X.shape))


def near_ties_of_norms(rng):
    X = np.repeat(rng.normal(size=(ROWS, 20)), 10, axis=1)
    return X * (1 + 1e-15 * rng.integers(-3, 4, size=COLS))


def duplicates(rng):
    X = rng.normal(size=(ROWS, 50))
    return np.hstack([X, X[:, ::-1], X, X[:, ::-1]])


def signed_duplicates(rng):
    X = rng.normal(size=(ROWS, 50))
    return np.hstack([X, -X, -X[:, ::-1], X])


def unequal_norms(rng):
    return rng.normal(size=(ROWS, COLS)) * 10.0 ** rng.uniform(-6, 6, COLS)


def orthogonal(rng):
    """A reflection, which mixes all coordinates."""
    v = rng.normal(size=COLS)
    return np.eye(COLS) - np.outer(v, v) * (2 / (v @ v))


def nearly_parallel(rng):
    return rng.normal(size=(ROWS, 1)) + 1e-7 * rng.normal(size=(ROWS, COLS))


def outliers(rng):
    """A row that dwarfs the others: columns rounded to a byte keep little but it."""
    X = rng.normal(size=(ROWS, COLS))
    X[ROWS // 2] *= 1e3
    return X


def far_from_zero(rng):
    return rng.normal(size=(ROWS, COLS)) + 50 * rng.normal(size=COLS)


def tiny_numbers(rng):
    return 1e-60 * rng.normal(size=(ROWS, COLS))


def huge_numbers(rng):
    return 1e60 * rng.normal(size=(ROWS, COLS))


def sparse_columns(rng):
    return rng.normal(size=(200, 500)) * (rng.random((200, 500)) < 0.1)


MATRICES = {
    make.__name__: make
    for make in (
        gaussian, ties, near_ties, near_ties_of_norms, duplicates, signed_duplicates,
        unequal_norms, orthogonal, nearly_parallel, sparse_columns, outliers, far_from_zero,
        tiny_numbers, huge_numbers,
    )
}  # fmt: skip
EXTREME = ("tiny_numbers", "huge_numbers")
KINDS = [*((loss, False) for loss in regiht.losses()), ("squared", True)]


def pytest_generate_tests(metafunc):
    """Every matrix that is not extreme, every method, every loss and width, where asked for."""
    names = metafunc.fixturenames
    if "matrix" in names:
        metafunc.parametrize("matrix", [name for name in MATRICES if name not in EXTREME])
    if "method" in names:
        metafunc.parametrize("method", ["iht", "regiht"])
    if "loss" in names:
        ids = [f"{loss}-wide" if wide else loss for loss, wide in KINDS]
        metafunc.parametrize(("loss", "wide"), KINDS, ids=ids)


@pytest.fixture(scope="session")
def kinds():
    """All pairs of a loss and whether the matrix is wide."""
    return KINDS


@pytest.fixture(scope="session")
def trace():
    """A function that solves and returns the result with supports, x and weights of all steps."""

    def run(X, y, s, **options):
        supports, xs, ws = [], [], []

        def record(iteration):
            supports.append(iteration.support.tolist())
            xs.append(iteration.x)
            ws.append(iteration.weights)

        return regiht.solve(X, y, s, callback=record, **options), supports, xs, ws

    return run


@pytest.fixture(scope="session")
def assert_screening_changes_nothing(trace):
    """A function that compares the runs at every iteration, and returns both results."""

    def compare(X, y, s, **options):
        ours, supports, xs, ws = trace(X, y, s, screening=True, **options)
        plain, plain_supports, plain_xs, plain_ws = trace(X, y, s, screening=False, **options)
        for t, (support, expected) in enumerate(zip(supports, plain_supports, strict=False)):
            assert support == expected, f"iteration {t + 1}"
        assert (ours.n_iter, ours.status) == (plain.n_iter, plain.status)
        np.testing.assert_array_equal(xs, plain_xs)
        np.testing.assert_array_equal(ws, plain_ws)
        np.testing.assert_array_equal(ours.x, plain.x)
        assert (ours.fun, ours.step) == (plain.fun, plain.step)
        if options.get("step") is not None and not options.get("safeguard"):
            # An iteration evaluates all columns or the candidates among them, never both.
            assert ours.n_gradients <= plain.n_gradients
        return ours, plain

    return compare


@pytest.fixture(scope="session")
def smoothness():
    """β by power iteration; where it is unbounded (Poisson), something that goes well here."""

    def estimate(X, loss):
        v = np.ones(X.shape[1])
        for _ in range(20):
            v = X.T @ (X @ (v / np.linalg.norm(v)))
        curvature = reference.LOSSES[loss].max_curvature
        return np.linalg.norm(v) * (curvature if np.isfinite(curvature) else 10.0)

    return estimate


@pytest.fixture(scope="session")
def matrices():
    """The functions that make matrices, by name."""
    return MATRICES


@pytest.fixture(scope="session")
def problem(make_target, smoothness):
    """A function that draws a matrix and targets, and tells the smoothness."""

    @functools.cache
    def draw(matrix, loss, seed, wide=False):
        rng = np.random.default_rng(seed)
        X = MATRICES[matrix](rng)
        prediction = X[:, [1, 8, 33, 77]] @ np.array([1.0, -1.0, 0.7, 0.5])
        y = make_target(loss, prediction / max(prediction.std(), 1e-300), rng)
        if wide:  # by columns that hardly ever matter
            more = rng.normal(size=(X.shape[0], WIDE_COLS - X.shape[1]))
            X = np.hstack([X, 1e-3 * np.abs(X).mean() * more])
        return X, y, smoothness(X, loss)

    return draw

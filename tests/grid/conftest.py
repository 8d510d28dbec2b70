"""Problems that the tests of grids and batches share, and when two entries are the same."""

import numpy as np
import pytest

import regiht
from regiht import datasets


@pytest.fixture(scope="session")
def assert_same_entry():
    """A function that compares all but the clock and the weights, which entries do not have."""

    def compare(entry, single):
        for name in ("x", "support", "coef"):
            np.testing.assert_array_equal(getattr(entry, name), getattr(single, name))
        for name in ("fun", "n_iter", "n_gradients", "status", "step", "intercept"):
            assert getattr(entry, name) == getattr(single, name), name
        assert (entry.history is None) == (single.history is None)
        if entry.history is not None:
            for name in ("fun", "regularized_fun", "support_changes"):
                np.testing.assert_array_equal(entry.history[name], single.history[name])

    return compare


def draw(seed, rows, cols):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, cols))
    return X, X[:, :4] @ np.array([3.0, -2.0, 1.0, 0.5]) + 0.3 * rng.normal(size=rows)


@pytest.fixture(scope="session")
def wide():
    """More columns than rows: least squares on the inner products of the active columns."""
    return draw(1, 60, 150)


@pytest.fixture(scope="session")
def narrow():
    """Few columns: the whole Gram matrix is used if s·max_iter is large, and not if it is small."""
    return draw(2, 400, 60)


@pytest.fixture(scope="session")
def text():
    problem = datasets.rcv1_like(200, 600, 4000, seed=3)
    return regiht.Design(problem.X, center=True, scale=True), problem.y


@pytest.fixture(scope="session")
def table(wide):
    return regiht.solve_grid(
        *wide, [2, 4, 3], step=[1e-3, None, 3e-3], weight_step=[None, 0.1], max_iter=30
    )

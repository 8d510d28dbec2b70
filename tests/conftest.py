"""Shared fixtures: problems for every loss, storages of a matrix, and the real data sets."""

import collections
import itertools
import os
import signal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from scipy import sparse

import regiht
from regiht import reference
from regiht._solving import registry

# The same examples in every run. HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, database=None, max_examples=25
)
settings.register_profile("explore", deadline=None, database=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# The folder with the real data sets, which are not in this repository.
DATA = os.environ.get("REGIHT_DATA")

REFERENCE_METHODS = {"iht": reference.iht, "regiht": reference.regularized_iht}
WEIGHT_OPTIONS = {"weight_step", "round_threshold", "w0", "safeguard"}


def pytest_configure():
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a job in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption(
        "--all-combinations",
        action="store_true",
        help="run every combination of the tests that are marked `pairs`",
    )


def pytest_collection_modifyitems(config, items):
    """Thin out the tests that are marked `pairs`."""
    if config.getoption("all_combinations"):
        return
    products = collections.defaultdict(list)
    for item in items:
        if item.get_closest_marker("pairs"):
            products[item.nodeid.partition("[")[0]].append(item)
    left_out = set()
    for product in products.values():
        left_out |= {*product} - {*cover_pairs(product)}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


def values_of(item):
    """Tell the parameters and their values apart; the values need not be hashable."""
    return sorted((name, id(value)) for name, value in item.callspec.params.items())


def cover_pairs(items):
    """Choose few, in which any two values of two parameters that meet in all of them meet too."""
    pairs_of = {item: {*itertools.combinations(values_of(item), 2)} for item in items}
    missing = set().union(*pairs_of.values())
    while missing:
        chosen = max(items, key=lambda item: len(pairs_of[item] & missing))
        missing -= pairs_of[chosen]
        yield chosen


@pytest.fixture(scope="session")
def real_data():
    """A function that loads a real data set by name: the matrix and the target."""

    def load(name: str):
        if DATA is None:
            pytest.skip(
                "set REGIHT_DATA to a folder with real data; CONTRIBUTING says what it holds"
            )
        path = Path(DATA) / f"{name}.npz"
        if not path.exists():
            pytest.skip(f"{path.name} is not in REGIHT_DATA; CONTRIBUTING says how to make it")
        with np.load(path) as arrays:
            y = arrays["y"].astype(np.float64)
            if "X" in arrays:
                return arrays["X"], y
            triple = arrays["data"], arrays["indices"], arrays["indptr"]
            return sparse.csr_matrix(triple, shape=tuple(arrays["shape"])), y

    return load


def _with_indices(X, index_dtype):
    """Give a compressed matrix the index width asked for; scipy's constructors choose their own."""
    X.indices, X.indptr = X.indices.astype(index_dtype), X.indptr.astype(index_dtype)
    return X


STORAGES = {
    "row-major": lambda X, _: np.ascontiguousarray(X),
    "column-major": lambda X, _: np.asfortranarray(X),
    "csr_matrix": lambda X, width: _with_indices(sparse.csr_matrix(X), width),
    "csr_array": lambda X, width: _with_indices(sparse.csr_array(X), width),
    "csc_matrix": lambda X, width: _with_indices(sparse.csc_matrix(X), width),
    "csc_array": lambda X, width: _with_indices(sparse.csc_array(X), width),
}


@pytest.fixture(scope="session")
def stored():
    """A function that puts a dense array into a named storage, value and index type."""

    def store(X, storage, dtype=np.float64, index_dtype=np.int32):
        return STORAGES[storage](np.asarray(X, dtype=dtype), index_dtype)

    return store


@pytest.fixture(scope="session")
def all_designs(stored):
    """A function from a dense array to one Design for each way to read a matrix."""

    def designs(X, **options):
        for storage in ("row-major", "column-major", "csc_array"):
            yield regiht.Design(stored(X, storage), **options)
        yield regiht.Design(stored(X, "csr_array"), layout="as-is", **options)

    return designs


@pytest.fixture(scope="session")
def make_target():
    """A function that draws targets a loss is defined for, from predictions."""

    def draw(loss, prediction, rng):
        kind = registry.LOSSES[loss].targets
        if kind == "binary":
            return (rng.random(len(prediction)) < 1 / (1 + np.exp(-prediction))).astype(float)
        if kind == "nonnegative":
            return rng.poisson(np.exp(np.clip(prediction, -3, 2))).astype(float)
        return prediction + 0.1 * rng.standard_normal(len(prediction))

    return draw


@pytest.fixture(scope="session")
def solve_by_reference():
    """`regiht.solve` as the numpy reference does it, on an explicit dense float64 matrix."""

    def solve(
        X, y, s, *, method="regiht", loss="squared", center=False, scale=False, ridge=0.0,
        sample_weight=None, **options,
    ):  # fmt: skip
        A, _, _ = reference.standardize(X, center, scale)
        objective = reference.LinearObjective(A, y, loss, ridge, sample_weight)
        if not registry.METHODS[method].reads_weights:
            options = {name: v for name, v in options.items() if name not in WEIGHT_OPTIONS}
        return REFERENCE_METHODS[method](objective, A.shape[1], s, **options)

    return solve


@pytest.fixture(scope="session")
def assert_agrees():
    """A function that compares a result with the reference's, history included."""

    def check(result, expected, keep=(), rtol=1e-9):
        support = np.union1d(np.flatnonzero(expected.x), np.asarray(keep, dtype=np.int64))
        np.testing.assert_array_equal(result.support, support)
        size = np.abs(expected.x).max()
        np.testing.assert_allclose(result.x, expected.x, rtol=rtol, atol=rtol * size)
        np.testing.assert_allclose(result.weights, expected.weights, rtol=rtol)
        np.testing.assert_array_equal(result.weights == 0, expected.weights == 0)
        np.testing.assert_allclose(result.fun, expected.fun, rtol=rtol)
        if result.history is None:
            return
        n = result.n_iter
        for name in ("fun", "regularized_fun"):
            values, wanted = result.history[name], getattr(expected, f"history_{name}")
            assert values.shape == (n,)
            np.testing.assert_allclose(values, wanted[:n], rtol=rtol)
            # A run ends early only when nothing changes any more.
            np.testing.assert_allclose(wanted[n:], wanted[n - 1], rtol=rtol)

    return check


@pytest.fixture(scope="session")
def regression():
    """Columns of unlike size and mean; the target follows two of them, with little noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 15)) * rng.uniform(0.1, 10, size=15) + 4 * rng.normal(size=15)
    return X, X[:, 2] - 0.3 * X[:, 9] + 11 + 0.1 * rng.normal(size=120)


@pytest.fixture(scope="session")
def classification():
    """Labels that follow two columns, with noise."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 15)) + 2
    score = 2 * X[:, 2] - 1.5 * X[:, 9] - 1
    return X, np.where(score + rng.logistic(size=400) > 0, "yes", "no")

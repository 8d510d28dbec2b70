"""Data in blocks of rows, and clusters to solve on."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from scipy import sparse

ROWS, COLS = 500, 40
BOUNDS = (0, 100, 101, 350, 500)


@pytest.fixture(scope="session")
def cut():
    """Cuts an array into blocks of unlike height."""
    return lambda array, bounds=BOUNDS: [array[a:b] for a, b in itertools.pairwise(bounds)]


@pytest.fixture(scope="session")
def make():
    """Makes a matrix and targets for a loss."""
    return make_problem


def make_problem(loss, *, is_sparse=False, seed=0):
    """Columns with means and of unlike size, four of which matter."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(ROWS, COLS)) * rng.uniform(0.5, 2.0, COLS) + rng.normal(size=COLS)
    if is_sparse:
        X *= rng.random(X.shape) < 0.3
    signal = X[:, [2, 7, 11, 30]] @ [1.0, -1.0, 0.8, 0.7]
    if loss in {"logistic", "squared-hinge"}:
        y = (signal + rng.logistic(size=ROWS) > signal.mean()).astype(float)
    elif loss == "poisson":
        y = rng.poisson(np.exp(0.3 * signal)).astype(float)
    else:
        y = signal + rng.normal(size=ROWS)
    return (sparse.csr_array(X) if is_sparse else X), y


@pytest.fixture(scope="session")
def cluster():
    """Worker processes on this machine, as many as a test asks for."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0",
        silence_logs="CRITICAL", memory_limit=0,
    ) as local:  # fmt: skip
        yield local


@pytest.fixture
def client(cluster):
    """A client of two workers, even if the test before has killed some."""
    distributed = pytest.importorskip("distributed")
    with distributed.Client(cluster) as connected:
        scale(cluster, connected, 2)
        yield connected


@pytest.fixture
def workers(cluster, client):
    """Changes the number of workers."""
    return lambda count: scale(cluster, client, count)


def scale(cluster, client, count):
    for _ in range(6):
        cluster.scale(count)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if len(client.nthreads()) == count:
                return
            time.sleep(0.05)
        # The cluster may still count on a worker that was killed: it begins anew.
        cluster.scale(0)
    raise AssertionError("workers do not come or go")

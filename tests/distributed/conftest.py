"""Data in blocks of rows, and clusters to solve on."""

from __future__ import annotations

import itertools

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

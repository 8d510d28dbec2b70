"""A sparse problem, in memory and as a directory."""

import numpy as np
import pytest
from scipy import sparse

import regiht


@pytest.fixture(scope="session")
def problem():
    """A CSR matrix with empty, constant and dense columns, and labels 0 and 1."""
    rng = np.random.default_rng(7)
    X = sparse.random_array((400, 60), density=0.1, format="lil", rng=rng)
    X[:, 5] = 0.0
    X[:, 6] = 2.0
    X[:, 7] = rng.normal(size=400)
    X = X.tocsr()
    X.eliminate_zeros()
    signal = X[:, [3, 7, 20]] @ np.array([2.0, -1.0, 3.0])
    y = (signal + rng.normal(size=400) > 0).astype(float)
    return X, y


@pytest.fixture
def directory(problem, tmp_path):
    X, y = problem
    path = tmp_path / "data"
    regiht.dataset.write(path, X, y, feature_names=[f"word{j}" for j in range(X.shape[1])])
    return path

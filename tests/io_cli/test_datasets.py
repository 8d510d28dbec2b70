"""The problem generators: shapes, reproducibility and the structure they promise."""

import dataclasses

import numpy as np
import pytest
from scipy import sparse

from regiht import datasets, reference

SMALL = {
    "hard-instance": lambda _: datasets.hard_instance(kappa=4, s=1, sparsity=9),
    "recovery": lambda seed: datasets.recovery(20, 30, 4, seed=seed),
    "year-like": lambda seed: datasets.year_like(500, 40, seed=seed),
    "rcv1-like": lambda seed: datasets.rcv1_like(300, 2000, 6000, seed=seed),
    "wide": lambda seed: datasets.wide(50, 3000, 4, seed=seed),
    "tiny": lambda seed: datasets.tiny(seed=seed),
}
SHAPES = {
    "hard-instance": (21, 21),
    "recovery": (20, 30),
    "year-like": (500, 40),
    "rcv1-like": (300, 2000),
    "wide": (50, 3000),
    "tiny": (20, 50),
}


def dense(X) -> np.ndarray:
    return X.toarray() if sparse.issparse(X) else X


@pytest.mark.parametrize("name", SMALL)
def test_problems_are_well_formed(name):
    problem = SMALL[name](0)
    rows, cols = SHAPES[name]
    assert problem.name == name
    assert problem.X.shape == (rows, cols)
    assert problem.y.shape == (rows,)
    assert problem.coef is None or problem.coef.shape == (cols,)
    assert problem.loss in reference.LOSSES
    assert np.isfinite(dense(problem.X)).all()
    assert np.isfinite(problem.y).all()
    assert ("stand-in" in problem.description) == (name in {"year-like", "rcv1-like"})
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.name = "other"


@pytest.mark.parametrize("name", [name for name in SMALL if name != "hard-instance"])
def test_the_seed_decides_everything(name):
    first, again, other = SMALL[name](3), SMALL[name](3), SMALL[name](4)
    np.testing.assert_array_equal(dense(first.X), dense(again.X))
    np.testing.assert_array_equal(first.y, again.y)
    assert not np.array_equal(dense(first.X), dense(other.X))


def test_hard_instance_is_the_one_of_the_paper():
    problem = datasets.hard_instance()
    assert problem.X.shape == (842, 842)
    assert problem.X.format == "csc"
    np.testing.assert_array_equal(datasets.hard_instance(dense=True).X, problem.X.toarray())
    assert [block.stop - block.start for block in problem.blocks] == [2, 40, 800]
    assert np.count_nonzero(problem.x_bad) == 440
    assert np.count_nonzero(problem.x_star) == 2
    eigenvalues = problem.X.diagonal() ** 2
    np.testing.assert_allclose([eigenvalues.min(), eigenvalues.max()], [1, problem.beta])
    objective = reference.LinearObjective(problem.X, problem.y)
    # The paper's identity: f(x) - f(x*) = s kappa^2 (1 - 4 delta) / 2 - s' / 2.
    gap = objective.value(problem.x_bad) - objective.value(problem.x_star)
    np.testing.assert_allclose(gap, 400 * (1 - 4e-3) - 220)


@pytest.mark.parametrize("options", [{"delta": 0.25}, {"delta": -1e-3}, {"sparsity": 801}])
def test_hard_instance_refuses_what_the_lemma_excludes(options):
    with pytest.raises(ValueError, match="must be"):
        datasets.hard_instance(**options)


def test_recovery_measures_the_planted_signal():
    problem = datasets.recovery(20, 30, 4, seed=1)
    np.testing.assert_allclose(np.linalg.norm(problem.X, axis=0), 1)
    np.testing.assert_array_equal(problem.y, problem.X @ problem.coef)
    assert np.count_nonzero(problem.coef) == 4
    raw = datasets.recovery(20, 30, 4, seed=1, normalize=False, noise=0.5)
    assert np.linalg.norm(raw.X, axis=0).min() > 1.5
    assert np.abs(raw.y - raw.X @ raw.coef).max() > 0.1


def test_year_like_has_years_and_features_of_many_scales():
    problem = datasets.year_like(20_000, seed=0)
    assert problem.X.shape == (20_000, 90)
    assert 1922 <= problem.y.min() < problem.y.max() <= 2011
    np.testing.assert_array_equal(problem.y, np.rint(problem.y))
    deviations = problem.X.std(axis=0)
    assert deviations.max() > 50 * deviations.min()
    A, _, _ = reference.standardize(problem.X, True, True)
    correlations = np.abs(A.T @ A - np.eye(90))
    assert np.median(correlations.max(axis=0)) > 0.5
    y = problem.y - problem.y.mean()
    explained = 1 - np.sum((y - A @ np.linalg.lstsq(A, y, rcond=None)[0]) ** 2) / (y @ y)
    assert 0.2 < explained < 0.6


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rcv1_like_looks_like_text(dtype):
    problem = datasets.rcv1_like(2000, 5000, 60_000, seed=0, dtype=dtype)
    X = problem.X
    assert (X.format, X.dtype, X.nnz) == ("csr", dtype, 60_000)
    assert X.has_canonical_format
    assert X.data.min() > 0
    squared_norms = np.asarray(X.multiply(X).sum(axis=1)).ravel()
    np.testing.assert_allclose(squared_norms, 1, rtol=1e-5)
    frequencies = np.sort(np.bincount(X.indices, minlength=5000))[::-1]
    assert frequencies[0] > 10 * frequencies[1000] > 0
    assert set(problem.y) == {0.0, 1.0}
    assert 0.4 < problem.y.mean() < 0.6
    logit = X @ problem.coef
    agreement = np.mean((logit > np.median(logit)) == problem.y)
    assert agreement > 0.75


@pytest.mark.parametrize("nnz", [10, 100_000])
def test_rcv1_like_refuses_impossible_sizes(nnz):
    with pytest.raises(ValueError, match="nnz must be"):
        datasets.rcv1_like(100, 2000, nnz)


def test_wide_columns_are_normalized_and_the_signal_can_be_found():
    problem = datasets.wide(300, 3000, 5, seed=0)
    assert problem.X.flags.f_contiguous
    np.testing.assert_allclose(np.linalg.norm(problem.X, axis=0), 1)
    objective = reference.LinearObjective(problem.X, problem.y)
    found = reference.iht(objective, 3000, 5, step=0.7, max_iter=60, history=False)
    np.testing.assert_array_equal(np.flatnonzero(found.x), np.flatnonzero(problem.coef))

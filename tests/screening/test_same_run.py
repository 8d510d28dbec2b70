"""Screening changes the time and not the run."""

import numpy as np
import pytest
from scipy import sparse

import regiht


@pytest.mark.pairs
@pytest.mark.parametrize("factor", [None, 0.7])
def test_every_iterate_is_the_same(
    matrix, loss, wide, method, factor, problem, all_designs, assert_screening_changes_nothing
):
    X, y, beta = problem(matrix, loss, 0, wide)
    step = None if factor is None else factor / beta
    for design in all_designs(X):
        assert_screening_changes_nothing(
            design, y, 6, loss=loss, method=method, step=step, max_iter=40
        )


@pytest.mark.parametrize("storage", ["row-major", "column-major", "csc_array", "csr_array"])
def test_float32_with_centring_and_scaling(
    matrix, storage, stored, problem, kinds, assert_screening_changes_nothing
):
    for loss, wide in kinds:
        X, y, _ = problem(matrix, loss, 1, wide)
        design = regiht.Design(stored(X, storage, np.float32), center=True, scale=True)
        for step in (None, 0.2):
            assert_screening_changes_nothing(design, y, 5, loss=loss, step=step, max_iter=30)


@pytest.mark.parametrize("factor", [1.5, 1.9, 1.99, 2.0, 2.01, 2.2, 4.0, 30.0])
def test_steps_near_divergence(method, factor, problem, kinds, assert_screening_changes_nothing):
    for matrix in ("gaussian", "ties", "duplicates"):
        for loss, wide in kinds:
            X, y, beta = problem(matrix, loss, 2, wide)
            step = factor / beta
            assert_screening_changes_nothing(
                np.asfortranarray(X), y, 8, loss=loss, method=method, step=step, max_iter=80
            )


@pytest.mark.parametrize("factor", [1.0, 1.9, 2.0])
@pytest.mark.parametrize(
    "hard",
    ["near_ties", "unequal_norms", "outliers", "far_from_zero", "tiny_numbers", "huge_numbers"],
)  # fmt: skip
def test_rough_columns_of_runs_whose_supports_keep_changing(
    hard, factor, problem, stored, assert_screening_changes_nothing
):
    """Long enough for rough products, with steps that leave no reference near."""
    for loss, wide in (("squared", False), ("squared", True), ("logistic", False)):
        X, y, beta = problem(hard, loss, 16, wide)
        for storage in ("row-major", "column-major"):
            for s in (1, 8, 30):
                assert_screening_changes_nothing(
                    stored(X, storage), y, s, loss=loss, step=factor / beta, max_iter=60
                )


@pytest.mark.pairs
@pytest.mark.parametrize("keep", [[119], [0, 1, 2], [5, 50, 60, 70, 80, 90]])
def test_kept_columns(matrix, method, keep, problem, assert_screening_changes_nothing):
    for loss, wide in (("squared", False), ("squared", True), ("logistic", False)):
        X, y, beta = problem(matrix, loss, 5, wide)
        for step in (None, 1 / beta):
            ours, _ = assert_screening_changes_nothing(
                sparse.csc_array(X), y, 6, loss=loss, method=method, step=step, keep=keep,
                max_iter=40,
            )  # fmt: skip
            assert set(keep) <= set(ours.support.tolist())


@pytest.mark.parametrize("spread", [0, 3, 12])
def test_sample_weights_and_ridge(
    loss, wide, spread, problem, all_designs, assert_screening_changes_nothing
):
    X, y, beta = problem("gaussian", loss, 6, wide)
    rng = np.random.default_rng(7)
    weights = 10.0 ** rng.uniform(-spread, 0, len(y)) * (rng.random(len(y)) < 0.8)
    for design in all_designs(X, center=True):
        for step in (None, 1 / beta):
            assert_screening_changes_nothing(
                design, y, 5, loss=loss, ridge=0.5, step=step, sample_weight=weights, max_iter=40
            )


def test_runs_through_the_whole_gram_matrix(method, make_target, assert_screening_changes_nothing):
    """Narrow and squared: the entries outside are read off, and no column is evaluated again."""
    rng = np.random.default_rng(10)
    X = rng.normal(size=(300, 40))
    y = make_target("squared", X[:, :3].sum(axis=1), rng)
    for design in (regiht.Design(X), regiht.Design(X + 100, center=True, scale=True)):
        for step in (None, 1e-3):
            ours, plain = assert_screening_changes_nothing(
                design, y, 5, method=method, step=step, max_iter=100
            )
            assert ours.n_gradients == plain.n_gradients <= 4

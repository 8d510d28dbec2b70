"""Columns that nearly depend on one another, unlike sizes, starts far from the minimum."""

import numpy as np
import pytest

import regiht
from regiht import reference

ENOUGH = 3000  # swaps and other steps; a search that gains nothing but rounding makes many more


def least_squares(X, y):
    residual = X @ np.linalg.lstsq(X, y, rcond=None)[0] - y
    return 0.5 * residual @ residual


def nearly_equal_columns(seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(40, 1)) + 1e-8 * rng.normal(size=(40, 6)), rng.normal(size=40)


@pytest.mark.parametrize("loss", ["squared", "huber", "logistic", "poisson"])
@pytest.mark.parametrize("intercept", [False, True])
def test_swaps_among_nearly_equal_columns_come_to_an_end(loss, intercept):
    X, y = nearly_equal_columns()
    targets = {"logistic": y > 0, "poisson": np.round(np.abs(y))}
    result = regiht.solve(
        X, targets.get(loss, y).astype(float), 3, loss=loss, method="best", intercept=intercept,
        callback=lambda iteration: iteration.number >= ENOUGH,
    )  # fmt: skip
    assert result.status == "finished"


def test_swaps_in_an_ill_conditioned_square_matrix_come_to_an_end():
    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.normal(size=(40, 40)))[0] for _ in range(2))
    X, y = U * np.geomspace(1, 1 / 2e7, 40) @ V, rng.normal(size=40)
    result = regiht.solve(
        X, y, 39, method="best", callback=lambda iteration: iteration.number >= ENOUGH
    )
    assert result.status == "finished"
    assert result.fun <= least_squares(X[:, result.support], y) * (1 + 1e-6)


@pytest.mark.parametrize("offset", [1e4, 1e6, 1e7])
@pytest.mark.parametrize("method", ["best", "omp", "gradient"])
def test_columns_with_a_large_common_part_are_fitted_like_any_other(method, offset):
    rng = np.random.default_rng(0)
    X, y = offset + rng.normal(size=(20, 5)), rng.normal(size=20)
    result = regiht.solve(X, y, 4, method=method)
    assert result.support.size == 4
    assert result.fun == pytest.approx(least_squares(X[:, result.support], y), rel=1e-6)
    assert not result.rank_deficient


@pytest.mark.parametrize("loss", ["logistic", "huber", "squared-hinge"])
def test_other_losses_see_the_differences_of_such_columns_too(loss):
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(60, 3)), rng.normal(size=60)
    y = X @ np.ones(3) + 2 * noise
    y = y if loss == "huber" else (y > 0).astype(float)
    shifted = np.column_stack([X[:, 0], 1e6 + X])[:, 1:]
    plain = regiht.solve(np.column_stack([X, np.ones(60)]), y, 4, loss=loss, method="gradient")
    # The same span, with columns that are nearly the same: a column of ones and what differs.
    other = regiht.solve(
        np.column_stack([shifted, np.full(60, 1e6)]), y, 4, loss=loss, method="gradient"
    )
    assert other.fun == pytest.approx(plain.fun, rel=1e-6)


@pytest.mark.parametrize("scale", [1.0, 1e3, 1e6])
def test_huber_loss_comes_to_its_minimum_from_far_away(scale):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(30, 6))
        y = scale * (rng.normal(size=30) if seed % 2 else rng.standard_cauchy(30))
        result = regiht.solve(X, y, 6, loss="huber", method="gradient")
        slope = reference.LinearObjective(X, y, "huber").gradient(result.x)
        # f is convex: it cannot be lower elsewhere by more than slope times distance.
        assert np.abs(slope).max() * np.linalg.norm(result.x) <= 1e-6 * result.fun, seed


@pytest.mark.parametrize("method", ["iht", "regiht", "omp", "best"])
def test_the_value_of_large_uncentred_columns_is_that_of_the_residual(method):
    rng = np.random.default_rng(0)
    X, y = 1e9 + rng.normal(size=(30, 6)), rng.normal(size=30)
    x0 = np.zeros(6)
    x0[:2] = 1.0, -1.0
    result = regiht.solve(X, y, 2, x0=x0, method=method)
    residual = X @ result.x - y
    assert result.fun == pytest.approx(0.5 * residual @ residual, rel=1e-6)


def test_a_column_of_timestamps_does_not_spoil_the_value():
    rng = np.random.default_rng(1)
    time = 1.7e9 + 86400.0 * np.arange(50)
    X = np.column_stack([time, np.ones(50), rng.normal(size=(50, 4))])
    y = 1e-5 * (time - time.mean()) + rng.normal(size=50)
    result = regiht.solve(X, y, 3, method="best")
    residual = X @ result.x - y
    assert result.fun == pytest.approx(0.5 * residual @ residual, rel=1e-9)
    assert result.fun == pytest.approx(least_squares(X[:, result.support], y), rel=1e-9)


def test_sample_weights_near_the_largest_number_do_not_keep_arht_for_ever():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 5)), rng.normal(size=20)
    result = regiht.solve(X, y, 2, method="arht", sample_weight=np.full(20, 5e307))
    assert result.status in {"finished", "completed", "diverged"}


def test_a_certificate_of_zeros_with_the_smallest_ridge_comes_to_an_end():
    result = regiht.solve(np.zeros((5, 3)), np.ones(5), 1, ridge=5e-324, certify=True)
    assert result.lower_bound <= result.fun


@pytest.mark.parametrize("method", ["best", "lasso"])
def test_paths_of_penalties_below_the_normal_numbers_had_no_end(method):
    rng = np.random.default_rng(1)
    X, y = 5e-324 * rng.integers(0, 9, size=(8, 4)), rng.normal(size=8)
    result = regiht.solve(
        X, y, 2, method=method, ridge=1e-3, effort="thorough",
        callback=lambda iteration: iteration.number >= ENOUGH,
    )  # fmt: skip
    assert result.status != "callback"
    assert result.fun == pytest.approx(0.5 * y @ y)


@pytest.mark.parametrize("method", ["best", "regiht", "omp"])
def test_targets_that_overflow_were_blamed_on_a_step_that_nobody_gave(method):
    X = np.random.default_rng(0).normal(size=(20, 4))
    for y in (np.full(20, 1e308), 1e200 * X[:, 0]):
        for options in ({}, {"intercept": True, "center": True}):
            result = regiht.solve(X, y, 2, method=method, **options)
            assert result.status == "diverged"
            assert "No iterate had a finite objective" in result.message
            assert "Scale them" in result.message

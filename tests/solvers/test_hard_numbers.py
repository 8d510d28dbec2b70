"""Columns that nearly depend on one another, numbers of unlike size, and losses far from their minimum."""

import numpy as np
import pytest

import regiht
from regiht import reference


def least_squares(X, y):
    residual = X @ np.linalg.lstsq(X, y, rcond=None)[0] - y
    return 0.5 * residual @ residual


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

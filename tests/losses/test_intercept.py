"""The intercept: free of the penalty, not counted, and the best one at the x that is returned."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import _core
from regiht._solving import registry


def problem(loss, make_target, seed=0, rows=150, cols=12):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, cols)) + 3 * rng.normal(size=cols)
    z = X[:, 3] - 0.5 * X[:, 5]
    y = make_target(loss, z - z.mean() + 0.7, rng)
    return X, y + (40.0 if registry.LOSSES[loss].targets == "real" else 0.0), rng


def derivatives(loss, X, y, result, weights=None):
    _, slopes = _core.loss_evaluate(loss, X @ result.coef + result.intercept, y)
    return slopes if weights is None else slopes * weights


@pytest.mark.pairs
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("center", "scale"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("loss", regiht.losses())
def test_derivatives_sum_to_zero(loss, center, scale, weighted, make_target):
    X, y, rng = problem(loss, make_target)
    weights = rng.integers(0, 3, size=len(y)).astype(float) if weighted else None
    design = regiht.Design(X, center=center, scale=scale)
    for s in (1, 3, X.shape[1]):
        result = regiht.solve(
            design, y, s, loss=loss, intercept=True, sample_weight=weights, ridge=0.1, max_iter=60
        )
        slopes = derivatives(loss, X, y, result, weights)
        assert abs(slopes.sum()) <= 1e-9 * np.abs(slopes).sum()


@pytest.mark.parametrize("loss", regiht.losses())
def test_the_full_model_is_optimal_in_every_direction(loss, make_target):
    X, y, _ = problem(loss, make_target)
    result = regiht.solve(
        X, y, X.shape[1], loss=loss, intercept=True, center=True, scale=True, max_iter=4000
    )
    slopes = derivatives(loss, X, y, result)
    assert np.abs(X.T @ slopes).max() <= 1e-4 * np.abs(slopes).sum()


@pytest.mark.parametrize("method", regiht.methods())
@pytest.mark.parametrize("loss", regiht.losses())
def test_every_method_ends_at_the_minimum_of_its_support(loss, method, make_target):
    X, y, _ = problem(loss, make_target)
    result = regiht.solve(
        X, y, 3, loss=loss, method=method, intercept=True, center=True, scale=True, refit=True,
        ridge=0.01,
    )  # fmt: skip
    slopes = derivatives(loss, X, y, result)
    assert abs(slopes.sum()) <= 1e-9 * np.abs(slopes).sum()
    columns = (X - X.mean(axis=0)) / np.linalg.norm(X - X.mean(axis=0), axis=0)
    gradient = columns[:, result.support].T @ slopes + 0.01 * result.x[result.support]
    assert np.abs(gradient).max() <= 1e-6 * np.linalg.norm(slopes)


@pytest.mark.parametrize("loss", regiht.losses())
def test_value_is_that_of_the_prediction_without_a_penalty_on_the_intercept(loss, make_target):
    X, y, _ = problem(loss, make_target)
    result = regiht.solve(X, y, 3, loss=loss, intercept=True, ridge=0.3, max_iter=50)
    value, _ = _core.loss_evaluate(loss, X @ result.coef + result.intercept, y)
    np.testing.assert_allclose(result.fun, value + 0.15 * result.x @ result.x, rtol=1e-10)


def test_squared_loss_is_that_of_centred_data():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(80, 20)) + 5, rng.normal(size=80) + 9
    centred = regiht.solve(X - X.mean(axis=0), y - y.mean(), 4)
    for center in (False, True):
        result = regiht.solve(X, y, 4, intercept=True, center=center)
        np.testing.assert_array_equal(result.support, centred.support)
        np.testing.assert_allclose(result.coef, centred.coef, rtol=1e-6)
        np.testing.assert_allclose(result.intercept, (y - X @ result.coef).mean(), rtol=1e-12)
        np.testing.assert_allclose(result.fun, centred.fun, rtol=1e-9)


@pytest.mark.parametrize("loss", ["squared", "huber"])
def test_moving_the_targets_moves_the_intercept_only(loss, make_target):
    X, y, _ = problem(loss, make_target)
    here = regiht.solve(X, y, 3, loss=loss, intercept=True)
    there = regiht.solve(X, y + 1000, 3, loss=loss, intercept=True)
    np.testing.assert_array_equal(here.support, there.support)
    np.testing.assert_allclose(here.coef, there.coef, atol=1e-6)
    np.testing.assert_allclose(here.intercept + 1000, there.intercept, rtol=1e-8)


def test_large_counts_and_wide_predictions_find_their_intercept():
    rng = np.random.default_rng(2)
    X = 30 * rng.normal(size=(60, 4))
    y = rng.poisson(1e6, size=60).astype(float)
    result = regiht.solve(X, y, 1, loss="poisson", intercept=True, max_iter=30)
    slopes = derivatives("poisson", X, y, result)
    assert abs(slopes.sum()) <= 1e-9 * np.abs(y).sum()
    # A first step into overflow comes back.
    wild = regiht.solve(X, y, 1, loss="poisson", intercept=True, x0=[40, 0, 0, 0], max_iter=0)
    assert np.isfinite(wild.fun)


@pytest.mark.parametrize("loss", regiht.losses())
def test_same_bits_for_any_threads_screening_and_in_a_grid(loss, make_target):
    rng = np.random.default_rng(3)
    X = sparse.random(9000, 300, density=0.02, random_state=3, format="csc")
    y = make_target(loss, np.asarray(X @ rng.normal(size=300)).ravel(), rng)
    design = regiht.Design(X, center=True, scale=True)
    options = {"loss": loss, "intercept": True, "max_iter": 25}
    first = regiht.solve(design, y, 4, n_threads=1, **options)
    others = [
        regiht.solve(design, y, 4, n_threads=3, **options),
        regiht.solve(design, y, 4, screening=False, **options),
        regiht.solve_grid(design, y, [2, 4], **options)[1],
        regiht.solve_batch(design, np.stack([y[::-1], y], axis=1), 4, **options)[1],
    ]
    for other in others:
        np.testing.assert_array_equal(first.coef, other.coef)
        assert first.intercept == other.intercept


@pytest.mark.parametrize(
    ("loss", "y", "message"),
    [
        ("logistic", [1.0, 1.0, 1.0], "both labels"),
        ("squared-hinge", [0.0, 0.0, 0.0], "both labels"),
        ("poisson", [0.0, 0.0, 0.0], "nonzero target"),
    ],
)
def test_targets_whose_best_intercept_is_infinite_are_refused(loss, y, message):
    X = np.eye(3)
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.solve(X, y, 1, loss=loss, intercept=True)
    regiht.solve(X, y, 1, loss=loss, max_iter=3)
    # Rows of weight zero do not count.
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.solve(
            np.eye(4), [*y, 1.0 - y[0]], 1, loss=loss, intercept=True, sample_weight=[1, 1, 1, 0]
        )


def test_one_row_and_constant_columns():
    one = regiht.solve([[2.0, 3.0]], [5.0], 1, intercept=True, center=True)
    assert (one.intercept, one.fun) == (5.0, 0.0)
    X = np.column_stack([np.ones(9), np.arange(9.0)])
    result = regiht.solve(X, 2 * X[:, 1] + 7, 2, intercept=True, center=True, scale=True)
    assert result.support.tolist() == [1]
    np.testing.assert_allclose([result.coef[1], result.intercept], [2.0, 7.0], rtol=1e-9)

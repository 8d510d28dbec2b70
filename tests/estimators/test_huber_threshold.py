"""Where Huber's loss turns from quadratic to linear."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

from scipy.optimize import minimize

import regiht


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6)) + 1
    y = 40 * X[:, 1] - 25 * X[:, 4] + 10 * rng.standard_t(2, size=80)
    return X, y


def huber(residual, threshold):
    size = np.abs(residual)
    small = np.minimum(size, threshold)
    return (0.5 * small**2 + threshold * (size - small)).sum()


@pytest.mark.parametrize("threshold", [0.4, 1.35, 13.5, 1e4])
def test_the_fit_is_the_minimum_for_the_threshold_given(data, threshold):
    X, y = data
    ridge = 3.0
    model = regiht.SparseRegressor(
        2, loss="huber", huber_threshold=threshold, ridge=ridge, standardize=False
    ).fit(X, y)
    assert model.support_.tolist() == [1, 4]

    def objective(v):
        residual = X[:, [1, 4]] @ v[:2] + v[2] - y
        return huber(residual, threshold) + 0.5 * ridge * (v[:2] ** 2).sum()

    found = np.array([*model.coef_[[1, 4]], model.intercept_])
    assert model.objective_ == pytest.approx(objective(found), rel=1e-9)
    best = minimize(objective, found, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9})
    assert model.objective_ <= best.fun * (1 + 1e-7)


def test_a_large_threshold_is_least_squares(data):
    X, y = data
    model = regiht.SparseRegressor(3, loss="huber", huber_threshold=1e6, ridge=0.1).fit(X, y)
    np.testing.assert_allclose(
        model.coef_, regiht.SparseRegressor(3, ridge=0.1).fit(X, y).coef_, rtol=1e-6
    )


def test_cross_validation_warm_starts_and_several_targets_know_of_it(data):
    X, y = data
    plain = regiht.SparseRegressor(2, loss="huber", huber_threshold=13.5).fit(X, y)
    chosen = regiht.SparseRegressorCV([2], loss="huber", huber_threshold=13.5, cv=3).fit(X, y)
    np.testing.assert_array_equal(chosen.coef_, plain.coef_)
    warm = regiht.SparseRegressor(2, loss="huber", huber_threshold=13.5, warm_start=True)
    np.testing.assert_allclose(warm.fit(X, y).fit(X, y).coef_, plain.coef_, rtol=1e-6)
    both = regiht.SparseRegressor(2, loss="huber", huber_threshold=13.5)
    both.fit(X, np.column_stack([y, -y]))
    np.testing.assert_allclose(both.coef_, [plain.coef_, -plain.coef_], rtol=1e-6)
    noise = regiht.SparseRegressorCV(loss="huber", huber_threshold=13.5)
    noise.fit(X, np.random.default_rng(7).normal(size=80))
    assert noise.predict(X).std() < 1.0


@pytest.mark.parametrize("threshold", [0.0, -1.0, "wide"])
def test_other_thresholds_are_refused(data, threshold):
    with pytest.raises(regiht.InvalidArgumentError, match="huber_threshold must be"):
        regiht.SparseRegressor(loss="huber", huber_threshold=threshold).fit(*data)


def test_the_threshold_of_the_core_is_the_default():
    X, y = np.ones((2, 1)), np.array([0.0, 100.0])
    result = regiht.solve(X, y, 1, loss="huber", refit=True)
    assert result.fun == pytest.approx(
        min(huber(np.full(2, v) - y, 1.35) for v in np.linspace(0, 100, 100_001)), rel=1e-6
    )

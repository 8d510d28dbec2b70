"""Exchanges: what is called swap-optimal is checked against every single exchange."""

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import reference
from regiht.reference import pursuits

STARTS = ("regiht", "gradient", "omp", "htp")


def draw(seed, loss, make_target, rows=30, cols=20, correlation=0.6):
    rng = np.random.default_rng(seed)
    factor = np.linalg.cholesky(
        correlation ** np.abs(np.subtract.outer(np.arange(cols), np.arange(cols)))
    )
    X = rng.standard_normal((rows, cols)) @ factor.T
    coef = np.zeros(cols)
    coef[rng.choice(cols, 5, replace=False)] = rng.standard_normal(5)
    noise = rng.standard_normal(rows)
    return X, make_target(loss, X @ coef + noise, rng), int(rng.integers(1, 7))


def exchanges(support, cols, keep=()):
    for leaving in np.setdiff1d(support, keep):
        for entering in np.setdiff1d(np.arange(cols), support):
            yield np.union1d(np.setdiff1d(support, [leaving]), [entering]).astype(int)


def least_value(X, y, loss, ridge, support):
    objective = reference.LinearObjective(X, y, loss, ridge)
    if loss != "squared":
        return objective.value(pursuits.restricted_minimum(objective, support))
    A = np.vstack([X[:, support], np.sqrt(ridge) * np.eye(len(support))])
    b = np.concatenate([y, np.zeros(len(support))])
    residual = A @ np.linalg.lstsq(A, b, rcond=None)[0] - b
    return 0.5 * residual @ residual


@pytest.mark.parametrize("method", STARTS)
@pytest.mark.parametrize("ridge", [0.0, 1.0])
def test_no_exchange_improves_what_is_called_swap_optimal(method, ridge, make_target):
    for seed in range(12):
        X, y, s = draw(seed, "squared", make_target)
        result = regiht.solve(X, y, s, method=method, ridge=ridge, polish="swap", max_iter=100)
        assert result.swap_optimal is True
        for other in exchanges(result.support, X.shape[1]):
            assert least_value(X, y, "squared", ridge, other) >= result.fun * (1 - 1e-8)


def test_nor_for_weighted_rows(make_target):
    for seed in range(12):
        X, y, s = draw(seed, "squared", make_target)
        weight = np.random.default_rng(seed).uniform(0, 3, len(y))
        result = regiht.solve(X, y, s, method="gradient", polish="swap", sample_weight=weight)
        assert result.swap_optimal is True
        root = np.sqrt(weight)
        for other in exchanges(result.support, X.shape[1]):
            value = least_value(root[:, None] * X, root * y, "squared", 0.0, other)
            assert value >= result.fun * (1 - 1e-8)


def test_kept_features_are_not_exchanged(make_target):
    for seed in range(6):
        X, y, _ = draw(seed, "squared", make_target)
        keep = [2, 11]
        result = regiht.solve(X, y, 4, method="omp", polish="swap", keep=keep)
        assert set(keep) <= set(result.support.tolist())
        assert result.swap_optimal is True
        for other in exchanges(result.support, X.shape[1], keep):
            assert least_value(X, y, "squared", 0.0, other) >= result.fun * (1 - 1e-8)


@pytest.mark.parametrize("loss", ["logistic", "poisson"])
def test_other_losses_are_swap_optimal_as_far_as_their_model_sees(loss, make_target):
    """Allowed: one exchange in a thousand improves, and by less than a hundredth."""
    looked_at = missed = 0
    for seed in range(8):
        X, y, s = draw(seed, loss, make_target, rows=60, cols=14)
        result = regiht.solve(X, y, s, loss=loss, ridge=0.2, method="gradient", polish="swap")
        assert result.swap_optimal is True
        size = reference.LinearObjective(X, y, loss, 0.2).value(np.zeros(14))
        for other in exchanges(result.support, 14):
            gain = result.fun - least_value(X, y, loss, 0.2, other)
            looked_at += 1
            missed += gain > 1e-8 * size
            assert gain <= 1e-2 * size
    assert missed <= looked_at / 1000


@pytest.mark.parametrize("loss", regiht.losses())
def test_polishing_never_harms(loss, make_target):
    for seed in range(6):
        X, y, s = draw(seed, loss, make_target)
        for method in regiht.methods():
            options = {"method": method, "loss": loss, "ridge": 0.2, "max_iter": 50}
            plain = regiht.solve(X, y, s, refit=True, **options)
            polished = regiht.solve(X, y, s, polish="swap", **options)
            assert polished.fun <= plain.fun + 1e-10 * abs(plain.fun)
            assert plain.swap_optimal is None


def test_a_support_of_duplicates_is_mended():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((50, 12))
    X[:, 1] = X[:, 2] = X[:, 0]
    y = 3 * X[:, 0] + X[:, 7] - X[:, 9]
    start = np.zeros(12)
    start[:3] = 1.0
    result = regiht.solve(X, y, 3, method="gradient", x0=start, polish="swap")
    assert result.fun <= 1e-20 * (y @ y)
    assert {7, 9} <= set(result.support.tolist())
    assert not result.rank_deficient


def test_a_selected_column_of_zeros_is_replaced():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((40, 6))
    X[:, 0] = 0.0
    y = X[:, 3] - 2 * X[:, 5] + 0.1 * rng.standard_normal(40)
    start = np.zeros(6)
    start[[0, 3]] = 1.0
    result = regiht.solve(X, y, 2, method="gradient", x0=start, polish="swap")
    assert result.support.tolist() == [3, 5]


def test_a_block_is_exchanged_where_no_single_exchange_helps():
    rng = np.random.default_rng(41)
    factor = np.linalg.cholesky(0.8 ** np.abs(np.subtract.outer(np.arange(12), np.arange(12))))
    X = rng.standard_normal((30, 12)) @ factor.T
    y = X @ rng.standard_normal(12) + rng.standard_normal(30)
    start = np.zeros(12)
    start[[1, 2, 5, 11]] = 1.0
    stuck = least_value(X, y, "squared", 0.0, [1, 2, 5, 11])
    for other in exchanges([1, 2, 5, 11], 12):
        assert least_value(X, y, "squared", 0.0, other) > stuck
    result = regiht.solve(X, y, 4, method="gradient", x0=start, polish="swap")
    assert result.fun < 0.9 * stuck


@pytest.mark.parametrize("storage", ["row-major", "csc_array", "csr_array"])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_storages_and_standardization_give_the_same_exchanges(storage, loss, make_target, stored):
    rng = np.random.default_rng(6)
    X = sparse.random_array((80, 200), density=0.1, rng=rng).toarray()
    y = make_target(loss, X[:, :4].sum(axis=1) * 3, rng)
    for standardized in (False, True):
        options = {"loss": loss, "ridge": 0.1, "polish": "swap", "method": "gradient"}
        A, _, _ = reference.standardize(X, standardized, standardized)
        wanted = regiht.solve(A, y, 4, **options)
        design = regiht.Design(
            stored(X, storage), center=standardized, scale=standardized, layout="as-is"
        )
        result = regiht.solve(design, y, 4, **options)
        np.testing.assert_array_equal(result.support, wanted.support)
        np.testing.assert_allclose(result.fun, wanted.fun, rtol=1e-9)

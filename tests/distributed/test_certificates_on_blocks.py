"""Lower bounds on blocks are those of the same rows in memory."""

from __future__ import annotations

import numpy as np
import pytest

import regiht
import regiht.distributed

OPTIONS = {"ridge": 5.0, "method": "omp", "certify": True}
CASES = {
    "plain": {},
    "standardized": {"center": True, "scale": True, "ridge": 0.5},
    "weights": {"sample_weight": np.r_[np.zeros(30), np.linspace(0.1, 2.0, 470)]},
    "kept": {"keep": [5, 9]},
    "groups": {"groups": np.arange(40) // 2},
    "short of time": {"time_limit": 1e-9},
}


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("loss", regiht.losses())
def test_bounds_are_those_of_the_rows_in_memory(make, cut, loss, case, is_sparse):
    X, y = make(loss, is_sparse=is_sparse)
    options = OPTIONS | {"loss": loss} | CASES[case]
    whole = regiht.solve(X, y, 4, **options)
    weights = options.pop("sample_weight", None)
    if weights is not None:
        options["sample_weight"] = cut(weights)
    blocks = regiht.distributed.solve(cut(X), cut(y), 4, **options)
    if case == "short of time":
        assert blocks.lower_bound <= blocks.fun  # whatever either run had time for
    else:
        np.testing.assert_allclose(blocks.lower_bound, whole.lower_bound, rtol=1e-9)
        assert blocks.gap == (blocks.fun - blocks.lower_bound) / abs(blocks.fun)
    assert blocks.communication.rounds < 1500


def test_all_columns_leave_no_gap(make, cut):
    X, y = make("logistic")
    result = regiht.distributed.solve(
        cut(X), cut(y), 40, loss="logistic", ridge=3.0, refit=True, certify=True
    )
    assert 0.0 <= result.gap <= 1e-9


@pytest.mark.parametrize("weighted", [False, True])
def test_an_intercept_of_squared_loss_leaves_a_bound_unless_weighted(make, cut, weighted):
    X, y = make("squared")
    weights = np.linspace(0.5, 2.0, len(y)) if weighted else None
    options = {"method": "omp", "ridge": 0.5, "options": {"certify": True}}
    whole = regiht.SparseRegressor(4, **options).fit(X, y + 7.0, weights)
    model = regiht.SparseRegressor(4, **options)
    regiht.distributed.fit(model, cut(X), cut(y + 7.0), None if weights is None else cut(weights))
    assert hasattr(model, "lower_bound_") == hasattr(whole, "lower_bound_") == (not weighted)
    if weighted:
        assert "No certificate is available with an intercept" in model.message_
    else:
        np.testing.assert_allclose(model.lower_bound_, whole.lower_bound_, rtol=1e-9)


def test_without_ridge_it_says_that_there_is_none(make, cut):
    X, y = make("squared")
    result = regiht.distributed.solve(cut(X), cut(y), 3, certify=True)
    assert result.lower_bound is None
    assert "No certificate is available" in result.message


def test_bounds_have_the_same_bits_on_a_cluster(make, cut, client):
    X, y = make("logistic", is_sparse=True)
    options = OPTIONS | {"loss": "logistic", "scale": True}
    here = regiht.distributed.solve(cut(X), cut(y), 4, **options)
    there = regiht.distributed.solve(cut(X), cut(y), 4, client=client, **options)
    assert there.lower_bound == here.lower_bound


def test_of_a_cross_validation_the_last_fit_has_a_bound(make, cut):
    X, y = make("squared")
    model = regiht.SparseRegressorCV([2, 4], ridge=0.5, method="omp", options={"certify": True})
    whole = regiht.SparseRegressorCV(**model.get_params()).fit(X, y)
    regiht.distributed.fit(model, cut(X), cut(y))
    np.testing.assert_allclose(model.lower_bound_, whole.lower_bound_, rtol=1e-9)

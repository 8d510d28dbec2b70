"""Designs with sample weights and with columns left out."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import regiht


@pytest.mark.parametrize("storage", ["row-major", "column-major", "csr_array", "csc_array"])
@pytest.mark.parametrize(("center", "scale"), [(True, True), (True, False), (False, True)])
def test_a_weight_of_two_is_a_row_given_twice(storage, center, scale, stored):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 7)) * (rng.random((40, 7)) < 0.5) + (storage.endswith("major"))
    weights = rng.integers(0, 4, size=40)
    X[weights == 0, 2] = 5.0  # constant over the rows that count
    X[weights > 0, 2] = 1.5
    repeated = regiht.Design(np.repeat(X, weights, axis=0), center=center, scale=scale)
    weighted = regiht.Design(
        stored(X, storage), center=center, scale=scale, sample_weight=weights.astype(float)
    )
    np.testing.assert_allclose(weighted.factors, repeated.factors, rtol=1e-12)
    if center:
        np.testing.assert_allclose(weighted.means, repeated.means, rtol=1e-12, atol=1e-15)
        assert weighted.factors[2] == 0.0
    x = rng.normal(size=7)
    np.testing.assert_allclose(
        np.repeat(weighted.matvec(x), weights), repeated.matvec(x), rtol=1e-10, atol=1e-12
    )


def test_csr_as_is_has_the_same_weighted_norms(stored):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 5)) * (rng.random((30, 5)) < 0.4)
    options = {"center": True, "scale": True, "sample_weight": rng.random(30)}
    as_is = regiht.Design(stored(X, "csr_array"), layout="as-is", **options)
    np.testing.assert_allclose(as_is.factors, regiht.Design(X, **options).factors, rtol=1e-12)


@pytest.mark.parametrize("options", [{}, {"center": True}, {"center": True, "scale": True}])
def test_columns_left_out_are_never_selected(options):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(50, 8))
    y = 9 * X[:, 3] + X[:, 6]
    design = regiht.Design(X, exclude=[3, 3, 0], **options)
    assert regiht.solve(design, y, 8).support.tolist() == [1, 2, 4, 5, 6, 7]
    rest = regiht.Design(np.delete(X, [0, 3], axis=1), **options)
    np.testing.assert_allclose(
        np.delete(regiht.solve(design, y, 2).coef, [0, 3]), regiht.solve(rest, y, 2).coef, rtol=1e-6
    )


def test_pickling_keeps_weights_and_columns_left_out():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(20, 5))
    design = regiht.Design(X, center=True, scale=True, exclude=[1], sample_weight=rng.random(20))
    again = pickle.loads(pickle.dumps(design))
    np.testing.assert_array_equal(again.factors, design.factors)
    np.testing.assert_array_equal(again.means, design.means)
    x = rng.normal(size=5)
    np.testing.assert_array_equal(again.matvec(x), design.matvec(x))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"exclude": [5]}, "exclude must list columns between 0 and 2; got 5"),
        ({"exclude": [0, 1, 2]}, "must leave some column"),
        ({"exclude": [0.5]}, "exclude must list column numbers"),
        ({"sample_weight": [1.0]}, "sample_weight must have one entry"),
        ({"sample_weight": [1.0, -1.0, 1.0]}, "must not be negative"),
    ],
)
def test_wrong_arguments_are_named(options, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.Design(np.eye(3), center=True, **options)


def test_too_small_to_standardize_is_said():
    X = np.array([[1e-300, 1.0], [2e-300, 2.0]])
    with pytest.raises(regiht.InvalidArgumentError, match=r"column 0 .* standardize"):
        regiht.Design(X, scale=True, sample_weight=[1.0, 2.0])


def test_weights_of_an_infinite_sum_were_said_to_be_a_column():
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(regiht.InvalidArgumentError, match="sample_weight is too large"):
        regiht.Design(X, scale=True, sample_weight=np.full(20, 1e308))


@pytest.mark.parametrize("method", ["iht", "omp", "gradient"])
def test_a_start_on_a_column_that_is_left_out_stayed_there(method):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 8))
    y = X[:, 1] - X[:, 4]
    start = np.eye(8)[0] * 50.0
    constant = np.where(np.arange(8) == 0, 3.0, X)
    for design in (regiht.Design(X, exclude=[0]), regiht.Design(constant, center=True, scale=True)):
        one = regiht.solve(design, y, 2, method=method, x0=start)
        assert one.support.tolist() == [1, 4]
        for many in (regiht.solve_grid, regiht.solve_batch):
            targets, s = (y, [2]) if many is regiht.solve_grid else (y[:, None], 2)
            assert many(design, targets, s, method=method, x0=start)[0].fun == one.fun


def test_a_column_that_is_kept_and_excluded_was_both():
    X = np.random.default_rng(0).normal(size=(20, 5))
    with pytest.raises(regiht.InvalidArgumentError, match="column 3 is listed in both"):
        regiht.solve(regiht.Design(X, exclude=[3]), X[:, 0], 2, keep=[3])

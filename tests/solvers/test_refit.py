"""Refits: the minimum on a support, exactly, and the one of least norm if there are several."""

import numpy as np
import pytest

import regiht
from regiht import reference
from regiht._solving import registry
from regiht.reference import pursuits

LOSSES = regiht.losses()


def refit(X, y, support, **options):
    """All of these columns and no other are kept, so the answer is the fit on them."""
    return regiht.solve(X, y, len(support), method="gradient", keep=support, **options)


def draw(seed, loss, make_target, rows=40, cols=8):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols)) * 10.0 ** rng.uniform(-1, 1, cols)
    return X, make_target(loss, X @ (rng.standard_normal(cols) / np.linalg.norm(X, axis=0)), rng)


def test_squared_loss_agrees_with_lstsq():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rows, cols = int(rng.integers(1, 60)), int(rng.integers(1, 20))
        X, y = rng.standard_normal((rows, cols)), rng.standard_normal(rows)
        result = refit(X, y, range(cols))
        np.testing.assert_allclose(result.x, np.linalg.lstsq(X, y, rcond=None)[0], atol=1e-7)
        assert result.rank_deficient == (np.linalg.matrix_rank(X) < cols)


@pytest.mark.parametrize("method", regiht.methods())
def test_dependent_columns_give_the_least_norm_and_a_note(method):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((30, 3)) @ rng.standard_normal((3, 6))
    y = rng.standard_normal(30)
    result = regiht.solve(X, y, 6, method=method, keep=range(6), refit=True)
    np.testing.assert_allclose(result.x, np.linalg.lstsq(X, y, rcond=None)[0], atol=1e-7)
    assert result.rank_deficient
    full = regiht.solve(X, y, 3, method=method, keep=range(3), refit=True)
    assert not full.rank_deficient


@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_agrees_with_newton_in_numpy(loss, make_target):
    for seed in range(15):
        X, y = draw(seed, loss, make_target)
        for ridge in (0.0, 0.5):
            objective = reference.LinearObjective(X, y, loss, ridge)
            expected = pursuits.restricted_minimum(objective, range(X.shape[1]))
            result = refit(X, y, range(X.shape[1]), loss=loss, ridge=ridge)
            assert result.fun <= objective.value(expected) * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("method", ["omp", "best", "regiht"])
@pytest.mark.parametrize("loss", ["logistic", "poisson"])
def test_all_digits_of_x_are_right_not_only_those_of_the_value(loss, method, make_target):
    """Where f is flat to rounding, x is known to half its digits only; the gradient knows more."""
    for seed in range(15):
        X, y = draw(seed, loss, make_target)
        result = regiht.solve(X, y, 4, loss=loss, ridge=1e-4, method=method, refit=True)
        chosen = X[:, result.support]
        objective = reference.LinearObjective(chosen, y, loss, 1e-4)
        x = result.x[result.support]
        slope = objective.gradient(x)
        terms = np.abs(chosen).T @ (np.abs(y) + np.abs(chosen @ x) + 1)
        assert np.all(np.abs(slope) <= 1e-13 * terms), seed


@pytest.mark.parametrize("loss", LOSSES)
def test_dependent_columns_of_every_loss_have_no_slope_left(loss, make_target):
    for seed in range(10):
        X, y = draw(seed, loss, make_target, rows=30, cols=4)
        X = X @ np.random.default_rng(seed).standard_normal((4, 7))
        objective = reference.LinearObjective(X, y, loss)
        result = refit(X, y, range(7), loss=loss)
        slope = objective.gradient(result.x) / np.linalg.norm(X, axis=0)
        assert np.abs(slope).max() <= 1e-5 * np.sqrt(abs(objective.value(np.zeros(7))))
        if loss != "squared-hinge":  # flat where all samples are right
            assert result.rank_deficient
        # Of all points that predict the same, this is the nearest to zero.
        null = np.linalg.svd(X)[2][4:]
        np.testing.assert_allclose(null @ result.x, 0, atol=1e-6 * (1 + np.abs(result.x).max()))


@pytest.mark.parametrize("loss", ["huber", "squared-hinge"])
def test_losses_without_curvature_far_out_are_minimised(loss):
    """Where no sample curves the loss, Newton's step says nothing."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rows, cols = int(rng.integers(3, 40)), int(rng.integers(1, 6))
        X = rng.standard_normal((rows, cols)) * 10.0 ** rng.uniform(-2, 2)
        y = X @ (3 * rng.standard_normal(cols)) + 10.0 ** rng.uniform(-1, 3) * rng.standard_normal(
            rows
        )
        y = (y > 0).astype(float) if loss == "squared-hinge" else y
        objective = reference.LinearObjective(X, y, loss)
        start = 5.0 * rng.standard_normal(cols)
        result = refit(X, y, range(cols), loss=loss, x0=start)
        slope = objective.gradient(result.x) / np.linalg.norm(X, axis=0)
        size = np.sqrt(abs(objective.value(np.zeros(cols))))
        assert np.abs(slope).max() <= 1e-5 * size, seed


def test_a_refit_lowers_the_value_and_keeps_the_support():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((50, 80))
        y = X[:, :5].sum(axis=1) + rng.standard_normal(50)
        for method in set(regiht.methods()) - set(registry.methods_with("refits")):
            options = {"method": method, "max_iter": 20}
            plain = regiht.solve(X, y, 5, **options)
            fitted = regiht.solve(X, y, 5, refit=True, **options)
            assert fitted.fun <= plain.fun * (1 + 1e-12)
            np.testing.assert_array_equal(fitted.support, plain.support)
            expected = np.linalg.lstsq(X[:, fitted.support], y, rcond=None)[0]
            np.testing.assert_allclose(fitted.x[fitted.support], expected, atol=1e-9)


def test_a_refit_of_columns_that_nearly_depend():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 5))
    X[:, 4] = X[:, 3] + 1e-5 * rng.standard_normal(60)
    y = X @ np.array([1.0, -2.0, 0.5, 3.0, -1.0])
    result = refit(X, y, range(5))
    assert result.fun <= 1e-15 * (y @ y)
    assert not result.rank_deficient


def test_a_minimum_that_does_not_exist_is_told():
    """Classes separated without error: larger coefficients are always better."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 6))
    y = (X[:, 0] > 0).astype(float)
    for method in regiht.methods():
        for s in (1, 2, 4):  # some refit again and again, until the value is all but zero
            options = {"loss": "logistic", "method": method, "refit": True}
            result = regiht.solve(X, y, s, **options)
            told = "has no minimum", "may have no minimum"
            assert any(text in result.message for text in told), (method, s)
            assert result.message == " ".join([result.status.message, *result.notes])
            assert not regiht.solve(X, y, s, ridge=0.01, **options).notes, (method, s)
    assert not refit(X, y, range(6)).notes  # squared loss has one


def test_a_minimum_of_tiny_numbers_is_one():
    X = np.random.default_rng(4).standard_normal((30, 4))
    for loss in ("squared", "huber"):
        for y in (1e-150 * X[:, 0], 1e-150 * np.cos(np.arange(30)), np.zeros(30)):
            for method in regiht.methods():
                result = regiht.solve(X, y, 2, loss=loss, method=method, refit=True)
                assert not result.notes, (loss, method)
    margins = np.abs(X[:, 0]) + 1.0
    separated = regiht.solve(
        np.where(np.arange(30) < 15, margins, -margins)[:, None],
        (np.arange(30) < 15).astype(float), 1, loss="squared-hinge", method="omp",
    )  # fmt: skip
    assert separated.fun == 0.0  # reached, not approached
    assert not separated.notes

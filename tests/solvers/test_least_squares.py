"""Squared loss by inner products, by residuals, and the way from the one to the other."""

import numpy as np
import pytest

import regiht
from regiht import reference

METHODS = ("iht", "regiht")
RUN = {"iht": reference.iht, "regiht": reference.regularized_iht}


@pytest.fixture(params=[400, 2400], ids=["whole columns", "pairs"])
def gaussian(request):
    """Inner products are learned by whole columns where the matrix is small, else by pairs."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 400)) / np.sqrt(60)
    y = X[:, :8] @ rng.normal(size=8) + 0.1 * rng.normal(size=60)
    small = 1e-3 * rng.normal(size=(60, request.param - 400))
    return np.asfortranarray(np.hstack([X, small])), y


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("s", [3, 15, 16, 31, 40, 400])
def test_any_support_size_equals_the_reference(method, s, gaussian):
    """A support large against the rows is better served without inner products."""
    X, y = gaussian
    theirs = RUN[method](reference.LinearObjective(X, y), X.shape[1], s, step=0.05, max_iter=60)
    for screening in (True, False):
        ours = regiht.solve(X, y, s, method=method, step=0.05, max_iter=60, screening=screening)
        np.testing.assert_allclose(ours.x, theirs.x, rtol=1e-9, atol=1e-13)
        np.testing.assert_allclose(ours.fun, theirs.fun, rtol=1e-9)


def test_a_support_that_never_rests_equals_the_reference(gaussian):
    """Columns come and go at this step, so that inner products are given up on the way."""
    X, y = gaussian
    options = {"step": 1.1, "weight_step": 12.0, "max_iter": 300}
    entered = []
    ours = regiht.solve(X, y, 12, callback=lambda it: entered.append(it.support_changes), **options)
    assert sum(entered) > 2000
    theirs = reference.regularized_iht(reference.LinearObjective(X, y), X.shape[1], 12, **options)
    np.testing.assert_allclose(ours.x, theirs.x, rtol=1e-9, atol=1e-13)


def test_values_keep_their_digits_down_to_a_perfect_fit(gaussian):
    """Expanding around a base must not leave f at rounding of its first value."""
    X, _ = gaussian
    coef = np.zeros(X.shape[1])
    coef[[3, 50, 200]] = [1.0, -2.0, 3.0]
    y = X @ coef
    theirs = reference.iht(reference.LinearObjective(X, y), X.shape[1], 3, step=0.6, max_iter=60)
    ours = regiht.solve(X, y, 3, method="iht", step=0.6, max_iter=60, history=True)
    values = theirs.history_fun[: ours.n_iter]
    large = values > 1e-18 * values[0]
    np.testing.assert_allclose(ours.history["fun"][large], values[large], rtol=1e-6)
    assert values[large][-1] < 1e-10 * values[0]

"""Every method on functions that are below zero, or not numbers everywhere."""

import numpy as np
import pytest

import regiht

METHODS = regiht.methods()


class Shifted:
    """A convex quadratic whose values are negative, as -bᵀx + ½xᵀHx is."""

    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        A = rng.standard_normal((2 * n, n))
        self.H, self.b = A.T @ A, A.T @ rng.standard_normal(2 * n)

    def value(self, x):
        return 0.5 * x @ self.H @ x - self.b @ x

    def gradient(self, x):
        return self.H @ x - self.b


@pytest.mark.parametrize("method", METHODS)
def test_functions_below_zero_are_minimised_too(method):
    function = Shifted(12, 0)
    result = regiht.minimize(function, 12, 3, method=method, polish="swap")
    assert result.support.size <= 3
    np.testing.assert_allclose(result.fun, function.value(result.x), rtol=1e-9)
    np.testing.assert_allclose(function.gradient(result.x)[result.support], 0, atol=1e-5)


def test_arht_moves_on_functions_below_zero():
    function = Shifted(12, 1)
    ranked = regiht.minimize(function, 12, 3, method="gradient").fun
    others = [regiht.minimize(Shifted(12, k), 12, 3, method="arht").n_iter for k in range(5)]
    assert regiht.minimize(function, 12, 3, method="arht").fun <= ranked
    assert max(others) > 0


class Broken(Shifted):
    """Answers with something that is not a number beyond a radius."""

    def __init__(self, n, radius, answer):
        super().__init__(n, 2)
        self.radius, self.answer = radius, answer

    def value(self, x):
        return super().value(x) if np.linalg.norm(x) <= self.radius else self.answer


@pytest.mark.pairs
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("answer", [np.nan, np.inf])
@pytest.mark.parametrize("radius", [-1.0, 0.0, 0.05])
def test_values_that_are_not_finite_do_not_break_it(method, answer, radius):
    function = Broken(8, radius, answer)
    result = regiht.minimize(function, 8, 3, method=method, max_iter=30, polish="swap", refit=True)
    assert result.support.size <= 3
    if radius < 0:
        assert result.status == "diverged"
        assert not np.isfinite(result.fun)
    else:
        assert result.fun <= 0


def test_a_refit_whose_second_derivatives_overflow_does_not_crash():
    X = np.array([[3e153]])
    result = regiht.solve(X, [100.0], 1, loss="poisson", method="lasso", refit=True)
    assert result.support.size <= 1
    assert np.isfinite(result.fun) or result.status == "diverged"

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
    assert regiht.minimize(function, 12, 3, method="arht").fun <= ranked + 1e-12 * abs(ranked)
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


class Odd:
    """A convex function of four entries with defects drawn at random: where it is not a number."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        A = self.rng.standard_normal((5, 4)) * 10.0 ** self.rng.choice([-150, -3, 0, 3, 150])
        kind = self.rng.choice(["quadratic", "exponential", "absolute", "linear", "constant"])
        y = self.rng.standard_normal(5) * 10.0 ** self.rng.choice([-100, 0, 0, 100])
        self.base = {
            "quadratic": lambda z: (0.5 * (z - y) @ (z - y), z - y),
            "exponential": lambda z: (np.exp(z).sum() - y @ z, np.exp(z) - y),
            "absolute": lambda z: (np.abs(z - y).sum(), np.sign(z - y)),
            "linear": lambda z: (y @ z, y),
            "constant": lambda z: (1.0, 0 * y),
        }[kind]
        self.A = A
        self.radius = self.rng.choice([0.0, 1e-3, 1.0, 1e3, np.inf])
        self.entry = int(self.rng.integers(4))
        self.answer = self.rng.choice([np.nan, np.inf, -np.inf, 1e308])
        self.defect = self.rng.choice(["value", "gradient", "entry", "far entry", "none"])

    def is_far(self, x):
        return not np.linalg.norm(x) <= self.radius

    def value(self, x):
        if self.defect == "value" and self.is_far(x):
            return float(self.answer)
        return float(self.base(self.A @ x)[0])

    def gradient(self, x):
        slope = self.A.T @ self.base(self.A @ x)[1]
        if self.defect == "gradient" and self.is_far(x):
            slope[:] = self.answer
        if self.defect == "entry" or (self.defect == "far entry" and x[self.entry] != 0):
            slope[self.entry] = self.answer
        return slope


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numpy's, of the functions themselves
@pytest.mark.parametrize("method", METHODS)
def test_an_odd_function_ends_in_an_answer_or_is_said_to_diverge(method):
    for seed in range(60 if method == "best" else 150):
        f = Odd(seed)
        result = regiht.minimize(
            f, 4, 2, method=method, max_iter=10, refit=seed % 2 == 0,
            polish="swap" if seed % 3 == 0 else None,
            effort="default" if seed % 12 == 0 else "quick",
        )  # fmt: skip
        assert result.support.size <= 2, seed
        np.testing.assert_equal(result.fun, f.value(result.x), err_msg=str(seed))
        if np.isfinite(f.value(np.zeros(4))):
            assert result.fun <= f.value(np.zeros(4)), seed
        if result.success:
            assert np.isfinite(result.fun), seed
            assert np.isfinite(f.gradient(result.x)).all(), seed

"""`step=None` works without tuning, and every way a run can end says so."""

import numpy as np
import pytest

import regiht
from regiht import datasets, reference

METHODS = ("iht", "regiht")
ITERATIONS = 400


def _gaussian(seed=0):
    """200 x 60, five features that matter; the prediction, and column scales of 1e-6 to 1e6."""
    rng = np.random.default_rng(seed)
    X, coef = rng.normal(size=(200, 60)), np.zeros(60)
    coef[::12] = 1.0
    return rng, X, X @ coef, 10.0 ** rng.uniform(-6, 6, 60)


def recovery():
    problem = datasets.recovery(100, 300, 12, seed=2, normalize=False, noise=0.1)
    return problem.X, problem.y, 12, {}


def correlated():
    problem = datasets.year_like(1500, 40, seed=1)
    return problem.X, problem.y - problem.y.mean(), 8, {"center": True, "scale": True}


def correlated_unscaled():
    problem = datasets.year_like(1500, 40, seed=1)
    return problem.X, problem.y - problem.y.mean(), 8, {}


def squared(factor=1.0, scaled=False):
    rng, X, z, scales = _gaussian()
    y = factor * (z + 0.01 * rng.normal(size=200))
    return X * scales if scaled else X, y, 5, {}


def logistic(scaled=False):
    rng, X, z, scales = _gaussian()
    y = (rng.random(200) < 1 / (1 + np.exp(-z))).astype(float)
    return X * scales if scaled else X, y, 5, {"loss": "logistic"}


def text():
    problem = datasets.rcv1_like(500, 2000, 15000, seed=2)
    options = {"loss": "logistic", "ridge": 0.1, "center": True, "scale": True}
    return problem.X, problem.y, 10, options


def poisson(scaled=False):
    rng, X, z, scales = _gaussian()
    y = rng.poisson(np.exp(0.5 * z)).astype(float)
    return X * scales if scaled else X, y, 5, {"loss": "poisson"}


def huber(factor=1.0):
    rng, X, z, _ = _gaussian()
    return X, factor * (z + 50.0 * (rng.random(200) < 0.1)), 5, {"loss": "huber"}


def squared_hinge():
    X, y, s, _ = logistic()
    return X, y, s, {"loss": "squared-hinge"}


KINDS = {
    "recovery": recovery,
    "correlated": correlated,
    "correlated-unscaled": correlated_unscaled,
    "squared": squared,
    "squared-badly-scaled": lambda: squared(scaled=True),
    "squared-y-times-1e8": lambda: squared(1e8),
    "squared-y-times-1e-8": lambda: squared(1e-8),
    "logistic": logistic,
    "logistic-badly-scaled": lambda: logistic(scaled=True),
    "text": text,
    "poisson": poisson,
    "poisson-badly-scaled": lambda: poisson(scaled=True),
    "huber": huber,
    "huber-y-times-1e8": lambda: huber(1e8),
    "huber-y-times-1e-8": lambda: huber(1e-8),
    "squared-hinge": squared_hinge,
}


def value_at_zero(X, y, options):
    loss = options.get("loss", "squared")
    return reference.LinearObjective(X, y, loss).value(np.zeros(X.shape[1]))


def longest_column(X, options):
    A, _, _ = reference.standardize(X, options.get("center", False), options.get("scale", False))
    return np.sum(A**2, axis=0).max()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", METHODS)
def test_no_step_needs_no_tuning(method, kind):
    """As good as the best of 17 fixed steps, up to 1 % of what a fit can gain over f(0)."""
    X, y, s, options = KINDS[kind]()
    run = {"method": method, "max_iter": ITERATIONS, **options}
    result = regiht.solve(X, y, s, history=True, **run)
    at_zero = value_at_zero(X, y, options)
    assert result.success
    assert result.fun < at_zero
    assert result.fun == result.history["fun"].min()
    for array in (result.x, result.weights, result.coef, *result.history.values()):
        assert np.isfinite(array).all()
    unit = longest_column(X, options) * s
    tuned = min(regiht.solve(X, y, s, step=2.0**i / unit, **run).fun for i in range(-8, 9))
    assert result.fun <= tuned + 0.01 * (at_zero - tuned)


@pytest.mark.parametrize("method", METHODS)
def test_the_best_iterate_is_returned_even_if_the_start_is_best(method):
    problem = datasets.recovery(60, 90, 4, seed=0)
    result = regiht.solve(problem.X, problem.y, 4, method=method, x0=problem.coef, max_iter=50)
    np.testing.assert_allclose(result.fun, 0, atol=1e-25)
    np.testing.assert_allclose(result.x, problem.coef, atol=1e-12)


@pytest.mark.parametrize("step", [20.0, 1e3, 1e100, 1e300])
@pytest.mark.parametrize("loss", ["squared", "poisson", "squared-hinge"])
@pytest.mark.parametrize("method", METHODS)
def test_a_diverging_step_says_so_and_returns_the_best_iterate(method, loss, step):
    problem = datasets.tiny()
    y = problem.y if loss == "squared" else (problem.y > 0).astype(float)
    result = regiht.solve(
        problem.X * 5, y, 3, loss=loss, method=method, step=step, ridge=1.0, history=True
    )
    assert result.status == "diverged"
    assert not result.success
    assert "step" in result.message
    assert result.n_iter < 800
    at_zero = value_at_zero(problem.X, y, {"loss": loss})
    assert result.fun <= at_zero * (1 + 1e-12)
    assert result.fun <= np.nanmin(result.history["fun"])
    objective = reference.LinearObjective(problem.X * 5, y, loss, ridge=1.0)
    np.testing.assert_allclose(objective.value(result.x), result.fun, rtol=1e-9)
    assert np.isfinite(result.x).all()
    assert np.isfinite(result.weights).all()


@pytest.mark.parametrize("step", [1e3, 1e300])
@pytest.mark.parametrize("method", METHODS)
def test_a_bounded_slope_survives_any_step(method, step):
    problem = datasets.tiny()
    y = (problem.y > 0).astype(float)
    result = regiht.solve(problem.X, y, 3, loss="logistic", method=method, step=step)
    assert np.isfinite(result.x).all()
    assert np.isfinite(result.weights).all()
    assert not np.isnan(result.fun)


@pytest.mark.parametrize(("method", "step"), [("iht", 2.0), ("regiht", 4.0)])
def test_a_cycling_step_says_so(method, step):
    """x moves to 2 - x: from 0 to 2 and back, forever."""
    result = regiht.solve(np.eye(1), [1.0], 1, method=method, step=step, max_iter=51, w0=[0.0])
    assert result.status == "cycling"
    assert not result.success
    assert result.n_iter == 51  # an explicit step makes all iterations and returns the last
    assert result.x.tolist() == [2.0]


@pytest.mark.parametrize("sample_weight", [None, [1.0, 1.0, 1.0]])
def test_last_bits_that_go_round_are_no_cycle(sample_weight):
    """At the point of convergence -2/3 the last bits of x may come again with period three."""
    X = np.array([[1.0, -2.0, 0.0], [-1.0, -1.0, 2.0], [-1.0, -2.0, 2.0]])
    result = regiht.solve(
        X, [-1.0, -2.0, 3.0], 1, method="iht", step=0.25, max_iter=60, sample_weight=sample_weight
    )
    assert result.status in {"stationary", "completed"}
    np.testing.assert_allclose(result.x, [-2 / 3, 0, 0], rtol=1e-15)


@pytest.mark.parametrize("step", [None, 1.0])
def test_a_fixed_point_ends_the_run(step):
    result = regiht.solve(np.eye(3), [3.0, 1.0, 2.0], 2, method="iht", step=step)
    # Steps of the solver's own choice may leave the last bits moving, and of iterates with equal
    # values the first is returned.
    assert result.status in ({"stationary", "converged"} if step is None else {"stationary"})
    assert result.success
    assert result.n_iter < 100
    np.testing.assert_allclose(result.x, [3, 0, 2], rtol=1e-7)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("step", [None, 0.5])
def test_nothing_to_gain_is_stationary_at_once(method, step):
    for X, y in ((np.eye(3), np.zeros(3)), (np.zeros((3, 3)), np.ones(3))):
        result = regiht.solve(X, y, 2, method=method, step=step)
        assert (result.status, result.n_iter) == ("stationary", 1)
        assert result.support.size == 0
        assert not result.x.any()


@pytest.mark.parametrize("step", [None, 0.1])
@pytest.mark.parametrize("method", METHODS)
def test_tol_stops_earlier_near_the_same_solution(method, step):
    problem = datasets.recovery(60, 90, 4, seed=5, noise=0.05)
    run = {"method": method, "step": step, "max_iter": 3000, "weight_step": 4 / 200}
    full = regiht.solve(problem.X, problem.y, 4, **run)
    early = regiht.solve(problem.X, problem.y, 4, tol=1e-6, **run)
    assert early.status == "converged"
    assert early.success
    assert early.n_iter < full.n_iter
    np.testing.assert_allclose(early.x, full.x, atol=1e-4)


def test_tol_does_not_take_slowly_falling_weights_for_convergence():
    """Weights fall by about 1/max_iter each: less than tol, and yet they are not done."""
    X, y = np.eye(3), np.array([3.0, 1.0, 2.0])
    result = regiht.solve(X, y, 2, step=0.3, tol=1e-3, max_iter=5000)
    np.testing.assert_allclose(result.x, [3, 0, 2], rtol=0.05)


def test_an_explicit_step_makes_all_iterations_and_returns_the_last_iterate():
    problem = datasets.recovery(60, 90, 4, seed=5, noise=0.05)
    result = regiht.solve(problem.X, problem.y, 4, step=0.3, max_iter=57, history=True)
    assert (result.status, result.n_iter, result.step) == ("completed", 57, 0.3)
    assert result.fun == result.history["fun"][-1]


def test_a_chosen_step_is_reported():
    problem = datasets.tiny()
    result = regiht.solve(problem.X, problem.y, 3)
    assert 0 < result.step < np.inf


@pytest.mark.parametrize("step", [None, 0.1])
@pytest.mark.parametrize("method", METHODS)
def test_a_start_without_a_finite_value_gives_no_nan(method, step):
    result = regiht.solve(
        np.eye(3), [3.0, 1.0, 2.0], 2, loss="poisson", method=method, step=step, x0=[1e3, 2, 3]
    )
    assert result.status == "diverged"
    assert not np.isnan(result.fun)
    assert np.isfinite(result.x).all()

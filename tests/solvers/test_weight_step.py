"""weight_step="adaptive": the rule against plain numpy, and its answers against fixed c."""

import numpy as np
import pytest

import regiht
from regiht import datasets, reference

ADAPTIVE = {"weight_step": "adaptive"}
# How far above the best fixed c the adaptive answer may be, as a share of f(0).
TOLERANCE = 1e-3


@pytest.fixture(scope="module")
def small():
    return datasets.recovery(40, 100, 6, seed=1, noise=0.3)


RNG = np.random.default_rng(9)
OPTIONS = {
    "plain": {},
    "short_step": {"step": 0.02},
    "keep": {"keep": [0, 33]},
    "x0": {"x0": np.where(np.arange(100) % 20 == 3, 0.5, 0.0)},
    "w0": {"w0": RNG.uniform(0.6, 1, 100)},
    "no_weights": {"w0": np.zeros(100)},
    "safeguard": {"safeguard": True},
    "round_threshold": {"round_threshold": 0.2},
    "tol": {"tol": 1e-3},
    "ridge": {"ridge": 0.5},
    "logistic": {"loss": "logistic", "step": 1.0, "ridge": 0.1},
    "within_the_first_round": {"max_iter": 20},
    "within_the_third_round": {"max_iter": 300},
    "within_the_continuation": {"step": 0.004, "max_iter": 8000},
    "one_iteration": {"max_iter": 1},
    "none": {"max_iter": 0},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_same_rounds_as_the_reference(name, small, solve_by_reference):
    options = {"step": 0.2, "max_iter": 20_000} | OPTIONS[name] | ADAPTIVE
    y = (small.y > 0).astype(float) if name == "logistic" else small.y
    result = regiht.solve(small.X, y, 6, history=True, **options)
    expected = solve_by_reference(small.X, y, 6, **options)
    assert result.n_iter == expected.n_iter
    np.testing.assert_allclose(result.x, expected.x, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(result.weights, expected.weights, rtol=1e-9)
    np.testing.assert_allclose(result.fun, expected.fun, rtol=1e-9)
    for key in ("fun", "regularized_fun"):
        wanted = getattr(expected, f"history_{key}")
        np.testing.assert_allclose(result.history[key], wanted, rtol=1e-9)


PROBLEMS = {
    "recovery-20": lambda: (datasets.recovery(s=20, seed=0), 20, 16.0, {}),
    "recovery-30": lambda: (datasets.recovery(s=30, seed=1), 30, 16.0, {}),
    "recovery-40": lambda: (datasets.recovery(s=40, seed=2), 40, 16.0, {}),
    "tiny": lambda: (datasets.tiny(), 3, 2.0, {}),
    "wide": lambda: (datasets.wide(300, 3000, 20), 20, 16.0, {}),
    "year": lambda: (datasets.year_like(5000), 11, 4.0, {"center": True, "scale": True}),
    "rcv1": lambda: (
        datasets.rcv1_like(2000, 5000, 60_000), 20, 16.0,
        {"center": True, "scale": True, "ridge": 0.1},
    ),
}  # fmt: skip


def assert_as_good_as_the_sweep(X, y, s, options, iterations=800):
    """Compare with c = s/T·{1/4, …, 4}."""
    sweep = [s / iterations * factor for factor in (0.25, 0.5, 1.0, 2.0, 4.0)]
    grid = {"max_iter": iterations, "weight_step": sweep}
    best = regiht.solve_grid(X, y, s, **options | grid).best().fun
    at_zero = regiht.solve(X, y, s, **options | {"max_iter": 0, "x0": None}).fun
    result = regiht.solve(X, y, s, **options, **ADAPTIVE)
    assert result.fun <= best + TOLERANCE * at_zero
    return result


@pytest.mark.parametrize("step", ["chosen", "given"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_at_least_as_good_as_the_best_fixed_step(name, step):
    problem, s, factor, options = PROBLEMS[name]()
    options = options | {"loss": problem.loss, "step": None if step == "chosen" else factor / s}
    result = assert_as_good_as_the_sweep(problem.X, problem.y, s, options)
    assert result.status in {"converged", "stationary"}
    assert not result.weights[result.support].any()


def test_at_least_as_good_on_the_hard_instance():
    problem = datasets.hard_instance()
    options = {"x0": problem.x_bad, "step": 1 / 20}
    result = assert_as_good_as_the_sweep(problem.X, problem.y, 440, options)
    stuck = regiht.solve(problem.X, problem.y, 440, method="iht", **options)
    assert result.fun < 0.3 * stuck.fun


@pytest.mark.data
@pytest.mark.parametrize(("name", "loss", "factor"), [("riboflavin", "squared", 4.0),
                                                      ("reuters", "logistic", 16.0)])  # fmt: skip
def test_at_least_as_good_on_real_data(name, loss, factor, real_data):
    X, y = real_data(name)
    y = y - y.mean() if loss == "squared" else y
    design = regiht.Design(X, center=True, scale=True)
    for step in (None, factor / 10):
        options = {"loss": loss, "ridge": 0.1 if loss == "logistic" else 0.0, "step": step}
        assert_as_good_as_the_sweep(design, y, 10, options)


def test_it_needs_no_number_of_iterations(small):
    results = [
        regiht.solve(small.X, small.y, 6, max_iter=max_iter, **ADAPTIVE)
        for max_iter in ("auto", 20_000, 10**9)
    ]
    for result in results:
        np.testing.assert_array_equal(result.x, results[0].x)
        assert result.n_iter == results[0].n_iter < 20_000
        assert result.status in {"converged", "stationary"}


@pytest.mark.parametrize("step", [None, 0.2])
def test_same_bits_for_any_number_of_threads_and_without_screening(step):
    problem = datasets.rcv1_like(1500, 3000, 40_000)
    design = regiht.Design(problem.X, center=True, scale=True)
    options = {"loss": "logistic", "ridge": 0.1, "step": step, **ADAPTIVE}
    first = regiht.solve(design, problem.y, 5, n_threads=1, **options)
    for more in ({"n_threads": 2}, {"n_threads": 3}, {"n_threads": 1, "screening": False}):
        again = regiht.solve(design, problem.y, 5, **options, **more)
        np.testing.assert_array_equal(again.x, first.x)
        assert (again.fun, again.n_iter) == (first.fun, first.n_iter)


def test_grids_and_batches(small):
    steps = [None, "adaptive", 0.1]
    grid = regiht.solve_grid(small.X, small.y, [3, 6], weight_step=steps)
    np.testing.assert_array_equal(grid.table["weight_step"], 2 * [np.nan, -1.0, 0.1])
    for entry, (s, step) in zip(grid, [(s, c) for s in (3, 6) for c in steps], strict=True):
        alone = regiht.solve(small.X, small.y, s, weight_step=step)
        np.testing.assert_array_equal(entry.x, alone.x)
        assert (entry.n_iter, entry.status) == (alone.n_iter, alone.status)
    one = regiht.solve_grid(small.X, small.y, 6, weight_step="adaptive")
    np.testing.assert_array_equal(one[0].x, grid[4].x)
    batch = regiht.solve_batch(small.X, np.column_stack([small.y, -small.y]), 6, **ADAPTIVE)
    np.testing.assert_array_equal(batch[0].x, one[0].x)
    np.testing.assert_array_equal(batch[1].x, -one[0].x)


def test_own_functions(small):
    objective = reference.LinearObjective(small.X, small.y)
    result = regiht.minimize(objective, 100, 6, step=0.2, **ADAPTIVE)
    same = regiht.solve(small.X, small.y, 6, step=0.2, **ADAPTIVE)
    assert result.n_iter == same.n_iter
    np.testing.assert_allclose(result.x, same.x, rtol=1e-9, atol=1e-9)


def test_iterations_are_counted_through_all_rounds(small):
    seen = []
    result = regiht.solve(
        small.X, small.y, 6, history=True, callback=lambda it: seen.append((it.number, it.fun)),
        **ADAPTIVE,
    )  # fmt: skip
    assert [number for number, _ in seen] == list(range(1, result.n_iter + 1))
    assert result.n_iter > 100 + 200 + 400
    np.testing.assert_array_equal(result.history["fun"], [fun for _, fun in seen])
    assert result.fun == result.history["fun"].min()
    assert (np.diff(result.history["elapsed"]) >= 0).all()


def test_rounds_can_be_stopped(small):
    result = regiht.solve(
        small.X, small.y, 6, history=True, callback=lambda it: it.number == 250, **ADAPTIVE
    )
    assert (result.status, result.n_iter) == ("stopped", 250)
    assert result.fun == result.history["fun"].min()
    late = regiht.solve(small.X, small.y, 6, time_limit=1e-9, **ADAPTIVE)
    assert (late.status, late.n_iter) == ("time_limit", 1)


def test_a_step_that_diverges_is_not_tried_again(small):
    result = regiht.solve(small.X, small.y, 6, step=1e3, **ADAPTIVE)
    assert result.status == "diverged"
    assert result.n_iter < 100
    assert result.fun == regiht.solve(small.X, small.y, 6, step=1e3).fun


def test_a_method_without_weights_ignores_it(small):
    options = {"method": "iht", "max_iter": 50}
    plain = regiht.solve(small.X, small.y, 6, **options)
    np.testing.assert_array_equal(
        regiht.solve(small.X, small.y, 6, **options, **ADAPTIVE).x, plain.x
    )


@pytest.mark.parametrize("bad", ["adaptve", "", "0.1", b"adaptive", True, [0.1]])
def test_words_are_checked(bad, small):
    with pytest.raises(regiht.InvalidArgumentError, match="weight_step must"):
        regiht.solve(small.X, small.y, 6, weight_step=bad)

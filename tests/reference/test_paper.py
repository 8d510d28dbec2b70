"""What the paper claims, through `regiht.solve`: the lower bound, the theorem, recovery."""

import numpy as np
import pytest

import regiht
from regiht import datasets, reference

METHODS = ("iht", "regiht")


def solve_hard(problem, sparsity, **options):
    return regiht.solve(
        problem.X, problem.y, sparsity, x0=problem.x_bad, step=1 / problem.beta, **options
    )


@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-3, 1e-2])
@pytest.mark.parametrize("dense", [False, True])
def test_iht_never_leaves_the_bad_start(delta, dense):
    problem = datasets.hard_instance(delta=delta, dense=dense)
    result = solve_hard(problem, 440, method="iht")
    np.testing.assert_array_equal(result.x, problem.x_bad)
    assert (result.status, result.n_iter) == ("stationary", 1)


@pytest.mark.parametrize(
    ("sparsity", "dense"),
    [(200, False), (400, False), (440, False), (440, True), (452, False), (480, False)],
)
def test_regularized_iht_leaves_it_and_cuts_the_loss(sparsity, dense):
    problem = datasets.hard_instance(sparsity=sparsity, dense=dense)
    stuck = solve_hard(problem, sparsity, method="iht")
    result = solve_hard(problem, sparsity, method="regiht", max_iter=400)
    assert 0.70 <= 1 - result.fun / stuck.fun <= 0.82
    assert np.all(result.x[problem.blocks[0]] != 0)  # the features that matter are in
    # The third block's entries tie, so the loss and the weights are compared, not the support.
    sparse = datasets.hard_instance(sparsity=sparsity)
    expected = reference.regularized_iht(
        reference.LinearObjective(sparse.X, problem.y), len(problem.x_bad), sparsity,
        step=1 / problem.beta, max_iter=400, x0=problem.x_bad,
    )  # fmt: skip
    np.testing.assert_allclose(result.fun, expected.fun, rtol=1e-9)
    np.testing.assert_array_equal(result.weights == 0, expected.weights == 0)


def test_the_hard_instance_at_the_size_of_the_notes():
    problem = datasets.hard_instance()
    start = regiht.solve(problem.X, problem.y, 440, x0=problem.x_bad, max_iter=0)
    np.testing.assert_allclose(start.fun, 977.6)
    result = solve_hard(problem, 440, method="regiht", max_iter=800)
    np.testing.assert_allclose(result.fun, 201.0, atol=0.01)


def test_a_step_of_its_own_choice_leaves_the_bad_start():
    problem = datasets.hard_instance()
    result = regiht.solve(problem.X, problem.y, 440, x0=problem.x_bad)
    np.testing.assert_allclose(result.fun, 201.0, atol=0.1)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("step", [None, 0.3])
@pytest.mark.parametrize("method", METHODS)
def test_a_planted_noiseless_solution_is_found(method, step, seed):
    problem = datasets.recovery(100, 200, 5, seed=seed)
    result = regiht.solve(problem.X, problem.y, 5, method=method, step=step)
    np.testing.assert_array_equal(result.support, np.flatnonzero(problem.coef))
    np.testing.assert_allclose(result.x, problem.coef, atol=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_a_planted_solution_is_found_in_many_columns(method, stored):
    problem = datasets.wide(300, 3000, 5, seed=0)
    for storage in ("column-major", "row-major", "csc_array"):
        result = regiht.solve(stored(problem.X, storage), problem.y, 5, method=method)
        np.testing.assert_array_equal(result.support, np.flatnonzero(problem.coef))


@pytest.mark.parametrize("rotated", [False, True])
def test_the_theorem_holds_from_a_bad_start(rotated):
    """Sparsity (128 kappa + 192) s, T = 64 (kappa + 1) log(gap/eps), c = s'/(4T)."""
    rng = np.random.default_rng(11)
    n, s, kappa, epsilon = 400, 1, 1.1, 1e-4
    A = np.diag(np.sqrt(np.linspace(1, kappa, n)))
    if rotated:  # a reflection mixes all coordinates and keeps the singular values
        v = rng.standard_normal(n)
        A = A - np.outer(A @ v, v) * (2 / (v @ v))
    x_star = np.zeros(n)
    x_star[17] = 30.0
    y = A @ x_star + 0.3 * rng.standard_normal(n)
    objective = reference.LinearObjective(A, y)
    sparsity = int(np.ceil((128 * kappa + 192) * s))
    start = np.zeros(n)
    start[np.delete(np.arange(n), 17)[:sparsity]] = rng.standard_normal(sparsity)
    gap = objective.value(start) + kappa / 2 * (start @ start) - objective.value(x_star)
    iterations = int(np.ceil(64 * (kappa + 1) * np.log(gap / epsilon)))
    result = regiht.solve(
        A, y, sparsity, step=1 / kappa, max_iter=iterations, x0=start, safeguard=True
    )
    assert np.count_nonzero(result.x) <= sparsity < n
    assert result.fun <= objective.value(x_star) + epsilon
    assert result.weights.min() >= 0.5 or 0 in result.weights


def test_algorithm_1_moves_half_as_far_as_plain_iht():
    """eta = 1/(2 beta): without weights, regularized IHT at twice the step is plain IHT."""
    problem = datasets.recovery(60, 120, 6, seed=3, noise=0.1)
    plain = regiht.solve(problem.X, problem.y, 6, method="iht", step=0.2, max_iter=50)
    half = regiht.solve(
        problem.X, problem.y, 6, step=0.4, max_iter=50, w0=np.zeros(120), weight_step=0.0
    )
    np.testing.assert_array_equal(plain.x, half.x)


@pytest.mark.parametrize("safeguard", [False, True])
def test_default_weight_step(safeguard):
    problem = datasets.tiny()
    options = {"step": 0.3, "max_iter": 40, "safeguard": safeguard}
    c = 3 / (160 if safeguard else 40)
    chosen = regiht.solve(problem.X, problem.y, 3, **options)
    given = regiht.solve(problem.X, problem.y, 3, weight_step=c, **options)
    np.testing.assert_array_equal(chosen.weights, given.weights)
    np.testing.assert_array_equal(chosen.x, given.x)


def test_weights_come_from_the_old_iterate():
    """From x = 0 the first update of the weights has nothing to divide by and changes nothing."""
    seen = []
    problem = datasets.tiny()
    regiht.solve(
        problem.X, problem.y, 3, step=0.3, max_iter=3, callback=lambda it: seen.append(it.weights)
    )
    assert np.all(seen[0] == 1)
    assert np.count_nonzero(seen[1] < 1) == 3

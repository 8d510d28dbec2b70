"""The default of `regiht.lowrank.solve`: never worse than any of the methods that it has."""

import time

import numpy as np
import pytest

from regiht import lowrank
from regiht.lowrank import reference

KINDS = ["full", "weighted", "completion", "measurements", "one-bit"]
SINGLE = [method for method in lowrank.methods() if method != "best"]


def random_problem(kind, seed, largest):
    """A small objective of one kind, with a rank that need not be the planted one."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    shape = tuple(int(side) for side in rng.integers(6, largest, 2))
    planted, rank = (int(r) for r in rng.integers(1, 5, 2))
    M = rng.standard_normal((shape[0], planted)) @ rng.standard_normal((planted, shape[1]))
    noise = [0.0, 0.1, 1.0][seed % 3]
    X = M + noise * rng.standard_normal(shape)
    ridge = [0.0, 0.5][int(rng.integers(2))]
    rows, cols = np.nonzero(rng.random(shape) < rng.uniform(0.3, 0.9))
    if kind == "full":
        return lowrank.FullObservation(X, ridge=ridge), rank
    if kind == "weighted":
        weights = np.where(rng.random(shape) < 0.5, 1.0, 30.0)
        return lowrank.Weighted(X, weights, ridge=ridge), rank
    if kind == "completion":
        return lowrank.Completion(rows, cols, X[rows, cols], shape, ridge=ridge), rank
    if kind == "one-bit":
        signs = np.where(X[rows, cols] > 0.0, 1, -1)
        return lowrank.OneBit(rows, cols, signs, shape, ridge=0.1 + ridge), rank
    C = rng.standard_normal((int(rng.uniform(0.7, 3.0) * rank * sum(shape)), *shape))
    y = np.tensordot(C, M, 2)
    return lowrank.Measurements(C, y + noise * rng.standard_normal(y.size), ridge=ridge), rank


def assert_no_method_is_better(objective, rank):
    default = lowrank.solve(objective, rank)
    assert default.success
    assert default.rank <= rank
    # A fit that is exact to nine digits is exact: what is left is rounding.
    rounding = 1e-18 * objective.value(lowrank.Factors.zero(objective.shape))
    for method in SINGLE:
        value = lowrank.solve(objective, rank, method=method).fun
        assert default.fun <= value * (1 + 1e-9) + rounding, method


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_no_method_is_better_than_the_default(kind, seed):
    assert_no_method_is_better(*random_problem(kind, seed, 14))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 112))
@pytest.mark.parametrize("kind", KINDS)
def test_no_method_is_better_than_the_default_on_more_problems(kind, seed):
    assert_no_method_is_better(*random_problem(kind, seed, 30))


@pytest.mark.parametrize("seed", [4, 10])
def test_sweeps_alone_were_lower_than_the_default(seed):
    """With more rank than was planted the ways lead to different places."""
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((24, 2)) @ rng.standard_normal((2, 20))
    weights = np.where(rng.random(M.shape) < 0.5, 1.0, 30.0)
    assert_no_method_is_better(lowrank.Weighted(M + 0.1 * rng.normal(size=M.shape), weights), 4)


def test_sweeps_alone_were_lower_than_the_default_for_measurements():
    assert_no_method_is_better(*random_problem("measurements", 223, 30))


@pytest.mark.parametrize(("rank", "enough"), [(2, 5.0), (4, 2.0)])
def test_weights_of_one_and_thirty_leave_only_the_noise(rank, enough):
    """Exchanges alone end at values of hundreds here."""
    rng = np.random.default_rng(0)
    M = rng.standard_normal((24, 2)) @ rng.standard_normal((2, 20))
    weights = np.where(rng.random(M.shape) < 0.5, 1.0, 30.0)
    objective = lowrank.Weighted(M + 0.03 * rng.standard_normal(M.shape), weights)
    assert lowrank.solve(objective, rank).fun <= enough
    assert lowrank.solve(objective, 2, method="regularized-local-search").fun >= 100.0


def test_a_matrix_is_found_from_noiseless_measurements():
    rng = np.random.default_rng(1)
    M = rng.standard_normal((12, 2)) @ rng.standard_normal((2, 10))
    C = rng.standard_normal((200, 12, 10))
    found = lowrank.solve(lowrank.Measurements(C, np.tensordot(C, M, 2)), 2)
    assert np.linalg.norm(found.matrix() - M) <= 1e-9 * np.linalg.norm(M)


def completion(part=0.3, shape=(200, 150), rank=4):
    rng = np.random.default_rng(2)
    M = rng.standard_normal((shape[0], rank)) @ rng.standard_normal((rank, shape[1]))
    rows, cols = np.nonzero(rng.random(shape) < part)
    values = M[rows, cols] + 0.1 * rng.standard_normal(rows.size)
    return M, lowrank.Completion(rows, cols, values, shape)


def test_a_completion_ends_near_the_planted_matrix():
    M, objective = completion()
    found = lowrank.solve(objective, 4)
    assert found.status == "converged"
    assert np.linalg.norm(found.matrix() - M) <= 0.03 * np.linalg.norm(M)
    assert found.fun <= lowrank.solve(objective, 4, method="regularized-iht").fun


def test_exchanges_that_cost_too_much_are_left_out():
    _, objective = completion(part=0.2, shape=(600, 500), rank=8)
    found = lowrank.solve(objective, 8, history=True)
    assert set(found.history["method"]) == {"regularized-iht", "alternating"}
    assert found.status == "converged"


def test_the_default_is_called_best():
    objective, rank = random_problem("completion", 4, 14)
    default = lowrank.solve(objective, rank)
    named = lowrank.solve(objective, rank, method="best")
    np.testing.assert_array_equal(default.matrix(), named.matrix())
    assert default.message == named.message


@pytest.mark.parametrize("ridge", [0.0, 0.7])
@pytest.mark.parametrize("shape", [(20, 15), (7, 30)])
def test_all_entries_known_need_one_decomposition(shape, ridge):
    M = np.random.default_rng(3).standard_normal(shape)
    for rank in (1, 3, min(shape)):
        found = lowrank.solve(lowrank.FullObservation(M, ridge=ridge), rank, history=True)
        best = reference.truncate_rank(M, rank) / (1.0 + ridge)
        np.testing.assert_allclose(found.matrix(), best, atol=1e-9)
        assert found.history["branch"].tolist() == ["exact"]
        assert "closed form" in found.message


def test_the_history_says_which_method_was_at_work():
    objective, rank = random_problem("weighted", 1, 14)
    seen = []
    found = lowrank.solve(objective, rank, history=True, callback=seen.append)
    ran = found.history["method"].tolist()
    assert ran[0] == "regularized-iht"
    others = {"alternating", "local-search", "regularized-local-search"}
    assert set(ran) == {"regularized-iht"} | others
    assert [iteration.method for iteration in seen] == ran
    assert found.message.endswith("Found by 'regularized-iht'.")


def test_a_stop_in_a_later_method_returns_the_best_of_all():
    objective, rank = random_problem("weighted", 1, 14)
    values = []

    def stop_later(iteration):
        values.append(iteration.fun)
        return iteration.method == "regularized-local-search"

    found = lowrank.solve(objective, rank, callback=stop_later)
    assert found.status == "stopped"
    assert found.n_iter == len(values)
    assert values[-1] > found.fun
    assert found.fun <= min(values) * (1 + 1e-12)


def test_the_time_limit_is_one_for_all_methods():
    objective, rank = random_problem("weighted", 1, 14)
    seen = []

    def dawdle(iteration):
        seen.append(iteration)
        if iteration.method == "local-search":
            time.sleep(max(0.0, 2.0 - iteration.elapsed))

    # The limit has long passed when local search has made its first iteration.
    found = lowrank.solve(objective, rank, callback=dawdle, time_limit=2.0)
    assert found.status == "time_limit"
    assert [iteration.method for iteration in seen].count("local-search") == 1
    assert found.fun <= min(iteration.fun for iteration in seen) * (1 + 1e-12)


def test_a_run_that_diverges_leaves_the_others_to_answer():
    objective, rank = random_problem("weighted", 1, 14)
    with np.errstate(over="ignore", invalid="ignore"):
        found = lowrank.solve(objective, rank, step=100.0, max_iter=2000)
    alone = lowrank.solve(objective, rank, method="local-search")
    assert found.success
    assert found.fun <= alone.fun * (1 + 1e-9)


def test_without_sweeps_no_method_sweeps():
    objective, rank = random_problem("completion", 4, 14)
    found = lowrank.solve(objective, rank, refine=0, history=True)
    assert "refine" not in found.history["branch"]
    for method in set(SINGLE) - {"alternating"}:
        assert found.fun <= lowrank.solve(objective, rank, method=method, refine=0).fun * (1 + 1e-9)

"""The low-rank methods against the numpy reference and against what the paper proves."""

import itertools

import numpy as np
import pytest

from regiht import lowrank
from regiht.lowrank import reference

ALGORITHM_2 = "regularized-local-search"
BRANCHES = {"step", "spectral", "proportional"}


def planted(seed, shape, rank, noise=0.1, least=1.0, most=20.0):
    """A noisy matrix of low rank, and weights of its entries."""
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((shape[0], rank)) @ rng.standard_normal((rank, shape[1]))
    return M + noise * rng.standard_normal(shape), rng.uniform(least, most, shape)


def compare(result, trace):
    n = min(result.n_iter, len(trace.branch))
    assert n > 0
    assert result.history["branch"][:n].tolist() == trace.branch[:n]
    np.testing.assert_allclose(result.history["fun"][:n], trace.fun[:n], rtol=1e-7)
    np.testing.assert_allclose(
        result.history["regularized_fun"][:n], trace.regularized_fun[:n], rtol=1e-7
    )


@pytest.mark.parametrize("shape", [(14, 10), (9, 13)])
@pytest.mark.parametrize(("rank", "target_rank"), [(3, 2), (4, 2), (5, 3)])
@pytest.mark.parametrize("bad_start", [False, True])
@pytest.mark.parametrize("reoptimize", [True, False])
def test_algorithm_2_is_the_reference(shape, rank, target_rank, bad_start, reoptimize):
    M, weights = planted(rank, shape, 3)
    f = reference.WeightedSquares(M, weights)
    start = planted(99, shape, rank)[0] if bad_start else None
    options = {
        "sufficient_progress": 1.0 / (16 * 20 * target_rank), "max_iter": 25,
        "reoptimize": reoptimize,
        "start": None if start is None else reference.truncate_rank(start, rank),
    }  # fmt: skip
    trace = reference.regularized_local_search(
        f, shape, rank, target_rank, 0.0, beta=weights.max(), **options
    )
    result = lowrank.solve(
        lowrank.Weighted(M, weights), rank, method=ALGORITHM_2, target_rank=target_rank,
        target_value=0.0, tol=0.0, history=True, **options,
    )  # fmt: skip
    assert result.n_iter == len(trace.branch)
    compare(result, trace)
    np.testing.assert_allclose(result.weights.W.matrix(), trace.W, atol=1e-6)
    np.testing.assert_allclose(result.weights.Y.matrix(), trace.Y, atol=1e-6)
    assert result.fun <= min(trace.fun) * (1 + 1e-9)


def test_algorithm_2_on_observed_entries_is_the_reference():
    M, _ = planted(5, (16, 12), 2)
    mask = np.random.default_rng(5).random(M.shape) < 0.6
    f = reference.WeightedSquares(M, mask.astype(float))
    rows, cols = np.nonzero(mask)
    objective = lowrank.Completion(rows, cols, M[rows, cols], M.shape)
    options = {"sufficient_progress": 0.01, "max_iter": 30}
    trace = reference.regularized_local_search(f, M.shape, 4, 2, 0.0, beta=1.0, **options)
    result = lowrank.solve(
        objective, 4, method=ALGORITHM_2, target_rank=2, target_value=0.0, tol=0.0, history=True,
        **options,
    )  # fmt: skip
    compare(result, trace)


def watch(objective, rank, **options):
    """All iterations of a run of Algorithm 2."""
    seen = []
    lowrank.solve(objective, rank, method=ALGORITHM_2, callback=seen.append, **options)
    return seen


def test_all_three_branches_are_taken_and_the_lemmas_hold():
    taken = set()
    for seed in range(6):
        shape = (13, 10) if seed % 2 else (8, 12)
        M, weights = planted(seed, shape, 3)
        objective = lowrank.Weighted(M, weights)
        seen = watch(objective, 3 + seed % 3, target_rank=2, target_value=0.0, max_iter=60)
        before_g, before_trace = np.inf, (0.0, 0.0)
        for iteration in seen:
            taken.add(iteration.branch)
            # g never rises.
            assert iteration.regularized_fun <= before_g * (1 + 1e-10)
            traces = []
            for side in (iteration.weights.W, iteration.weights.Y):
                # 0 ⪯ W ⪯ I.
                eigenvalues = np.linalg.eigvalsh(side.matrix())
                assert eigenvalues.min() >= -1e-10
                assert eigenvalues.max() <= 1 + 1e-10
                traces.append(side.removed_trace)
            # Tr(I − W) rises by at most 1, and only in steps of the weights.
            allowed = 0.0 if iteration.branch == "step" else 1.0
            for now, before in zip(traces, before_trace, strict=True):
                assert -1e-9 <= now - before <= allowed + 1e-9
            assert iteration.fun <= iteration.regularized_fun
            assert iteration.factors.rank <= 3 + seed % 3
            before_g, before_trace = iteration.regularized_fun, tuple(traces)
    assert taken == BRANCHES


def test_weights_only_fall():
    M, weights = planted(1, (10, 9), 3)
    seen = watch(lowrank.Weighted(M, weights), 4, target_rank=2, target_value=0.0, max_iter=40)
    for before, after in itertools.pairwise(seen):
        fall = before.weights.W.matrix() - after.weights.W.matrix()
        assert np.linalg.eigvalsh(fall).min() >= -1e-10


def test_the_lemma_gains_what_it_says():
    """Branch 1 gains sufficient_progress·Δ of g, branch 2 at least Δ/(10r)."""
    M, weights = planted(2, (12, 9), 3)
    seen = watch(lowrank.Weighted(M, weights), 4, target_rank=2, target_value=0.0, max_iter=40)
    before = 0.5 * np.sum(weights * M**2)
    for iteration in seen:
        gain = before - iteration.regularized_fun
        if iteration.branch == "spectral":
            assert gain >= before / (10 * 2) * (1 - 1e-9)
        if iteration.branch == "step":
            kappa = weights.max() / weights.min()
            assert gain >= before / (16 * kappa * 2) * (1 - 1e-9)
        before = iteration.regularized_fun


@pytest.mark.parametrize("shape", [(14, 10), (9, 13)])
def test_greedy_and_local_search_are_the_reference(shape):
    M, weights = planted(7, shape, 4)
    f, objective = reference.WeightedSquares(M, weights), lowrank.Weighted(M, weights)
    for rank in (1, 3, 4):
        greedy = lowrank.solve(objective, rank, method="greedy")
        np.testing.assert_allclose(greedy.matrix(), reference.greedy(f, shape, rank), atol=1e-6)
        search = lowrank.solve(objective, rank, method="local-search", tol=1e-9)
        wanted = f.value(reference.local_search(f, shape, rank, 200))
        assert search.fun == pytest.approx(wanted, rel=1e-6)
        assert search.fun <= greedy.fun * (1 + 1e-12)


@pytest.mark.parametrize("shape", [(14, 10), (9, 13)])
def test_regularized_iht_is_the_reference(shape):
    M, weights = planted(8, shape, 3)
    f = reference.WeightedSquares(M, weights)
    # A rank of which thrice the number covers the matrix: all lowered directions are remembered.
    options = {"step": 1.0 / weights.max(), "weight_step": 0.2, "max_iter": 40}
    trace = reference.regularized_iht(f, shape, 5, **options)
    result = lowrank.solve(
        lowrank.Weighted(M, weights), 5, method="regularized-iht", refine=0, tol=0.0,
        weighted_part=1.0,
        history=True, **options,
    )  # fmt: skip
    compare(result, trace)
    np.testing.assert_allclose(result.weights.W.matrix(), trace.W, atol=1e-5)


def test_full_observation_is_the_truncated_svd():
    M, _ = planted(9, (20, 15), 5)
    for rank in (1, 4, 15):
        best = reference.truncate_rank(M, rank)
        for method in lowrank.methods():
            value = 0.5 * np.sum((M - best) ** 2)
            result = lowrank.solve(lowrank.FullObservation(M), rank, method=method, tol=1e-10)
            assert result.fun == pytest.approx(value, rel=1e-6, abs=1e-10)
        np.testing.assert_allclose(lowrank.truncate_rank(M, rank), best, atol=1e-10)
    np.testing.assert_array_equal(lowrank.truncate_rank(M, 0), 0.0)


@pytest.mark.parametrize("shape", [(60, 45), (45, 60)])
def test_planted_matrices_are_recovered_from_some_entries(shape):
    rng = np.random.default_rng(10)
    M, _ = planted(10, shape, 3, noise=0.0)
    rows, cols = np.nonzero(rng.random(shape) < 0.35)
    objective = lowrank.Completion(rows, cols, M[rows, cols], shape)
    result = lowrank.solve(objective, 3, method="regularized-iht", refine=500)
    assert np.linalg.norm(result.matrix() - M) <= 1e-4 * np.linalg.norm(M)
    pure = lowrank.solve(objective, 3, method="regularized-iht", refine=0, max_iter=600, tol=1e-9)
    assert np.linalg.norm(pure.matrix() - M) <= 1e-4 * np.linalg.norm(M)


def test_planted_matrices_are_recovered_from_measurements():
    rng = np.random.default_rng(11)
    M, _ = planted(11, (12, 10), 2, noise=0.0)
    C = rng.standard_normal((100, 12, 10))
    objective = lowrank.Measurements(C, np.tensordot(C, M, 2))
    result = lowrank.solve(objective, 2, method="regularized-iht")
    np.testing.assert_allclose(result.matrix(), M, atol=1e-5)


def test_signs_of_a_planted_matrix_are_learnt():
    rng = np.random.default_rng(12)
    M, _ = planted(12, (80, 60), 2, noise=0.0)
    rows, cols = np.nonzero(rng.random(M.shape) < 0.5)
    signs = np.sign(M[rows, cols])
    objective = lowrank.OneBit(rows, cols, signs, M.shape, ridge=0.05)
    result = lowrank.solve(objective, 2, method="regularized-iht")
    assert np.mean(np.sign(result.matrix()) == np.sign(M)) > 0.9
    boolean = lowrank.OneBit(rows, cols, signs > 0, M.shape, ridge=0.05)
    again = lowrank.solve(boolean, 2, method="regularized-iht")
    np.testing.assert_array_equal(result.matrix(), again.matrix())


def test_a_larger_rank_reaches_the_target_of_a_smaller_one():
    """What the theorem promises: f(A) ≤ f(A*) + ε at a rank above that of A*."""
    M, weights = planted(13, (20, 16), 2, least=1.0, most=10.0)
    objective = lowrank.Weighted(M, weights)
    best = lowrank.solve(objective, 2, method="regularized-iht", refine=300)
    found = lowrank.solve(
        objective, 8, method=ALGORITHM_2, target_rank=2, target_value=best.fun, max_iter=500
    )
    assert found.status == "converged"
    assert found.fun <= best.fun * (1 + 1e-5)


def test_bisection_finds_a_value_as_low_as_a_target_that_is_known():
    M, weights = planted(14, (15, 12), 2, least=1.0, most=5.0)
    objective = lowrank.Weighted(M, weights)
    known = lowrank.solve(objective, 2, method="regularized-iht", refine=300).fun
    found = lowrank.solve(objective, 5, method=ALGORITHM_2, target_rank=2, history=True)
    assert found.fun <= known
    targets = found.history["target"]
    assert targets[0] == 0.0
    assert len(np.unique(targets)) > 1


def test_from_spaces_that_have_nothing_to_do_with_the_answer_the_target_is_reached():
    M, weights = planted(15, (20, 16), 2, least=1.0, most=10.0)
    objective = lowrank.Weighted(M, weights)
    best = lowrank.solve(objective, 2, method="regularized-iht", refine=300)
    start = planted(16, (20, 16), 8)[0]
    found = lowrank.solve(
        objective, 8, method=ALGORITHM_2, target_rank=2, target_value=best.fun, start=start,
        max_iter=500,
    )  # fmt: skip
    assert found.status == "converged"
    assert found.fun <= best.fun * (1 + 1e-5)


@pytest.mark.parametrize("step", [None, 0.3])
def test_regularized_iht_has_the_same_bits_watched_or_not(step):
    rng = np.random.default_rng(12)
    M = rng.standard_normal((14, 3)) @ rng.standard_normal((3, 11))
    objective = lowrank.Weighted(M, rng.uniform(0.5, 2.0, M.shape))
    options = {"method": "regularized-iht", "step": step, "max_iter": 30}
    seen = []
    alone = lowrank.solve(objective, 2, **options)
    watched = lowrank.solve(objective, 2, **options, callback=lambda at: seen.append(at.fun))
    np.testing.assert_array_equal(watched.matrix(), alone.matrix())
    assert watched.n_iter == alone.n_iter == len(seen)
    assert (watched.status, watched.message) == (alone.status, alone.message)


def test_an_error_in_a_function_of_ones_own_passes_through_regularized_iht():
    class Breaks:
        shape, smoothness = (5, 4), 1.0
        calls = 0

        def value(self, A):
            return 0.5 * np.sum((A - 1.0) ** 2)

        def gradient(self, A):
            self.calls += 1
            if self.calls == 3:
                raise KeyError("the third gradient")
            return A - 1.0

    with pytest.raises(KeyError, match="the third gradient"):
        lowrank.solve(Breaks(), 1, method="regularized-iht", max_iter=10)

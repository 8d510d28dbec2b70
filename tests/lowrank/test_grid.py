"""Ranks and ridges together; the penalty on factors; sweeps alone."""

import numpy as np
import pytest

import regiht
from regiht import lowrank


def noisy(seed=0, shape=(60, 50), rank=2, noise=1.0, part=0.4, **options):
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((shape[0], rank)) @ rng.standard_normal((rank, shape[1]))
    rows, cols = np.nonzero(rng.random(shape) < part)
    values = M[rows, cols] + noise * rng.standard_normal(rows.size)
    return lowrank.Completion(rows, cols, values, shape, **options)


def test_every_pair_is_judged_as_by_a_solve_of_its_own():
    ranks, ridges = [1, 2, 4], [0.3, 1.0]
    grid = lowrank.rank_ridge_path(noisy(), ranks, ridges, folds=2)
    assert grid.losses.shape == (2, 2, 3)
    alone = [lowrank.rank_path(noisy(ridge=ridge), ranks, folds=2).loss for ridge in ridges]
    np.testing.assert_allclose(grid.loss, alone, rtol=2e-2)
    at = np.unravel_index(np.argmin(grid.loss), grid.loss.shape)
    assert (grid.ridge, grid.rank) == (ridges[at[0]], ranks[at[1]])
    wanted = lowrank.solve(noisy(ridge=grid.ridge), grid.rank)
    np.testing.assert_array_equal(grid.result.matrix(), wanted.matrix())


def test_one_standard_error_takes_the_smallest_rank_and_the_largest_ridge():
    grid = lowrank.rank_ridge_path(
        noisy(), [1, 2, 3, 4], [0.0, 0.2, 0.5], folds=4, rule="one-standard-error"
    )
    loss, error = grid.losses.mean(axis=0), grid.losses.std(axis=0, ddof=1) / 2.0
    np.testing.assert_allclose(grid.standard_error, error)
    lowest = np.unravel_index(np.argmin(loss), loss.shape)
    near = loss <= loss[lowest] + error[lowest]
    allowed = [(grid.ranks[j], -grid.ridges[i]) for i, j in np.argwhere(near)]
    assert (grid.rank, -grid.ridge) == min(allowed)


def test_a_time_limit_leaves_pairs_out_and_still_answers():
    calls = []
    grid = lowrank.rank_ridge_path(
        noisy(), [1, 2, 3], [0.0, 0.5], folds=50, time_limit=0.3,
        progress=lambda done, loss: calls.append((done, loss)),
    )  # fmt: skip
    judged = np.isfinite(grid.losses)
    assert 0 < judged.sum() < judged.size
    assert [done for done, _ in calls] == list(range(1, judged.sum() + 1))
    assert grid.result.rank == grid.rank


def test_the_grid_is_drawn_as_a_heat_map():
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    grid = lowrank.rank_ridge_path(noisy(), [1, 2], [0.0, 0.5])
    ax = grid.plot()
    assert len(ax.images) == 1
    np.testing.assert_allclose(ax.images[0].get_array(), grid.loss)
    assert f"rank {grid.rank}" in ax.get_title()
    plt.close("all")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ridges": []}, "ridges"),
        ({"ridges": [-1.0]}, "ridges"),
        ({"rule": "first"}, "rule"),
        ({"rule": "one-standard-error"}, "folds"),
        ({"penalty": "none"}, "penalty"),
        ({"objective": lowrank.FullObservation(np.ones((3, 3)))}, "Completion or OneBit"),
    ],
)
def test_bad_options_of_a_grid_are_named(options, message):
    given = {"objective": noisy(), "ranks": [1], "ridges": [0.0], **options}
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        lowrank.rank_ridge_path(**given)


@pytest.mark.parametrize("scaled", [False, True])
def test_the_value_is_that_of_the_least_penalty_of_all_factors(scaled):
    objective = noisy(factor_penalty=0.7, scale_penalty=scaled)
    found = lowrank.solve(objective, 3)
    counts = [np.ones(60), np.ones(50)]
    if scaled:
        where = objective._given.where
        counts = [np.bincount(where.rows), np.bincount(where.cols)]
    loss = lowrank.solve(noisy(), 3, start=found, method="alternating", max_iter=0).fun
    scaled_matrix = np.sqrt(counts[0])[:, None] * found.matrix() * np.sqrt(counts[1])
    nuclear = np.linalg.svd(scaled_matrix, compute_uv=False).sum()
    assert found.fun == pytest.approx(loss + 0.7 * nuclear, rel=1e-10)
    rng = np.random.default_rng(1)
    for _ in range(5):
        # Any factors of the same matrix are penalised at least as much.
        T = rng.standard_normal((3, 3))
        L, R = found.U * found.s @ T, found.V @ np.linalg.inv(T).T
        penalty = 0.35 * (counts[0] @ np.sum(L**2, axis=1) + counts[1] @ np.sum(R**2, axis=1))
        assert found.fun <= loss + penalty


@pytest.mark.parametrize("scaled", [False, True])
def test_penalised_sweeps_end_where_alternating_ridge_regressions_do(scaled):
    objective = noisy(shape=(20, 15), part=0.6, factor_penalty=1.5, scale_penalty=scaled)
    where, target = objective._given.where, objective._given.target
    rng = np.random.default_rng(0)
    L, R = rng.standard_normal((20, 2)), rng.standard_normal((15, 2))
    for _ in range(500):
        for factor, other, lines, others in (
            (L, R, where.rows, where.cols), (R, L, where.cols, where.rows),
        ):  # fmt: skip
            for i in range(len(factor)):
                at = lines == i
                B = other[others[at]]
                strength = 1.5 * (max(at.sum(), 1) if scaled else 1.0)
                factor[i] = np.linalg.solve(B.T @ B + strength * np.eye(2), B.T @ target[at])
    found = lowrank.solve(objective, 2, refine=500, tol=1e-12)
    np.testing.assert_allclose(found.matrix(), L @ R.T, atol=1e-4)


def test_methods_without_sweeps_refuse_a_factor_penalty():
    objective = noisy(factor_penalty=1.0)
    for method in ("greedy", "local-search", "regularized-local-search"):
        with pytest.raises(regiht.InvalidArgumentError, match="factor_penalty needs sweeps"):
            lowrank.solve(objective, 2, method=method)
    with pytest.raises(regiht.InvalidArgumentError, match="refine above 0"):
        lowrank.solve(objective, 2, refine=0)


def test_a_factor_penalty_is_chosen_by_cross_validation():
    given = noisy()._given
    rows, cols, target = given.where.rows, given.where.cols, given.target
    model = lowrank.LowRankCompletionCV(
        ranks=(2, 4), factor_penalties=(0.0, 2.0, 5.0), cv=3, center=False
    ).fit((rows, cols, target))
    assert model.losses_.shape == (3, 2)
    assert model.factor_penalty_ > 0.0
    with pytest.raises(regiht.InvalidArgumentError, match="not both"):
        lowrank.LowRankCompletionCV(ridges=(0.0,), factor_penalties=(0.0,)).fit(
            (rows, cols, target)
        )


def test_sweeps_alone_start_from_a_neighbour_of_lower_or_higher_rank():
    objective = noisy(noise=0.5, part=0.8)
    three = lowrank.solve(objective, 3)
    for rank in (2, 3, 4):
        found = lowrank.solve(objective, rank, method="alternating", start=three)
        assert found.rank == rank
        truncated = lowrank.solve(objective, rank, method="alternating", start=three, max_iter=0)
        assert found.fun < truncated.fun
        # No row of either factor can be improved.
        again = lowrank.solve(objective, rank, method="alternating", start=found, max_iter=1)
        assert found.fun - again.fun <= 1e-5 * found.fun
    with pytest.raises(regiht.InvalidArgumentError, match="no sweeps"):
        lowrank.solve(Own(), 1, method="alternating")


class Own:
    shape = (4, 3)
    smoothness = 1.0

    def value(self, A):
        return 0.5 * np.sum((A - 1.0) ** 2)

    def gradient(self, A):
        return A - 1.0


def test_algorithm_2_says_when_a_plain_run_does_better():
    rng = np.random.default_rng(0)
    M = rng.standard_normal((24, 2)) @ rng.standard_normal((2, 20))
    weights = np.where(rng.random(M.shape) < 0.5, 1.0, 30.0)
    objective = lowrank.Weighted(M + 0.1 * rng.standard_normal(M.shape), weights)
    found = lowrank.solve(objective, 2, method="regularized-local-search", max_iter=50)
    plain = lowrank.solve(objective, 2, method="regularized-iht")
    assert plain.fun < found.fun
    assert f"does better: {plain.fun:.6g}" in found.message
    easy = lowrank.FullObservation(M)
    assert "better" not in lowrank.solve(easy, 2, method="regularized-local-search").message

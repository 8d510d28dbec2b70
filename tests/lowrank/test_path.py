"""Rank paths with held-out observations."""

import numpy as np
import pytest

import regiht
from regiht import lowrank


def noisy(seed=0, shape=(60, 50), rank=2, noise=0.3, part=0.5):
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((shape[0], rank)) @ rng.standard_normal((rank, shape[1]))
    rows, cols = np.nonzero(rng.random(shape) < part)
    values = M[rows, cols] + noise * rng.standard_normal(rows.size)
    return lowrank.Completion(rows, cols, values, shape)


@pytest.mark.parametrize("folds", [1, 3])
def test_the_planted_rank_predicts_best(folds):
    path = lowrank.rank_path(noisy(), range(1, 6), folds=folds)
    assert path.ranks.tolist() == [1, 2, 3, 4, 5]
    assert path.losses.shape == (folds, 5)
    assert path.rank == 2
    assert path.result.rank == 2
    np.testing.assert_allclose(path.rmse, np.sqrt(2 * path.loss))
    assert 0.25 < path.rmse[1] < 0.45


def test_the_result_is_the_solve_on_all_observations():
    objective = noisy(1)
    path = lowrank.rank_path(objective, [3, 1, 2, 2])
    assert path.ranks.tolist() == [1, 2, 3]
    again = lowrank.solve(objective, path.rank)
    np.testing.assert_array_equal(path.result.matrix(), again.matrix())
    same = lowrank.rank_path(objective, [1, 2, 3])
    np.testing.assert_array_equal(same.losses, path.losses)
    other = lowrank.rank_path(objective, [1, 2, 3], seed=1)
    assert not np.array_equal(other.losses, path.losses)


def test_a_rank_that_was_judged_by_no_number_was_chosen():
    path = lowrank.rank_path(noisy(shape=(12, 10)), [1, 2], folds=2, method="greedy")
    losses = np.array([[1.0, np.nan], [3.0, np.nan]])
    judged = lowrank.RankPath(path.ranks, losses, path.result)
    assert judged.rank == 1
    assert judged.loss.tolist() == [2.0, np.inf]
    assert judged.standard_error[0] == pytest.approx(losses[:, 0].std(ddof=1) / np.sqrt(2))


def test_one_bit_and_measurements_have_paths_too():
    rng = np.random.default_rng(2)
    M = rng.standard_normal((40, 2)) @ rng.standard_normal((2, 30))
    rows, cols = (index.ravel() for index in np.indices(M.shape))
    signs = np.where(rng.random(M.size) < 1 / (1 + np.exp(-3 * M.ravel())), 1, -1)
    path = lowrank.rank_path(lowrank.OneBit(rows, cols, signs, M.shape, ridge=0.5), [1, 2, 3])
    assert path.loss[1] < path.loss[0]
    C = rng.standard_normal((300, 8, 7))
    A = M[:8, :7]
    path = lowrank.rank_path(lowrank.Measurements(C, np.tensordot(C, A, 2)), [1, 2])
    assert path.rank == 2


def test_a_path_is_drawn():
    pytest.importorskip("matplotlib").use("Agg")
    ax = lowrank.rank_path(noisy(), [1, 2]).plot()
    assert "2" in ax.get_title()
    import matplotlib.pyplot as plt  # noqa: PLC0415

    plt.close("all")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ranks": []}, "ranks"),
        ({"ranks": 3}, "ranks"),
        ({"ranks": [0]}, "ranks"),
        ({"ranks": [51]}, "ranks"),
        ({"held_out": 0.0}, "held_out"),
        ({"folds": 0}, "folds"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        lowrank.rank_path(noisy(), **{"ranks": [1], **options})


def test_objectives_without_observations_are_refused():
    with pytest.raises(regiht.InvalidArgumentError, match="hold out"):
        lowrank.rank_path(lowrank.FullObservation(np.ones((3, 3))), [1])
    with pytest.raises(regiht.InvalidArgumentError, match="two observations"):
        lowrank.rank_path(lowrank.Completion([0], [0], [1.0], (3, 3)), [1])

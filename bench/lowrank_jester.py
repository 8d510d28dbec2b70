"""Jester's joke ratings (real): rank by held-out error, beside means and alternating least squares.

python bench/lowrank_jester.py          # needs jester.npz in REGIHT_DATA
"""

from __future__ import annotations

import lowrank_problems
import numpy as np
from lowrank_rivals import alternating
from measure import print_table, seconds_text, timed, use_threads

from regiht import lowrank
from regiht.lowrank._observations import Observations, fit_effects

RANKS = (1, 2, 3, 4, 5, 6, 8)
RIDGES = (0.0, 0.3, 1.0)
RIVAL_RIDGES = (0.0, 20.0, 100.0, 200.0)
TEST_PART = 0.1


def rmse(error):
    return float(np.sqrt(np.mean(error**2)))


def main() -> None:
    use_threads(1)
    data = lowrank_problems.jester()
    if data is None:
        print("jester.npz is not in REGIHT_DATA")
        return
    rows, cols, values, shape = data
    shuffled = np.random.default_rng(0).permutation(values.size)
    test, fit = np.split(shuffled, [round(TEST_PART * values.size)])
    seen = Observations(rows[fit], cols[fit], values[fit], shape)
    effects = fit_effects(seen)
    judged = Observations(rows[test], cols[test], values[test], shape)
    baseline = effects.at(judged)
    residual = seen.values - effects.at(seen)
    print(f"{shape[0]} × {shape[1]}, {values.size} ratings, {test.size} of them for the test\n")
    table = [
        ["mean", "", "", f"{rmse(judged.values - seen.values.mean()):.4f}", ""],
        ["row and column means", "", "", f"{rmse(judged.values - baseline):.4f}", ""],
    ]

    def ours(ridge):
        objective = lowrank.Completion(seen.rows, seen.cols, residual, shape, ridge=ridge)
        return lowrank.rank_path(objective, RANKS, held_out=0.1, n_threads=1)

    paths, seconds = timed(lambda: {ridge: ours(ridge) for ridge in RIDGES})
    for ridge, path in paths.items():
        guess = baseline + path.result.predict(judged.rows, judged.cols)
        table.append([
            "regiht, regularized-iht", f"{path.rank}", f"{ridge:g}",
            f"{rmse(judged.values - guess):.4f}", f"{path.rmse.min():.4f}",
        ])  # fmt: skip
    best = min(paths, key=lambda ridge: paths[ridge].rmse.min())
    rivals = [(paths[0.0].rank, 0.0), *((paths[best].rank, ridge) for ridge in RIVAL_RIDGES)]
    for rank, ridge in rivals:
        problem = lowrank_problems.CompletionProblem(
            "jester", seen.rows, seen.cols, residual, shape, judged.rows, judged.cols,
            judged.values, ridge,
        )  # fmt: skip
        left, right = alternating.complete(problem, rank)
        guess = baseline + np.einsum("ij,ij->i", left[judged.rows], right[judged.cols])
        error = f"{rmse(judged.values - guess):.4f}"
        table.append([alternating.name, f"{rank}", f"{ridge:g}", error, ""])
    print_table(["model", "rank", "ridge", "RMSE on the test", "held-out RMSE"], table)
    print(
        f"\nchosen by held-out error: rank {paths[best].rank}, ridge {best:g}; "
        f"{len(RIDGES)} paths of {len(RANKS)} ranks took {seconds_text(seconds)}"
    )
    print("\nThe ridge of alternating least squares holds back both factors, ours their product.")


if __name__ == "__main__":
    main()

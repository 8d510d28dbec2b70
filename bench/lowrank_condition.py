"""Ranks that greedy, local search and Algorithm 2 need, over condition numbers.

The problems are weighted squares with weights from 1 to κ around a planted matrix of rank 2. The
value to reach is that of the best rank-2 matrix that any method found, up to one part in a thousand
of f(0). The table gives the smallest rank that reaches it, from zero and from a bad start.

    python bench/lowrank_condition.py
"""

from __future__ import annotations

import argparse

import numpy as np
import record
from measure import print_table, use_threads

from regiht import lowrank

METHODS = ("greedy", "local-search", "regularized-local-search")
SHAPE = (24, 20)
TARGET_RANK = 2
EPSILON = 1e-3


def problem(kappa, seed):
    """Half of the entries, at random, weigh κ and the others 1."""
    rng = np.random.default_rng(seed)
    left, right = (rng.standard_normal((side, TARGET_RANK)) for side in SHAPE)
    M = left @ right.T + 0.3 * rng.standard_normal(SHAPE)
    weights = np.where(rng.random(SHAPE) < 0.5, kappa, 1.0)
    return lowrank.Weighted(M, weights), float(0.5 * np.sum(weights * M**2))


def bad_start(rank, seed):
    """Random spaces: a start that has nothing to do with the answer."""
    rng = np.random.default_rng(1000 + seed)
    left, right = (rng.standard_normal((side, rank)) for side in SHAPE)
    return left @ right.T


def best_value(objective):
    """Of rank 2, as good as we know."""
    runs = [
        lowrank.solve(objective, TARGET_RANK, method="regularized-iht", max_iter=n, refine=500)
        for n in (20, 100)
    ]
    return min(run.fun for run in runs)


def needed_rank(objective, method, enough, target, start_seed):
    for rank in range(TARGET_RANK, min(SHAPE) + 1):
        start = None if start_seed is None else bad_start(rank, start_seed)
        options = {"start": start, "max_iter": 150}
        if method == "greedy":
            options["start"] = None
        found = lowrank.solve(
            objective, rank, method=method, target_rank=TARGET_RANK, target_value=target,
            **options,
        )  # fmt: skip
        if found.fun <= enough:
            return rank
    return min(SHAPE) + 1


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kappas", type=float, nargs="+", default=[1, 3, 10, 30, 100])
    parser.add_argument("--seeds", type=int, default=3)
    record.add_option(parser)
    arguments = parser.parse_args()
    use_threads(1)
    rows = []
    for kappa in arguments.kappas:
        ranks = {(method, bad): [] for method in METHODS for bad in (False, True)}
        for seed in range(arguments.seeds):
            objective, at_zero = problem(kappa, seed)
            target = best_value(objective)
            enough = target + EPSILON * at_zero
            for (method, bad), found in ranks.items():
                start_seed = seed if bad else None
                found.append(needed_rank(objective, method, enough, target, start_seed))
        rows.append([
            f"{kappa:g}",
            *(" ".join(map(str, ranks[method, bad]))
              for bad in (False, True) for method in METHODS if not (bad and method == "greedy")),
        ])  # fmt: skip
        print(rows[-1], flush=True)
    print()
    table = print_table(
        ["κ", "greedy", "local search", "Algorithm 2", "local search, bad start",
         "Algorithm 2, bad start"],
        rows,
    )  # fmt: skip
    if arguments.record:
        record.save("lowrank_condition", table)


if __name__ == "__main__":
    main()

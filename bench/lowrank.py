"""Matrix completion against its rivals: test errors, and times as ratios within one run.

python bench/lowrank.py                 # 500 × 400, rank 5, 30 % seen
python bench/lowrank.py --seeds 5
"""

from __future__ import annotations

import argparse

import lowrank_problems
import lowrank_rivals
import numpy as np
import record
from measure import best_of, print_table, ratio_text, seconds_text, use_threads

RANK = 5


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--part", type=float, default=0.3, help="of the entries that is seen")
    record.add_option(parser)
    arguments = parser.parse_args()
    use_threads(1)
    made = [
        lowrank_problems.planted(part=arguments.part, seed=seed) for seed in range(arguments.seeds)
    ]
    print(f"{made[0].name}, noise 0.1; means over {len(made)} seeds, one thread\n")
    rows, ours = [], None
    for file in lowrank_rivals.ADAPTERS:
        adapter = lowrank_rivals.load(file)
        if adapter is None:
            print(f"{file} is not installed")
            continue
        errors, times = [], []
        for problem in made:
            (left, right), seconds = best_of(
                arguments.repeats,
                lambda: adapter.complete(problem, RANK),  # noqa: B023
            )
            errors.append(problem.error(left, right))
            times.append(seconds)
        seconds = float(np.mean(times))
        ours = seconds if ours is None else ours
        error = f"{np.mean(errors):.5f}"
        rows.append([adapter.name, error, seconds_text(seconds), ratio_text(seconds / ours)])
    table = print_table(["solver", "relative test error", "time", "times ours"], rows)
    if arguments.record:
        record.save("lowrank", table, ("pymanopt",))


if __name__ == "__main__":
    main()

"""`best` on families of small problems, to see what a change of the search does to all of them.

    python bench/families.py --save before.json
    python bench/families.py --save after.json --against before.json
    python bench/families.py --family correlated --seeds 1000 1200   # problems not seen so far

One thread, processor time, one run each: single times say little, their sums do. What counts as
lower or higher differs by more than a millionth.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from family_problems import MADE, Problem, real_tables
from measure import print_table, seconds_text

import regiht

REAL = "real"
SAME = 1e-6


def problems_of(family: str, seeds: range) -> Iterator[tuple[str, Problem]]:
    if family == REAL:
        for problem in real_tables():
            yield f"{problem.name}, s = {problem.s}", problem
        return
    for seed in seeds:
        problem = MADE[family](seed)
        yield f"{seed}: {problem.name}, s = {problem.s}", problem


def solve(problem: Problem, method: str, effort: str) -> tuple[float, float]:
    """The value, and the processor time."""
    begin = time.process_time()
    found = regiht.solve(
        problem.X, problem.y, problem.s, method=method, n_threads=1,
        **({"effort": effort} if method == "best" else {}), **problem.options,
    )  # fmt: skip
    return found.fun, time.process_time() - begin


def run(family: str, seeds: range, effort: str) -> dict[str, dict[str, float]]:
    records = {}
    for name, problem in problems_of(family, seeds):
        value, seconds = solve(problem, "best", effort)
        greedy, greedy_seconds = solve(problem, "omp", effort)
        records[name] = {
            "value": value, "seconds": seconds, "omp": greedy, "omp_seconds": greedy_seconds,
        }  # fmt: skip
    return records


def summary(family: str, records: dict[str, dict[str, float]]) -> list[str]:
    times = np.array([each["seconds"] for each in records.values()])
    omp = sum(each["omp_seconds"] for each in records.values())
    lower = sum(each["value"] < each["omp"] * (1 - SAME) for each in records.values())
    return [family, str(len(records)), str(lower), seconds_text(times.sum()), seconds_text(omp),
            seconds_text(float(np.median(times))), seconds_text(times.max())]  # fmt: skip


def compare(family: str, now: dict[str, Any], before: dict[str, Any]) -> list[str]:
    """Prints what is higher than before; returns the counts."""
    both = [name for name in now if name in before]
    change = {name: now[name]["value"] / before[name]["value"] - 1 for name in both}
    for name, part in sorted(change.items(), key=lambda each: -each[1]):
        if part > SAME:
            print(f"{family}, {name}: {before[name]['value']:.7g} → {now[name]['value']:.7g}")
    spent, spent_before = (sum(of[name]["seconds"] for name in both) for of in (now, before))
    return [family, str(len(both)), str(sum(part < -SAME for part in change.values())),
            str(sum(part > SAME for part in change.values())),
            f"{spent / spent_before:.2f}"]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [*MADE, REAL]
    parser.add_argument("--family", action="append", choices=names, help="only these")
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 120), metavar=("FIRST", "END"))
    parser.add_argument("--effort", default="default")
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--against", type=Path, metavar="FILE", help="what an earlier run saved")
    arguments = parser.parse_args()
    before = json.loads(arguments.against.read_text()) if arguments.against else {}
    found = {
        family: run(family, range(*arguments.seeds), arguments.effort)
        for family in arguments.family or names
    }
    if arguments.save:
        arguments.save.write_text(json.dumps(found, indent=1), encoding="utf-8")
    print_table(
        ["family", "problems", "lower than omp", "time", "omp's", "median", "longest"],
        [summary(family, records) for family, records in found.items()],
    )
    if before:
        print()
        rows = [compare(name, found[name], before[name]) for name in found if name in before]
        print_table(["family", "problems", "lower", "higher", "time / before's"], rows)


if __name__ == "__main__":
    main()

"""Large completions: memory, and cost for each iteration over observations and over shapes.

python bench/lowrank_scale.py           # 20 000 × 10 000, 2 million entries, rank 10
python bench/lowrank_scale.py --curve   # time for each iteration over sizes
python bench/lowrank_scale.py --huge 50 # 1 000 000 × 100 000 with so many million entries, in 4 GB
python bench/lowrank_scale.py --sweeps 50  # a sweep of that shape with a quarter, a half, all
"""

from __future__ import annotations

import argparse
import resource
import time
from typing import Any

import lowrank_problems
import numpy as np
import record
from measure import best_of, print_table, seconds_text, timed, use_threads

from regiht import lowrank

RANK = 10
CURVE = [
    (5_000, 2_500, 250_000),
    (5_000, 2_500, 500_000),
    (5_000, 2_500, 1_000_000),
    (10_000, 5_000, 500_000),
    (20_000, 10_000, 500_000),
    (40_000, 20_000, 500_000),
]


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def curve() -> None:
    table = []
    for rows, cols, count in CURVE:
        problem = lowrank_problems.large(rows, cols, count)
        objective = lowrank.Completion(problem.rows, problem.cols, problem.values, problem.shape)
        found = lowrank.solve(
            objective, RANK, method="regularized-iht", max_iter=8, refine=3, n_threads=1,
            tol=0.0, history=True,
        )  # fmt: skip
        steps = found.history["branch"] == "step"
        elapsed = np.diff(found.history["elapsed"], prepend=0.0)
        step, sweep = np.median(elapsed[steps]), np.median(elapsed[~steps])
        table.append([
            f"{rows} × {cols}", f"{rows * cols / 1e6:.0f}", f"{count / 1e6:g}",
            seconds_text(step), seconds_text(sweep),
            seconds_text(step / count * 1e6), seconds_text(step / (rows * cols) * 1e6),
        ])  # fmt: skip
    print_table(
        ["shape", "million entries", "million seen", "IHT step", "sweep",
         "step for a million seen", "step for a million entries"],
        table,
    )  # fmt: skip


def whole() -> None:
    before = megabytes()
    problem = lowrank_problems.large(20_000, 10_000, 2_000_000)
    given = megabytes()
    objective = lowrank.Completion(problem.rows, problem.cols, problem.values, problem.shape)
    found, seconds = timed(
        lambda: lowrank.solve(objective, RANK, method="regularized-iht", history=True)
    )
    steps = int(np.sum(found.history["branch"] == "step"))
    print(problem.name)
    print(f"{found}\n{found.message}")
    print(f"{steps} IHT steps and {found.n_iter - steps} sweeps in {seconds_text(seconds)}")
    print(f"relative test error {problem.error(found.U * found.s, found.V):.5f}")
    print(
        f"memory: {before:.0f} MB at first, {given:.0f} MB with the data, "
        f"{megabytes():.0f} MB at most"
    )


def huge(millions: float, gigabytes: float) -> dict[str, Any]:
    """Three sizes, to see whether time and memory grow with the entries.

    The process may not use more address space than the limit: beyond it numpy raises MemoryError.
    """
    resource.setrlimit(resource.RLIMIT_AS, (round(gigabytes * 1e9),) * 2)
    table = []
    for part in (0.25, 0.5, 1.0):
        table.append(huge_row(part * millions))
        print(table[-1], flush=True)
    return print_table(
        ["shape", "million entries", "sweeps", "a sweep", "processor seconds", "in all",
         "relative test error", "most memory", "bytes an entry"], table,
    )  # fmt: skip


def huge_row(millions: float) -> list[str]:
    """One size. All of its memory is free again afterwards."""
    shape = (round(20_000 * millions), round(2_000 * millions))
    problem = lowrank_problems.large_in_pieces(*shape, round(1_000_000 * millions))
    spent = time.process_time()
    found, seconds = timed(
        lambda: lowrank.solve(
            lowrank.Completion(problem.rows, problem.cols, problem.values, problem.shape),
            RANK, method="regularized-iht", history=True,
        )
    )  # fmt: skip
    spent = time.process_time() - spent
    sweeps = np.diff(found.history["elapsed"])[found.history["branch"][1:] == "refine"]
    return [
        f"{shape[0]} × {shape[1]}", f"{millions:g}", f"{sweeps.size}",
        seconds_text(np.median(sweeps)), seconds_text(spent), seconds_text(seconds),
        f"{problem.error(found.U * found.s, found.V):.5f}", f"{megabytes():.0f} MB",
        f"{megabytes() * 2**20 / problem.rows.size:.0f}",
    ]  # fmt: skip


def sweeps(millions: float) -> dict[str, Any]:
    """Both factors once, at one shape, for three numbers of entries."""
    shape, table = (round(20_000 * millions), round(2_000 * millions)), []
    for part in (0.25, 0.5, 1.0):
        problem = lowrank_problems.large_in_pieces(*shape, round(1_000_000 * part * millions))
        objective = lowrank.Completion(problem.rows, problem.cols, problem.values, problem.shape)
        start = lowrank.solve(objective, RANK, method="alternating", max_iter=1)
        A = lowrank.Factors(start.U, start.s, start.V)
        _, spent = best_of(3, lambda: objective.refined(A, 1), time.process_time)  # noqa: B023
        _, wall = best_of(3, lambda: objective.refined(A, 2))  # noqa: B023
        table.append([
            f"{shape[0]} × {shape[1]}", f"{part * millions:g}", seconds_text(spent),
            seconds_text(wall), seconds_text(spent / (1_000_000 * part * millions)),
        ])  # fmt: skip
        print(table[-1], flush=True)
    return print_table(
        ["shape", "million entries", "a sweep, one thread", "two threads", "an entry"], table
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--huge", type=float, metavar="MILLIONS")
    parser.add_argument("--sweeps", type=float, metavar="MILLIONS")
    parser.add_argument(
        "--memory", type=float, default=4.0, metavar="GB", help="what --huge may use at most"
    )
    parser.add_argument("--threads", type=int, default=1)
    record.add_option(parser)
    arguments = parser.parse_args()
    use_threads(arguments.threads)
    if arguments.curve:
        curve()
    elif arguments.huge:
        table = huge(arguments.huge, arguments.memory)
        if arguments.record:
            record.save("lowrank_scale", table)
    elif arguments.sweeps:
        table = sweeps(arguments.sweeps)
        if arguments.record:
            record.save("lowrank_sweeps", table)
    else:
        whole()


if __name__ == "__main__":
    main()

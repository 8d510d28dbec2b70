"""What one call costs: 20 × 50, s = 3, 50 iterations, through the Python interface.

python bench/calls.py [--repeats N]
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import record
from measure import print_table, ratio_text, use_threads
from problems import load

import regiht

CALLS = 500


def per_call(function: Callable[[], Any]) -> float:
    """Microseconds of one call out of many."""
    start = time.perf_counter()
    for _ in range(CALLS):
        function()
    return 1e6 * (time.perf_counter() - start) / CALLS


def in_two_threads(pool: ThreadPoolExecutor, function: Callable[[], Any]) -> float:
    """Microseconds for a call in each of two threads at once."""
    barrier = threading.Barrier(2)

    def work() -> float:
        barrier.wait()
        return per_call(function)

    return max(future.result() for future in [pool.submit(work), pool.submit(work)])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=15, help="the shortest time counts")
    record.add_option(parser)
    arguments = parser.parse_args()
    use_threads(1)
    problem = load("tiny")
    (s,) = problem.factors
    design = regiht.Design(problem.X)

    def variant(X: Any, **options: Any) -> Callable[[], Any]:
        settings = {"max_iter": problem.max_iter, "n_threads": 1} | options
        return lambda: regiht.solve(X, problem.y, s, **settings)

    step = problem.step("regiht", s)
    solve_prepared = variant(design, step=step)
    variants = {
        "X, step given": variant(problem.X, step=step),
        "Design, step given": solve_prepared,
        "Design, step given, x read": lambda: solve_prepared().x,
        "Design, step given, one iteration": variant(design, step=step, max_iter=1),
        "Design, step given, iht": variant(design, step=step / 2, method="iht"),
        "Design, step given, screening=False": variant(design, step=step, screening=False),
        "X, step=None": variant(problem.X),
        "Design, step=None": variant(design),
    }
    rows = []
    with ThreadPoolExecutor(2) as pool:
        for name, function in variants.items():
            one, two = [], []
            for _ in range(arguments.repeats):
                one.append(per_call(function))
                two.append(in_two_threads(pool, function))
            rows.append(
                [name, f"{min(one):.1f}", f"{min(two):.1f}", ratio_text(2 * min(one) / min(two))]
            )
    print("µs per call; speedup is the calls per second of two threads over those of one")
    table = print_table(["call", "one thread", "each of two threads", "speedup"], rows)
    if arguments.record:
        record.save("calls", table)


if __name__ == "__main__":
    main()

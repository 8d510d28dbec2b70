"""What screening is worth: every named problem with it and without it, in one run.

    python bench/screening.py [--problem NAME]... [--repeats N] [--budget SECONDS]

The two kinds of run take turns, and the shortest time of each counts. A ratio above 1.05 is marked:
nowhere should screening cost more than 5 %. Problems whose unscreened run would exceed the budget
run fewer iterations, with the weight step of the whole run.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np
from listing import Case, ours, prepare
from measure import print_table, seconds_text, timed, use_threads
from problems import available, load

ALLOWED = 1.05


def affordable(case: Case, budget: float) -> int:
    """How many unscreened iterations fit into the budget, up to all of them."""
    few = min(5, case.max_iter)
    design = prepare(case.problem)
    ours(case, design, 1, screening=False, n_threads=1)
    _, seconds = timed(lambda: ours(case, design, few, screening=False, n_threads=1))
    return max(few, min(case.max_iter, int(budget * few / seconds)))


def measure(case: Case, repeats: int, budget: float) -> list[str]:
    iterations = affordable(case, budget)
    shortest = {True: np.inf, False: np.inf}
    result = {}
    spent = 0.0
    done = 0
    while done < repeats or (spent < budget / 4 and done < 20 * repeats):
        for screening in (True, False):
            design = prepare(case.problem)  # nothing is carried over from an earlier solve
            result[screening], seconds = timed(
                lambda: ours(case, design, iterations, screening=screening, n_threads=1)  # noqa: B023
            )
            shortest[screening] = min(shortest[screening], seconds)
            spent += seconds
        done += 1
    ratio = shortest[True] / shortest[False]
    same = np.array_equal(result[True].x, result[False].x)
    return [
        case.problem.name, str(case.s), case.method, f"{case.step:.3g}", str(iterations),
        f"{result[True].n_gradients:.1f}", f"{result[False].n_gradients:.1f}",
        seconds_text(shortest[True]), seconds_text(shortest[False]),
        f"{ratio:.3f}" + (" ←" if ratio > ALLOWED else ""), "yes" if same else "NO",
    ]  # fmt: skip


def cases(names: list[str]) -> list[Case]:
    """The steps named for a problem, and eight times those, where screening helps least."""
    found = []
    for name in names:
        problem = load(name)
        for s in problem.factors:
            for method in ("iht", "regiht"):
                named = Case(problem, method, s, problem.step(method, s), problem.max_iter)
                found += [named, replace(named, step=8 * named.step)]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problem", action="append", help="may be repeated; default: all")
    parser.add_argument("--repeats", type=int, default=5, help="the shortest time counts")
    parser.add_argument("--budget", type=float, default=4.0, metavar="SECONDS", help="per run")
    arguments = parser.parse_args()
    use_threads(1)
    header = ["problem", "s", "method", "step", "iterations", "gradients", "unscreened", "time",
              "unscreened", "ratio", "same x"]  # fmt: skip
    rows = [
        measure(case, arguments.repeats, arguments.budget)
        for case in cases(arguments.problem or available())
    ]
    print_table(header, rows)


if __name__ == "__main__":
    main()

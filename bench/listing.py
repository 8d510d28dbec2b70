"""Each method against the paper's numpy listing, in one run on one thread.

Two yardsticks: `regiht.reference` with history=False, which finds the largest entries by a
partition, and the loop as the paper prints it, which sorts. A fresh Design is built for every timed
solve, so that nothing is carried over from an earlier one.

    python bench/listing.py                                   # all the defaults
    python bench/listing.py --problem rcv1-like --method regiht --s 10 --step 1.6 --max-iter 800
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
import record
from measure import best_of, print_table, ratio_text, seconds_text, timed, use_threads
from problems import BenchProblem, available, load

import regiht
from regiht import reference

DEFAULTS = ("rcv1-like", "reuters", "year-like", "wide", "recovery", "tiny")


@dataclass(frozen=True)
class Case:
    problem: BenchProblem
    method: str
    s: int
    step: float
    max_iter: int

    @property
    def weight_step(self) -> float:
        return self.s / self.max_iter


def verbatim(case: Case, iterations: int) -> Any:
    """The paper's listing, its names, its argsort."""
    n, s, eta, c, round_th = case.problem.X.shape[1], case.s, case.step, case.weight_step, 0.5
    grad = case.problem.objective.gradient
    x, w = np.zeros(n), np.ones(n)
    for _ in range(iterations):
        if case.method == "iht":
            x_new = x - eta * grad(x)
            x_new[np.argsort(np.abs(x_new))[:-s]] = 0
        else:
            x_new = (1 - 0.5 * w) * x - 0.5 * eta * grad(x)
            x_new[np.argsort(np.abs(x_new))[:-s]] = 0
            reg = np.sum(w * x**2)
            if reg != 0:
                w = w * (1 - c * w * x**2 / reg)
                w[w <= round_th] = 0
        x = x_new
    return x


def plain(case: Case, iterations: int) -> Any:
    """The reference of the tests, without its history."""
    objective, n = case.problem.objective, case.problem.X.shape[1]
    options = {"step": case.step, "max_iter": iterations, "history": False}
    if case.method == "iht":
        return reference.iht(objective, n, case.s, **options).x
    weight_step = case.weight_step
    return reference.regularized_iht(
        objective, n, case.s, weight_step=weight_step, **options
    ).x  # fmt: skip


def ours(case: Case, design: regiht.Design, iterations: int, **options: Any) -> regiht.Result:
    problem = case.problem
    return regiht.solve(
        design, problem.y, case.s, loss=problem.loss, ridge=problem.ridge, method=case.method,
        step=case.step, max_iter=iterations, weight_step=case.weight_step, **options,
    )  # fmt: skip


def prepare(problem: BenchProblem) -> regiht.Design:
    return regiht.Design(problem.X, center=problem.standardize, scale=problem.standardize)


def affordable(case: Case, budget: float) -> int:
    """How many iterations of the listing fit into the budget, up to all of them."""
    few = min(3, case.max_iter)
    plain(case, 1)
    _, seconds = timed(lambda: plain(case, few))
    return max(few, min(case.max_iter, int(budget * few / seconds)))


def measure(case: Case, arguments: argparse.Namespace) -> list[str]:
    options = {"n_threads": arguments.threads}
    made = []

    def prepare_and_solve() -> regiht.Result:
        design, prepare_seconds = timed(lambda: prepare(case.problem))
        result, solve_seconds = timed(lambda: ours(case, design, case.max_iter, **options))
        made.append((solve_seconds, prepare_seconds))
        return result

    result, _ = best_of(arguments.repeats, prepare_and_solve)
    solve_seconds, prepare_seconds = map(min, zip(*made, strict=True))
    iterations = affordable(case, arguments.budget)
    scale = case.max_iter / iterations
    repeats = arguments.repeats if scale == 1 else 1
    x_plain, plain_seconds = best_of(repeats, lambda: plain(case, iterations))
    x_verbatim, verbatim_seconds = best_of(repeats, lambda: verbatim(case, iterations))
    x = result.x
    if scale != 1:
        x = ours(case, prepare(case.problem), iterations, **options).x
    cells = [
        case.problem.name, str(case.s), case.method, f"{case.step:.3g}", str(case.max_iter),
        seconds_text(solve_seconds), seconds_text(prepare_seconds), f"{result.n_gradients:.1f}",
        ratio_text(scale * plain_seconds / solve_seconds),
        ratio_text(scale * verbatim_seconds / solve_seconds),
        f"{relative_difference(x, x_plain):.0e}, {relative_difference(x, x_verbatim):.0e}",
        "all" if scale == 1 else f"estimated from {iterations} iterations",
    ]  # fmt: skip
    if arguments.no_screening:
        unscreened = prepare(case.problem)
        full, seconds = best_of(
            arguments.repeats,
            lambda: ours(case, unscreened, case.max_iter, screening=False, **options),
        )
        same = "yes" if np.array_equal(full.support, result.support) else "NO"
        cells += [ratio_text(seconds / solve_seconds), same]
    return cells


def relative_difference(x: Any, y: Any) -> float:
    return float(np.max(np.abs(x - y)) / max(np.max(np.abs(y)), np.finfo(float).tiny))


def cases(arguments: argparse.Namespace) -> list[Case]:
    found = []
    for name in arguments.problem or [name for name in DEFAULTS if name in available()]:
        problem = load(name)
        for s in [arguments.s] if arguments.s else problem.factors:
            for method in arguments.method or ("iht", "regiht"):
                step = arguments.step or problem.step(method, s)
                iterations = arguments.max_iter or problem.max_iter
                found.append(Case(problem, method, s, step, iterations))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problem", action="append", help="may be repeated")
    parser.add_argument("--method", action="append", choices=("iht", "regiht"))
    parser.add_argument("--s", type=int)
    parser.add_argument("--step", type=float, help="default: what suits the problem")
    parser.add_argument("--max-iter", type=int)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3, help="the shortest time counts")
    parser.add_argument(
        "--budget", type=float, default=20.0, metavar="SECONDS",
        help="for one run of a listing; a longer one is estimated from fewer iterations",
    )  # fmt: skip
    parser.add_argument(
        "--no-screening", action="store_true", help="also measure regiht with screening=False"
    )
    record.add_option(parser)
    arguments = parser.parse_args()
    use_threads(arguments.threads)
    header = ["problem", "s", "method", "step", "iterations", "regiht", "Design", "gradients",
              "× reference", "× paper's loop", "differences of x", "numpy measured"]  # fmt: skip
    if arguments.no_screening:
        header += ["× unscreened", "same support"]
    print(f"{arguments.threads} thread(s); × is the time of the iterations, numpy's over ours")
    table = print_table(header, [measure(case, arguments) for case in cases(arguments)])
    if arguments.record:
        record.save("listing", table)


if __name__ == "__main__":
    main()

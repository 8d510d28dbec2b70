"""The adaptive weight step against fixed ones: c = s/T·{1/4, 1/2, 1, 2, 4} with T = 800.

Values are objectives over f(0). `against best` is the adaptive value less the best of the sweep;
`iterations` and `gradients` are what the adaptive run took (each fixed run makes 800 iterations).
"""

from __future__ import annotations

import argparse

import measure
import problems

import regiht

ITERATIONS = 800
FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
SPARSITIES = {
    "rcv1-like": (10, 100),
    "year-like": (5, 11, 20, 30),
    "wide": (50,),
    "recovery": (20, 30, 40),
    "tiny": (3,),
    "rcv1-small": (10, 50, 100),
    "year-small": (5, 11, 20, 30),
    "reuters": (10, 50),
    "farm_ads": (10,),
    "a9a": (5, 10, 30),
    "riboflavin": (5, 10, 20),
}


def row(problem: problems.BenchProblem, design: regiht.Design, s: int, step: float | None):
    common = {"loss": problem.loss, "ridge": problem.ridge, "step": step}
    at_zero = regiht.solve(design, problem.y, s, max_iter=0, **common).fun
    sweep = [s / ITERATIONS * factor for factor in FACTORS]
    grid = regiht.solve_grid(design, problem.y, s, weight_step=sweep, max_iter=ITERATIONS, **common)
    values = grid.table["fun"] / at_zero
    adaptive, seconds = measure.timed(
        lambda: regiht.solve(design, problem.y, s, weight_step="adaptive", **common)
    )
    return [
        problem.name,
        str(s),
        "chosen" if step is None else f"{step * s:g}/s",
        *(f"{value:.4f}" for value in values),
        f"{adaptive.fun / at_zero:.4f}",
        f"{adaptive.fun / at_zero - values.min():+.4f}",
        str(adaptive.n_iter),
        f"{adaptive.n_gradients:.0f}",
        adaptive.status.value,
        measure.seconds_text(seconds),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problem", action="append", choices=problems.NAMES)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rows = []
    for name in arguments.problem or problems.available():
        problem = problems.load(name, arguments.seed)
        design = regiht.Design(problem.X, center=problem.standardize, scale=problem.standardize)
        for s in SPARSITIES[name]:
            rows += [
                row(problem, design, s, None),
                row(problem, design, s, problem.step("regiht", s)),
            ]
    fixed = [f"{factor:g}·s/T" for factor in FACTORS]
    measure.print_table(
        ["problem", "s", "step", *fixed, "adaptive", "against best", "iterations", "gradients",
         "status", "time"],
        rows,
    )  # fmt: skip


if __name__ == "__main__":
    main()

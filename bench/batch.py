"""20 seeds × 30 step sizes at once against a Python loop over the numpy listing.

    python bench/batch.py [--problem NAME] [--seeds N] [--steps N] [--listing-runs N]

Two ways to have 20 seeds: a matrix for each, one `solve_grid` over the step sizes for every matrix;
or one matrix and a target for each, one `solve_batch` over the targets for every step size. The
listing is run on an even choice of the runs, and its time is scaled up to all of them. `solves` is
a Python loop over `regiht.solve` on prepared designs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from measure import best_of, print_table, ratio_text, seconds_text, timed, use_threads
from problems import BenchProblem, load

import regiht
from regiht import reference

# In multiples of 1/s. The listing diverges on some problems at the largest.
LEAST_FACTOR, LARGEST_FACTOR = 0.25, 16.0


class Runs:
    """Problems that differ by their seed, and the step sizes for each."""

    def __init__(self, problems: list[BenchProblem], steps: list[float]) -> None:
        self.problems = problems
        self.steps = steps
        self.s = min(problems[0].factors)
        self.options = {"max_iter": problems[0].max_iter}
        self.designs = [regiht.Design(problem.X) for problem in problems]

    def __len__(self) -> int:
        return len(self.problems) * len(self.steps)

    def all(self) -> Iterator[tuple[int, float]]:
        return product(range(len(self.problems)), self.steps)

    def listing(self, seed: int, step: float) -> Any:
        problem = self.problems[seed]
        return reference.regularized_iht(
            problem.objective, problem.X.shape[1], self.s, step=step, history=False, **self.options
        ).x

    def solves(self) -> list[regiht.Result]:
        return [
            regiht.solve(
                self.designs[seed], self.problems[seed].y, self.s, step=step, n_threads=1,
                **self.options,
            )
            for seed, step in self.all()
        ]  # fmt: skip

    def grids(self, n_threads: int | None) -> list[regiht.Result]:
        """A grid for every matrix, which is prepared afresh."""
        return [
            result
            for problem in self.problems
            for result in regiht.solve_grid(
                problem.X, problem.y, self.s, step=self.steps, n_threads=n_threads, **self.options
            )
        ]

    def batches(self, n_threads: int | None) -> list[regiht.Result]:
        """All targets on the first matrix, a batch for every step."""
        design = regiht.Design(self.problems[0].X)
        targets = np.column_stack([problem.y for problem in self.problems])
        return [
            result
            for step in self.steps
            for result in regiht.solve_batch(
                design, targets, self.s, step=step, n_threads=n_threads, **self.options
            )
        ]


def listing_seconds(runs: Runs, count: int, results: list[regiht.Result]) -> tuple[float, float]:
    """Seconds of the listing for all runs, and by how much its x differ from ours at most."""
    chosen = list(enumerate(runs.all()))[:: max(1, len(runs) // count)]
    seconds = worst = 0.0
    for number, (seed, step) in chosen:
        x, spent = timed(lambda seed=seed, step=step: runs.listing(seed, step))
        seconds += spent
        if results[number].success:
            worst = max(worst, float(np.max(np.abs(x - results[number].x)) / np.max(np.abs(x))))
    return seconds * len(runs) / len(chosen), worst


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problem", default="recovery", help="one without standardization")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--listing-runs", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=3, help="the shortest time counts")
    arguments = parser.parse_args()
    use_threads(1)
    problems = [load(arguments.problem, seed) for seed in range(arguments.seeds)]
    factors = np.geomspace(LEAST_FACTOR, LARGEST_FACTOR, arguments.steps)
    runs = Runs(problems, (factors / min(problems[0].factors)).tolist())
    ways: dict[str, Callable[[], list[regiht.Result]]] = {
        "solves": runs.solves,
        "solve_grid, one thread": lambda: runs.grids(1),
        "solve_grid, all cores": lambda: runs.grids(None),
        "solve_batch, one thread": lambda: runs.batches(1),
        "solve_batch, all cores": lambda: runs.batches(None),
    }
    measured = {name: best_of(arguments.repeats, way) for name, way in ways.items()}
    grid = measured["solve_grid, one thread"][0]
    listing, difference = listing_seconds(runs, arguments.listing_runs, grid)
    rows = [["numpy listing", seconds_text(listing), seconds_text(listing / len(runs)), "1", ""]]
    for name, (results, seconds) in measured.items():
        gradients = float(np.mean([result.n_gradients for result in results]))
        rows.append(
            [name, seconds_text(seconds), seconds_text(seconds / len(runs)),
             ratio_text(listing / seconds), f"{gradients:.1f}"]
        )  # fmt: skip
    print(f"{len(runs)} runs of {problems[0].max_iter} iterations; x differ by {difference:.0e}")
    print_table(["way", "all runs", "one run", "× listing", "gradients"], rows)


if __name__ == "__main__":
    main()

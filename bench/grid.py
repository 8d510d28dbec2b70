"""Time whole grids against one run of the numpy listing, in the same process.

The year stand-in: s = 1…30 × 6 steps × both algorithms, 360 runs of 800 iterations, the Gram matrix
included, against 800 iterations of the listing (measured on a few, scaled up).
"""

import time

import regiht
from regiht import datasets, reference

ITERATIONS, MEASURED, S = 800, 20, 11


def main() -> None:
    problem = datasets.year_like()
    objective = reference.LinearObjective(
        reference.ImplicitStandardized(problem.X, True, True), problem.y
    )
    start = time.perf_counter()
    reference.regularized_iht(
        objective, problem.X.shape[1], S, step=4 / S, max_iter=MEASURED, history=False
    )
    listing = (time.perf_counter() - start) * ITERATIONS / MEASURED

    start = time.perf_counter()
    design = regiht.Design(problem.X, center=True, scale=True)
    runs = 0
    for method in ("iht", "regiht"):
        table = regiht.solve_grid(
            design, problem.y, range(1, 31), step=[2.0**i / S for i in range(6)],
            method=method, max_iter=ITERATIONS,
        )  # fmt: skip
        runs += len(table)
    grid = time.perf_counter() - start
    print(f"one run of the numpy listing   {listing:8.2f} s (estimated from {MEASURED} iterations)")
    print(f"{runs} runs by solve_grid        {grid:8.2f} s")
    print(f"ratio                          {listing / grid:8.1f}")


if __name__ == "__main__":
    main()

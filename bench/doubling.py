"""How the time of the default fit grows: tables whose rows or columns double again and again.

    python bench/doubling.py                    # two minutes
    python bench/doubling.py --loss squared --doublings 5

Every time is that of three tables together, since on a single one the searches of `best` may end a
little earlier or later. One thread, processor time, the shorter of two.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import record
from measure import best_of, print_table, ratio_text, seconds_text, use_threads
from numpy.typing import NDArray

import regiht

FEATURES, SEEDS = 10, 3
RIDGE = 1e-4
LONG = 0.1  # seconds for one table; growth below that is shown apart
FIRST = {"rows": (500, 60), "columns": (400, 50)}
Array = NDArray[np.float64]


def poisson_target(signal: Array, rng: np.random.Generator) -> Array:
    return rng.poisson(np.exp(np.clip(signal, -5.0, 3.0))).astype(float)


TARGETS = {
    "squared": lambda signal, rng: signal + rng.normal(size=signal.size),
    "logistic": lambda signal, rng: (rng.logistic(size=signal.size) < signal).astype(float),
    "poisson": poisson_target,
    "huber": lambda signal, rng: signal + rng.standard_t(2, size=signal.size),
}


def table(loss: str, shape: tuple[int, int], correlation: float, seed: int) -> tuple[Array, Array]:
    """Gaussian columns, all of them alike to a degree, of which twelve matter."""
    rng = np.random.default_rng(seed)
    common = np.sqrt(correlation) * rng.normal(size=(shape[0], 1))
    X = np.asfortranarray(np.sqrt(1.0 - correlation) * rng.normal(size=shape) + common)
    return X, TARGETS[loss](0.3 * X[:, :12] @ rng.normal(size=12), rng)


def seconds_of(loss: str, shape: tuple[int, int], correlation: float) -> float:
    tables = [table(loss, shape, correlation, seed) for seed in range(SEEDS)]

    def fit_all() -> None:
        for X, y in tables:
            regiht.solve(
                X, y, FEATURES, method="best", loss=loss, ridge=RIDGE, intercept=True,
                center=True, scale=True, n_threads=1,
            )  # fmt: skip

    return best_of(2, fit_all, time.process_time)[1] / SEEDS


def shapes(grows: str, doublings: int) -> Iterator[tuple[int, int]]:
    rows, cols = FIRST[grows]
    for k in range(doublings + 1):
        yield (rows << k, cols) if grows == "rows" else (rows, cols << k)


def row(loss: str, correlation: float, grows: str, doublings: int) -> list[str]:
    sizes = list(shapes(grows, doublings))
    seconds = [seconds_of(loss, size, correlation) for size in sizes]
    growth = [(after / before, after) for before, after in itertools.pairwise(seconds)]
    (rows, cols), (last_rows, last_cols) = sizes[0], sizes[-1]
    long = [ratio for ratio, after in growth if after >= LONG]
    return [
        loss,
        "independent" if correlation == 0.0 else f"correlated, {correlation:g}",
        f"{rows} × {cols} to {last_rows} × {last_cols}",
        seconds_text(seconds[0]),
        seconds_text(seconds[-1]),
        ratio_text(float(np.median([ratio for ratio, _ in growth]))),
        ratio_text(max(long)) if long else "–",
        ratio_text(max(ratio for ratio, _ in growth)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--loss", choices=TARGETS, nargs="+", default=list(TARGETS))
    parser.add_argument("--doublings", type=int, default=7)
    record.add_option(parser)
    arguments = parser.parse_args()
    use_threads(1)
    cases: list[tuple[Any, ...]] = list(itertools.product(arguments.loss, (0.0, 0.8), FIRST))
    rows = []
    for case in cases:
        rows.append(row(*case, arguments.doublings))
        print(*rows[-1], sep=", ", flush=True)
    header = ["loss", "columns", "tables", "first", "last", "a doubling costs",
              f"at most, from {seconds_text(LONG)} up", "at most"]  # fmt: skip
    found = print_table(header, rows)
    if arguments.record:
        record.save("doubling", found)


if __name__ == "__main__":
    main()

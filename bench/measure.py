"""How benchmarks time, count threads and print."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

SHORT = 0.2  # seconds
_BLAS_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def use_threads(count: int) -> None:
    """Hold numpy and its rivals to so many threads.

    BLAS libraries read the variables when they are loaded, so the script starts itself again.
    """
    wanted = {name: str(count) for name in _BLAS_VARIABLES}
    if all(os.environ.get(name) == value for name, value in wanted.items()):
        return
    os.environ.update(wanted)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.argv])


Clock = Callable[[], float]


def timed(function: Callable[[], Any], clock: Clock = time.perf_counter) -> tuple[Any, float]:
    """What the function returns, and the seconds it took."""
    start = clock()
    answer = function()
    return answer, clock() - start


def best_of(
    repeats: int, function: Callable[[], Any], clock: Clock = time.perf_counter
) -> tuple[Any, float]:
    """The last answer and the shortest time: other programs only ever make a run longer.

    What is over at once is repeated more often.
    """
    answer, shortest = timed(function, clock)
    done, spent = 1, shortest
    while done < repeats or (spent < SHORT and done < 100 * repeats):
        answer, seconds = timed(function, clock)
        shortest = min(shortest, seconds)
        done, spent = done + 1, spent + seconds
    return answer, shortest


def mean_of(total: float, function: Callable[[], Any], clock: Clock = time.perf_counter) -> float:
    """The mean time of as many calls as take so long together: for clocks that tick slowly."""
    start, done = clock(), 0
    while clock() - start < total:
        function()
        done += 1
    return (clock() - start) / done


def seconds_text(seconds: float) -> str:
    """A duration with three digits."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1.0 or unit == "µs":
            return f"{seconds * factor:.3g} {unit}"
    raise AssertionError


def ratio_text(ratio: float) -> str:
    """A ratio with three digits, never in powers of ten."""
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.3g}"


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Print a markdown table whose columns are also aligned for the eye, and return it."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [header, ["-" * width for width in widths], *rows]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print("| " + " | ".join(cells) + " |")
    sys.stdout.flush()
    return {"header": list(header), "rows": [list(row) for row in rows]}

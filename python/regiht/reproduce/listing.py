"""The paper's listing in numpy, beside our runs: the same curves, and how long it would take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np

import regiht
from regiht import reference

T = TypeVar("T")
P = ParamSpec("P")

SOLVERS: dict[str, Callable[..., reference.ReferenceResult]] = {
    "iht": reference.iht,
    "regiht": reference.regularized_iht,
}


def timed(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[T, float]:
    """Return what the function returns, and the seconds it took."""
    start = time.perf_counter()
    answer = function(*args, **kwargs)
    return answer, time.perf_counter() - start


def curve(result: regiht.Result) -> Any:
    """Objective values of a run with history."""
    assert result.history is not None
    return result.history["fun"]


def whole_curve(result: regiht.Result, iterations: int) -> list[float]:
    """Objective values of all iterations; a run that came to rest early goes on at that value."""
    values = [float(value) for value in curve(result)]
    return values + [values[-1]] * (iterations - len(values))


def curve_difference(ours: Any, theirs: Any) -> float:
    """Largest relative difference of two curves; ours may end early, where it came to rest."""
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    ours = np.concatenate([ours, np.full(theirs.size - ours.size, ours[-1])])
    # Below a billionth of the largest value an exact fit leaves nothing but rounding.
    size = max(float(np.max(np.abs(theirs))), np.finfo(float).tiny)
    return float(np.max(np.abs(ours - theirs) / np.maximum(np.abs(theirs), 1e-9 * size)))


def compare_run(
    ours: regiht.Result,
    objective: reference.LinearObjective,
    method: str,
    s: int,
    **options: Any,
) -> tuple[float, float]:
    """Make a run of ours by the listing: largest relative difference of f, and its seconds.

    The seconds are without the bookkeeping that the listing does not have.
    """
    solver, n = SOLVERS[method], objective.A.shape[1]
    theirs = solver(objective, n, s, **options)
    _, seconds = timed(solver, objective, n, s, history=False, **options)
    return curve_difference(curve(ours), theirs.history_fun), seconds


def seconds_per_iteration(
    objective: reference.LinearObjective, s: int, step: float, iterations: int
) -> float:
    """Time some iterations of both algorithms, the one after the other."""
    total = 0.0
    for method, factor in (("iht", 1.0), ("regiht", 2.0)):
        options = {"step": factor * step, "max_iter": iterations, "history": False}
        total += timed(SOLVERS[method], objective, objective.A.shape[1], s, **options)[1]
    return total / (2 * iterations)

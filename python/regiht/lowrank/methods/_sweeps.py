"""Sweeps over the factors: each is optimised while the other stays."""

from __future__ import annotations

import math

from regiht import _core
from regiht._solving.result import Status
from regiht.lowrank._run import LowRankOptions, Observer, Outcome, stopped
from regiht.lowrank.objectives import LowRankObjective

CONVERGED = "The matrix and its value no longer change by more than tol."


def swept(
    objective: LowRankObjective,
    options: LowRankOptions,
    observer: Observer,
    found: Outcome,
    *,
    most: int,
    to_beat: float = math.inf,
) -> Outcome:
    """Sweep until that gains less than tol, or as often as allowed.

    Gains fall from sweep to sweep, as a rule: once the last one, made in all the sweeps that are
    left, would not come below ``to_beat``, the rest are spared. Branch: ``"refine"``.
    """
    A, value = found.A, objective.value(found.A, options.threads)
    status, message = found.status, found.message
    for done in range(1, most + 1):
        try:
            lower_A = objective.refined(A, options.threads)
        except _core.TimeIsUpError:
            return stopped(Status.TIME_LIMIT, A, found.weights)
        lower = objective.value(lower_A, options.threads)
        gain = value - lower
        if not gain > 0.0:
            status, message = Status.CONVERGED, CONVERGED
            break
        A, value = lower_A, lower
        told = observer.observe(A, value, "refine", found.weights)
        if told is not None:
            return stopped(told, A, found.weights)
        if gain <= options.tol * value:
            status, message = Status.CONVERGED, CONVERGED
            break
        if value - (most - done) * gain >= to_beat:
            break
    return Outcome(A, status, message, found.weights)

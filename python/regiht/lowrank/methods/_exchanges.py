"""What the methods of exchanges have in common: the core makes their iterations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from regiht._solving.result import Status
from regiht.lowrank._factors import Factors
from regiht.lowrank._run import LowRankOptions, Observer, Outcome, stopped
from regiht.lowrank._weights import Regularizer

# Why a run ended, where its status does not say it all.
MESSAGES = {
    "no-slope": "The gradient is zero: no matrix of any rank has a lower value.",
    "rank-used": "The rank allowed is used up.",
    "no-gain": "No exchange of one direction lowers the value by more than tol.",
    "reached": "The value is within tol of the target value.",
    "exhausted": "No step gains enough, and the weights hold nothing of the matrix any more.",
}


def exchanged(
    run: Callable[..., Any],
    options: LowRankOptions,
    observer: Observer,
    target: float = math.nan,
    **given: Any,
) -> Outcome:
    """Let a function of the core run, which tells of each iteration if somebody watches."""

    def observe(A: Any, fun: float, branch: str, weights: Any, regularized: float) -> Status | None:
        held = None if weights is None else Regularizer.of_parts(*weights)
        return observer.observe(Factors(*A), fun, branch, held, regularized, target)

    found, weights = run(
        *options.start.contiguous(),
        rank=options.rank,
        max_iter=options.max_iter,
        tol=options.tol,
        observe=observe if observer.is_watching else None,
        n_threads=options.threads,
        **given,
    )
    A, fun, status, end, iterations = found
    best = Factors(*A)
    if not observer.is_watching:
        observer.count(iterations, best, fun)
    held = None if weights is None else Regularizer.of_parts(*weights)
    return stopped(Status(status), best, held, MESSAGES.get(end))

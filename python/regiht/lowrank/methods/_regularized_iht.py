"""Regularized matrix IHT: our own practical method, not the paper's."""

from __future__ import annotations

from typing import Any

from regiht import _core
from regiht._solving.result import Status
from regiht.lowrank._factors import Factors
from regiht.lowrank._run import LowRankOptions, Observer, Outcome, stopped
from regiht.lowrank._weights import Regularizer
from regiht.lowrank.methods._sweeps import CONVERGED, swept
from regiht.lowrank.objectives import LowRankObjective

# Iterations by default, times observations for each degree of freedom of the matrix.
_SCHEDULE = 200.0
_SHORTEST, _LONGEST = 10, 100
_WITHOUT_SWEEPS = 300
# With so many observations, and so many for each degree of freedom, sweeps from the first step on
# find what they find after all the others.
_PLENTY, _PLENTY_FOR_EACH = 100_000, 4


def regularized_iht(
    objective: LowRankObjective, options: LowRankOptions, observer: Observer
) -> Outcome:
    """A ← H_r(A − ½·step·∇f(A) − ¼(W·A + A·Y)), while the weights fall where A is.

    No linear systems are solved. It is the sparse side's regularized IHT with singular directions
    in the place of features; no theorem speaks for it. Singular spaces turn where supports would
    rest, so that weights outside never cease to matter: they are dropped after ``weighted_part`` of
    the iterations. Up to ``refine`` sweeps over the factors
    follow, each of which optimises one factor while the other stays.

    Branches: ``"step"`` and ``"refine"``.
    """
    found = _descended(objective.without_factor_penalty(), options, observer)
    if found.status.success and objective.refines and options.refine:
        return swept(objective, options, observer, found, most=options.refine)
    return found


def default_max_iter(objective: LowRankObjective, rank: int) -> int:
    """The fewer the observations, the more slowly the weights should fall."""
    if not objective.refines:
        return _WITHOUT_SWEEPS
    freedom = rank * (sum(objective.shape) - rank)
    if objective.observations >= max(_PLENTY, _PLENTY_FOR_EACH * freedom):
        return 1
    wanted = _SCHEDULE * freedom / max(objective.observations, 1)
    return int(min(max(wanted, _SHORTEST), _LONGEST))


def _descended(objective: LowRankObjective, options: LowRankOptions, observer: Observer) -> Outcome:
    """The iterations, which the core makes; what watches them is called from there."""

    def observe(A: Any, fun: float, weights: Any, regularized_fun: float) -> Status | None:
        held = Regularizer.of_parts(*weights)
        return observer.observe(Factors(*A), fun, "step", held, regularized_fun)

    weight_step = options.weight_step
    if weight_step is None:
        weight_step = 2.0 * options.rank / max(options.max_iter, 1)
    A, fun, status, weights, iterations = _core.regularized_iht(
        objective.compiled(),
        *options.start.contiguous(),
        rank=options.rank,
        max_iter=options.max_iter,
        tol=options.tol,
        step=options.step,
        smoothness=objective.smoothness,
        weight_step=weight_step,
        round_threshold=options.round_threshold,
        weighted_part=options.weighted_part,
        observe=observe if observer.is_watching else None,
        n_threads=options.threads,
    )
    best = Factors(*A)
    if not observer.is_watching:
        observer.count(iterations, best, fun)
    message = CONVERGED if status == Status.CONVERGED else None
    return stopped(Status(status), best, Regularizer.of_parts(*weights), message)

"""Algorithm 2 of the paper: local search with adaptive regularization of both singular spaces."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from regiht import _core
from regiht._solving.result import Status
from regiht.lowrank._factors import Factors
from regiht.lowrank._run import LowRankOptions, Observer, Outcome
from regiht.lowrank.methods._exchanges import MESSAGES, exchanged
from regiht.lowrank.objectives import LowRankObjective

BISECTED = "The target value was found by bisection."

# Of the range that is left, where a bisection ends.
_NARROW = 1e-3


def regularized_local_search(
    objective: LowRankObjective, options: LowRankOptions, observer: Observer
) -> Outcome:
    """Algorithm 2 with f(A*) given, or with the bisection over it that the paper names.

    Branches: ``"step"``, ``"spectral"`` (weights fall on the r leading directions that they hold of
    A), ``"proportional"`` (weights fall everywhere, as much as they hold of A).
    """
    run = partial(
        _core.regularized_local_search,
        objective.compiled(),
        target_rank=options.target_rank,
        smoothness=objective.smoothness,
        sufficient=1.0 / (16.0 * options.condition * options.target_rank)
        if options.sufficient_progress is None
        else options.sufficient_progress,
        reoptimize=options.reoptimize,
    )

    def search(target: float) -> Outcome:
        return exchanged(partial(run, target=target), options, observer, target)

    if options.target_value is not None:
        return search(options.target_value)
    return _bisect(objective, options, search)


def _bisect(
    objective: LowRankObjective, options: LowRankOptions, search: Callable[[float], Outcome]
) -> Outcome:
    """Runs with guesses of f(A*): a guess that is reached is an upper bound, else a lower one.

    The first guess is the bound that f has from below; the range of the later ones ends at the
    best value found so far.
    """
    low = objective.lower_bound
    best = search(low)
    best_value = objective.value(best.A, options.threads)
    whole = abs(objective.value(Factors.zero(objective.shape)) - low)
    if best.message == MESSAGES["reached"]:
        return best
    for _ in range(options.bisections - 1):
        if not best.status.success or best_value - low <= max(options.tol, _NARROW) * whole:
            break
        guess = 0.5 * (low + best_value)
        found = search(guess)
        value = objective.value(found.A, options.threads)
        if value > guess + options.tol * whole:
            low = guess
        if value < best_value or not found.status.success:
            kept = found.A if value < best_value else best.A
            best = Outcome(kept, found.status, found.message, found.weights)
            best_value = min(value, best_value)
    if best.status.success:
        return Outcome(best.A, Status.CONVERGED, BISECTED, best.weights)
    return best

"""Greedy: one leading direction of the gradient after the other."""

from __future__ import annotations

from regiht._solving.result import Status
from regiht.lowrank._run import LowRankOptions, Observer, Outcome, stopped
from regiht.lowrank.methods._spans import best_in_span, leading_of_gradient
from regiht.lowrank.objectives import LowRankObjective

NO_SLOPE = "The gradient is zero: no matrix of any rank has a lower value."


def greedy(objective: LowRankObjective, options: LowRankOptions, observer: Observer) -> Outcome:
    """Add H₁(∇f(A)) to both spaces and optimise over them, until the rank is reached.

    Branch: ``"step"``. Axiotis and Sviridenko (2021).
    """
    A = options.start
    for _ in range(min(options.rank - A.rank, options.max_iter)):
        at = objective.evaluate(A, options.threads)
        direction = leading_of_gradient(objective, at, None, options.threads)
        if direction.s[0] == 0.0:
            return stopped(Status.STATIONARY, A, message=NO_SLOPE)
        A = best_in_span(objective, A, direction, None, options.threads)
        fun = objective.evaluate(A, options.threads).value
        status = observer.observe(A, fun, "step")
        if status is not None:
            return stopped(status, A)
    if A.rank >= options.rank:
        return stopped(Status.COMPLETED, A, message="The rank allowed is used up.")
    return stopped(Status.COMPLETED, A)

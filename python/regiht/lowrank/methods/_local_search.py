"""Local search: the weakest direction of A against the leading one of the gradient."""

from __future__ import annotations

from regiht._solving.result import Status
from regiht.lowrank._run import LowRankOptions, Observer, Outcome, stopped
from regiht.lowrank.methods._greedy import NO_SLOPE
from regiht.lowrank.methods._spans import best_in_span, leading_of_gradient
from regiht.lowrank.objectives import LowRankObjective

NO_GAIN = "No exchange of one direction lowers the value by more than tol."


def local_search(
    objective: LowRankObjective, options: LowRankOptions, observer: Observer
) -> Outcome:
    """Optimise over the spaces of H_{r−1}(A) and H₁(∇f(A)), while that lowers f.

    Branch: ``"step"``. Axiotis and Sviridenko (2021).
    """
    A = best_in_span(objective, options.start, None, None, options.threads)
    at = objective.evaluate(A, options.threads)
    for _ in range(options.max_iter):
        direction = leading_of_gradient(objective, at, None, options.threads)
        if direction.s[0] == 0.0:
            return stopped(Status.STATIONARY, A, message=NO_SLOPE)
        kept = A.truncated(options.rank - 1)
        tried = best_in_span(objective, kept, direction, None, options.threads)
        at_tried = objective.evaluate(tried, options.threads)
        if not at.value - at_tried.value > options.tol * abs(at.value):
            return stopped(Status.CONVERGED, A, message=NO_GAIN)
        A, at = tried, at_tried
        status = observer.observe(A, at.value, "step")
        if status is not None:
            return stopped(status, A)
    return stopped(Status.COMPLETED, A)

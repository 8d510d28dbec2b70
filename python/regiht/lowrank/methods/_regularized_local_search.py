"""Algorithm 2 of the paper: local search with adaptive regularization of both singular spaces."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from regiht._inputs.checks import FloatArray
from regiht._solving.result import Status
from regiht.lowrank._factors import Factors
from regiht.lowrank._run import LowRankOptions, Observer, Outcome, stopped
from regiht.lowrank._weights import NOTHING_LEFT, Regularizer, SpaceWeights
from regiht.lowrank.methods._spans import best_in_span, leading_of_gradient
from regiht.lowrank.objectives import LowRankObjective

REACHED = "The value is within tol of the target value."
EXHAUSTED = "No step gains enough, and the weights hold nothing of the matrix any more."
BISECTED = "The target value was found by bisection."

# Of Δ/β, in the condition of the second branch.
_CONCENTRATED = 0.4
# Of the range that is left, where a bisection ends.
_NARROW = 1e-3


def regularized_local_search(
    objective: LowRankObjective, options: LowRankOptions, observer: Observer
) -> Outcome:
    """Algorithm 2 with f(A*) given, or with the bisection over it that the paper names.

    Branches: ``"step"``, ``"spectral"`` (weights fall on the r leading directions that they hold of
    A), ``"proportional"`` (weights fall everywhere, as much as they hold of A).
    """
    if options.target_value is not None:
        return _Search(objective, options, observer, options.target_value).run()
    return _bisect(objective, options, observer)


def _bisect(objective: LowRankObjective, options: LowRankOptions, observer: Observer) -> Outcome:
    """Runs with guesses of f(A*): a guess that is reached is an upper bound, else a lower one.

    The first guess is the bound that f has from below; the range of the later ones ends at the
    best value found so far.
    """
    low = objective.lower_bound
    best = _Search(objective, options, observer, low).run()
    best_value = objective.value(best.A, options.threads)
    whole = abs(objective.value(Factors.zero(objective.shape)) - low)
    if best.message == REACHED:
        return best
    for _ in range(options.bisections - 1):
        if not best.status.success or best_value - low <= max(options.tol, _NARROW) * whole:
            break
        guess = 0.5 * (low + best_value)
        found = _Search(objective, options, observer, guess).run()
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


@dataclass(slots=True)
class _Held:
    """What the weights of one side hold of A: P of the paper by its eigenvectors."""

    Z: FloatArray
    values: FloatArray

    def leading(self, rank: int) -> float:
        """Tr H_r(P)."""
        return float(self.values[:rank].sum())

    @property
    def trace(self) -> float:
        return float(self.values.sum())


class _Search:
    """One run of Algorithm 2, for one value of f(A*)."""

    def __init__(
        self,
        objective: LowRankObjective,
        options: LowRankOptions,
        observer: Observer,
        target: float,
    ) -> None:
        self.objective = objective
        self.options = options
        self.observer = observer
        self.target = target
        self.beta = objective.smoothness
        self.sufficient = (
            1.0 / (16.0 * options.condition * options.target_rank)
            if options.sufficient_progress is None
            else options.sufficient_progress
        )
        zero = objective.value(Factors.zero(objective.shape))
        self.close = options.tol * abs(zero - target)

    def run(self) -> Outcome:
        """Iterate, and at the end drop the weights: the best matrix is optimised for f alone."""
        weights = Regularizer.full(self.objective.shape, self.beta)
        A = self.options.start
        if self.options.reoptimize:
            A = self._optimized(A, None, weights)
        best, best_value = A, self._value(A)
        status, message = Status.COMPLETED, Status.COMPLETED.message
        for _ in range(self.options.max_iter):
            if best_value <= self.target + self.close:
                break
            branch, A, weights = self._iterate(A, weights)
            if branch is None:
                status, message = Status.STATIONARY, EXHAUSTED
                break
            fun = self._value(A)
            if fun < best_value:
                best, best_value = A, fun
            told = self.observer.observe(
                A, fun, branch, weights, fun + weights.value(A), self.target
            )
            if told is not None:
                return stopped(told, best, weights)
        best = self._optimized(best, None, None)
        if self._value(best) <= self.target + self.close:
            status, message = Status.CONVERGED, REACHED
        return Outcome(best, status, message, weights)

    def _iterate(self, A: Factors, weights: Regularizer) -> tuple[str | None, Factors, Regularizer]:
        at = self.objective.evaluate(A, self.options.threads)
        before = at.value + weights.value(A)
        delta = before - self.target
        if not delta > 0.0:
            return None, A, weights
        direction = leading_of_gradient(self.objective, at, weights, self.options.threads)
        kept = A.truncated(self.options.rank - 1)
        moved = Factors.of_terms(
            np.hstack([kept.left, direction.left * (-0.5 / self.beta)]),
            np.hstack([kept.V, direction.V]),
        )
        after = self._value(moved) + weights.value(moved)
        if before - after >= self.sufficient * delta:
            return "step", self._optimized(kept, direction, weights), weights
        return self._lower(A, weights, delta)

    def _lower(
        self, A: Factors, weights: Regularizer, delta: float
    ) -> tuple[str | None, Factors, Regularizer]:
        """Take weight from where A is, since no step gains enough against the weights."""
        rank = self.options.target_rank
        P = _Held(*weights.W.held(A.left))
        Q = _Held(*weights.Y.held(A.V * A.s))
        if max(P.trace, Q.trace) <= NOTHING_LEFT * A.squared_norm:
            return None, A, weights
        concentrated = max(P.leading(rank), Q.leading(rank)) >= _CONCENTRATED / self.beta * delta
        lower = _lower_spectral if concentrated else _lower_proportional
        W = lower(weights.W, P, rank, A)
        Y = lower(weights.Y, Q, rank, A)
        weights = Regularizer(W, Y, self.beta)
        if self.options.reoptimize:
            A = self._optimized(A, None, weights)
        return ("spectral" if concentrated else "proportional"), A, weights

    def _value(self, A: Factors) -> float:
        return self.objective.value(A, self.options.threads)

    def _optimized(
        self, A: Factors, direction: Factors | None, weights: Regularizer | None
    ) -> Factors:
        return best_in_span(self.objective, A, direction, weights, self.options.threads)


def _lower_spectral(W: SpaceWeights, P: _Held, rank: int, A: Factors) -> SpaceWeights:
    """W^{1/2}(I − (1/r)·Π)W^{1/2}, Π on the r leading eigenvectors of P."""
    if P.trace <= NOTHING_LEFT * A.squared_norm:
        return W
    return W.lowered(P.Z[:, :rank] / math.sqrt(rank))


def _lower_proportional(W: SpaceWeights, P: _Held, rank: int, A: Factors) -> SpaceWeights:
    """W − W·A·Aᵀ·W/⟨W, AAᵀ⟩ = W^{1/2}(I − P/Tr P)W^{1/2}."""
    del rank
    if P.trace <= NOTHING_LEFT * A.squared_norm:
        return W
    return W.lowered(P.Z * np.sqrt(P.values / P.trace))

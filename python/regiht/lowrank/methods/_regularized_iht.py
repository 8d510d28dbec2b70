"""Regularized matrix IHT: our own practical method, not the paper's."""

from __future__ import annotations

import math

import numpy as np

from regiht._solving.result import Status
from regiht.lowrank._factors import Factors
from regiht.lowrank._leading import leading_triplets
from regiht.lowrank._run import LowRankOptions, Observer, Outcome, stopped
from regiht.lowrank._weights import NOTHING_LEFT, Regularizer, SpaceWeights
from regiht.lowrank.methods._sweeps import CONVERGED, swept
from regiht.lowrank.objectives import LowRankObjective
from regiht.lowrank.objectives._base import Evaluation

_GROWTH = 1.1
_MOST_SHRINKS = 60
# How much finer than the last move the singular vectors of the next point are found.
_FINER = 0.05
_COARSEST, _FINEST = 1e-2, 1e-12
# Without a gap between singular values the vectors are not worth more products: a step that adapts
# is judged by what it gains.
_MOST_BLOCKS, _ALL_BLOCKS = 10, 300
# Directions with lowered weight that are remembered, as a multiple of the rank.
_MOST_LOWERED = 3
_TINY = 1e-300
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
    found = _Descent(objective.without_factor_penalty(), options, observer).run()
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


class _Descent:
    def __init__(
        self, objective: LowRankObjective, options: LowRankOptions, observer: Observer
    ) -> None:
        self.objective = objective
        self.options = options
        self.observer = observer
        self.adapts = options.step is None
        self.step = 1.0 / objective.smoothness if options.step is None else options.step
        self.weight_step = (
            2.0 * options.rank / max(options.max_iter, 1)
            if options.weight_step is None
            else options.weight_step
        )
        self.last_move = 1.0
        self.guess: Factors | None = None  # of singular vectors, where the current matrix is none
        self.dropped = False

    def _scaled(self, weights: Regularizer) -> Regularizer:
        """Return the weights as strong as the step asks for, or without strength."""
        return weights.with_beta(0.0 if self.dropped else 1.0 / self.step)

    def run(self) -> Outcome:
        A = self.options.start
        at = self.objective.evaluate(A, self.options.threads)
        weights = Regularizer.full(self.objective.shape, 1.0 / self.step)
        best, best_value = A, at.value
        if self.adapts:
            self._first_step(at)
        for done in range(self.options.max_iter):
            self.dropped = done >= self.options.weighted_part * self.options.max_iter
            moved = self._move(at, self._scaled(weights))
            if moved is None:
                break
            lowered = weights if self.dropped else self._lower(A, weights)
            resting = lowered is weights
            weights = lowered
            length = moved.A.squared_distance(A)
            self.last_move = math.sqrt(length / max(moved.A.squared_norm, _TINY))
            gain = at.value - moved.value
            A, at = moved.A, moved
            if at.value < best_value:
                best, best_value = A, at.value
            told = self.observer.observe(
                A, at.value, "step", weights, at.value + self._scaled(weights).value(A)
            )
            if told is not None:
                return stopped(told, best, weights)
            if resting and A.rank > 0 and self._at_rest(gain, at.value):
                return stopped(Status.CONVERGED, best, weights, CONVERGED)
        return stopped(Status.COMPLETED, best, weights)

    def _at_rest(self, gain: float, value: float) -> bool:
        tol = self.options.tol
        return self.last_move <= tol or (self.adapts and abs(gain) <= tol * tol * abs(value))

    def _first_step(self, at: Evaluation) -> None:
        """1/curvature along the first move: 1/β would be far too careful for few observations."""
        self.step = 2.0 / self.objective.smoothness
        plain = Regularizer.full(self.objective.shape, 0.0)
        tried = self._proposal(at, plain)
        self.guess = tried.A
        length = tried.A.squared_distance(at.A)
        if length == 0.0:
            return
        bend = 2.0 * (tried.value - at.value - at.slope_towards(tried)) / length
        if bend > 0.0 and math.isfinite(bend):
            self.step = 1.0 / bend

    def _move(self, at: Evaluation, weights: Regularizer) -> Evaluation | None:
        """Propose a point; with a step that adapts, until the model lies above f there."""
        for _ in range(_MOST_SHRINKS):
            tried = self._proposal(at, weights)
            if not self.adapts:
                return tried
            excess = self._model_excess(at, tried, weights)
            if excess <= 1.0:
                self.step *= _GROWTH
                return tried
            del tried  # its predictions, before the next point is looked for
            self.step *= min(max(0.9 / excess, 0.1), 0.7)
            weights = self._scaled(weights)
        return None

    def _proposal(self, at: Evaluation, weights: Regularizer) -> Evaluation:
        A, half = at.A, 0.5 * self.step
        left, right = weights.gradient_terms(A, -half)
        left = np.hstack([(1.0 - half * self.objective.ridge) * A.left, left])
        right = np.hstack([A.V, right])
        found = leading_triplets(
            at.gradient(),
            self.options.rank,
            scale=-half,
            terms=(left, right),
            start=A if A.rank > 0 or self.guess is None else self.guess,
            shape=self.objective.shape,
            tol=self._fineness(),
            max_blocks=_MOST_BLOCKS if self.adapts else _ALL_BLOCKS,
            threads=self.options.threads,
        )
        nonzero = int(np.count_nonzero(found.s > 0.0))
        return self.objective.evaluate(found.truncated(nonzero), self.options.threads)

    def _fineness(self) -> float:
        """Of singular vectors; with a step given, the iteration is done to the letter."""
        if not self.adapts:
            return _FINEST
        return min(max(_FINER * self.last_move, _FINEST), _COARSEST)

    def _model_excess(self, at: Evaluation, tried: Evaluation, weights: Regularizer) -> float:
        """How many times f bends as much along the move as the model that the step stands for."""
        bend = tried.value - at.value - at.slope_towards(tried)
        rounding = 64.0 * np.finfo(np.float64).eps * (abs(tried.value) + abs(at.value))
        if bend <= rounding:
            return 0.0
        difference = Factors.of_terms(
            np.hstack([tried.A.left, -at.A.left]), np.hstack([tried.A.V, at.A.V])
        )
        model = difference.squared_norm / self.step - weights.value(difference)
        return bend / model if model > 0.0 else math.inf

    def _lower(self, A: Factors, weights: Regularizer) -> Regularizer:
        """W − c·W·A·Aᵀ·W/⟨W, AAᵀ⟩, then what is at or below the threshold becomes zero."""
        W = self._lower_side(weights.W, A, A.left)
        Y = self._lower_side(weights.Y, A, A.V * A.s)
        if W is weights.W and Y is weights.Y:
            return weights
        return Regularizer(W, Y, weights.beta)

    def _lower_side(self, W: SpaceWeights, A: Factors, left: np.ndarray) -> SpaceWeights:
        if A.rank == 0 or self.weight_step == 0.0:
            return W
        Z, values = W.held(left)
        total = float(values.sum())
        if total <= NOTHING_LEFT * A.squared_norm:
            return W
        shares = np.minimum(self.weight_step * values / total, 1.0)
        lowered = W.lowered(Z * np.sqrt(shares))
        return lowered.rounded(self.options.round_threshold, _MOST_LOWERED * self.options.rank)

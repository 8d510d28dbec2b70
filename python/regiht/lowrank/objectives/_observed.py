"""Objectives of some observed entries. The dense matrix is never formed."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray
from regiht.lowrank._factors import Factors
from regiht.lowrank._losses import LogisticLoss, SquaredLoss
from regiht.lowrank._penalty import FactorPenalty
from regiht.lowrank._products import inner
from regiht.lowrank.objectives._base import Evaluation, PredictionObjective
from regiht.lowrank.objectives._line_sweeps import SMALLEST_TOLD, line_sweep_work, swept_by_lines

# Of more entries the predictions are not kept beside the derivatives, but computed again.
_MOST_KEPT = 10_000_000


class Observed(NamedTuple):
    """Checked observations, and what is asked of the matrix besides."""

    where: check.Entries
    target: FloatArray  # float32 stays as it is
    weights: FloatArray | None
    ridge: float
    factor_penalty: float = 0.0
    scale_penalty: bool = False
    unseen_weight: float = 0.0

    def effective(self) -> tuple[FloatArray, FloatArray | None, float]:
        """Targets and weights so that unseen zeros are a ridge, and a constant.

        w(z − t)² over the seen entries and w₀z² over the others are, but for a constant, w₀z² over
        all entries and (w − w₀)(z − w·t/(w − w₀))² over the seen ones.
        """
        if self.unseen_weight == 0.0:
            return self.target, self.weights, 0.0
        given = self.target.astype(np.float64, copy=False)
        weights = np.ones_like(given) if self.weights is None else self.weights
        excess = weights - self.unseen_weight
        target = weights * given / excess
        constant = 0.5 * float(np.sum(weights * given**2) - np.sum(excess * target**2))
        return target, excess, constant


class ObservedObjective(PredictionObjective):
    """Predictions are the observed entries, row by row."""

    _is_logistic: ClassVar[bool]

    def __init__(self, given: Observed) -> None:
        self._given = given
        self.shape = given.where.shape
        self.ridge = given.ridge + given.unseen_weight
        self.observations = given.where.rows.size
        self._entries = _core.ObservedEntries(*self.shape, given.where.rows, given.where.cols)
        target, weights, self._constant = given.effective()
        target = self._entries.arrange(given.where.rows, target)
        weights = None if weights is None else self._entries.arrange(given.where.rows, weights)
        self._core_loss = _core.EntryLoss(self._is_logistic, target, weights)
        self._loss = (
            LogisticLoss(target)
            if self._is_logistic
            else SquaredLoss(target, 1.0 if weights is None else weights)
        )
        self._penalty = self._make_penalty()
        self.factor_penalty = given.factor_penalty
        self._set_curvatures(1.0 if weights is None else float(weights.mean()))

    def _set_curvatures(self, mean_weight: float) -> None:
        curvature = self._loss.max_curvature
        bound = 0.25 if self._is_logistic else 1.0
        mean = bound * mean_weight * self.observations / (self.shape[0] * self.shape[1])
        self.smoothness = curvature * self._entries.most_repeats + self.ridge or 1.0
        self.condition = self.smoothness / (mean + self.ridge) if mean > 0.0 else 1.0

    def _make_penalty(self) -> FactorPenalty:
        where = self._given.where
        if not self._given.scale_penalty:
            scales = [np.ones(size) for size in self.shape]
        else:
            # A line without observations counts as one with one, and its factor is zero anyway.
            scales = [
                np.sqrt(np.maximum(np.bincount(lines, minlength=size), 1.0))
                for lines, size in zip((where.rows, where.cols), self.shape, strict=True)
            ]
        return FactorPenalty(self._given.factor_penalty, *scales)

    def __reduce__(self) -> tuple[Any, ...]:
        """The compiled part is built anew from the observations."""
        return _rebuilt, (type(self), self._given)

    def part(self, chosen: IndexArray) -> Self:
        """Return the objective of some of the observations, by their numbers."""
        given = self._given
        where = check.Entries(given.where.rows[chosen], given.where.cols[chosen], self.shape)
        weights = None if given.weights is None else given.weights[chosen]
        return self._with(where=where, target=given.target[chosen], weights=weights)

    def with_penalties(self, **penalties: float) -> Self:
        """Return the objective of the same observations with another ridge or factor_penalty."""
        return self._with(**penalties)

    def without_factor_penalty(self) -> Self:
        return self if self.factor_penalty == 0.0 else self._with(factor_penalty=0.0)

    def _with(self, **changes: Any) -> Self:
        """Return one like it, which shares the compiled part if it has the same entries."""
        if "where" in changes:
            return _rebuilt(type(self), self._given._replace(**changes))
        other = copy(self)
        other._given = self._given._replace(**changes)
        other.ridge = other._given.ridge + other._given.unseen_weight
        other.factor_penalty = other._given.factor_penalty
        other._penalty = other._make_penalty()
        weights = other._given.weights
        other._set_curvatures(1.0 if weights is None else float(weights.mean()))
        return other

    def value(self, A: Factors, threads: int = 1) -> float:
        loss = self._entries.total_loss(
            self._core_loss, np.ascontiguousarray(A.left), np.ascontiguousarray(A.V), threads
        )
        return self._with_penalties(loss, A)

    def compiled(self) -> _core.LowRankObjective:
        """Return it as compiled methods ask it, which know of no penalty on factors."""
        return _core.entry_objective(
            self._entries, self._core_loss, self.ridge, self._constant, _MOST_KEPT
        )

    def evaluate(self, A: Factors, threads: int = 1) -> Evaluation:
        at = Evaluation.of_compiled(self.compiled(), A, threads)
        return replace(at, value=at.value + self._penalty.value(A))

    def _with_penalties(self, loss: float, A: Factors) -> float:
        return loss + (0.5 * self.ridge * A.squared_norm + self._constant) + self._penalty.value(A)

    def mean_loss(self, A: Factors, threads: int = 1) -> float:
        """Loss for each seen observation, without penalties and without those not seen."""
        if self._given.unseen_weight == 0.0:
            return super().mean_loss(A, threads)
        given = self._given
        rows, arrange = given.where.rows, self._entries.arrange
        weights = 1.0 if given.weights is None else arrange(rows, given.weights)
        judge = SquaredLoss(arrange(rows, given.target), weights)
        return judge.value(self._predict(A.left, A.V, threads)) / self.observations

    def _predict(self, left: FloatArray, right: FloatArray, threads: int) -> FloatArray:
        return self._entries.predict(
            np.ascontiguousarray(left), np.ascontiguousarray(right), threads
        )

    def _adjoint(self, v: FloatArray) -> _core.MatrixOperator:
        return _core.observed_operator(self._entries, v)

    def _adjoint_times(
        self, v: FloatArray, block: FloatArray, transposed: bool, threads: int
    ) -> FloatArray:
        return self._entries.times(v, np.ascontiguousarray(block), transposed, threads)

    def refined(self, A: Factors, threads: int = 1) -> Factors:
        """Each row of one factor is moved to its minimum, then each row of the other."""
        if self.factor_penalty == 0.0 or A.rank == 0:
            bound = self._loss.max_curvature
            return swept_by_lines(self._entries, self._core_loss, A, self.ridge, bound, threads)
        left, right = self._penalty.balanced(A)
        left = self._stepped(True, left, right, threads)
        right = self._stepped(False, right, left, threads)
        return Factors.of_terms(left, right, threads)

    def sweep_work(self, rank: int) -> float:
        return line_sweep_work(self.observations, self.shape, rank)

    def _stepped(
        self, is_left: bool, factor: FloatArray, other: FloatArray, threads: int
    ) -> FloatArray:
        """Return the best rows of one factor while the other stays."""
        gram = inner(other, other, threads)
        scaled = self._given.scale_penalty
        base = self.ridge * gram
        if not scaled:
            base += self.factor_penalty * np.eye(len(gram))
        return self._entries.alternating_step(
            is_left,
            self._core_loss,
            np.ascontiguousarray(other),
            np.ascontiguousarray(factor),
            base,
            self.factor_penalty if scaled else 0.0,
            SMALLEST_TOLD * self._loss.max_curvature * float(gram.diagonal().max()),
            threads,
        )


Kind = TypeVar("Kind", bound=ObservedObjective)


def _rebuilt(kind: type[Kind], given: Observed) -> Kind:
    """An objective from parts that were checked before."""
    objective = kind.__new__(kind)
    ObservedObjective.__init__(objective, given)
    return objective

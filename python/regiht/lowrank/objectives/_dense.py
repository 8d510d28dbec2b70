"""Objectives of a matrix of which every entry is known."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht.lowrank._factors import Factors, significant
from regiht.lowrank._leading import leading_triplets
from regiht.lowrank._losses import SquaredLoss
from regiht.lowrank._products import inner, outer, times
from regiht.lowrank.objectives._base import Evaluation, PredictionObjective
from regiht.lowrank.objectives._line_sweeps import line_sweep_work, swept_by_lines


class _DenseObjective(PredictionObjective):
    """Predictions are all entries."""

    _loss: SquaredLoss

    @property
    def _core_loss(self) -> _core.EntryLoss:
        weights = self._loss.weights
        return _core.EntryLoss(
            False,
            self._loss.target.ravel(),
            None if isinstance(weights, float) else weights.ravel(),
        )

    def compiled(self) -> _core.LowRankObjective:
        return _core.dense_objective(*self.shape, self._core_loss, self.ridge)

    def evaluate(self, A: Factors, threads: int = 1) -> Evaluation:
        return Evaluation.of_compiled(self.compiled(), A, threads)

    def _predict(self, left: FloatArray, right: FloatArray, threads: int) -> FloatArray:
        return outer(left, right, threads)

    def _adjoint(self, v: FloatArray) -> _core.MatrixOperator:
        return _core.dense_operator(np.ascontiguousarray(v))

    def _adjoint_times(
        self, v: FloatArray, block: FloatArray, transposed: bool, threads: int
    ) -> FloatArray:
        return inner(v, block, threads) if transposed else times(v, block, threads)


class FullObservation(_DenseObjective):
    """½‖A − M‖² + (ridge/2)‖A‖².

    Parameters
    ----------
    M : array of shape (rows, cols)
    ridge : float

    See Also
    --------
    solve : Minimises it.
    truncate_rank : Its minimum without a ridge.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> found = lowrank.solve(lowrank.FullObservation(np.diag([3.0, 2.0, 1.0])), rank=2)
    >>> found.s.round(6).tolist()
    [3.0, 2.0]
    """

    def __init__(self, M: ArrayLike, *, ridge: float = 0.0) -> None:
        target = check.check_matrix("M", M)
        self.shape = check.shape_of(target)
        self.observations = target.size
        self.ridge = check.check_real("ridge", ridge, least=0.0)
        self._loss = SquaredLoss(target)
        self.smoothness = 1.0 + self.ridge
        self.condition = 1.0

    def minimizer(self, rank: int, threads: int = 1) -> Factors | None:
        """The leading part of M, shrunk by the ridge (Eckart and Young)."""
        found = leading_triplets(
            self._adjoint(self._loss.target), rank, shape=self.shape, threads=threads
        )
        kept = found.truncated(significant(found.s, max(self.shape)))
        return Factors(kept.U, kept.s / (1.0 + self.ridge), kept.V)


class Weighted(_DenseObjective):
    """½ Σ weightsᵢⱼ (A − M)ᵢⱼ² + (ridge/2)‖A‖².

    Parameters
    ----------
    M : array of shape (rows, cols)
    weights : array of shape (rows, cols)
        Not negative, not all zero.
    ridge : float

    See Also
    --------
    solve : Minimises it.
    Completion : Entries that are known or not.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> M = np.diag([3.0, 2.0])
    >>> trusted = np.array([[1.0, 1.0], [1.0, 100.0]])
    >>> float(lowrank.solve(lowrank.Weighted(M, trusted), rank=1).matrix()[1, 1].round(1))
    2.0
    """

    def __init__(self, M: ArrayLike, weights: ArrayLike, *, ridge: float = 0.0) -> None:
        target = check.check_matrix("M", M)
        self.shape = check.shape_of(target)
        self.observations = target.size
        given = check.check_entry_weights(weights, self.shape)
        self.ridge = check.check_real("ridge", ridge, least=0.0)
        self._loss = SquaredLoss(target, given)
        least = float(given.min()) + self.ridge
        mean = float(given.mean()) + self.ridge
        self.smoothness = self._loss.max_curvature + self.ridge
        ratio = self.smoothness / least if least > 0.0 else math.inf
        self.condition = ratio if math.isfinite(ratio) else self.smoothness / mean

    def refined(self, A: Factors, threads: int = 1) -> Factors:
        """Each row of one factor is moved to its minimum, then each row of the other."""
        entries = _core.EveryEntry(*self.shape)
        return swept_by_lines(
            entries, self._core_loss, A, self.ridge, self._loss.max_curvature, threads
        )

    def sweep_work(self, rank: int) -> float:
        return line_sweep_work(self.observations, self.shape, rank)

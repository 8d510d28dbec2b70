"""Objectives of some observed entries. The dense matrix is never formed."""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray
from regiht.lowrank._factors import Factors
from regiht.lowrank._losses import LogisticLoss, SquaredLoss
from regiht.lowrank.objectives._base import PredictionObjective


class ObservedObjective(PredictionObjective):
    """Predictions are the observed entries, row by row."""

    _make_loss: ClassVar[type[SquaredLoss | LogisticLoss]]

    def __init__(self, where: check.Entries, target: FloatArray, ridge: float) -> None:
        self.shape = where.shape
        self.ridge = check.check_real("ridge", ridge, least=0.0)
        self.observations = where.rows.size
        self._where = where
        self._target = target
        self._entries = _core.ObservedEntries(*where.shape, where.rows, where.cols)
        self._loss = self._make_loss(target[self._entries.order])
        curvature = self._loss.max_curvature
        mean = curvature * self.observations / (self.shape[0] * self.shape[1])
        self.smoothness = curvature * _most_repeats(where) + self.ridge
        self.condition = self.smoothness / (mean + self.ridge) if mean > 0.0 else 1.0

    def __reduce__(self) -> tuple[Any, ...]:
        """The compiled part is built anew from the observations."""
        return _rebuilt, (type(self), self._where, self._target, self.ridge)

    def part(self, chosen: IndexArray) -> Self:
        """Return the objective of some of the observations, by their numbers."""
        where = check.Entries(self._where.rows[chosen], self._where.cols[chosen], self.shape)
        return _rebuilt(type(self), where, self._target[chosen], self.ridge)

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
        """Each row of one factor is moved to its minimum, then each row of the other.

        For squared loss these are alternating least squares; otherwise the curvature of the loss
        is replaced by its bound, so that f cannot rise.
        """
        if A.rank == 0:
            return A
        left = self._stepped(True, A.left, A.V, threads)
        U, R = np.linalg.qr(left)
        right = self._stepped(False, A.V @ R.T, U, threads)
        V, S = np.linalg.qr(right)
        return Factors.of_product(U, S.T, V)

    def sweep_work(self, rank: int) -> float:
        """One system of that rank for every row and column, formed from its observations."""
        return float(self.observations * rank * (rank + 6) + sum(self.shape) * rank**3)

    def _stepped(
        self, is_left: bool, factor: FloatArray, other: FloatArray, threads: int
    ) -> FloatArray:
        """Return the best rows of one factor, the other having orthonormal columns."""
        pair = (factor, other) if is_left else (other, factor)
        derivative = self._loss.derivative(self._predict(*pair, threads))
        return self._entries.alternating_step(
            is_left,
            derivative,
            self._loss.max_curvature,
            self.ridge,
            np.ascontiguousarray(other),
            np.ascontiguousarray(factor),
            threads,
        )


class Completion(ObservedObjective):
    """½ Σ (A[rows, cols] − values)² over the observed entries + (ridge/2)‖A‖².

    Parameters
    ----------
    rows, cols : arrays of int
        Where the entries stand. An entry may be observed several times; each counts.
    values : array
    shape : (int, int)
    ridge : float
    """

    _make_loss = SquaredLoss

    def __init__(
        self,
        rows: ArrayLike,
        cols: ArrayLike,
        values: ArrayLike,
        shape: tuple[int, int],
        *,
        ridge: float = 0.0,
    ) -> None:
        where = check.check_entries(rows, cols, shape)
        target = check.check_values("values", values, where.rows.size)
        super().__init__(where, target, ridge)


class OneBit(ObservedObjective):
    """Σ log(1 + exp(−signs · A[rows, cols])) over the observed entries + (ridge/2)‖A‖².

    Parameters
    ----------
    rows, cols : arrays of int
        Where the entries stand. An entry may be observed several times; each counts.
    signs : array of −1 and 1, or of booleans
    shape : (int, int)
    ridge : float
        Without it there may be no minimum: a matrix that has all signs right improves for ever.
    """

    _make_loss = LogisticLoss

    def __init__(
        self,
        rows: ArrayLike,
        cols: ArrayLike,
        signs: ArrayLike,
        shape: tuple[int, int],
        *,
        ridge: float = 0.0,
    ) -> None:
        where = check.check_entries(rows, cols, shape)
        target = check.check_signs(signs, where.rows.size)
        super().__init__(where, target, ridge)


Kind = TypeVar("Kind", bound=ObservedObjective)


def _rebuilt(kind: type[Kind], where: check.Entries, target: FloatArray, ridge: float) -> Kind:
    """An objective from parts that were checked before."""
    objective = kind.__new__(kind)
    ObservedObjective.__init__(objective, where, target, ridge)
    return objective


def _most_repeats(where: check.Entries) -> int:
    """How often the entry that was observed most often was."""
    if where.rows.size == 0:
        return 1
    keys = np.sort(where.rows * where.shape[1] + where.cols)
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return int(np.diff(np.append(starts, keys.size)).max())

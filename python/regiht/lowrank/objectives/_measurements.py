"""Linear measurements of a matrix."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray
from regiht.lowrank._corrective import SpannedPenalty
from regiht.lowrank._leading import leading_triplets
from regiht.lowrank._losses import SquaredLoss
from regiht.lowrank._weights import Regularizer
from regiht.lowrank.objectives._base import PredictionObjective

# Up to here the normal equations of the corrective step are formed.
_MOST_UNKNOWNS = 400


class Measurements(PredictionObjective):
    """½ Σᵢ (⟨Cᵢ, A⟩ − yᵢ)² + (ridge/2)‖A‖².

    Parameters
    ----------
    C : array of shape (q, rows, cols), or a matrix of q rows, dense or sparse
        Measurement i is Cᵢ; in a matrix, row i is Cᵢ row by row, and ``shape`` must be given.
    y : array of shape (q,)
    shape : (int, int), optional
    ridge : float
    """

    _loss: SquaredLoss

    def __init__(
        self,
        C: Any,
        y: ArrayLike,
        *,
        shape: tuple[int, int] | None = None,
        ridge: float = 0.0,
    ) -> None:
        self._C, self.shape = check.check_measurements(C, shape)
        target = check.check_values("y", y, self._C.shape[0])
        self.ridge = check.check_real("ridge", ridge, least=0.0)
        self.observations = target.size
        self._loss = SquaredLoss(target)
        size = self.shape[0] * self.shape[1]
        operator = _core.callable_operator(
            self._C.shape[0], size, lambda B: self._C @ B, lambda B: self._C.T @ B
        )
        largest = leading_triplets(operator, 1, shape=self._C.shape, tol=1e-4).s[0] ** 2
        total = _squared_norm(self._C)
        # The iteration finds the largest value from below.
        self.smoothness = 1.001 * float(largest) + self.ridge or 1.0
        mean = total / size + self.ridge
        self.condition = self.smoothness / mean if mean > 0.0 else 1.0

    def part(self, chosen: IndexArray) -> Self:
        """Return the objective of some of the measurements, by their numbers."""
        return type(self)(
            self._C[chosen], self._loss.target[chosen], shape=self.shape, ridge=self.ridge
        )

    def product_work(self, rank: int) -> float:
        size = self._C.nnz if check.is_sparse(self._C) else self._C.size
        return float(size + rank * self.shape[0] * self.shape[1])

    def _predict(self, left: FloatArray, right: FloatArray, threads: int) -> FloatArray:
        del threads
        return np.asarray(self._C @ (left @ right.T).ravel())

    def _sum(self, v: FloatArray) -> FloatArray:
        return np.ascontiguousarray((self._C.T @ v).reshape(self.shape))

    def _adjoint(self, v: FloatArray) -> _core.MatrixOperator:
        return _core.dense_operator(self._sum(v))

    def _adjoint_times(
        self, v: FloatArray, block: FloatArray, transposed: bool, threads: int
    ) -> FloatArray:
        del threads
        total = self._sum(v)
        return np.asarray((total.T if transposed else total) @ block)

    def corrective(
        self,
        U: FloatArray,
        V: FloatArray,
        X: FloatArray,
        regularizer: Regularizer | None = None,
        threads: int = 1,
    ) -> FloatArray:
        if X.size > _MOST_UNKNOWNS:
            return super().corrective(U, V, X, regularizer, threads)
        # One column for each entry of X: what the measurements see of u·vᵀ.
        seen = self._C @ np.kron(U, V)
        system = seen.T @ seen + SpannedPenalty(regularizer, self.ridge, U, V).matrix()
        answer = np.linalg.lstsq(system, seen.T @ self._loss.target, rcond=1e-14)[0]
        return np.asarray(answer).reshape(X.shape)


def _squared_norm(C: Any) -> float:
    entries = C.data if check.is_sparse(C) else C
    return float(np.vdot(entries, entries))

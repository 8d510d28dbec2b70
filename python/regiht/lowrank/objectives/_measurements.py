"""Linear measurements of a matrix."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray
from regiht.lowrank._corrective import SpannedPenalty, least_norm_solution, newton
from regiht.lowrank._factors import Factors
from regiht.lowrank._leading import leading_triplets
from regiht.lowrank._losses import SquaredLoss
from regiht.lowrank._products import dot, inner, outer, times
from regiht.lowrank._weights import Regularizer
from regiht.lowrank.objectives._base import Evaluation, PredictionObjective

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

    See Also
    --------
    solve : Minimises it.
    Completion : Measurements that each see one entry.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> rng = np.random.default_rng(0)
    >>> M = np.outer(rng.normal(size=6), rng.normal(size=5))
    >>> C = rng.normal(size=(40, 6, 5))
    >>> objective = lowrank.Measurements(C, np.einsum("kij,ij->k", C, M))
    >>> bool(np.allclose(lowrank.solve(objective, rank=1).matrix(), M, atol=1e-4))
    True
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
        operator = _core.callable_operator(self._C.shape[0], size, self._measured, self._summed)
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

    def compiled(self) -> _core.LowRankObjective:
        if check.is_sparse(self._C):
            return super().compiled()
        loss = _core.EntryLoss(False, self._loss.target)
        return _core.measurement_objective(self._C, *self.shape, loss, self.ridge)

    def evaluate(self, A: Factors, threads: int = 1) -> Evaluation:
        if check.is_sparse(self._C):
            return super().evaluate(A, threads)
        return Evaluation.of_compiled(self.compiled(), A, threads)

    def _predict(self, left: FloatArray, right: FloatArray, threads: int) -> FloatArray:
        return self._measured(outer(left, right, threads).reshape(-1, 1)).ravel()

    def _measured(self, B: FloatArray) -> FloatArray:
        """C · B; products of sparse matrices need no BLAS."""
        return np.asarray(self._C @ B) if check.is_sparse(self._C) else times(self._C, B)

    def _summed(self, B: FloatArray) -> FloatArray:
        """Cᵀ · B."""
        return np.asarray(self._C.T @ B) if check.is_sparse(self._C) else inner(self._C, B)

    def _sum(self, v: FloatArray) -> FloatArray:
        return np.ascontiguousarray(self._summed(v[:, None]).reshape(self.shape))

    def _adjoint(self, v: FloatArray) -> _core.MatrixOperator:
        return _core.dense_operator(self._sum(v))

    def _adjoint_times(
        self, v: FloatArray, block: FloatArray, transposed: bool, threads: int
    ) -> FloatArray:
        total = self._sum(v)
        return inner(total, block, threads) if transposed else times(total, block, threads)

    def refined(self, A: Factors, threads: int = 1) -> Factors:
        """One sweep over both factors: by normal equations, or by conjugate gradients if larger."""
        if A.rank == 0 or self._system_work(A.rank) > super().sweep_work(A.rank):
            return super().refined(A, threads)
        y = self._loss.target
        return Factors(*_core.measurement_sweep(self._C, y, *A.contiguous(), self.ridge, threads))

    def sweep_work(self, rank: int) -> float:
        return min(self._system_work(rank), super().sweep_work(rank))

    def _system_work(self, rank: int) -> float:
        """Multiply-adds of a sweep by normal equations, which are formed of dense measurements."""
        if check.is_sparse(self._C):
            return math.inf
        seen = 2.0 * rank * self.product_work(0)
        unknowns = (float(rank * side) for side in self.shape)
        return seen + sum(k * k * (self.observations + k / 3) for k in unknowns)

    def corrective(
        self,
        U: FloatArray,
        V: FloatArray,
        X: FloatArray,
        regularizer: Regularizer | None = None,
        threads: int = 1,
    ) -> FloatArray:
        if not check.is_sparse(self._C):
            return super().corrective(U, V, X, regularizer, threads)
        penalty = SpannedPenalty(regularizer, self.ridge, U, V)
        if X.size > _MOST_UNKNOWNS:
            return newton(
                self._loss,
                predict=lambda D: self._predict(times(U, D, threads), V, threads),
                project=lambda v: inner(U, self._adjoint_times(v, V, False, threads), threads),
                penalty=penalty,
                X=X,
            )
        # One column for each entry of X: what the measurements see of u·vᵀ.
        seen = self._measured(np.asarray(np.kron(U, V), dtype=np.float64))
        system = inner(seen, seen) + penalty.matrix()
        answer = least_norm_solution(system, inner(seen, self._loss.target[:, None]))
        return answer.reshape(X.shape)


def _squared_norm(C: Any) -> float:
    entries = C.data if check.is_sparse(C) else C
    return dot(entries, entries)

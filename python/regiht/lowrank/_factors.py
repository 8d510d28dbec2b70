"""Matrices of low rank, in factors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regiht import _core
from regiht._inputs.checks import FloatArray
from regiht.lowrank._products import dot, inner, outer


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """U · diag(s) · Vᵀ with orthonormal columns in U and V, and s falling.

    Attributes
    ----------
    U, V : arrays of shape (rows, rank) and (cols, rank)
    s : array of shape (rank,)
        Singular values.

    See Also
    --------
    LowRankResult : Which has the same three.
    truncate_rank : For dense matrices.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht.lowrank import Factors
    >>> A = Factors.of_matrix(np.diag([3.0, 2.0, 1.0]), 2)
    >>> A.rank, A.s.round(6).tolist(), A.matrix().round(6).diagonal().tolist()
    (2, [3.0, 2.0], [3.0, 2.0, 0.0])
    """

    U: FloatArray
    s: FloatArray
    V: FloatArray

    @staticmethod
    def zero(shape: tuple[int, int]) -> Factors:
        """Return the matrix of rank 0."""
        return Factors(np.zeros((shape[0], 0)), np.zeros(0), np.zeros((shape[1], 0)))

    @staticmethod
    def of_product(U: FloatArray, X: FloatArray, V: FloatArray, threads: int = 1) -> Factors:
        """U · X · Vᵀ for orthonormal U and V."""
        given = np.ascontiguousarray(U), np.ascontiguousarray(X), np.ascontiguousarray(V)
        return Factors(*_core.factors_of_product(*given, threads))

    @staticmethod
    def of_terms(left: FloatArray, right: FloatArray, threads: int = 1) -> Factors:
        """Left · rightᵀ for any two factors."""
        given = np.ascontiguousarray(left), np.ascontiguousarray(right)
        return Factors(*_core.factors_of_terms(*given, threads))

    @staticmethod
    def of_matrix(A: FloatArray, rank: int) -> Factors:
        """H_r(A), the leading part of a dense matrix."""
        U, s, V = _core.truncated_svd(np.ascontiguousarray(A), rank)
        kept = significant(s, max(A.shape))
        return Factors(U[:, :kept], s[:kept], V[:, :kept])

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.U.shape[0], self.V.shape[0]

    @property
    def rank(self) -> int:
        """Number of singular values."""
        return self.s.size

    @property
    def left(self) -> FloatArray:
        """U · diag(s), so that the matrix is left · Vᵀ."""
        return self.U * self.s

    @property
    def squared_norm(self) -> float:
        """Sum of the squares of all entries."""
        return dot(self.s, self.s)

    def contiguous(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """U, s and V row by row in memory, as the core wants them."""
        U, s, V = (np.ascontiguousarray(part) for part in (self.U, self.s, self.V))
        return U, s, V

    def truncated(self, rank: int) -> Factors:
        """H_r of it."""
        return Factors(self.U[:, :rank], self.s[:rank], self.V[:, :rank])

    def matrix(self) -> FloatArray:
        """Return it as a dense array."""
        return outer(self.left, self.V)

    def inner(self, other: Factors) -> float:
        """⟨self, other⟩."""
        return float(np.sum(inner(self.left, other.left) * inner(self.V, other.V)))

    def squared_distance(self, other: Factors) -> float:
        """‖self − other‖², without the cancellation of expanded squares."""
        left = np.hstack([self.left, -other.left])
        right = np.hstack([self.V, other.V])
        return _core.squared_norm_of_terms(left, right)


def significant(s: FloatArray, size: int) -> int:
    """How many singular values are more than rounding."""
    if s.size == 0 or s[0] == 0.0:
        return 0
    return int(np.count_nonzero(s > size * np.finfo(np.float64).eps * s[0]))

"""The adaptive weights W and Y of Algorithm 2, kept as the identity minus a low-rank part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regiht import _core
from regiht._inputs.checks import FloatArray
from regiht.lowrank._factors import Factors
from regiht.lowrank._products import inner, outer


class SpaceWeights:
    """W = I − Q · diag(d) · Qᵀ with 0 ⪯ W ⪯ I; memory is that of Q."""

    __slots__ = ("Q", "d")

    def __init__(self, Q: FloatArray, d: FloatArray) -> None:
        self.Q = Q
        self.d = d

    @staticmethod
    def identity(size: int) -> SpaceWeights:
        """Full weight on every direction."""
        return SpaceWeights(np.zeros((size, 0)), np.zeros(0))

    @property
    def removed_trace(self) -> float:
        """Tr(I − W)."""
        return float(self.d.sum())

    def times(self, X: FloatArray) -> FloatArray:
        """W · X."""
        return _core.weights_times(self.Q, self.d, np.ascontiguousarray(X), False)

    def root_times(self, X: FloatArray) -> FloatArray:
        """W^{1/2} · X."""
        return _core.weights_times(self.Q, self.d, np.ascontiguousarray(X), True)

    def gram(self, U: FloatArray) -> FloatArray:
        """Uᵀ · W · U."""
        half = self.root_times(U)
        return inner(half, half)

    def lowered(self, Z: FloatArray) -> SpaceWeights:
        """W^{1/2} (I − Z·Zᵀ) W^{1/2}, for Z·Zᵀ ⪯ I."""
        removed = np.ascontiguousarray(self.root_times(Z))
        return SpaceWeights(*_core.lowered_weights(self.Q, self.d, removed))

    def matrix(self) -> FloatArray:
        """Return W as a dense array."""
        return np.eye(self.Q.shape[0]) - outer(self.Q * self.d, self.Q)


@dataclass(frozen=True, slots=True)
class Regularizer:
    """Φ(A) = (β/4)(⟨W, AAᵀ⟩ + ⟨Y, AᵀA⟩)."""

    W: SpaceWeights
    Y: SpaceWeights
    beta: float

    @staticmethod
    def full(shape: tuple[int, int], beta: float) -> Regularizer:
        """W = I and Y = I."""
        return Regularizer(SpaceWeights.identity(shape[0]), SpaceWeights.identity(shape[1]), beta)

    @staticmethod
    def of_parts(
        Q: FloatArray, d: FloatArray, P: FloatArray, e: FloatArray, beta: float
    ) -> Regularizer:
        """W = I − Q·diag(d)·Qᵀ and Y = I − P·diag(e)·Pᵀ."""
        return Regularizer(SpaceWeights(Q, d), SpaceWeights(P, e), beta)

    def parts(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, float]:
        """Q and d of W, those of Y, and β, as the core wants them."""
        given = (self.W.Q, self.W.d, self.Y.Q, self.Y.d)
        Q, d, P, e = (np.ascontiguousarray(part) for part in given)
        return Q, d, P, e, self.beta

    def value(self, A: Factors) -> float:
        """Φ(A)."""
        rows = np.sum(self.W.root_times(A.left) ** 2)
        cols = np.sum(self.Y.root_times(A.V * A.s) ** 2)
        return 0.25 * self.beta * float(rows + cols)

    def gradient_terms(self, A: Factors, scale: float = 1.0) -> tuple[FloatArray, FloatArray]:
        """Two factors whose product is scale · ∇Φ(A) = scale · (β/2)(W·A + A·Y)."""
        half = 0.5 * self.beta * scale
        left = np.hstack([half * self.W.times(A.left), half * A.left])
        return left, np.hstack([A.V, self.Y.times(A.V)])

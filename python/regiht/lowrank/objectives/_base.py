"""What a method asks of an objective, and what objectives of predictions have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from regiht import _core
from regiht._validation import FloatArray
from regiht.lowrank._corrective import (
    SpannedPenalty,
    conjugate_gradients,
    shorten_until_lower,
)
from regiht.lowrank._factors import Factors
from regiht.lowrank._weights import Regularizer
from regiht.lowrank.objectives._losses import EntryLoss

_NEWTON_STEPS = 50
_GRADIENT_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An objective at one matrix."""

    A: Factors
    value: float
    gradient: Callable[[], _core.MatrixOperator]  # of f without its ridge
    slope_towards: Callable[[Factors], float]  # ⟨∇f(A), B − A⟩, ridge included


class LowRankObjective(ABC):
    """A convex function of a matrix, asked in factors.

    Attributes
    ----------
    shape : (rows, cols)
    smoothness : float
        β, a bound on the curvature of f in any direction.
    condition : float
        κ as Algorithm 2 uses it: the smoothness over the least curvature, or over the mean
        curvature where the least is zero.
    ridge : float
        f includes (ridge/2)‖A‖².
    lower_bound : float
        A value that f does not go below.
    """

    shape: tuple[int, int]
    smoothness: float
    condition: float
    ridge: float = 0.0
    lower_bound: float = 0.0

    @abstractmethod
    def evaluate(self, A: Factors, threads: int = 1) -> Evaluation:
        """Value and gradient at A."""

    @abstractmethod
    def corrective(
        self,
        U: FloatArray,
        V: FloatArray,
        X: FloatArray,
        regularizer: Regularizer | None = None,
        threads: int = 1,
    ) -> FloatArray:
        """Return the X that minimises f(U·X·Vᵀ) + Φ(U·X·Vᵀ), from a first guess."""

    def value(self, A: Factors) -> float:
        """f(A)."""
        return self.evaluate(A).value

    def refined(self, A: Factors, threads: int = 1) -> Factors | None:
        """One cheap sweep over both factors that does not raise f; None where there is none."""
        del A, threads
        return None


class PredictionObjective(LowRankObjective):
    """A loss of predictions that are linear in the matrix."""

    _loss: EntryLoss

    @abstractmethod
    def _predict(self, left: FloatArray, right: FloatArray, threads: int) -> FloatArray:
        """Predictions of left · rightᵀ."""

    @abstractmethod
    def _adjoint(self, v: FloatArray) -> _core.MatrixOperator:
        """Return the matrix whose inner product with A is that of v with A's predictions."""

    @abstractmethod
    def _project(self, v: FloatArray, U: FloatArray, V: FloatArray, threads: int) -> FloatArray:
        """Uᵀ · adjoint(v) · V."""

    def evaluate(self, A: Factors, threads: int = 1) -> Evaluation:
        z = self._predict(A.left, A.V, threads)
        derivative = self._loss.derivative(z)

        def slope_towards(B: Factors) -> float:
            moved = self._predict(B.left, B.V, threads)
            slope = float(np.vdot(derivative, moved - z))
            return slope + self.ridge * (A.inner(B) - A.squared_norm)

        return Evaluation(
            A=A,
            value=self._loss.value(z) + 0.5 * self.ridge * A.squared_norm,
            gradient=lambda: self._adjoint(derivative),
            slope_towards=slope_towards,
        )

    def corrective(
        self,
        U: FloatArray,
        V: FloatArray,
        X: FloatArray,
        regularizer: Regularizer | None = None,
        threads: int = 1,
    ) -> FloatArray:
        penalty = SpannedPenalty(regularizer, self.ridge, U, V)
        loss, at_zero = self._loss, np.zeros_like(X)

        def predict(D: FloatArray) -> FloatArray:
            return self._predict(U @ D, V, threads)

        def value(D: FloatArray) -> float:
            return loss.value(predict(D)) + penalty.value(D)

        start = self._project(loss.derivative(predict(at_zero)), U, V, threads)
        enough = _GRADIENT_TOLERANCE * float(np.linalg.norm(start))
        for _ in range(_NEWTON_STEPS):
            z = predict(X)
            slope = self._project(loss.derivative(z), U, V, threads) + penalty.gradient(X)
            if np.linalg.norm(slope) <= enough:
                break
            curvature = loss.curvature(z)

            def curve(D: FloatArray, curvature: FloatArray | float = curvature) -> FloatArray:
                bent = self._project(curvature * predict(D), U, V, threads)
                return bent + penalty.gradient(D)

            move = conjugate_gradients(curve, -slope, 2 * X.size + 10)
            lower = shorten_until_lower(value, X, move)
            if lower is None:
                break
            X = lower
        return X

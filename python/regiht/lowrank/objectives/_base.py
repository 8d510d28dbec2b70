"""What a method asks of an objective, and what objectives of predictions have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from regiht import _core
from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError
from regiht.lowrank._corrective import Ridge, newton
from regiht.lowrank._factors import Factors
from regiht.lowrank._losses import EntryLoss
from regiht.lowrank._products import dot, outer, qr
from regiht.lowrank._weights import Regularizer

# Of a sweep by conjugate gradients.
_PRODUCTS_IN_SWEEP = 80


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An objective at one matrix."""

    A: Factors
    value: float
    point: Any  # what slopes towards this matrix need of it
    gradient: Callable[[], _core.MatrixOperator]  # of f without its ridge
    slope_towards: Callable[[Evaluation], float]  # ⟨∇f(A), B − A⟩, ridge included

    @staticmethod
    def of_compiled(objective: _core.LowRankObjective, A: Factors, threads: int) -> Evaluation:
        """Let the core evaluate."""
        point = objective.at(*A.contiguous(), threads)
        return Evaluation(
            A=A,
            value=point.value,
            point=point,
            gradient=point.gradient,
            slope_towards=lambda other: point.slope_towards(other.point),
        )


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
    observations : int
        How many numbers the matrix is fitted to.
    refines : bool
        Whether `refined` does anything.
    factor_penalty : float
        f includes so many times the sum of the singular values of A, or of A scaled. Only `value`
        and `refined` know of it.

    See Also
    --------
    UserFunction : From a function of dense matrices, without deriving from this.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> objective = lowrank.FullObservation(np.eye(3), ridge=0.5)
    >>> isinstance(objective, lowrank.LowRankObjective), objective.smoothness
    (True, 1.5)
    """

    shape: tuple[int, int]
    smoothness: float
    condition: float
    observations: int
    ridge: float = 0.0
    lower_bound: float = 0.0
    refines: bool = False
    factor_penalty: float = 0.0

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

    def compiled(self) -> _core.LowRankObjective:
        """Return it as compiled methods ask it: here by calls of `evaluate`."""

        def evaluate(U: FloatArray, s: FloatArray, V: FloatArray, threads: int) -> Evaluation:
            return self.evaluate(Factors(U, s, V), threads)

        def corrective(
            U: FloatArray, V: FloatArray, X: FloatArray, weights: Any, threads: int
        ) -> FloatArray:
            held = None if weights is None else Regularizer.of_parts(*weights)
            return self.corrective(U, V, X, held, threads)

        return _core.callable_objective(*self.shape, self.ridge, evaluate, corrective)

    def value(self, A: Factors, threads: int = 1) -> float:
        """f(A)."""
        return self.evaluate(A, threads).value

    def part(self, chosen: IndexArray) -> Self:
        """Return the objective of some of the observations, where these can be told apart."""
        del chosen
        raise InvalidArgumentError(
            f"{type(self).__name__} has no observations to hold out; "
            "Completion, OneBit and Measurements have."
        )

    def without_factor_penalty(self) -> Self:
        """Return the part of f that is smooth."""
        return self

    def refined(self, A: Factors, threads: int = 1) -> Factors:
        """One sweep over both factors, each optimised while the other stays; f does not rise."""
        del threads
        return A

    def minimizer(self, rank: int, threads: int = 1) -> Factors | None:
        """Return the minimum over matrices of that rank where it has a closed form."""
        del rank, threads
        return None

    def product_work(self, rank: int) -> float:
        """Multiply-adds of f or its gradient in factors of that rank."""
        return float(self.observations * rank)

    def sweep_work(self, rank: int) -> float:
        """Multiply-adds of `refined`, roughly."""
        return _PRODUCTS_IN_SWEEP * self.product_work(rank)


class PredictionObjective(LowRankObjective):
    """A loss of predictions that are linear in the matrix."""

    refines = True
    _loss: EntryLoss

    @abstractmethod
    def _predict(self, left: FloatArray, right: FloatArray, threads: int) -> FloatArray:
        """Predictions of left · rightᵀ."""

    @abstractmethod
    def _adjoint(self, v: FloatArray) -> _core.MatrixOperator:
        """Return the matrix whose inner product with A is that of v with A's predictions."""

    @abstractmethod
    def _adjoint_times(
        self, v: FloatArray, block: FloatArray, transposed: bool, threads: int
    ) -> FloatArray:
        """adjoint(v) · block, or with its transpose."""

    def mean_loss(self, A: Factors, threads: int = 1) -> float:
        """Loss for each observation, without ridge."""
        return self._loss.value(self._predict(A.left, A.V, threads)) / self.observations

    def evaluate(self, A: Factors, threads: int = 1) -> Evaluation:
        z = self._predict(A.left, A.V, threads)
        found: list[FloatArray] = []

        def derivative() -> FloatArray:
            if not found:  # many points are only looked at for their value
                found.append(self._loss.derivative(z))
            return found[0]

        def slope_towards(other: Evaluation) -> float:
            slope = dot(derivative(), other.point - z, threads)
            if self.ridge == 0.0:
                return slope
            return slope + self.ridge * (A.inner(other.A) - A.squared_norm)

        return Evaluation(
            A=A,
            value=self._loss.value(z) + 0.5 * self.ridge * A.squared_norm,
            point=z,
            gradient=lambda: self._adjoint(derivative()),
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
        U, V, X = (np.ascontiguousarray(part) for part in (U, V, X))
        weights = None if regularizer is None else regularizer.parts()
        return self.compiled().corrective(U, V, X, weights, threads)

    def refined(self, A: Factors, threads: int = 1) -> Factors:
        """One sweep over both factors, by conjugate gradients; f does not rise."""
        if A.rank == 0:
            return A
        penalty = Ridge(self.ridge)
        left = newton(
            self._loss,
            predict=lambda D: self._predict(D, A.V, threads),
            project=lambda v: self._adjoint_times(v, A.V, False, threads),
            penalty=penalty,
            X=A.left,
        )
        U, R = qr(left, threads)
        right = newton(
            self._loss,
            predict=lambda D: self._predict(U, D, threads),
            project=lambda v: self._adjoint_times(v, U, True, threads),
            penalty=penalty,
            X=outer(A.V, R, threads),
        )
        V, S = qr(right, threads)
        return Factors.of_product(U, np.ascontiguousarray(S.T), V, threads)

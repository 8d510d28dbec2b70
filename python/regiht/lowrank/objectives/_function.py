"""A convex function of one's own."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht.lowrank._corrective import SpannedPenalty
from regiht.lowrank._factors import Factors
from regiht.lowrank._products import dot, inner, norm, outer, times
from regiht.lowrank._weights import Regularizer
from regiht.lowrank.objectives._base import Evaluation, LowRankObjective

_POWER_ITERATIONS = 30


class MatrixFunction(Protocol):
    """What a function of one's own must have.

    ``smoothness``, ``condition`` and ``lower_bound`` are read where they are there.
    """

    shape: tuple[int, int]

    def value(self, A: FloatArray, /) -> Any:
        """Value at a dense matrix."""

    def gradient(self, A: FloatArray, /) -> Any:
        """Gradient at a dense matrix."""


class UserFunction(LowRankObjective):
    """Any object with ``shape``, ``value(A)`` and ``gradient(A)`` for dense A.

    Its attribute ``smoothness`` is taken if it has one. Otherwise the largest curvature at zero is
    estimated from differences of gradients and doubled, which is a guess and no bound.

    Parameters
    ----------
    function : object
        With ``shape``, ``value`` and ``gradient``; ``smoothness``, ``condition`` and
        ``lower_bound`` are read if they are there.

    See Also
    --------
    solve : Takes such objects as they are, too.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> class Distance:
    ...     shape, smoothness, lower_bound = (3, 3), 1.0, 0.0
    ...
    ...     def value(self, A):
    ...         return 0.5 * np.sum((A - np.diag([3.0, 2.0, 1.0])) ** 2)
    ...
    ...     def gradient(self, A):
    ...         return A - np.diag([3.0, 2.0, 1.0])
    >>> lowrank.solve(lowrank.UserFunction(Distance()), rank=2).s.round(4).tolist()
    [3.0, 2.0]
    """

    def __init__(self, function: MatrixFunction) -> None:
        self._function = check.CheckedFunction(function)
        self.shape = self._function.shape
        self.observations = self.shape[0] * self.shape[1]
        given = getattr(function, "smoothness", None)
        self.smoothness = (
            self._estimated_smoothness()
            if given is None
            else check.check_real("objective.smoothness", given, least=0.0, strict=True)
        )
        self.condition = check.check_real(
            "objective.condition", getattr(function, "condition", 10.0), least=1.0
        )
        bound = getattr(function, "lower_bound", None)
        self.lower_bound = (
            -math.inf if bound is None else check.check_real("objective.lower_bound", bound)
        )

    def _estimated_smoothness(self) -> float:
        at_zero = self._function.gradient(np.zeros(self.shape))
        direction = np.random.default_rng(0).standard_normal(self.shape)
        largest = 0.0
        for _ in range(_POWER_ITERATIONS):
            length = norm(direction)
            if length == 0.0:
                break
            direction /= length
            direction = self._function.gradient(direction) - at_zero
            largest = max(largest, norm(direction))
        return 2.0 * largest or 1.0

    def evaluate(self, A: Factors, threads: int = 1) -> Evaluation:
        del threads
        dense = A.matrix()
        found: list[FloatArray] = []

        def gradient() -> FloatArray:
            if not found:
                found.append(self._function.gradient(dense))
            return found[0]

        return Evaluation(
            A=A,
            value=self._function.value(dense),
            point=dense,
            gradient=lambda: _core.dense_operator(gradient()),
            slope_towards=lambda other: dot(gradient(), other.point - dense),
        )

    def corrective(
        self,
        U: FloatArray,
        V: FloatArray,
        X: FloatArray,
        regularizer: Regularizer | None = None,
        threads: int = 1,
    ) -> FloatArray:
        from scipy.optimize import minimize  # noqa: PLC0415  (slow to import)

        del threads
        penalty = SpannedPenalty(regularizer, 0.0, U, V)

        def value_and_gradient(x: FloatArray) -> tuple[float, FloatArray]:
            D = x.reshape(X.shape)
            dense = outer(times(U, D), V)
            slope = inner(U, times(self._function.gradient(dense), V)) + penalty.gradient(D)
            return self._function.value(dense) + penalty.value(D), slope.ravel()

        limits = {"maxiter": 500, "ftol": 1e-16, "gtol": 1e-12}
        found = minimize(value_and_gradient, X.ravel(), jac=True, method="L-BFGS-B", options=limits)
        return np.asarray(found.x, dtype=np.float64).reshape(X.shape)


def as_objective(objective: Any) -> LowRankObjective:
    """One of ours as it is; anything else with a value and a gradient, wrapped."""
    if isinstance(objective, LowRankObjective):
        return objective
    return UserFunction(objective)

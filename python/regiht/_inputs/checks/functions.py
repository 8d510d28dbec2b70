"""Users' own functions, their answers checked at every call."""

from __future__ import annotations

from typing import Any, Protocol

from regiht._inputs.checks.arrays import as_plain, as_real_array
from regiht._inputs.checks.errors import FloatArray, InvalidArgumentError
from regiht._inputs.checks.matrices import check_shape


class ValueAndGradient(Protocol):
    """A user's own convex function."""

    def value(self, x: FloatArray, /) -> Any:
        """Value at x."""

    def gradient(self, x: FloatArray, /) -> Any:
        """Gradient at x."""


class CheckedObjective:
    """A user's function, its answers checked at every call."""

    def __init__(self, objective: ValueAndGradient, n: int) -> None:
        for method in ("value", "gradient"):
            if not callable(getattr(objective, method, None)):
                raise InvalidArgumentError(
                    f"objective must have a method {method}(x); "
                    f"{type(objective).__name__} has none."
                )
        self._objective = objective
        self._n = n

    def value(self, x: FloatArray) -> float:
        """Value at x, a float; not finite means a failed step, which the solver handles."""
        value = self._objective.value(x)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise InvalidArgumentError(
                f"objective.value(x) must return a number; got {type(value).__name__}."
            ) from None

    def gradient(self, x: FloatArray) -> FloatArray:
        """Gradient at x, a float64 vector."""
        gradient = as_real_array("objective.gradient(x)", self._objective.gradient(x))
        if gradient.shape != (self._n,):
            raise InvalidArgumentError(
                f"objective.gradient(x) must return an array of shape ({self._n},); "
                f"got {gradient.shape}."
            )
        return as_plain(gradient)


class CheckedFunction:
    """A user's function of a matrix, its answers checked at every call."""

    def __init__(self, function: Any) -> None:
        for name in ("value", "gradient"):
            if not callable(getattr(function, name, None)):
                raise InvalidArgumentError(
                    f"objective must have a method {name}(A); {type(function).__name__} has none."
                )
        if getattr(function, "shape", None) is None:
            raise InvalidArgumentError(
                f"objective must have an attribute shape; {type(function).__name__} has none."
            )
        self.shape = check_shape(function.shape)
        self._function = function

    def value(self, A: FloatArray) -> float:
        """Value at A, a float."""
        value = self._function.value(A)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise InvalidArgumentError(
                f"objective.value(A) must return a number; got {type(value).__name__}."
            ) from None

    def gradient(self, A: FloatArray) -> FloatArray:
        """Gradient at A, a float64 matrix."""
        gradient = as_real_array("objective.gradient(A)", self._function.gradient(A))
        if gradient.shape != self.shape:
            raise InvalidArgumentError(
                f"objective.gradient(A) must return an array of shape {self.shape}; "
                f"got {gradient.shape}."
            )
        return as_plain(gradient)

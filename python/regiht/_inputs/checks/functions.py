"""A user's own function of a matrix, its answers checked at every call."""

from __future__ import annotations

from typing import Any

from regiht._inputs.checks.arrays import as_plain, as_real_array
from regiht._inputs.checks.errors import FloatArray, InvalidArgumentError
from regiht._inputs.checks.matrices import check_shape


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

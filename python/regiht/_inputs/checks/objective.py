"""A user's own function for `regiht.minimize`: what it offers, and its answers at every call."""

from __future__ import annotations

import difflib
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from regiht._inputs.checks.arrays import as_plain, as_real_array
from regiht._inputs.checks.errors import FloatArray, IndexArray, InvalidArgumentError

if TYPE_CHECKING:
    from regiht.objective import Objective

REQUIRED = {"value": "value(x)", "gradient": "gradient(x)"}
OPTIONAL = {
    "value_and_gradient": "value_and_gradient(x)",
    "gradient_at": "gradient_at(x, columns)",
    "gradient_reaching": "gradient_reaching(x, support, magnitude)",
    "largest_off_support": "largest_off_support(x, support, count)",
    "second_derivatives": "second_derivatives(x, rows, columns)",
    "curvatures": "curvatures(x, columns)",
    "approximate_curvatures": "approximate_curvatures(x)",
    "intercept": "intercept(x)",
    "work": "work()",
}
FLAG = "is_quadratic"


def offered(objective: Objective) -> tuple[str, ...]:
    """Return the names of the optional members of `CompleteObjective` that an objective has.

    Raises `regiht.InvalidArgumentError` if it is no objective, or has one of these names for
    something else; and warns of methods whose names look like misspelt ones.
    """
    kind = type(objective).__name__
    for name, call in REQUIRED.items():
        if not callable(getattr(objective, name, None)):
            raise InvalidArgumentError(f"objective must have a method {call}; {kind} has none.")
    found = tuple(name for name in OPTIONAL if hasattr(objective, name))
    for name in found:
        if not callable(getattr(objective, name)):
            raise InvalidArgumentError(
                f"objective.{name} must be a method {OPTIONAL[name]}; in {kind} it is "
                f"{type(getattr(objective, name)).__name__}."
            )
    _warn_of_misspelt(objective)
    if not hasattr(objective, FLAG):
        return found
    _check_flag(getattr(objective, FLAG))
    return (FLAG, *found)


def _check_flag(value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise InvalidArgumentError(
            f"objective.{FLAG} must be True or False, not a method; got {type(value).__name__}."
        )
    return bool(value)


def _warn_of_misspelt(objective: object) -> None:
    known = [*REQUIRED, *OPTIONAL, FLAG]
    for name in dir(objective):
        if name.startswith("_") or name in known:
            continue
        close = difflib.get_close_matches(name, OPTIONAL, n=1, cutoff=0.9)
        if close and callable(getattr(objective, name, None)):
            warnings.warn(
                f"objective.{name} is not used. Did you mean {OPTIONAL[close[0]]}? "
                f"See regiht.objective.CompleteObjective.",
                stacklevel=4,
            )


class CheckedObjective:
    """A user's function, its answers checked at every call; ``offered`` names what it has."""

    def __init__(self, objective: Objective, n: int) -> None:
        self.offered = offered(objective)
        self.is_quadratic = FLAG in self.offered and _check_flag(getattr(objective, FLAG))
        self._objective: Any = objective
        self._n = n

    def value(self, x: FloatArray) -> float:
        """Value at x, a float; not finite means a failed step, which the solver handles."""
        return _number(REQUIRED["value"], self._objective.value(x))

    def gradient(self, x: FloatArray) -> FloatArray:
        """Gradient at x, a float64 vector."""
        return _array(REQUIRED["gradient"], self._objective.gradient(x), (self._n,))

    def value_and_gradient(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Both of them."""
        name = OPTIONAL["value_and_gradient"]
        value, gradient = _pair(name, self._objective.value_and_gradient(x))
        return _number(f"{name}[0]", value), _array(f"{name}[1]", gradient, (self._n,))

    def gradient_at(self, x: FloatArray, columns: IndexArray) -> FloatArray:
        """Some entries of the gradient."""
        size = columns.size
        answer = self._objective.gradient_at(x, columns)
        return _array(OPTIONAL["gradient_at"], answer, (size,))

    def gradient_reaching(
        self, x: FloatArray, support: IndexArray, magnitude: float
    ) -> tuple[IndexArray, FloatArray]:
        """Columns in ascending order, and the gradient there."""
        inside = support.copy()
        answer = self._objective.gradient_reaching(x, support, magnitude)
        return self._entries(OPTIONAL["gradient_reaching"], answer, inside, least=0)

    def largest_off_support(
        self, x: FloatArray, support: IndexArray, count: int
    ) -> tuple[IndexArray, FloatArray]:
        """Columns in ascending order, and the gradient there."""
        inside = support.copy()
        answer = self._objective.largest_off_support(x, support, count)
        least = min(count, self._n - inside.size)
        return self._entries(OPTIONAL["largest_off_support"], answer, inside, least)

    def _entries(
        self, name: str, answer: Any, inside: IndexArray, least: int
    ) -> tuple[IndexArray, FloatArray]:
        """Check columns outside the support and the gradient there, and put them in order."""
        columns, entries = _pair(name, answer)
        columns = as_real_array(f"objective.{name}[0]", columns)
        if columns.ndim != 1 or (columns.size > 0 and columns.dtype.kind not in "iu"):
            raise InvalidArgumentError(
                f"objective.{name}[0] must list column numbers; "
                f"got {columns.dtype} of shape {columns.shape}."
            )
        if columns.size < least:
            raise InvalidArgumentError(
                f"objective.{name}[0] must list at least {least} columns; got {columns.size}."
            )
        if columns.size > 0 and (columns.min() < 0 or columns.max() >= self._n):
            raise InvalidArgumentError(
                f"objective.{name}[0] must list columns between 0 and {self._n - 1}."
            )
        values = _array(f"{name}[1]", entries, columns.shape)
        sorted_columns, first = np.unique(columns.astype(np.int64), return_index=True)
        if first.size < columns.size or np.isin(sorted_columns, inside).any():
            raise InvalidArgumentError(
                f"objective.{name}[0] must list each column once, and none of the support."
            )
        return sorted_columns, values[first]

    def second_derivatives(
        self, x: FloatArray, rows: IndexArray, columns: IndexArray
    ) -> FloatArray:
        """Part of the Hessian."""
        shape = (rows.size, columns.size)
        answer = self._objective.second_derivatives(x, rows, columns)
        return _array(OPTIONAL["second_derivatives"], answer, shape)

    def curvatures(self, x: FloatArray, columns: IndexArray) -> FloatArray:
        """Part of its diagonal."""
        size = columns.size
        return _array(OPTIONAL["curvatures"], self._objective.curvatures(x, columns), (size,))

    def approximate_curvatures(self, x: FloatArray) -> FloatArray:
        """About its diagonal."""
        answer = self._objective.approximate_curvatures(x)
        return _array(OPTIONAL["approximate_curvatures"], answer, (self._n,))

    def intercept(self, x: FloatArray) -> float:
        """The intercept at x."""
        return _number(OPTIONAL["intercept"], self._objective.intercept(x))

    def work(self) -> float:
        """What was spent so far."""
        return _number(OPTIONAL["work"], self._objective.work())


def _number(method: str, answer: Any) -> float:
    try:
        return float(answer)
    except (TypeError, ValueError):
        raise InvalidArgumentError(
            f"objective.{method} must return a number; got {type(answer).__name__}."
        ) from None


def _array(method: str, answer: Any, shape: tuple[int, ...]) -> FloatArray:
    array = as_real_array(f"objective.{method}", answer)
    if array.shape != shape:
        raise InvalidArgumentError(
            f"objective.{method} must return an array of shape {shape}; got {array.shape}."
        )
    return as_plain(array)


def _pair(method: str, answer: Any) -> tuple[Any, Any]:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise InvalidArgumentError(
            f"objective.{method} must return two things; got {type(answer).__name__}."
        )
    first, second = answer
    return first, second

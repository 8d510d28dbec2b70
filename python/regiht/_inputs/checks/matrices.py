"""Matrices, their entries and measurements of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regiht._inputs.checks.arrays import (
    as_plain,
    as_real_array,
    check_finite,
    check_real_dtype,
    is_sparse,
)
from regiht._inputs.checks.errors import FloatArray, IndexArray, InvalidArgumentError
from regiht._inputs.checks.scalars import check_integer

_LARGEST_SIDE = 2**31 - 1
# Every row and column takes memory, observed or not.
_LINES_ALWAYS_ALLOWED = 2**22
_MOST_LINES_PER_ENTRY = 1000
Parts = tuple[FloatArray, FloatArray, FloatArray]


@dataclass(frozen=True, slots=True)
class Entries:
    """Where the entries of a matrix stand that were observed, by numbers of 64 or of 32 bits."""

    rows: IndexArray
    cols: IndexArray
    shape: tuple[int, int]


def shape_of(matrix: FloatArray) -> tuple[int, int]:
    """Rows and columns of a matrix."""
    return matrix.shape[0], matrix.shape[1]


def check_matrix(name: str, value: ArrayLike) -> FloatArray:
    """Check for a finite dense matrix with at least one entry; float64, row by row."""
    array = as_real_array(name, value)
    if array.ndim != 2 or 0 in array.shape:
        raise InvalidArgumentError(
            f"{name} must be a matrix of at least one row and one column; got shape {array.shape}."
        )
    matrix = as_plain(array)
    check_finite(name, matrix)
    return matrix


def check_entry_weights(weights: ArrayLike, shape: tuple[int, int]) -> FloatArray:
    """Check for one weight for each entry, not negative and not all zero."""
    array = check_matrix("weights", weights)
    if array.shape != shape:
        raise InvalidArgumentError(f"weights must have the shape of M, {shape}; got {array.shape}.")
    if array.min() < 0.0:
        i, j = (int(k) for k in np.argwhere(array < 0.0)[0])
        raise InvalidArgumentError(
            f"weights must not be negative; weights[{i}, {j}] is {float(array[i, j])!r}."
        )
    if not array.any():
        raise InvalidArgumentError("weights must not be zero for every entry.")
    return array


def check_observation_weights(weights: ArrayLike, size: int) -> FloatArray:
    """Check for one weight for each observation, not negative and not all zero."""
    array = check_values("weights", weights, size)
    if size and array.min() < 0.0:
        at = int(np.argmax(array < 0.0))
        raise InvalidArgumentError(
            f"weights must not be negative; weights[{at}] is {float(array[at])!r}."
        )
    if size and not array.any():
        raise InvalidArgumentError("weights must not be zero for every observation.")
    return array


def check_shape(shape: Any) -> tuple[int, int]:
    """Check for two numbers of at least one."""
    try:
        rows, cols = shape
    except (TypeError, ValueError):
        raise InvalidArgumentError(f"shape must be (rows, cols); got {shape!r}.") from None
    return (
        check_integer("shape[0]", rows, 1, _LARGEST_SIDE),
        check_integer("shape[1]", cols, 1, _LARGEST_SIDE),
    )


def check_positions(name: str, value: ArrayLike, size: int) -> IndexArray:
    """Check for a vector of whole numbers from 0 to size − 1."""
    array = as_real_array(name, value)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise InvalidArgumentError(
            f"{name} must be a vector of integers; got {array.dtype} of shape {array.shape}."
        )
    if array.size and (array.min() < 0 or array.max() >= size):
        at = int(np.argmax((array < 0) | (array >= size)))
        raise InvalidArgumentError(
            f"{name} must lie between 0 and {size - 1}; {name}[{at}] is {array[at]}."
        )
    # Half the memory where numbers come that way, as in scipy's sparse matrices.
    kind = np.int32 if array.dtype == np.int32 else np.int64
    return np.require(array, kind, ["C", "A"])


def check_entries(rows: ArrayLike, cols: ArrayLike, shape: object) -> Entries:
    """Check for as many rows as columns, all inside the matrix."""
    sides = check_shape(shape)
    row_of = check_positions("rows", rows, sides[0])
    col_of = check_positions("cols", cols, sides[1])
    if row_of.size != col_of.size:
        raise InvalidArgumentError(
            f"rows and cols must have the same length; got {row_of.size} and {col_of.size}."
        )
    refuse_empty_lines(sides, row_of.size)
    if row_of.dtype != col_of.dtype:
        row_of, col_of = row_of.astype(np.int64), col_of.astype(np.int64)
    return Entries(row_of, col_of, sides)


def refuse_empty_lines(shape: tuple[int, int], observed: int) -> None:
    """Refuse a large matrix that has next to no entries: its sides would take the memory."""
    lines = shape[0] + shape[1]
    if lines > max(_LINES_ALWAYS_ALLOWED, _MOST_LINES_PER_ENTRY * observed):
        raise InvalidArgumentError(
            f"shape {shape} is too large for {observed} observed entries: nearly all rows and "
            "columns are empty. Count those that occur, for example with "
            "np.unique(rows, return_inverse=True)."
        )


def check_entry_values(values: ArrayLike, size: int) -> FloatArray:
    """Check for a finite vector with one number for each entry; float32 stays as it is."""
    if getattr(values, "dtype", None) != np.float32:
        return check_values("values", values, size)
    vector: Any = np.require(_vector_of("values", values, size), np.float32, ["C", "A"])
    if size:
        check_finite("values", vector)
    return vector  # type: ignore[no-any-return]


def check_values(name: str, value: ArrayLike, size: int) -> FloatArray:
    """Check for a finite vector with one number for each entry or measurement."""
    vector = as_plain(_vector_of(name, value, size))
    if size:
        check_finite(name, vector)
    return vector


def _vector_of(name: str, value: ArrayLike, size: int) -> NDArray[Any]:
    array = as_real_array(name, value)
    if array.shape != (size,):
        raise InvalidArgumentError(
            f"{name} must be a vector of {size} numbers, one for each observation; "
            f"got shape {array.shape}."
        )
    return array


def check_signs(signs: ArrayLike, size: int) -> FloatArray:
    """Check for −1 and 1, or False and True."""
    vector = check_values("signs", signs, size)
    if np.asarray(signs).dtype.kind == "b":
        return 2.0 * vector - 1.0
    wrong = np.abs(vector) != 1.0
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InvalidArgumentError(
            f"signs must be -1 and 1 (or booleans); signs[{at}] is {float(vector[at])!r}."
        )
    return vector


def check_measurements(C: Any, shape: object) -> tuple[Any, tuple[int, int]]:
    """Check the measurements; answers a matrix with one row for each, and their shape."""
    if is_sparse(C):
        return _sparse_measurements(C, shape)
    array = as_real_array("C", C)
    if array.ndim not in {2, 3} or 0 in array.shape:
        raise InvalidArgumentError(
            "C must have the shape (measurements, rows, cols), or (measurements, rows·cols) "
            f"with shape= given, and no side may be 0; got shape {array.shape}."
        )
    if array.ndim == 2:
        return _sparse_measurements(array, shape)
    sides = (array.shape[1], array.shape[2])
    if shape is not None and check_shape(shape) != sides:
        raise InvalidArgumentError(f"shape is {shape} and C measures matrices of shape {sides}.")
    flat = as_plain(array).reshape(array.shape[0], -1)
    check_finite("C", flat)
    return flat, sides


def _sparse_measurements(C: Any, shape: object) -> tuple[Any, tuple[int, int]]:
    """Check measurements whose rows are matrices row by row."""
    if shape is None:
        raise InvalidArgumentError("shape must be given: C has one row for each measurement.")
    sides = check_shape(shape)
    if C.shape[1] != sides[0] * sides[1] or C.shape[0] == 0:
        raise InvalidArgumentError(
            f"C must have {sides[0]}·{sides[1]} = {sides[0] * sides[1]} columns and at least one "
            f"row; got shape {C.shape}."
        )
    if is_sparse(C):
        check_real_dtype("C", C)
        matrix = C.tocsr().astype(np.float64)
        check_finite("C", matrix.data)
        return matrix, sides
    matrix = as_plain(C)
    check_finite("C", matrix)
    return matrix, sides


def check_first_matrix(start: Any, shape: tuple[int, int]) -> FloatArray | Parts | None:
    """Check a first matrix: dense, or U, s and V as a tuple or the attributes of a result."""
    if start is None:
        return None
    parts = start if isinstance(start, tuple) else tuple(_part(start, n) for n in ("U", "s", "V"))
    if any(part is None for part in parts):
        matrix = check_matrix("start", start)
        if matrix.shape != shape:
            raise InvalidArgumentError(f"start must have shape {shape}; got {matrix.shape}.")
        return matrix
    if len(parts) != 3:
        raise InvalidArgumentError("start must be a matrix, a result, or a tuple (U, s, V).")
    U, s, V = (as_plain(as_real_array("start", part)) for part in parts)
    if s.ndim != 1 or U.shape != (shape[0], s.size) or V.shape != (shape[1], s.size):
        raise InvalidArgumentError(
            f"start must hold U, s, V of a matrix of shape {shape}; "
            f"got shapes {U.shape}, {s.shape}, {V.shape}."
        )
    for part in (U, s, V):
        if part.size:
            check_finite("start", part)
    return U, s, V


def _part(start: Any, name: str) -> Any:
    return getattr(start, name, None)

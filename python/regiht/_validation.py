"""Every check of user input; each error names the argument, what was given, what is allowed."""

from __future__ import annotations

import difflib
import math
import operator
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from regiht import _core

THREADS_VARIABLE = "REGIHT_NUM_THREADS"

ADAPTIVE = "adaptive"
DEFAULT_MAX_ITER = 800
DEFAULT_ADAPTIVE_MAX_ITER = 20_000

_LARGEST_INTEGER = 2**53
_MOST_THREADS = 4096

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.int64]


class InvalidArgumentError(ValueError, TypeError):
    """An argument has a type or a value that is not allowed."""


class ValueAndGradient(Protocol):
    """A user's own convex function."""

    def value(self, x: FloatArray, /) -> Any:
        """Value at x."""

    def gradient(self, x: FloatArray, /) -> Any:
        """Gradient at x."""


def check_choice(name: str, value: object, allowed: Sequence[str]) -> str:
    """One of a few words; a misspelt one is answered with the closest."""
    if isinstance(value, str) and value in allowed:
        return value
    close = difflib.get_close_matches(value, allowed, n=1) if isinstance(value, str) else []
    hint = f" Did you mean {close[0]!r}?" if close else ""
    listed = ", ".join(repr(word) for word in allowed)
    raise InvalidArgumentError(f"{name} must be one of {listed}; got {value!r}.{hint}")


def check_integer(name: str, value: object, least: int, most: int = _LARGEST_INTEGER) -> int:
    """Check for a whole number within bounds."""
    if type(value) is int and least <= value <= most:  # by far the most common
        return value
    bounds = f"between {least} and {most}"
    if isinstance(value, (bool, np.bool_)):
        raise InvalidArgumentError(f"{name} must be an integer {bounds}; got {value!r}.")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidArgumentError(f"{name} must be an integer {bounds}; got {value!r}.") from None
    if not least <= number <= most:
        raise InvalidArgumentError(f"{name} must be {bounds}; got {number}.")
    return int(number)


def check_real(
    name: str,
    value: object,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    strict: bool = False,
) -> float:
    """Check for a finite real number in [least, most], or above least if strict."""
    if type(value) is float and least < value <= most and value != math.inf:
        return value
    above = "greater than" if strict else "at least"
    bounds = f" {above} {least:g}" if most == math.inf else f" between {least:g} and {most:g}"
    if isinstance(value, (bool, np.bool_, str, bytes)) or value is None:
        raise InvalidArgumentError(f"{name} must be a number{bounds}; got {value!r}.")
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InvalidArgumentError(
            f"{name} must be a number{bounds}; got {type(value).__name__}."
        ) from None
    except OverflowError:
        raise InvalidArgumentError(f"{name} must be a finite number{bounds}.") from None
    if not math.isfinite(number) or not least <= number <= most or (strict and number == least):
        raise InvalidArgumentError(f"{name} must be a finite number{bounds}; got {value!r}.")
    return number


def check_weight_step(value: object) -> tuple[float | None, bool]:
    """Check for None, a number or "adaptive"; answer the number, and whether it is adaptive."""
    if value is None:
        return None, False
    if not isinstance(value, str):
        return check_real("weight_step", value, least=0.0), False
    if value != ADAPTIVE:
        raise InvalidArgumentError(
            f"weight_step must be a number at least 0, {ADAPTIVE!r} or None; got {value!r}."
        )
    return None, True


def check_max_iter(max_iter: object, weight_step: object) -> int:
    """Check a number of iterations; "auto" depends on what decides when to stop."""
    if isinstance(max_iter, str) and max_iter == "auto":
        adaptive = isinstance(weight_step, str)
        return DEFAULT_ADAPTIVE_MAX_ITER if adaptive else DEFAULT_MAX_ITER
    return check_integer("max_iter", max_iter, 0)


def check_flag(name: str, value: object) -> bool:
    """Check for True or False."""
    if value is True or value is False:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    raise InvalidArgumentError(f"{name} must be True or False; got {value!r}.")


def check_float_dtype(name: str, value: DTypeLike) -> np.dtype[Any]:
    """Check for float64 or float32."""
    try:
        dtype = np.dtype(value)
    except TypeError:
        dtype = np.dtype(object)
    if dtype not in {np.dtype(np.float64), np.dtype(np.float32)}:
        raise InvalidArgumentError(f"{name} must be float64 or float32; got {value!r}.")
    return dtype


def is_sparse(X: object) -> bool:
    """Whether X is a scipy sparse matrix or array; scipy is not imported to find out."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(X))


def check_real_dtype(name: str, array: Any) -> None:
    """Refuse what does not hold real numbers."""
    kind = array.dtype.kind
    if kind in "fiub":
        return
    what = {"O": "objects", "U": "text", "S": "text", "c": "complex numbers"}.get(kind)
    raise InvalidArgumentError(
        f"{name} must hold real numbers; got {what or array.dtype} (dtype {array.dtype})."
        + (" Convert it first, for example with .astype(float)." if kind == "O" else "")
    )


def as_real_array(name: str, value: ArrayLike) -> NDArray[Any]:
    """Anything array-like as an array of real numbers, not copied where that is possible."""
    if is_sparse(value):
        raise InvalidArgumentError(
            f"{name} must be dense; got a scipy sparse matrix of shape {np.shape(value)}. "
            "Use .toarray(), and .ravel() for a vector."
        )
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise InvalidArgumentError(f"{name} must not have masked entries; fill them in first.")
    try:
        array = np.asarray(value)
    except ValueError:
        raise InvalidArgumentError(
            f"{name} must be a rectangular array of numbers; its rows have different lengths."
        ) from None
    check_real_dtype(name, array)
    return array


def as_plain(array: NDArray[Any]) -> FloatArray:
    """Return the array as contiguous float64, itself if it is that already."""
    flags = array.flags
    if array.dtype == np.float64 and flags.c_contiguous and flags.aligned:
        return array
    return np.require(array, np.float64, ["C", "A"])


def check_matrix_shape(shape: tuple[int, ...]) -> None:
    """Refuse what is not a matrix or has no rows or columns."""
    if len(shape) != 2:
        raise InvalidArgumentError(
            f"X must be a matrix (rows are samples, columns are features); got shape {shape}."
        )
    if 0 in shape:
        raise InvalidArgumentError(
            f"X must have at least one row and one column; got shape {shape}."
        )


def check_finite(name: str, array: NDArray[Any]) -> None:
    """Refuse NaN and infinity in an array that is contiguous along one dimension."""
    by_columns = array.ndim == 2 and array.strides[1] != array.itemsize and array.shape[1] != 1
    if _core.all_finite(array.T if by_columns else array):
        return
    bad = np.argwhere(~np.isfinite(array))[0]
    place = ", ".join(str(i) for i in bad)
    raise InvalidArgumentError(
        f"{name} must not contain NaN or infinity; {name}[{place}] is {array[tuple(bad)]}."
    )


def check_index_arrays(X: Any) -> None:
    """Refuse a compressed matrix whose arrays cannot belong together."""
    slices = X.shape[0] if X.format == "csr" else X.shape[1]
    for name in ("indices", "indptr"):
        array = getattr(X, name)
        if array.ndim != 1 or array.dtype.kind not in "iu":
            _refuse_structure(X, f"its {name} are not integers")
    if X.indptr.size != slices + 1:
        _refuse_structure(X, f"its indptr has {X.indptr.size} entries, not {slices + 1}")
    if X.data.ndim != 1 or min(X.data.size, X.indices.size) < X.indptr[-1]:
        _refuse_structure(X, "its indptr goes beyond its data and indices")


def check_structure(X: Any) -> bool:
    """Refuse a compressed matrix whose indices lead out of it; answer whether they are sorted."""
    slices, slice_size = X.shape if X.format == "csr" else X.shape[::-1]
    structure = _core.inspect_structure(X.indices, X.indptr, slices, slice_size)
    if structure == "bad offsets":
        _refuse_structure(X, "its indptr does not rise from 0 to the number of stored entries")
    if structure == "index out of range":
        _refuse_structure(X, f"an entry of its indices is not between 0 and {slice_size - 1}")
    return structure == "sorted"


def _refuse_structure(X: Any, what: str) -> NoReturn:
    raise InvalidArgumentError(f"X is not a valid {X.format.upper()} matrix: {what}.")


def check_vector(name: str, value: ArrayLike, size: int, per: str) -> FloatArray:
    """Check for a finite vector with one entry per row or column."""
    array = as_real_array(name, value)
    if array.ndim != 1:
        raise InvalidArgumentError(f"{name} must be one-dimensional; got shape {array.shape}.")
    if array.shape[0] != size:
        raise InvalidArgumentError(
            f"{name} must have one entry for every {per} of X ({size}); got {array.shape[0]}."
        )
    vector = as_plain(array)
    check_finite(name, vector)
    return vector


def check_target(y: ArrayLike, rows: int, loss: str) -> FloatArray:
    """Check for targets that the loss is defined for."""
    target = check_vector("y", y, rows, "row")
    _check_allowed("y", target, loss)
    return target


def check_targets(Y: ArrayLike, rows: int, loss: str) -> FloatArray:
    """Check for a matrix with one column of targets for each problem; returned transposed."""
    array = as_real_array("Y", Y)
    if array.ndim != 2 or array.shape[0] != rows or array.shape[1] == 0:
        raise InvalidArgumentError(
            f"Y must have one row for every row of X ({rows}) and one column for every target; "
            f"got shape {array.shape}."
        )
    targets = as_plain(array.T)
    check_finite("Y", targets.T)
    for column, target in enumerate(targets):
        _check_allowed(f"Y[:, {column}]", target, loss)
    return targets


def _check_allowed(name: str, target: FloatArray, loss: str) -> None:
    bad = _core.first_bad_target(loss, target)
    if bad < 0:
        return
    allowed = {
        "binary": "labels 0 and 1 (or False and True)",
        "nonnegative": "targets that are not negative",
    }[_core.loss_targets(loss)]
    raise InvalidArgumentError(
        f"loss={loss!r} needs {allowed} in {name}; {name}[{bad}] is {float(target[bad])!r}."
    )


def check_sample_weight(sample_weight: ArrayLike | None, rows: int) -> FloatArray | None:
    """Check for weights that are not negative and not all zero."""
    if sample_weight is None:
        return None
    weights = check_vector("sample_weight", sample_weight, rows, "row")
    if weights.min() < 0.0:
        bad = int(np.argmax(weights < 0.0))
        raise InvalidArgumentError(
            f"sample_weight must not be negative; sample_weight[{bad}] is {float(weights[bad])!r}."
        )
    if not weights.any():
        raise InvalidArgumentError("sample_weight must not be zero for every row.")
    return weights


def check_intercept_exists(target: FloatArray, loss: str, sample_weight: FloatArray | None) -> None:
    """Refuse targets for which the best intercept is infinite."""
    if sample_weight is not None:
        target = target[sample_weight > 0.0]
    kind = _core.loss_targets(loss)
    if kind == "binary" and target.min() == target.max():
        raise InvalidArgumentError(
            f"loss={loss!r} with an intercept needs both labels in y; all are {target[0]:g}."
        )
    if kind == "nonnegative" and target.max() <= 0.0:
        raise InvalidArgumentError(
            f"loss={loss!r} with an intercept needs a target that is not 0 in y; all are."
        )


def check_start(x0: ArrayLike | None, cols: int) -> FloatArray | None:
    """Check the first iterate."""
    return None if x0 is None else check_vector("x0", x0, cols, "column")


def check_first_weights(w0: ArrayLike | None, cols: int) -> FloatArray | None:
    """Check the first adaptive weights."""
    if w0 is None:
        return None
    weights = check_vector("w0", w0, cols, "column")
    if weights.min() < 0.0 or weights.max() > 1.0:
        bad = int(np.argmax((weights < 0.0) | (weights > 1.0)))
        raise InvalidArgumentError(
            f"w0 must be between 0 and 1; w0[{bad}] is {float(weights[bad])!r}."
        )
    return weights


def check_keep(keep: ArrayLike | None, cols: int, s: int) -> IndexArray | None:
    """Check the columns that are always in: at most s different column numbers."""
    kept = check_columns("keep", keep, cols)
    if kept is not None and kept.size > s:
        raise InvalidArgumentError(
            f"keep lists {kept.size} columns and s allows {s}: kept columns count towards s."
        )
    return kept


def check_columns(name: str, columns: ArrayLike | None, cols: int) -> IndexArray | None:
    """Check for column numbers, returned in ascending order and without repetition."""
    if columns is None:
        return None
    array = as_real_array(name, columns)
    if array.size == 0:
        return None
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"{name} must list column numbers; got {array.dtype} of shape {array.shape}."
        )
    if array.min() < 0 or array.max() >= cols:
        bad = array[(array < 0) | (array >= cols)][0]
        raise InvalidArgumentError(f"{name} must list columns between 0 and {cols - 1}; got {bad}.")
    return np.unique(array).astype(np.int64)


def check_exclude(exclude: ArrayLike | None, cols: int) -> IndexArray | None:
    """Check the columns that are never selected: different column numbers, not all of them."""
    excluded = check_columns("exclude", exclude, cols)
    if excluded is not None and excluded.size == cols:
        raise InvalidArgumentError(f"exclude must leave some column; it lists all {cols}.")
    return excluded


def check_callback(callback: object) -> None:
    """Check for something that can be called."""
    if callback is not None and not callable(callback):
        raise InvalidArgumentError(
            f"callback must be a function of one iteration; got {type(callback).__name__}."
        )


def check_threads(n_threads: object) -> int:
    """Take the argument, else the environment variable, else the cores this process may use."""
    if n_threads is not None:
        return check_integer("n_threads", n_threads, 1, _MOST_THREADS)
    given = os.environ.get(THREADS_VARIABLE)
    if given is None:
        return _AVAILABLE_CORES
    try:
        return check_integer(THREADS_VARIABLE, int(given), 1, _MOST_THREADS)
    except ValueError:
        raise InvalidArgumentError(
            f"the environment variable {THREADS_VARIABLE} must be an integer of at least 1; "
            f"got {given!r}."
        ) from None


def _available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_AVAILABLE_CORES = _available_cores()


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

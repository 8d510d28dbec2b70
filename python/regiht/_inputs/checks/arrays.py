"""Arrays of numbers, dense and sparse."""

from __future__ import annotations

import numbers
import reprlib
import sys
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regiht import _core
from regiht._inputs.checks.errors import FloatArray, InvalidArgumentError

_INDEXING = {"coo": ("row", "col"), "bsr": ("indices", "indptr"), "dia": ("offsets",)}
_OTHER_KINDS = {
    "O": "objects", "U": "text", "S": "text", "T": "text", "c": "complex numbers", "M": "dates",
    "m": "durations", "V": "records",
}  # fmt: skip
_UNLIKE = "its arrays do not belong together"
_OFFSETS = "its indptr does not rise from 0 to the number of stored entries"


def is_sparse(X: object) -> bool:
    """Whether X is a scipy sparse matrix or array; scipy is not imported to find out."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(X))


def check_real_dtype(name: str, array: Any) -> None:
    """Refuse what does not hold real numbers."""
    kind = array.dtype.kind
    if kind in "fiub":
        return
    raise InvalidArgumentError(
        f"{name} must hold real numbers; got {_OTHER_KINDS.get(kind, 'others')} "
        f"(dtype {array.dtype})" + (_of_objects(array) if kind == "O" else ".")
    )


def _of_objects(array: Any) -> str:
    """What is among the objects of an array, or how they become numbers."""
    for each in np.asarray(array.data if is_sparse(array) else array).flat:
        if not isinstance(each, numbers.Real):
            return f", such as {reprlib.repr(each)}."
    return ". Convert it first, for example with .astype(float)."


def as_real_array(name: str, value: ArrayLike) -> NDArray[Any]:
    """Anything array-like as an array of real numbers, not copied where that is possible."""
    if is_sparse(value):
        raise InvalidArgumentError(
            f"{name} must be dense; got a scipy sparse matrix of shape {np.shape(value)}. "
            "Use .toarray(), and .ravel() for a vector."
        )
    if value is None:
        raise InvalidArgumentError(f"{name} must be an array of numbers; got None.")
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
    with np.errstate(over="ignore"):  # what is beyond double precision is refused as infinite
        return np.require(array, np.float64, ["C", "A"])


def is_plain_matrix(X: object) -> bool:
    """Whether X is an array that can be used as it is: finite floats in one of two orders."""
    return type(X) is np.ndarray and _core.is_plain_matrix(X)


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


def matrix_shape(X: Any) -> tuple[int, int]:
    """Rows and columns of what is to become a matrix."""
    shape = tuple(X.shape) if hasattr(X, "shape") else as_real_array("X", X).shape
    check_matrix_shape(shape)
    return shape[0], shape[1]


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


def check_stored_finite(X: Any) -> None:
    """Refuse NaN and infinity in a compressed matrix."""
    stored = X.data[: X.indptr[-1]]
    if _core.all_finite(stored):
        return
    bad = int(np.argmin(np.isfinite(stored)))
    outer, inner = int(np.searchsorted(X.indptr, bad, side="right")) - 1, int(X.indices[bad])
    row, col = (outer, inner) if X.format == "csr" else (inner, outer)
    raise InvalidArgumentError(
        f"X must not contain NaN or infinity; X[{row}, {col}] is {stored[bad]}."
    )


def check_coordinates(X: Any) -> Any:
    """Return a matrix of another format by coordinates; refuse those that lead out of it.

    scipy converts without a look at what it is given, and writes where the indices lead.
    """
    indexing = [getattr(X, name) for name in _INDEXING.get(X.format, ())]
    if any(each.ndim != 1 or each.dtype.kind != "i" for each in indexing):
        _refuse_structure(X, _UNLIKE)
    if X.format == "dia" and (X.data.ndim != 2 or X.offsets.size != X.data.shape[0]):
        _refuse_structure(X, _UNLIKE)
    try:
        if X.format == "bsr":
            X.check_format(full_check=True)
        entries = X.tocoo()
    except (ValueError, IndexError, TypeError, OverflowError):
        _refuse_structure(X, _UNLIKE)
    for side, places in zip(X.shape, (entries.row, entries.col), strict=True):
        if places.shape != entries.data.shape:
            _refuse_structure(X, _UNLIKE)
        if places.size and (places.min() < 0 or places.max() >= side):
            _refuse_structure(X, f"an index is not between 0 and {side - 1}")
    return entries


def check_index_arrays(X: Any) -> None:
    """Refuse a compressed matrix whose arrays cannot belong together."""
    slices = X.shape[0] if X.format == "csr" else X.shape[1]
    for name in ("indices", "indptr"):
        array = getattr(X, name)
        if array.ndim != 1 or array.dtype.kind not in "iu":
            _refuse_structure(X, f"its {name} are not integers")
    if X.indptr.size != slices + 1:
        _refuse_structure(X, f"its indptr has {X.indptr.size} entries, not {slices + 1}")
    # At the width they have: what follows may go on with fewer bits.
    if X.indptr.min() < 0 or X.indptr.max() != X.indptr[-1]:
        _refuse_structure(X, _OFFSETS)
    if X.data.ndim != 1 or min(X.data.size, X.indices.size) < X.indptr[-1]:
        _refuse_structure(X, "its indptr goes beyond its data and indices")


def check_structure(X: Any) -> bool:
    """Refuse a compressed matrix whose indices lead out of it; answer whether they are sorted."""
    slices, slice_size = X.shape if X.format == "csr" else X.shape[::-1]
    structure = _core.inspect_structure(X.indices, X.indptr, slices, slice_size)
    if structure == "bad offsets":
        _refuse_structure(X, _OFFSETS)
    if structure == "index out of range":
        _refuse_structure(X, f"an entry of its indices is not between 0 and {slice_size - 1}")
    return structure == "sorted"


def _refuse_structure(X: Any, what: str) -> NoReturn:
    raise InvalidArgumentError(f"X is not a valid {X.format.upper()} matrix: {what}.")


def check_vector(name: str, value: ArrayLike, size: int, per: str) -> FloatArray:
    """Check for a finite vector with one entry per row or column."""
    if type(value) is np.ndarray and _core.is_plain_vector(value, size):
        return value
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

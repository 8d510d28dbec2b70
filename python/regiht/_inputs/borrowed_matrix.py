"""A user's matrix as the core can borrow it: layout, dtype and index width are decided here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regiht._inputs import checks as check
from regiht._inputs.collections import refuse_dask


def borrowable(X: Any, layout: str) -> Any:
    """Check a matrix; answer it, or a copy in a form that the core reads."""
    if check.is_plain_matrix(X):
        return X
    refuse_dask(X)
    return borrowable_sparse(X, layout) if check.is_sparse(X) else _borrowable_dense(X)


def _borrowable_dense(X: ArrayLike) -> NDArray[Any]:
    array = check.as_real_array("X", X)
    check.check_matrix_shape(array.shape)
    array = _as_float(array)
    if not _is_borrowable(array):
        array = np.ascontiguousarray(array)
    check.check_finite("X", array)
    return array


def borrowable_sparse(X: Any, layout: str) -> Any:
    """The same for a matrix of scipy; layout "auto" makes columns of rows."""
    check.check_matrix_shape(X.shape)
    check.check_real_dtype("X", X)
    if X.format not in {"csc", "csr"}:
        X = check.check_coordinates(X).tocsc()
    check.check_index_arrays(X)
    X = _with_plain_arrays(X)
    if not check.check_structure(X):
        X = X.copy()
        X.sum_duplicates()
    if X.format == "csr" and layout == "auto":
        X = X.tocsc()
    check.check_stored_finite(X)
    return X


def _of_arrays(X: Any, values: Any, indices: Any, indptr: Any) -> Any:
    """Make a matrix like X of other arrays; scipy's constructor would change the index width."""
    fresh = type(X)(X.shape)
    fresh.data, fresh.indices, fresh.indptr = values, indices, indptr
    return fresh


def _as_float(array: NDArray[Any]) -> NDArray[Any]:
    """Keep aligned native float32 and float64 as they are, convert the rest."""
    if array.dtype not in {np.dtype(np.float32), np.dtype(np.float64)}:
        with np.errstate(over="ignore"):  # what is beyond double precision is refused as infinite
            return array.astype(np.float64)
    return array if array.flags.aligned else array.copy()


def _is_borrowable(array: NDArray[Any]) -> bool:
    """Whether one dimension is contiguous and the other goes forward without overlap."""
    size = array.itemsize
    rows, cols = array.shape
    by_row, by_col = array.strides
    row_major = (by_col == size or cols == 1) and (by_row >= cols * size or rows == 1)
    col_major = (by_row == size or rows == 1) and (by_col >= rows * size or cols == 1)
    return (row_major or col_major) and by_row % size == 0 and by_col % size == 0


def _with_plain_arrays(X: Any) -> Any:
    """Make the three arrays contiguous, the values floats, and both index arrays of one type."""
    fits = X.indices.dtype == np.int32 and X.indptr[-1] <= np.iinfo(np.int32).max
    width = np.int32 if fits else np.int64
    values, indices = X.data, X.indices
    if values.size != indices.size:  # one has room for more entries, which scipy cannot copy
        values, indices = values[: X.indptr[-1]], indices[: X.indptr[-1]]
    plain = (
        np.ascontiguousarray(_as_float(values)),
        np.require(indices, width, ["C", "A"]),
        np.require(X.indptr, width, ["C", "A"]),
    )
    given = (X.data, X.indices, X.indptr)
    return X if all(a is b for a, b in zip(plain, given, strict=True)) else _of_arrays(X, *plain)


def shares_memory(X: Any, prepared: Any) -> bool:
    """Whether what was made of X borrows its memory."""
    if prepared is X:
        return True
    if not isinstance(prepared, np.ndarray):
        if not check.is_sparse(X):  # a data frame of sparse columns
            return False
        return X.format == prepared.format and bool(np.may_share_memory(X.data, prepared.data))
    if hasattr(X, "__array__"):  # a data frame may hand out its own memory: its first row tells
        return bool(np.may_share_memory(np.asarray(X[:1]), prepared))
    return False

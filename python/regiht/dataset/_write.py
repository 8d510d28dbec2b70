"""``write``: a matrix in memory, rows that come in chunks, or a file, as a directory."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy import sparse

from regiht._inputs import checks as check
from regiht._inputs.checks.stored_shards import check_shards
from regiht._inputs.design import Design
from regiht.dataset._aside import new_path
from regiht.dataset._convert import (
    DEFAULT_MEMORY,
    LEAST_MEMORY,
    convert_columns,
    convert_rows,
)
from regiht.dataset._files import convert
from regiht.dataset._rows import ColumnSource, RowChunk, RowSource
from regiht.dataset._split import Make, convert_whole_or_cut


def write(
    path: str | os.PathLike[str],
    X: Any,
    y: ArrayLike | None = None,
    *,
    feature_names: Sequence[str] | None = None,
    dtype: DTypeLike | None = None,
    shards: int | None = None,
    memory: int = DEFAULT_MEMORY,
) -> None:
    """Write a matrix and optional targets as a directory for `regiht.Design.open`.

    Parameters
    ----------
    path : str or path
        The directory, which must not exist yet. It appears once it is complete: it is written
        under another name, synced and renamed.
    X : array, scipy sparse matrix, data frame, iterable of row chunks, or path of a file
        Chunks are matrices with the same number of columns, or pairs of a matrix and its targets;
        together they may exceed memory. A file is converted as by `convert`.
    y : array of shape (rows,), optional
        Targets: numbers or labels.
    feature_names : list of str, optional
        Names of the columns; by default those of a data frame.
    dtype : float32 or float64, optional
        Type of the values; by default that of X.
    shards : int, optional
        Cut the rows into this many subdirectories, for `regiht.distributed`.
    memory : int
        Largest number of bytes for chunks and their transposition.

    Raises
    ------
    InvalidArgumentError
        If the directory exists already, or X or y cannot be written.

    See Also
    --------
    convert : Converts a file; it can be killed and resumed.
    regiht.Design.open : Opens the directory for solves.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> regiht.dataset.write("table", X, X[:, 4] - X[:, 17])
    >>> regiht.SparseRegressor(2).fit("table").support_.tolist()
    [4, 17]
    """
    if isinstance(X, (str, os.PathLike)):
        if y is not None or feature_names is not None:
            raise check.InvalidArgumentError(
                "y and feature_names must not be given for a file, which has its own."
            )
        wanted = np.float64 if dtype is None else dtype
        convert(X, path, dtype=wanted, shards=shards, memory=memory)
        return
    target = new_path(path)
    memory = check.check_integer("memory", memory, LEAST_MEMORY)
    fresh = {"token": secrets.token_hex(8)}  # never resumed
    labels = None if y is None else check.check_labels(y)
    if _is_matrix(X):
        columns = _MatrixColumns(Design(X, feature_names=feature_names), labels)
        wanted = columns.dtype if dtype is None else check.check_float_dtype("dtype", dtype)
        make: Make = partial(convert_columns, columns, task=fresh, dtype=wanted, memory=memory)
    else:
        rows = _ChunkRows(iter(X), feature_names, dtype)
        rows.y = labels
        make = partial(convert_rows, rows, task=fresh, dtype=rows.dtype, memory=memory)
    convert_whole_or_cut(make, target, fresh, check_shards(shards), memory, lambda share: None)


def _is_matrix(X: Any) -> bool:
    return isinstance(X, (Design, np.ndarray, list, tuple)) or hasattr(X, "shape")


class _MatrixColumns(ColumnSource):
    """A prepared matrix, handed out by columns."""

    def __init__(self, design: Design, y: NDArray[Any] | None) -> None:
        self._matrix = design._prepared
        self.shape = design.shape
        self.dtype = design.dtype
        self.feature_names = design.feature_names
        self.y = y
        if y is not None and y.size != self.shape[0]:
            raise check.InvalidArgumentError(
                f"y must have one entry for every row of X ({self.shape[0]}); got {y.size}."
            )
        if isinstance(self._matrix, np.ndarray):
            self.counts = np.count_nonzero(self._matrix, axis=0).astype(np.int64)
        else:
            self.counts = np.diff(self._matrix.indptr).astype(np.int64)

    def block(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Entries of some columns."""
        if isinstance(self._matrix, np.ndarray):
            part = sparse.csc_array(self._matrix[:, first:last])
            return part.indices, part.data
        here = slice(int(self._matrix.indptr[first]), int(self._matrix.indptr[last]))
        return self._matrix.indices[here], self._matrix.data[here]


class _ChunkRows(RowSource):
    """Row chunks of a user, each checked like any matrix."""

    def __init__(
        self, chunks: Iterator[Any], feature_names: Sequence[str] | None, dtype: DTypeLike | None
    ) -> None:
        self._first = next(chunks, None)
        if self._first is None:
            raise check.InvalidArgumentError("X must have at least one chunk of rows.")
        self._others = chunks
        first, _ = _checked(self._first)
        cols = first.shape[1]
        self.dtype = first.dtype if dtype is None else check.check_float_dtype("dtype", dtype)
        self.shape = (None, cols)
        self.feature_names = first.feature_names
        if feature_names is not None:
            self.feature_names = list(check.check_feature_names(feature_names, cols))

    def chunks(self, position: Any) -> Iterator[RowChunk]:
        """Check and hand on."""
        assert position is None
        has_y = None
        for number, each in enumerate(_chain(self._first, self._others)):
            design, y = _checked(each)
            if design.shape[1] != self.shape[1]:
                raise check.InvalidArgumentError(
                    f"chunk {number} has {design.shape[1]} columns, the first {self.shape[1]}."
                )
            if has_y is not None and has_y != (y is not None):
                raise check.InvalidArgumentError("some chunks have targets and some have none.")
            has_y = y is not None
            rows = sparse.csr_array(design._prepared)
            yield RowChunk(rows.indices, rows.data, rows.indptr, y)


def _chain(first: Any, others: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from others


def _checked(chunk: Any) -> tuple[Design, NDArray[Any] | None]:
    if not isinstance(chunk, tuple):
        return Design(chunk, layout="as-is"), None
    X, y = chunk
    design, labels = Design(X, layout="as-is"), check.check_labels(y)
    if labels.size != design.shape[0]:
        raise check.InvalidArgumentError(
            f"a chunk has {design.shape[0]} rows and {labels.size} targets."
        )
    return design, labels

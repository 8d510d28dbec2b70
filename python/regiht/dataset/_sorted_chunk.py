"""Some rows sorted by columns, in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from regiht.dataset._columns import index_dtype
from regiht.dataset._rows import RowChunk

_FEW_ROWS = 1 << 16


@dataclass(frozen=True)
class SortedChunk:
    """A chunk by columns: those that it has, how many entries in each, and these entries.

    Row numbers count from ``first_row``. ``position`` and ``done`` are those of the RowChunk.
    """

    columns: NDArray[Any]
    counts: NDArray[Any]
    row_numbers: NDArray[Any]
    values: NDArray[Any]
    n_rows: int
    y: NDArray[Any] | None
    position: Any
    done: float
    first_row: int = 0

    @property
    def entries(self) -> int:
        """How many entries there are."""
        return int(self.values.size)

    @property
    def smallest(self) -> int:
        """The first column that has an entry."""
        return int(self.columns[0])

    @property
    def largest(self) -> int:
        """The last one."""
        return int(self.columns[-1])

    @property
    def n_bytes(self) -> int:
        """What it takes in memory."""
        arrays = (self.columns, self.counts, self.row_numbers, self.values, self.y)
        return sum(each.nbytes for each in arrays if each is not None)

    def starting_at(self, row: int) -> SortedChunk:
        """The same, after so many rows."""
        return replace(self, first_row=row)

    def table(
        self, first: int = 0, most: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Columns and counts: all, or at most so many from a place on."""
        here = slice(first, None if most is None else first + most)
        return self.columns[here].astype(np.int64), self.counts[here].astype(np.int64)

    def read(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Row numbers and values of the entries from one to another."""
        return self.row_numbers[first:last], self.values[first:last]


def sort_chunk(chunk: RowChunk) -> SortedChunk:
    """Sort a chunk by columns; rows stay in the order they have."""
    width = int(chunk.columns.max()) + 1 if chunk.columns.size else 0
    is_wide = width > 8 * chunk.columns.size + (1 << 16)  # counting takes more than sorting
    if chunk.rows is None and not is_wide:
        matrix = sparse.csr_array((chunk.n_rows, width), dtype=chunk.values.dtype)
        matrix.data, matrix.indices = chunk.values, chunk.columns.astype(np.int32, copy=False)
        matrix.indptr = chunk.offsets.astype(np.int32, copy=False)
        by_columns = matrix.tocsc()
        every = np.diff(by_columns.indptr)
        columns = np.flatnonzero(every)
        return _sorted(chunk, columns, every[columns], by_columns.indices, by_columns.data)
    rows = chunk.rows
    if rows is None:
        rows = np.repeat(np.arange(chunk.n_rows, dtype=np.int32), np.diff(chunk.offsets))
    order = np.argsort(chunk.columns, kind="stable")
    columns, counts = np.unique(chunk.columns[order], return_counts=True)
    return _sorted(chunk, columns, counts, rows[order], chunk.values[order])


def _sorted(chunk: RowChunk, columns: Any, counts: Any, rows: Any, values: Any) -> SortedChunk:
    index = index_dtype(int(columns[-1]) if columns.size else 0, values.size)
    if chunk.rows is None and chunk.n_rows <= _FEW_ROWS:
        rows = rows.astype(np.uint16)
    return SortedChunk(
        columns.astype(index), counts.astype(index), rows, values, chunk.n_rows, chunk.y,
        chunk.position, chunk.done,
    )  # fmt: skip

"""Merging parts of a matrix, each sorted by columns, into columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Sorted(Protocol):
    """Rows sorted by columns, in memory or in a file.

    They have entries in the columns of a table; row numbers count from ``first_row``.
    """

    @property
    def first_row(self) -> int:
        """How many rows come before."""

    @property
    def entries(self) -> int:
        """How many entries there are."""

    @property
    def smallest(self) -> int:
        """The first column that has an entry."""

    @property
    def largest(self) -> int:
        """The last one."""

    def table(
        self, first: int = 0, most: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Columns and counts: all, or at most so many from a place on."""

    def read(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Row numbers and values of the entries from one to another."""


# Places of columns, how many entries there are in each, their rows and values, and the first row.
_Taken = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], int]


class _Cursor:
    """A place in a part, before some column."""

    def __init__(self, part: Sorted, column: int) -> None:
        self._part = part
        columns, counts = part.table()
        self._listed = int(np.searchsorted(columns, column))
        self._entries = int(counts[: self._listed].sum())

    def take(self, columns: NDArray[np.int64] | range) -> _Taken:
        """Entries of some columns, those that come next."""
        here, counts = self._part.table(self._listed, len(columns))
        end = int(np.searchsorted(here, columns[-1], side="right"))
        here, counts = here[:end], counts[:end]
        until = self._entries + int(counts.sum())
        rows, values = self._part.read(self._entries, until)
        self._listed, self._entries = self._listed + end, until
        if isinstance(columns, range):
            places = here - columns.start
        else:
            places = np.searchsorted(columns, here)
        return places, counts, rows, values, self._part.first_row


class Merge:
    """Some columns of all parts together.

    Parameters
    ----------
    parts : sequence
        None without entries.
    columns : array or range
        Ascending; none that a part has is missing.
    row_dtype, dtype
        Of row numbers, which count from ``first_row``, and of values.
    ordered : bool
        The rows of a part come before those of the next, and ascend in each.
    """

    def __init__(
        self,
        parts: Sequence[Sorted],
        columns: NDArray[np.int64] | range,
        row_dtype: Any,
        dtype: Any,
        *,
        ordered: bool,
        first_row: int = 0,
    ) -> None:
        self._parts = parts
        self._columns = columns
        self._row_dtype, self._dtype = np.dtype(row_dtype), np.dtype(dtype)
        self._ordered = ordered
        self._first_row = first_row
        self.counts = np.zeros(len(columns), np.int64)
        for part in parts:
            here, counts = part.table()
            if isinstance(columns, range):
                self.counts[here - columns.start] += counts
            else:
                self.counts[np.searchsorted(columns, here)] += counts

    def blocks(self, first: int, entries: int) -> Iterator[tuple[int, NDArray[Any], NDArray[Any]]]:
        """Columns from a place on, about so many entries at a time: number, rows, values."""
        offsets = np.concatenate([[0], np.cumsum(self.counts)])
        if first == self.counts.size:
            return
        cursors = [_Cursor(part, int(self._columns[first])) for part in self._parts]
        while first < self.counts.size:
            until = int(offsets[first]) + entries
            last = max(first + 1, int(np.searchsorted(offsets, until, side="right")) - 1)
            columns = self._columns[first:last]
            local = offsets[first : last + 1] - offsets[first]
            yield last - first, *self._block((each.take(columns) for each in cursors), local)
            first = last

    def _block(
        self, parts: Iterator[_Taken], offsets: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Rows and values of columns that begin at ``offsets``, those of the first part first."""
        rows = np.empty(offsets[-1], self._row_dtype)
        values = np.empty(offsets[-1], self._dtype)
        free = offsets[:-1].copy()  # where each column goes on
        for places, counts, part_rows, part_values, first_row in parts:
            to = np.repeat(free[places] - (np.cumsum(counts) - counts), counts)
            to += np.arange(to.size)
            rows[to] = part_rows.astype(self._row_dtype) + (first_row - self._first_row)
            with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
                values[to] = part_values
            free[places] += counts
        if not self._ordered:
            column = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
            order = np.lexsort((rows, column))
            rows, values = rows[order], values[order]
        return rows, values

"""Merging runs into columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht.dataset._columns import index_dtype
from regiht.dataset._runs import Part, Run, merge_parts


class _Cursor:
    """A place in a run, before some column."""

    def __init__(self, folder: Path, run: Run, column: int) -> None:
        self._folder = folder
        self._run = run
        columns, counts = run.table(folder)
        self._listed = int(np.searchsorted(columns, column))
        self._entries = int(counts[: self._listed].sum())

    def take(self, first: int, last: int, row_dtype: Any) -> Part:
        """Columns up to ``last``, counted from ``first``, with their entries."""
        columns, counts = self._run.table(self._folder, self._listed, last - first)
        end = int(np.searchsorted(columns, last))
        columns, counts = columns[:end], counts[:end]
        until = self._entries + int(counts.sum())
        rows, values = self._run.read(self._folder, self._entries, until)
        self._listed, self._entries = self._listed + end, until
        return columns - first, counts, rows.astype(row_dtype) + self._run.first_row, values


class Merge:
    """The columns of all runs together; column numbers begin at ``base``.

    ``ordered``: the rows of a run come before those of the next, and ascend in each.
    """

    def __init__(
        self,
        folder: Path,
        runs: Sequence[Run],
        shape: tuple[int, int],
        base: int,
        *,
        ordered: bool,
    ) -> None:
        self._folder = folder
        self._row_dtype = index_dtype(shape[0], 0)
        self._runs = runs
        self._base = base
        self._ordered = ordered
        self.counts = np.zeros(shape[1], np.int64)
        for run in runs:
            columns, counts = run.table(folder)
            self.counts[columns - base] += counts

    def blocks(self, first: int, entries: int) -> Iterator[tuple[int, NDArray[Any], NDArray[Any]]]:
        """Columns from ``first`` on, about so many entries at a time: number, rows, values."""
        offsets = np.concatenate([[0], np.cumsum(self.counts)])
        cursors = [_Cursor(self._folder, run, first + self._base) for run in self._runs]
        while first < self.counts.size:
            until = int(offsets[first]) + entries
            last = max(first + 1, int(np.searchsorted(offsets, until, side="right")) - 1)
            local = offsets[first : last + 1] - offsets[first]
            yield last - first, *self._block(cursors, first + self._base, local)
            first = last

    def _block(
        self, cursors: list[_Cursor], first: int, offsets: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        cols = offsets.size - 1
        rows, values = merge_parts(
            (cursor.take(first, first + cols, self._row_dtype) for cursor in cursors),
            offsets, self._row_dtype, self._runs[0].dtype if self._runs else np.float64,
        )  # fmt: skip
        if not self._ordered:
            column = np.repeat(np.arange(cols), np.diff(offsets))
            order = np.lexsort((rows, column))
            rows, values = rows[order], values[order]
        return rows, values

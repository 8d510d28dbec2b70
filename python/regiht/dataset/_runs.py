"""Runs: parts of a matrix, sorted by columns, in temporary files.

Runs that hold the rows in ascending order are merged column by column, reading a piece of each:
the matrix is transposed with one write and one read of temporary files, however large it is.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from regiht.dataset._rows import RowChunk

_PIECE_BYTES = 1 << 22


@dataclass(frozen=True)
class Run:
    """What a file of a run holds; plain numbers and text, for JSON.

    Its arrays follow each other: the columns that it has entries in, how many in each, then row
    numbers (from ``first_row`` on) and values of all entries.
    """

    name: str
    first_row: int
    rows: int
    entries: int
    listed: int
    smallest: int
    largest: int
    row_dtype: str
    dtype: str
    checksum: int
    y_checksum: int | None

    def table(
        self, folder: Path, first: int = 0, most: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Columns and counts: all, or at most so many from a place on."""
        count = self.listed - first if most is None else min(most, self.listed - first)
        path = folder / self.name
        columns = np.fromfile(path, np.int64, count, offset=8 * first)
        return columns, np.fromfile(path, np.int64, count, offset=8 * (self.listed + first))

    def read(self, folder: Path, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Row numbers and values of the entries from one to another."""
        row_dtype, dtype = np.dtype(self.row_dtype), np.dtype(self.dtype)
        at_rows = 16 * self.listed
        at_values = at_rows + self.entries * row_dtype.itemsize
        path, count = folder / self.name, last - first
        rows = np.fromfile(path, row_dtype, count, offset=at_rows + first * row_dtype.itemsize)
        values = np.fromfile(path, dtype, count, offset=at_values + first * dtype.itemsize)
        return rows, values

    @property
    def has_y(self) -> bool:
        """Whether there are targets of its rows."""
        return self.y_checksum is not None

    def y(self, folder: Path) -> NDArray[Any]:
        """The targets of its rows."""
        labels: NDArray[Any] = np.load(self._y_path(folder), allow_pickle=False)
        return labels

    def _y_path(self, folder: Path) -> Path:
        return folder / f"{self.name}.y.npy"

    def is_intact(self, folder: Path) -> bool:
        """Whether the file is what was written; a loss of power may leave another."""
        try:
            return _checksum(folder / self.name) == self.checksum and (
                not self.has_y or _checksum(self._y_path(folder)) == self.y_checksum
            )
        except OSError:
            return False


@dataclass(frozen=True)
class SortedChunk:
    """A chunk by columns: those that it has, how many entries in each, and these entries."""

    columns: NDArray[np.int64]
    counts: NDArray[np.int64]
    rows: NDArray[Any]
    values: NDArray[Any]
    source: RowChunk


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
    light = RowChunk(
        chunk.columns[:0], chunk.values[:0], chunk.offsets, chunk.y, position=chunk.position,
        done=chunk.done,
    )  # fmt: skip
    return SortedChunk(columns.astype(np.int64), counts.astype(np.int64), rows, values, light)


Part = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]


def merge_parts(
    parts: Iterable[Part], offsets: NDArray[np.int64], row_dtype: Any, dtype: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows and values of columns that begin at ``offsets``, those of the first part first.

    A part has places of columns, how many entries it has in each, and their rows and values.
    """
    rows, values = np.empty(offsets[-1], row_dtype), np.empty(offsets[-1], dtype)
    free = offsets[:-1].copy()  # where each column goes on
    for places, counts, part_rows, part_values in parts:
        to = np.repeat(free[places] - (np.cumsum(counts) - counts), counts)
        to += np.arange(to.size)
        rows[to] = part_rows
        with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
            values[to] = part_values
        free[places] += counts
    return rows, values


def write_run(
    folder: Path, number: int, first_row: int, chunks: Sequence[SortedChunk], dtype: Any
) -> Run:
    """Merge chunks that follow each other, and write them."""
    columns = _union([chunk.columns for chunk in chunks])
    counts = np.zeros(columns.size, np.int64)
    parts, n_rows = [], 0
    for chunk in chunks:
        places = np.searchsorted(columns, chunk.columns)
        counts[places] += chunk.counts
        parts.append((places, chunk.counts, chunk.rows, chunk.values, n_rows))
        n_rows += chunk.source.n_rows
    rows, values = merge_parts(
        ((places, each, rows + first, values) for places, each, rows, values, first in parts),
        np.concatenate([[0], np.cumsum(counts)]), chunks[0].rows.dtype, dtype,
    )  # fmt: skip
    name = f"run-{number:05d}"
    labels = [chunk.source.y for chunk in chunks if chunk.source.y is not None]
    checksum, y_checksum = 0, None
    if labels:
        np.save(folder / f"{name}.y.npy", np.concatenate(labels), allow_pickle=False)
        y_checksum = _checksum(folder / f"{name}.y.npy")
    with (folder / name).open("wb") as file:
        for array in (columns, counts, rows, values):
            checksum = zlib.crc32(array.data, checksum)
            file.write(array.data)
    return Run(
        name, first_row, n_rows, int(values.size), int(columns.size),
        int(columns[0]) if columns.size else -1, int(columns[-1]) if columns.size else -1,
        rows.dtype.name, values.dtype.name, checksum, y_checksum,
    )  # fmt: skip


def _union(ascending: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """All numbers once, in order: a stable sort only merges what ascends already."""
    numbers = np.concatenate(ascending)
    numbers.sort(kind="stable")
    return numbers[np.diff(numbers, prepend=-1) > 0]


def _checksum(path: Path) -> int:
    found = 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            found = zlib.crc32(piece, found)
    return found

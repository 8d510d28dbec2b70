"""Runs: parts of a matrix, sorted by columns, in temporary files.

Runs that hold the rows in ascending order are merged column by column, reading a piece of each:
the matrix is transposed with one write and one read of temporary files, however large it is.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht.dataset._merge import Merge
from regiht.dataset._sorted_chunk import SortedChunk

_PIECE_BYTES = 1 << 22

# What is added to the name of a run for the files of its values and of its targets.
_VALUES, _TARGETS = ".values", ".y.npy"


@dataclass(frozen=True)
class Run:
    """What the files of a run hold; plain numbers and text, for JSON.

    The arrays of the first follow each other: the columns that it has entries in, how many in each,
    then row numbers of all entries, from ``first_row`` on. Another one holds the values, and one
    the targets if there are any. ``checksums`` are those of the files, by the end of their names.
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
    checksums: dict[str, int]

    @property
    def has_y(self) -> bool:
        """Whether there are targets of its rows."""
        return _TARGETS in self.checksums

    def y(self, folder: Path) -> NDArray[Any]:
        """The targets of its rows."""
        labels: NDArray[Any] = np.load(folder / (self.name + _TARGETS), allow_pickle=False)
        return labels

    def is_intact(self, folder: Path) -> bool:
        """Whether the files are what was written; a loss of power may leave others."""
        try:
            return all(
                _checksum(folder / (self.name + end)) == found
                for end, found in self.checksums.items()
            )
        except OSError:
            return False


class RunFile:
    """The entries of a run, in the folder where it is."""

    def __init__(self, folder: Path, run: Run) -> None:
        self._path, self._values = folder / run.name, folder / (run.name + _VALUES)
        self._listed = run.listed
        self._row_dtype, self._dtype = np.dtype(run.row_dtype), np.dtype(run.dtype)
        self.first_row, self.entries = run.first_row, run.entries
        self.smallest, self.largest = run.smallest, run.largest

    def table(
        self, first: int = 0, most: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Columns and counts: all, or at most so many from a place on."""
        count = self._listed - first if most is None else min(most, self._listed - first)
        columns = np.fromfile(self._path, np.int64, count, offset=8 * first)
        counts = np.fromfile(self._path, np.int64, count, offset=8 * (self._listed + first))
        return columns, counts

    def read(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Row numbers and values of the entries from one to another."""
        at = 16 * self._listed + first * self._row_dtype.itemsize
        rows = np.fromfile(self._path, self._row_dtype, last - first, offset=at)
        at = first * self._dtype.itemsize
        return rows, np.fromfile(self._values, self._dtype, last - first, offset=at)


def write_run(
    folder: Path, number: int, chunks: Sequence[SortedChunk], dtype: Any, entries: int
) -> Run:
    """Merge chunks that follow each other, about so many entries at a time, and write them."""
    columns = _union([chunk.columns for chunk in chunks])
    n_rows, first_row = sum(chunk.n_rows for chunk in chunks), chunks[0].first_row
    row_dtype = np.min_scalar_type(n_rows) if n_rows else chunks[0].row_numbers.dtype
    filled = [chunk for chunk in chunks if chunk.entries]
    merge = Merge(filled, columns, row_dtype, dtype, ordered=True, first_row=first_row)
    name = f"run-{number:05d}"
    head = columns.tobytes() + merge.counts.tobytes()
    checksums = {"": zlib.crc32(head), _VALUES: 0}
    with (folder / name).open("wb") as rows_file, (folder / (name + _VALUES)).open("wb") as file:
        rows_file.write(head)
        for _, rows, values in merge.blocks(0, entries):
            rows_file.write(rows.data)
            file.write(values.data)
            checksums[""] = zlib.crc32(rows.data, checksums[""])
            checksums[_VALUES] = zlib.crc32(values.data, checksums[_VALUES])
    labels = [chunk.y for chunk in chunks if chunk.y is not None]
    if labels:
        path = folder / (name + _TARGETS)
        np.save(path, np.concatenate(labels), allow_pickle=False)
        checksums[_TARGETS] = _checksum(path)
    return Run(
        name, first_row, n_rows, int(merge.counts.sum()), int(columns.size),
        int(columns[0]) if columns.size else -1, int(columns[-1]) if columns.size else -1,
        row_dtype.name, np.dtype(dtype).name, checksums,
    )  # fmt: skip


def _union(ascending: list[NDArray[Any]]) -> NDArray[np.int64]:
    """All numbers once, in order: a stable sort only merges what ascends already."""
    numbers = np.concatenate(ascending).astype(np.int64)
    numbers.sort(kind="stable")
    return numbers[np.diff(numbers, prepend=-1) > 0]


def _checksum(path: Path) -> int:
    found = 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            found = zlib.crc32(piece, found)
    return found

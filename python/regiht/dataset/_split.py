"""From one directory to shards of its rows, in bounded memory and after interruptions."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.checks.stored_matrices import HEADER
from regiht._inputs.checks.stored_shards import shard_name
from regiht._inputs.column_blocks import column_blocks
from regiht.dataset._aside import aside_of, put_in_place
from regiht.dataset._convert import Report, convert_columns
from regiht.dataset._journal import Journal
from regiht.dataset._open import Dataset, open_dataset
from regiht.dataset._rows import ColumnSource
from regiht.dataset._shards import write_shards_header

# What an entry takes while those of every shard are counted, and what a column takes for a shard.
_BYTES_IN_A_COUNT = 40
_BYTES_OF_A_COUNT = 16

_SHARE_OF_THE_WHOLE = 0.6


class Make(Protocol):
    """Writes the whole matrix as a new directory."""

    def __call__(self, target: Path, *, report: Report) -> None:
        """Do it."""


def convert_whole_or_cut(
    make: Make, target: Path, task: dict[str, Any], shards: int | None, memory: int, report: Report
) -> None:
    """Write a matrix as one directory, or as shards if their number is given."""
    if shards is None:
        make(target, report=report)
    else:
        _convert_shards(make, target, task | {"shards": shards}, shards, memory, report)


def _convert_shards(
    make: Make, target: Path, task: dict[str, Any], shards: int, memory: int, report: Report
) -> None:
    """Write the whole matrix aside, then cut its rows into shards of about the same height.

    An interrupted call goes on with the whole, or with the shard that it was at, if its task is
    the same. The whole is removed before the new directory appears.
    """
    with Journal(aside_of(target), task) as journal:
        journal.keep()
        try:
            if not (journal.output / HEADER).exists():
                whole = journal.folder / "whole"
                if not whole.exists():
                    make(whole, report=lambda share: report(_SHARE_OF_THE_WHOLE * share))
                _cut(whole, journal.output, shards, memory, report)
            shutil.rmtree(journal.folder / "whole", ignore_errors=True)
            put_in_place(journal.output, target)
        except ValueError:  # the data are at fault, and would be again
            journal.remove()
            raise
        journal.remove()


def _cut(whole: Path, output: Path, shards: int, memory: int, report: Report) -> None:
    data = open_dataset(whole, verify=False)  # was synced before it got its name
    if shards > data.shape[0]:
        raise InvalidArgumentError(
            f"shards must be at most the number of rows, {data.shape[0]}; got {shards}."
        )
    bounds = np.linspace(0, data.shape[0], shards + 1).astype(np.int64)
    counts = _counted(data, bounds, output.with_name("counts.npy"), memory)
    for number in range(shards):
        place = output / shard_name(number)
        if place.exists():
            shutil.rmtree(aside_of(place), ignore_errors=True)  # of one killed at its very end
        else:
            rows = _Rows(data, bounds, counts, number)
            convert_columns(rows, place, {}, dtype=data.dtype, memory=memory)
        done = (number + 1) / shards
        report(_SHARE_OF_THE_WHOLE + (1.0 - _SHARE_OF_THE_WHOLE) * done)
    write_shards_header(output, shards)


def _counted(
    data: Dataset, bounds: NDArray[np.int64], file: Path, memory: int
) -> NDArray[np.int64]:
    """Entries of every column in each shard, one row for each; in a file, as there may be many."""
    shards, cols = bounds.size - 1, data.shape[1]
    counts = np.lib.format.open_memmap(file, "w+", np.int64, (shards, cols))
    offsets, rows = data.matrix.indptr, data.matrix.indices
    most = max(1, memory // (_BYTES_OF_A_COUNT * shards))
    for begin, end in column_blocks(offsets, memory // _BYTES_IN_A_COUNT):
        for first in range(begin, end, most):
            last = min(first + most, end)
            here = rows[offsets[first] : offsets[last]]
            places = np.repeat(np.arange(last - first), np.diff(offsets[first : last + 1]))
            places += (last - first) * (np.searchsorted(bounds, here, side="right") - 1)
            found = np.bincount(places, minlength=shards * (last - first))
            counts[:, first:last] = found.reshape(shards, -1)
    return counts


class _Rows(ColumnSource):
    """The rows of one shard, by columns; in each of these the rows of a shard lie together."""

    def __init__(
        self, data: Dataset, bounds: NDArray[np.int64], counts: NDArray[np.int64], number: int
    ) -> None:
        self._matrix = data.matrix
        self._first_row, end = int(bounds[number]), int(bounds[number + 1])
        self._begin = data.matrix.indptr[:-1] + counts[:number].sum(axis=0)
        self.shape = (end - self._first_row, data.shape[1])
        self.counts = np.array(counts[number])
        self.feature_names, self.target = data.feature_names, data.target
        self.y = None if data.y is None else data.y[self._first_row : end]
        self.columns_from = data.columns_from

    def block(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Entries of some columns."""
        counts = self.counts[first:last]
        entries = np.repeat(self._begin[first:last] - (np.cumsum(counts) - counts), counts)
        entries += np.arange(entries.size)
        return self._matrix.indices[entries] - self._first_row, self._matrix.data[entries]

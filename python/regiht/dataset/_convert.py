"""From a source of rows or columns to a directory, in bounded memory and after interruptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from regiht._inputs import checks as check
from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.column_blocks import column_blocks
from regiht.dataset._aside import aside_of, put_in_place
from regiht.dataset._columns import ColumnsWriter, index_dtype
from regiht.dataset._journal import Journal
from regiht.dataset._memory import entries_of
from regiht.dataset._merge import Merge, Sorted
from regiht.dataset._rows import ColumnSource, RowSource
from regiht.dataset._runs import RunFile
from regiht.dataset._sorted_chunk import SortedChunk
from regiht.dataset._spool import spool

T = TypeVar("T")
Block = tuple[int, NDArray[Any], NDArray[Any]]

# Called with the share that is done, from 0 to 1.
Report = Callable[[float], object]

DEFAULT_MEMORY = 1 << 30
LEAST_MEMORY = 1 << 26

_SHARE_OF_READING = 0.6

# Every column takes memory, even if no row has it.
_COLUMNS_ALWAYS_ALLOWED = 2**22
_MOST_COLUMNS_PER_ENTRY = 1000


def convert_rows(
    source: RowSource,
    target: Path,
    task: dict[str, Any],
    *,
    dtype: Any,
    memory: int = DEFAULT_MEMORY,
    columns_from: int | None = None,
    report: Report = lambda share: None,
) -> None:
    """Transpose a source of rows into a new directory.

    ``task`` tells conversions apart: one that was interrupted goes on if its task is the same.
    """
    with Journal(aside_of(target), task) as journal:
        try:
            held: list[SortedChunk] = []
            if not journal.is_spooled:
                held = spool(
                    source, journal, dtype, memory,
                    lambda share: report(_SHARE_OF_READING * share),
                )  # fmt: skip
            left = memory - sum(chunk.n_bytes for chunk in held)
            _merge(source, journal, held, dtype, entries_of(left), columns_from, report)
            put_in_place(journal.output, target)
        except ValueError:  # the data are at fault, and would be again
            journal.remove()
            raise
        journal.remove()


def convert_columns(
    source: ColumnSource,
    target: Path,
    task: dict[str, Any],
    *,
    dtype: Any,
    memory: int = DEFAULT_MEMORY,
    report: Report = lambda share: None,
) -> None:
    """Write a source of columns into a new directory, which takes no temporary files."""
    offsets = np.concatenate([[0], np.cumsum(source.counts)])

    def blocks(done: int) -> Iterator[Block]:
        for first, last in column_blocks(offsets[done:], entries_of(memory)):
            yield last - first, *source.block(done + first, done + last)

    with Journal(aside_of(target), task) as journal:
        try:
            with _resumed(journal, source.shape, source.counts, dtype) as writer:
                _write_blocks(journal, writer, source.counts, blocks, report)
                writer.finish(source.y, source.feature_names, source.target, source.columns_from)
            put_in_place(journal.output, target)
        except ValueError:
            journal.remove()
            raise
        journal.remove()


def _merge(
    source: RowSource,
    journal: Journal,
    held: list[SortedChunk],
    dtype: Any,
    entries: int,
    columns_from: int | None,
    report: Report,
) -> None:
    """Write the columns of all runs or, if there are none, of the chunks in memory."""
    runs = journal.runs
    parts: list[Sorted] = [RunFile(journal.folder, run) for run in runs if run.entries]
    parts += [chunk for chunk in held if chunk.entries]
    base = 0
    if source.numbers_from_text:
        base = _first_number(parts, columns_from)
    ordered = source.shape[0] is None
    rows = source.shape[0]
    if rows is None:
        rows = journal.rows + sum(chunk.n_rows for chunk in held)
    cols = source.shape[1]
    if cols is None:
        cols = max((part.largest + 1 - base for part in parts), default=0)
    _check_shape(rows, cols, sum(part.entries for part in parts))
    if parts and max(part.largest for part in parts) - base >= cols:
        raise InvalidArgumentError(f"there is a column beyond the {cols} that were asked for.")
    merge = Merge(parts, range(base, base + cols), index_dtype(rows, 0), dtype, ordered=ordered)
    y = source.y
    if y is None:
        labels = [run.y(journal.folder) for run in runs if run.has_y]
        y = joined_targets(labels + [chunk.y for chunk in held if chunk.y is not None])
    if y is not None and y.shape != (rows,):
        raise InvalidArgumentError(f"y must have one entry for each of {rows} rows; got {y.shape}.")
    numbering = base if source.numbers_from_text else None
    with _resumed(journal, (rows, cols), merge.counts, dtype) as writer:
        _write_blocks(
            journal, writer, merge.counts, lambda done: merge.blocks(done, entries),
            lambda share: report(_SHARE_OF_READING + (1.0 - _SHARE_OF_READING) * share),
        )  # fmt: skip
        writer.finish(y, source.feature_names, source.target, numbering)


def _first_number(parts: list[Sorted], columns_from: int | None) -> int:
    zero = any(part.smallest == 0 for part in parts)
    if columns_from is None:
        return 0 if zero else 1
    if columns_from == 1 and zero:
        raise InvalidArgumentError("there is a column 0, so columns are not counted from 1.")
    return columns_from


def _check_shape(rows: int, cols: int, entries: int) -> None:
    if rows == 0 or cols == 0:
        raise InvalidArgumentError("the data have no rows or no columns.")
    if cols > max(_COLUMNS_ALWAYS_ALLOWED, _MOST_COLUMNS_PER_ENTRY * entries):
        raise InvalidArgumentError(
            f"there are {cols} columns and {entries} entries: nearly all columns are empty. "
            "Count those that occur."
        )


def _write_blocks(
    journal: Journal,
    writer: ColumnsWriter,
    counts: NDArray[np.int64],
    blocks: Callable[[int], Iterator[Block]],
    report: Report,
) -> None:
    """Write blocks of columns, beginning after those that are there already."""
    total = max(int(counts.sum()), 1)
    written = int(counts[: writer.done].sum())
    for columns, rows, values in _ahead(blocks(writer.done)):
        writer.append(rows, values, columns)
        written += values.size
        journal.columns_done, journal.checksums = writer.done, writer.checksums()
        journal.keep()
        report(written / total)


def _resumed(
    journal: Journal, shape: tuple[int, int], counts: NDArray[np.int64], dtype: Any
) -> ColumnsWriter:
    if journal.columns_done:
        try:
            writer = ColumnsWriter(journal.output, shape, counts, dtype, journal.columns_done)
            if writer.checksums() == journal.checksums:
                return writer
            writer.close()
        except OSError:
            pass
    journal.forget_columns()
    return ColumnsWriter(journal.output, shape, counts, dtype)


def _ahead(items: Iterator[T]) -> Iterator[T]:
    """Make the next item while the last one is used."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(next, items, None)
        while (item := future.result()) is not None:
            future = pool.submit(next, items, None)
            yield item


def joined_targets(parts: list[NDArray[Any]]) -> NDArray[Any] | None:
    """Targets of all runs: text becomes numbers if all of it can."""
    if not parts:
        return None
    if any(part.dtype.kind == "U" for part in parts):
        try:
            parts = [part.astype(np.float64) for part in parts]
        except ValueError:
            parts = [part.astype(str) for part in parts]
    return check.check_labels(np.concatenate(parts))

"""From a source of rows or columns to a directory, in bounded memory and after interruptions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.column_blocks import column_blocks
from regiht.dataset._aside import aside_of, put_in_place
from regiht.dataset._columns import ColumnsWriter
from regiht.dataset._journal import Journal
from regiht.dataset._merge import Merge
from regiht.dataset._rows import ColumnSource, RowChunk, RowSource
from regiht.dataset._runs import Run, SortedChunk, sort_chunk, write_run

S = TypeVar("S")
T = TypeVar("T")
Block = tuple[int, NDArray[Any], NDArray[Any]]

# Called with the share that is done, from 0 to 1.
Report = Callable[[float], object]

DEFAULT_MEMORY = 1 << 30
LEAST_MEMORY = 1 << 26

# What an entry takes at most while runs are made (one is written while the next is read) and
# while they are merged (likewise), all copies counted.
_BYTES_IN_A_RUN = 90
_BYTES_IN_A_MERGE = 110

# Text and chunks on their way, and what the allocator keeps.
_BYTES_BESIDES = 1 << 25

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
            if not journal.is_spooled:
                _spool(source, journal, dtype, _entries(memory, _BYTES_IN_A_RUN), report)
            entries = _entries(memory, _BYTES_IN_A_MERGE)
            _merge(source, journal, dtype, entries, columns_from, report)
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
        for first, last in column_blocks(
            offsets[done:], (memory - _BYTES_BESIDES) // _BYTES_IN_A_MERGE
        ):
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


def _entries(memory: int, bytes_each: int) -> int:
    """How many entries the memory has room for."""
    return (memory - _BYTES_BESIDES) // bytes_each


def _spool(source: RowSource, journal: Journal, dtype: Any, entries: int, report: Report) -> None:
    """Read the source into runs of about so many entries."""
    pending: tuple[Future[Run], RowChunk] | None = None

    def settle() -> None:
        if pending is not None:
            journal.runs.append(pending[0].result())
            journal.position = pending[1].position
            journal.keep()

    first_row = journal.rows
    with ThreadPoolExecutor(1) as writing, ThreadPoolExecutor(2) as sorting:
        chunks = _mapped(sorting, sort_chunk, source.chunks(journal.position))
        for held in _gathered(chunks, entries):
            settle()
            number, last = len(journal.runs), held[-1].source
            run = writing.submit(write_run, journal.folder, number, first_row, held, dtype)
            pending = run, last
            first_row += sum(chunk.source.n_rows for chunk in held)
            report(_SHARE_OF_READING * last.done)
            del held
        settle()
    journal.is_spooled = True
    journal.keep()


def _mapped(
    pool: ThreadPoolExecutor, function: Callable[[S], T], items: Iterator[S]
) -> Iterator[T]:
    """Apply a function in threads, a few items ahead."""
    waiting: deque[Future[T]] = deque()
    for item in items:
        waiting.append(pool.submit(function, item))
        if len(waiting) > 2:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _gathered(chunks: Iterator[SortedChunk], entries: int) -> Iterator[list[SortedChunk]]:
    held: list[SortedChunk] = []
    size = 0
    for chunk in chunks:
        held.append(chunk)
        size += chunk.values.size + chunk.columns.size + chunk.source.n_rows
        if size >= entries:
            yield held
            held, size = [], 0
    if held:
        yield held


def _merge(
    source: RowSource,
    journal: Journal,
    dtype: Any,
    entries: int,
    columns_from: int | None,
    report: Report,
) -> None:
    runs = journal.runs
    found = [run for run in runs if run.entries]
    base = 0
    if source.numbers_from_text:
        base = _first_number(found, columns_from)
    rows = journal.rows if source.shape[0] is None else source.shape[0]
    cols = source.shape[1]
    if cols is None:
        cols = max((run.largest + 1 - base for run in found), default=0)
    _check_shape(rows, cols, sum(run.entries for run in runs))
    if found and max(run.largest for run in found) - base >= cols:
        raise InvalidArgumentError(f"there is a column beyond the {cols} that were asked for.")
    ordered = source.shape[0] is None
    merge = Merge(journal.folder, found, (rows, cols), base, ordered=ordered)
    y = source.y
    if y is None:
        y = joined_targets([run.y(journal.folder) for run in runs if run.has_y])
    if y is not None and y.shape != (rows,):
        raise InvalidArgumentError(f"y must have one entry for each of {rows} rows; got {y.shape}.")
    numbering = base if source.numbers_from_text else None
    with _resumed(journal, (rows, cols), merge.counts, dtype) as writer:
        _write_blocks(
            journal, writer, merge.counts, lambda done: merge.blocks(done, entries),
            lambda share: report(_SHARE_OF_READING + (1.0 - _SHARE_OF_READING) * share),
        )  # fmt: skip
        writer.finish(y, source.feature_names, source.target, numbering)


def _first_number(runs: list[Run], columns_from: int | None) -> int:
    zero = any(run.smallest == 0 for run in runs)
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
    if all(part.dtype.kind != "U" for part in parts):
        return np.concatenate(parts)
    try:
        return np.concatenate([part.astype(np.float64) for part in parts])
    except ValueError:
        return np.concatenate([part.astype(str) for part in parts])

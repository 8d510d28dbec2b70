"""Rows on their way to the columns: in memory if all of them fit, else in runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from regiht.dataset._journal import Journal
from regiht.dataset._memory import bytes_of, entries_of
from regiht.dataset._rows import RowSource
from regiht.dataset._runs import Run, write_run
from regiht.dataset._sorted_chunk import SortedChunk, sort_chunk

S = TypeVar("S")
T = TypeVar("T")

# Shares of the memory that sorted chunks may take: while all of them may fit; and those of one run,
# while the run before is merged and written.
_SHARE_OF_ALL, _SHARE_OF_A_RUN = 0.7, 0.4


def spool(
    source: RowSource,
    journal: Journal,
    dtype: Any,
    memory: int,
    report: Callable[[float], object],
) -> list[SortedChunk]:
    """Read the source, and return it if it fits into memory; else it is in runs."""
    with ThreadPoolExecutor(1) as writing, ThreadPoolExecutor(2) as sorting:
        runs = _Runs(journal, dtype, memory, writing)
        for chunk in _mapped(sorting, sort_chunk, source.chunks(journal.position)):
            runs.add(chunk)
            report(chunk.done)
        return runs.finish()


class _Runs:
    """Holds chunks until they take too much memory, and then makes a run of them."""

    def __init__(
        self, journal: Journal, dtype: Any, memory: int, writing: ThreadPoolExecutor
    ) -> None:
        self._journal, self._dtype, self._memory = journal, dtype, memory
        self._writing = writing
        self._pending: tuple[Future[Run], Any] | None = None
        self._held: list[SortedChunk] = []
        self._n_bytes, self._rows = 0, journal.rows

    def add(self, chunk: SortedChunk) -> None:
        """Take the next chunk."""
        self._held.append(chunk.starting_at(self._rows))
        self._n_bytes += chunk.n_bytes
        self._rows += chunk.n_rows
        share = _SHARE_OF_A_RUN if self._has_runs() else _SHARE_OF_ALL
        if self._n_bytes >= bytes_of(self._memory, share):
            self._write()

    def finish(self) -> list[SortedChunk]:
        """Write what is left, or return it if that is all."""
        if not self._has_runs():
            return self._held
        if self._held:
            self._write()
        self._settle()
        self._journal.is_spooled = True
        self._journal.keep()
        return []

    def _has_runs(self) -> bool:
        return bool(self._journal.runs) or self._pending is not None

    def _write(self) -> None:
        self._settle()
        entries = entries_of(self._memory, 1.0 - 2.0 * _SHARE_OF_A_RUN)
        run = self._writing.submit(
            write_run, self._journal.folder, len(self._journal.runs), self._held, self._dtype,
            entries,
        )  # fmt: skip
        self._pending = run, self._held[-1].position
        is_large = self._n_bytes > bytes_of(self._memory, 0.5)
        self._held, self._n_bytes = [], 0
        if is_large:  # no room for the next one beside it
            self._settle()

    def _settle(self) -> None:
        """Wait for the run that is being written."""
        if self._pending is None:
            return
        run, position = self._pending
        self._journal.runs.append(run.result())
        self._journal.position = position
        self._journal.keep()
        self._pending = None


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

"""Columns of a Gram matrix, fetched once and kept on the client."""

from __future__ import annotations

import numpy as np

from regiht._inputs.checks import FloatArray, IndexArray

# Bytes that the columns may take.
_ROOM = 1 << 29


class GramColumns:
    """Columns of a symmetric matrix that are known so far."""

    def __init__(self, cols: int) -> None:
        self._cols = cols
        self._slots: dict[int, int] = {}
        self._store: FloatArray = np.empty((0, cols))

    @staticmethod
    def room(cols: int) -> int:
        """How many columns of so many entries may be kept."""
        return _ROOM // (8 * cols)

    def knows(self, columns: IndexArray) -> bool:
        """Whether all of these are known."""
        return all(j in self._slots for j in columns.tolist())

    def missing(self, columns: IndexArray) -> IndexArray:
        """Those that are not known."""
        return np.array([j for j in columns.tolist() if j not in self._slots], dtype=np.int64)

    def add(self, columns: IndexArray, rows: FloatArray, keep: IndexArray) -> None:
        """Learn some columns, given as rows; where there is no room, all but those to keep go."""
        count = len(self._slots) + columns.size
        if count > self.room(self._cols):
            kept = np.array([j for j in keep.tolist() if j in self._slots], dtype=np.int64)
            self._store = np.stack([self.column(j) for j in kept.tolist()] or [rows[0]])
            self._slots = {int(j): k for k, j in enumerate(kept)}
            count = len(self._slots) + columns.size
        if count > len(self._store):
            grown = np.empty((max(count, min(2 * count, self.room(self._cols))), self._cols))
            grown[: len(self._slots)] = self._store[: len(self._slots)]
            self._store = grown
        for j, row in zip(columns.tolist(), rows, strict=True):
            self._store[len(self._slots)] = row
            self._slots[j] = len(self._slots)

    def column(self, j: int) -> FloatArray:
        """One that is known."""
        column: FloatArray = self._store[self._slots[j]]
        return column

    def part(self, rows: IndexArray, columns: IndexArray) -> FloatArray:
        """Entries between rows that are known and any columns."""
        slots = np.array([self._slots[j] for j in rows.tolist()], dtype=np.intp)
        entries: FloatArray = self._store[np.ix_(slots, columns)]
        return entries

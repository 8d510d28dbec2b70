"""The three arrays of a compressed matrix, read piece by piece from wherever they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from regiht._inputs import checks as check
from regiht._inputs.column_blocks import column_blocks
from regiht.dataset._rows import ColumnSource, RowChunk, RowSource

_ENTRIES = 1 << 20


class Pieces(Protocol):
    """A long vector that is read in ascending pieces."""

    size: int

    def read(self, first: int, last: int) -> NDArray[Any]:
        """The numbers from one to another."""


def compressed_source(
    place: str,
    shape: Any,
    parts: Mapping[str, Any],
    *,
    by_columns: bool,
    y: NDArray[Any] | None = None,
) -> RowSource | ColumnSource:
    """A source of ``indices`` and ``data``, which come in pieces, and ``indptr``, all of it."""
    sides = check.check_shape(shape)
    offsets = np.asarray(parts["indptr"])
    slices, slice_size = sides[::-1] if by_columns else sides
    if offsets.dtype.kind not in "iu" or offsets.shape != (slices + 1,):
        _refuse(place, f"its indptr is no list of {slices + 1} integers")
    offsets = offsets.astype(np.int64)
    entries = int(offsets[-1])
    if offsets[0] != 0 or np.any(np.diff(offsets) < 0) or entries < 0:
        _refuse(place, "its indptr does not rise from 0")
    if min(parts["indices"].size, parts["data"].size) < entries:
        _refuse(place, "its indptr goes beyond its data and indices")
    if y is not None and y.shape != (sides[0],):
        _refuse(place, f"it has {sides[0]} rows and targets of shape {y.shape}")
    arrays = _Compressed(place, offsets, parts["indices"], parts["data"], slice_size)
    source = _Columns(arrays, sides) if by_columns else _Rows(arrays, sides)
    source.y = y
    return source


class _Compressed:
    """Slices of a compressed matrix, checked as they come."""

    def __init__(
        self,
        place: str,
        offsets: NDArray[np.int64],
        indices: Pieces,
        values: Pieces,
        slice_size: int,
    ) -> None:
        self._place = place
        self.offsets = offsets
        self._indices = indices
        self._values = values
        self._slice_size = slice_size

    def read(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Indices and values of some slices."""
        begin, end = int(self.offsets[first]), int(self.offsets[last])
        indices = self._indices.read(begin, end)
        if indices.dtype.kind not in "iu":
            _refuse(self._place, "its indices are no integers")
        if indices.size and not (indices.min() >= 0 and indices.max() < self._slice_size):
            _refuse(self._place, f"an index is not between 0 and {self._slice_size - 1}")
        values = self._values.read(begin, end)
        check.check_real_dtype("X", values)
        return indices, values


class _Rows(RowSource):
    """By rows; a position is the number of rows before it."""

    def __init__(self, arrays: _Compressed, shape: tuple[int, int]) -> None:
        self._arrays = arrays
        self._rows = shape[0]
        self.shape = (None, shape[1])

    def chunks(self, position: Any) -> Iterator[RowChunk]:
        """About so many entries at a time."""
        done = position or 0
        offsets = self._arrays.offsets
        for first, last in column_blocks(offsets[done:], _ENTRIES):
            begin, end = done + first, done + last
            columns, values = self._arrays.read(begin, end)
            local = offsets[begin : end + 1] - offsets[begin]
            yield RowChunk(columns, values, local, position=end, done=end / self._rows)


class _Columns(ColumnSource):
    """By columns: only their order is to be seen to."""

    def __init__(self, arrays: _Compressed, shape: tuple[int, int]) -> None:
        self._arrays = arrays
        self.shape = shape
        self.counts = np.diff(arrays.offsets)

    def block(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Entries of some columns, sorted by rows."""
        rows, values = self._arrays.read(first, last)
        column = np.repeat(np.arange(last - first), self.counts[first:last])
        order = np.lexsort((rows, column))
        return rows[order], values[order]


def _refuse(place: str, reason: str) -> NoReturn:
    raise check.InvalidArgumentError(f"{place} is not a valid compressed matrix: {reason}.")

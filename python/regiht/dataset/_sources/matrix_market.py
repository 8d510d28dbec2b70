"""Matrix Market text: coordinates and values, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from regiht import _core
from regiht._inputs import checks as check
from regiht.dataset._rows import RowChunk, RowSource
from regiht.dataset._sources.libsvm import whole_lines
from regiht.datasets.libsvm import damage_as_os_error, open_text

# Row, column and what follows, so that the reader of LIBSVM text can take it for an entry.
_ENTRY = re.compile(rb"^[ \t]*(\d+)[ \t]+(\d+)[ \t]+(?=\S)", re.MULTILINE)
_PATTERN = re.compile(rb"^[ \t]*(\d+)[ \t]+(\d+)[ \t\r]*$", re.MULTILINE)
_FIELDS = {"real", "integer", "pattern"}
_SIGNS = {"general": 0, "symmetric": 1, "skew-symmetric": -1}


class MatrixMarketSource(RowSource):
    """``%%MatrixMarket matrix coordinate``; a position is the bytes and entries before it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with open_text(path) as stream, damage_as_os_error(path):
            first = stream.readline(1000).decode("latin-1").lower().split()
            if len(first) != 5 or first[:3] != ["%%matrixmarket", "matrix", "coordinate"]:
                self._refuse("it does not begin with '%%MatrixMarket matrix coordinate'")
            if first[3] not in _FIELDS or first[4] not in _SIGNS:
                self._refuse(f"matrices that are {first[3]} and {first[4]} are not supported")
            self._is_pattern, self._sign = first[3] == "pattern", _SIGNS[first[4]]
            while (line := stream.readline()).lstrip()[:1] in {b"%", b""} and line:
                pass
            sizes = line.split()
            self._begin = stream.tell()
        if len(sizes) != 3 or not all(each.isdigit() and len(each) < 19 for each in sizes):
            self._refuse("it has no line with rows, columns and entries")
        rows, cols, self._entries = (int(each) for each in sizes)
        if self._sign and rows != cols:
            self._refuse(f"a matrix that is {first[4]} must be square, not {rows} x {cols}")
        self.shape: tuple[int, int] = (rows, cols)

    def chunks(self, position: Any) -> Iterator[RowChunk]:
        """Parse pieces of whole lines."""
        begin, done = (self._begin, 0) if position is None else position
        with open_text(self._path) as stream, damage_as_os_error(self._path):
            stream.seek(begin)
            for text in map(b"".join, whole_lines(stream)):
                begin += len(text)
                rows, columns, values = self._parsed(text)
                done += values.size
                share = done / max(self._entries, 1)
                rows, columns, values = self._mirrored(rows, columns, values)
                yield RowChunk(columns, values, rows=rows, position=[begin, done], done=share)
        if done != self._entries:
            self._refuse(f"it has {done} entries and says {self._entries}")

    def _parsed(self, text: bytes) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        text = _PATTERN.sub(rb"\1 \2:1", text) if self._is_pattern else _ENTRY.sub(rb"\1 \2:", text)
        reader = _core.LibsvmReader()
        try:
            reader.feed(text)
            found = reader.finish()
        except ValueError as error:
            self._refuse(f"a line is not 'row column value' ({str(error).partition(': ')[2]})")
        rows, columns = found["labels"].astype(np.int64) - 1, found["columns"].astype(np.int64) - 1
        if columns.size != rows.size:
            self._refuse("a line is not 'row column value'")
        for places, side in ((rows, self.shape[0]), (columns, self.shape[1])):
            if places.size and not (places.min() >= 0 and places.max() < side):
                self._refuse("an entry is outside the matrix")
        return rows, columns, found["values"]

    def _mirrored(
        self, rows: NDArray[Any], columns: NDArray[Any], values: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        if self._sign == 0:
            return rows, columns, values
        off = rows != columns
        return (
            np.concatenate([rows, columns[off]]),
            np.concatenate([columns, rows[off]]),
            np.concatenate([values, self._sign * values[off]]),
        )

    def _refuse(self, reason: str) -> NoReturn:
        raise check.InvalidArgumentError(f"{self._path} cannot be read: {reason}.")

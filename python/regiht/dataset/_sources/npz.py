"""npz files of scipy (``save_npz``) and of numpy, read piece by piece."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from regiht._inputs import checks as check
from regiht._inputs.npz import read_array_header
from regiht.dataset._rows import ColumnSource, RowChunk, RowSource, dense_chunk
from regiht.dataset._sources.compressed import compressed_source

_CELLS = 1 << 20


def open_npz(path: Path) -> RowSource | ColumnSource:
    """Open a file with data, indices, indptr and shape, or with X; and y, if there is one."""
    with _undamaged(path), ZipFile(path) as archive:
        names = {name.removesuffix(".npy") for name in archive.namelist()}
    y = check.check_labels(_Member(path, "y").all()) if "y" in names else None
    if "X" in names:
        return _DenseRows(path, y)
    if not {"data", "indices", "indptr", "shape"} <= names:
        raise check.InvalidArgumentError(
            f"{path} must hold X, or data, indices, indptr and shape; it holds "
            f"{', '.join(sorted(names)) or 'nothing'}."
        )
    kind = "csr"
    if "format" in names:
        kind = str(_Member(path, "format").all().astype(str).item())
    if kind not in {"csr", "csc"}:
        raise check.InvalidArgumentError(f"{path} holds a {kind} matrix, not CSR or CSC.")
    parts = {
        "indptr": _Member(path, "indptr").all(), "indices": _Member(path, "indices"),
        "data": _Member(path, "data"),
    }  # fmt: skip
    shape = _Member(path, "shape").all()
    return compressed_source(str(path), shape, parts, by_columns=kind == "csc", y=y)


@contextmanager
def _undamaged(path: Path) -> Iterator[None]:
    try:
        yield
    except (BadZipFile, zlib.error, EOFError):
        raise check.InvalidArgumentError(f"{path} is damaged or not an npz file.") from None


class _Member:
    """An array of an npz file, whose numbers are read in ascending order."""

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._archive = ZipFile(path)
        file_name = f"{name}.npy"
        self._stream = cast(BinaryIO, self._archive.open(file_name))
        with _undamaged(path):
            self.dtype, self.order, self.shape, self._offset = read_array_header(
                self._stream, f"{file_name} in {path}"
            )
        self.size = math.prod(self.shape)
        held = self._archive.getinfo(file_name).file_size
        if held != self._offset + self.size * self.dtype.itemsize:
            raise check.InvalidArgumentError(f"{file_name} in {path} has a wrong size.")

    def read(self, first: int, last: int) -> NDArray[Any]:
        """The numbers from one to another."""
        with _undamaged(self._path):
            self._stream.seek(self._offset + first * self.dtype.itemsize)
            content = self._stream.read((last - first) * self.dtype.itemsize)
        return np.frombuffer(content, self.dtype).astype(self.dtype.newbyteorder("="), copy=False)

    def all(self) -> NDArray[Any]:
        """The whole array."""
        found = self.read(0, self.size).reshape(self.shape)
        self.close()
        return found

    def close(self) -> None:
        self._stream.close()
        self._archive.close()


class _DenseRows(RowSource):
    """A dense X; a position is the number of rows before it."""

    def __init__(self, path: Path, y: NDArray[Any] | None) -> None:
        self._X = _Member(path, "X")
        check.check_matrix_shape(self._X.shape)
        check.check_real_dtype("X", self._X)
        self._rows, self._cols = self._X.shape
        self.shape = (None, self._cols)
        self.y = y
        if self._X.order == "F" and self._rows > 1:
            raise check.InvalidArgumentError(
                f"X in {path} is stored by columns; save np.ascontiguousarray(X)."
            )

    def chunks(self, position: Any) -> Iterator[RowChunk]:
        """Some rows at a time."""
        many = max(1, _CELLS // self._cols)
        for first in range(position or 0, self._rows, many):
            last = min(first + many, self._rows)
            cells = self._X.read(first * self._cols, last * self._cols).reshape(-1, self._cols)
            check.check_finite("X", cells.astype(np.float64))
            yield dense_chunk(cells, None, last, last / self._rows)

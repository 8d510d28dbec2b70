"""A new directory: compressed columns, written block after block, and what belongs to them."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from regiht import _core
from regiht._export.atomic_write import sync_folder
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht._inputs.checks import stored_matrices as stored
from regiht._inputs.standardize import as_core
from regiht.dataset._arrays import ArrayWriter, checksum

_STATISTICS = (stored.MEANS, stored.NORMS, stored.CENTRED_NORMS)


def index_dtype(rows: int, entries: int) -> np.dtype[Any]:
    """The type of indices and offsets, which share one."""
    narrow = max(rows, entries) <= np.iinfo(np.int32).max
    return np.dtype(np.int32 if narrow else np.int64)


class ColumnsWriter:
    """Writes a matrix from its first column to its last.

    ``counts`` are the stored entries of every column. With ``done`` it goes on after so many
    columns, which an earlier one has written; `checksums` tells whether they are the same.
    """

    def __init__(
        self,
        folder: Path,
        shape: tuple[int, int],
        counts: NDArray[np.int64],
        dtype: Any,
        done: int = 0,
    ) -> None:
        self._folder = folder
        self._shape = shape
        self._offsets = np.concatenate([[0], np.cumsum(counts)])
        self._entries = int(self._offsets[-1])
        self._index = index_dtype(shape[0], self._entries)
        self.done = done
        dtypes = {
            stored.VALUES: np.dtype(dtype), stored.INDICES: self._index,
        } | dict.fromkeys(_STATISTICS, np.dtype(np.float64))  # fmt: skip
        self._dtypes = {name: each.name for name, each in dtypes.items()}
        self._writers = {
            name: ArrayWriter(
                folder / f"{name}.npy", each,
                shape[1] if name in _STATISTICS else self._entries,
                done if name in _STATISTICS else int(self._offsets[done]),
            )
            for name, each in dtypes.items()
        }  # fmt: skip
        self._pool = ThreadPoolExecutor(2)

    def append(self, rows: NDArray[Any], values: NDArray[Any], columns: int) -> None:
        """Write so many columns more: the row numbers and values of their entries."""
        with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
            values = values.astype(self._dtypes[stored.VALUES], copy=False)
        offsets = self._offsets[self.done : self.done + columns + 1] - self._offsets[self.done]
        index = index_dtype(self._shape[0], rows.size)
        block = sparse.csc_array((self._shape[0], columns), dtype=values.dtype)
        block.data, block.indices = values, rows.astype(index, copy=False)
        block.indptr = offsets.astype(index)
        if not check.check_structure(block):
            raise check.InvalidArgumentError("X has entries that are not in order, or twice.")
        check.check_stored_finite(block)
        parts = {stored.VALUES: values, stored.INDICES: rows}
        writing = [self._pool.submit(self._writers[n].append, part) for n, part in parts.items()]
        for name, part in zip(_STATISTICS, statistics(block), strict=True):
            self._writers[name].append(part)
        for each in writing:
            each.result()
        self.done += columns

    def checksums(self) -> dict[str, str]:
        """The checksums of the columns written so far, which a process may go on with."""
        return {name: writer.checksum() for name, writer in self._writers.items()}

    def finish(
        self,
        y: NDArray[Any] | None,
        feature_names: list[str] | None,
        target: str | None = None,
        columns_from: int | None = None,
    ) -> None:
        """Write what is left, the header last."""
        files = {f"{name}.npy": each.finish() for name, each in self._writers.items()}
        further = {stored.OFFSETS: self._offsets.astype(self._index)}
        classes = None
        if y is not None:
            further[stored.TARGET], classes = _as_numbers(y)
        for name, array in further.items():
            writer = ArrayWriter(self._folder / f"{name}.npy", array.dtype, array.size)
            writer.append(array)
            files[f"{name}.npy"] = writer.finish()
            self._dtypes[name] = array.dtype.name
        if feature_names is not None:
            path = self._folder / stored.NAMES
            _write_synced(path, json.dumps(feature_names, ensure_ascii=False))
            files[stored.NAMES] = stored.StoredFile(path.stat().st_size, checksum(path))
        header = stored.StoredHeader(
            self._shape, self._entries, self._dtypes, files, classes, target, columns_from
        )
        _write_synced(self._folder / stored.HEADER, header.text())
        sync_folder(self._folder)

    def close(self) -> None:
        """Close all files, finished or not."""
        self._pool.shutdown()
        for writer in self._writers.values():
            writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def statistics(block: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Means, norms and norms about the means of columns, with the bits of a Design in memory.

    NaN where a Design would refuse to standardize; 0 for a norm only if it is exactly that.
    """
    plain = as_core(block)
    try:
        centred, means, varies = _core.standardized_design(plain, center=True, scale=False)
    except ValueError:
        if block.shape[1] == 1:
            return np.array([np.nan]), plain.column_norms(), np.array([np.nan])
        each = [statistics(block[:, [j]]) for j in range(block.shape[1])]
        return tuple(np.concatenate(parts) for parts in zip(*each, strict=True))  # type: ignore[return-value]
    norms, centred_norms = plain.column_norms(), centred.column_norms()
    for j in np.flatnonzero((norms == 0.0) & (np.diff(block.indptr) > 0)):
        if block.data[block.indptr[j] : block.indptr[j + 1]].any():
            norms[j] = np.nan
    centred_norms[(centred_norms == 0.0) & (varies > 0.0)] = np.nan
    return means, norms, centred_norms


def _as_numbers(y: NDArray[Any]) -> tuple[NDArray[Any], list[str] | None]:
    """Targets as they are stored; of labels their numbers, and what these stand for."""
    if y.dtype.kind in "UOS":
        classes, numbers = np.unique(y.astype(str), return_inverse=True)
        return numbers.astype(np.int32), [str(label) for label in classes]
    if y.dtype.kind == "b":
        return y, None
    return y.astype(np.float64 if y.dtype.kind == "f" else np.int64), None


def _write_synced(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())

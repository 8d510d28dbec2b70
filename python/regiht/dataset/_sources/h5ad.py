"""The sparse X of an anndata file (``.h5ad``): CSR or CSC arrays in HDF5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import InvalidArgumentError, check_labels
from regiht.dataset._rows import ColumnSource, RowSource
from regiht.dataset._sources.compressed import compressed_source


class _Slices:
    """A vector in the file, read in pieces."""

    def __init__(self, stored: Any) -> None:
        self._stored = stored
        self.size = int(stored.size)

    def read(self, first: int, last: int) -> NDArray[Any]:
        """The numbers from one to another."""
        return np.asarray(self._stored[first:last])


def open_h5ad(path: Path, target: str | None) -> RowSource | ColumnSource:
    """Open a file; ``target`` is a column of ``obs``, and without one there are no targets."""
    try:
        import h5py  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError(
            'h5ad files need h5py: pip install "regiht[files]". See the page “Large data”.'
        ) from error
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise InvalidArgumentError(f"{path} is not an HDF5 file: {error}.") from None
    X = file.get("X")
    kind = "" if X is None else str(X.attrs.get("encoding-type", ""))
    if kind not in {"csr_matrix", "csc_matrix"}:
        raise InvalidArgumentError(
            f"X in {path} must be a CSR or CSC matrix as anndata writes it; "
            f"got {kind or type(X).__name__}."
        )
    for name in ("data", "indices", "indptr"):
        if not hasattr(X.get(name), "dtype"):
            raise InvalidArgumentError(f"X in {path} has no array {name!r}.")
    if "shape" not in X.attrs:
        raise InvalidArgumentError(f"X in {path} does not say its shape.")
    parts = {
        "indptr": X["indptr"][:], "indices": _Slices(X["indices"]), "data": _Slices(X["data"]),
    }  # fmt: skip
    source = compressed_source(
        str(path), X.attrs["shape"], parts, by_columns=kind == "csc_matrix",
        y=None if target is None else check_labels(_column(path, file, target)),
    )  # fmt: skip
    source.target = target
    names = _index(file.get("var"))
    if names is not None and len(names) == source.shape[1]:
        source.feature_names = names
    return source


def _index(frame: Any) -> list[str] | None:
    if frame is None or "_index" not in frame.attrs:
        return None
    return [_text(each) for each in frame[frame.attrs["_index"]][:]]


def _column(path: Path, file: Any, name: str) -> NDArray[Any]:
    frame = file.get("obs")
    if frame is None or name not in frame:
        raise InvalidArgumentError(f"obs in {path} has no column {name!r}.")
    column = frame[name]
    if "categories" in column:  # a group, of numbers of categories
        categories = np.array([_text(each) for each in column["categories"][:]])
        codes = column["codes"][:]
        if codes.size and codes.min() < 0:
            raise InvalidArgumentError(f"column {name!r} of obs in {path} has missing entries.")
        labels: NDArray[Any] = categories[codes]
        return labels
    values: NDArray[Any] = column[:]
    return np.array([_text(each) for each in values]) if values.dtype.kind == "O" else values


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)

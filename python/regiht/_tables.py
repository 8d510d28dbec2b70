"""Reading the files that the command line takes: CSV, Parquet, LIBSVM and npz."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._validation import InvalidArgumentError


@dataclass(frozen=True)
class Table:
    """A matrix of features, perhaps with targets and names."""

    X: Any
    y: NDArray[Any] | None
    feature_names: list[str] | None

    def named(self) -> list[str]:
        """Names of all columns, made up if there are none."""
        return self.feature_names or [f"x{j}" for j in range(self.X.shape[1])]


def read_table(path: str | Path, target: str | None = None, *, labelled: bool = True) -> Table:
    """Read a file by its suffix.

    Parameters
    ----------
    path : str or Path
        ``.csv``, ``.parquet``, ``.npz`` (X and y, or the arrays of a CSR or CSC matrix and y), or
        anything else for LIBSVM text.
    target : str, optional
        Name of the target column of a CSV or Parquet file, the last by default.
    labelled : bool
        False: the file may be without a target, so only a column that ``target`` names is taken
        out; LIBSVM lines always begin with one.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    table = _READERS.get(path.suffix.lower(), _read_libsvm)(path, target, labelled)
    if table.X.ndim != 2 or 0 in table.X.shape:
        raise InvalidArgumentError(f"{path} has no rows or no columns of features.")
    if labelled and table.y is None:
        raise InvalidArgumentError(f"{path} holds no target; an npz needs an array y.")
    return table


def _read_csv(path: Path, target: str | None, labelled: bool) -> Table:
    with path.open(newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file)
        header = next(lines, [])
        has_rows = bool(next(lines, []))
    if not header:
        raise InvalidArgumentError(f"{path} is empty.")
    has_names = not any(_is_number(cell) for cell in header)
    if has_names and not has_rows:
        raise InvalidArgumentError(f"{path} has no rows.")
    names = header if has_names else [f"x{j}" for j in range(len(header))]
    place = _target_place(path, names, target, labelled)
    columns = [j for j in range(len(names)) if j != place]
    options: dict[str, Any] = {
        "delimiter": ",", "skiprows": int(has_names), "ndmin": 2, "quotechar": '"',
        "comments": None, "encoding": "utf-8-sig",
    }  # fmt: skip
    try:
        X = np.loadtxt(path, usecols=columns, **options) if columns else np.empty((0, 0))
    except ValueError as error:
        raise InvalidArgumentError(f"{path} must hold numbers in all features: {error}.") from None
    y = None
    if place is not None:
        y = _as_target(np.loadtxt(path, usecols=[place], dtype=str, **options)[:, 0])
    return Table(X, y, [names[j] for j in columns])


def _read_parquet(path: Path, target: str | None, labelled: bool) -> Table:
    try:
        from pyarrow import parquet  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError('Parquet files need pyarrow: pip install "regiht[files]"') from error
    table = parquet.read_table(path)
    names = list(table.column_names)
    place = _target_place(path, names, target, labelled)
    columns = [j for j in range(len(names)) if j != place]
    arrays = [_numbers(path, names[j], table.column(j).to_numpy()) for j in columns]
    X = np.column_stack(arrays) if arrays else np.empty((table.num_rows, 0))
    y = None if place is None else _as_target(table.column(place).to_numpy())
    return Table(X, y, [names[j] for j in columns])


def _read_npz(path: Path, target: str | None, labelled: bool) -> Table:
    del target, labelled
    with np.load(path, allow_pickle=False) as stored:
        arrays = dict(stored)
    y = arrays.get("y")
    names = arrays.get("feature_names")
    if "X" in arrays:
        X = arrays["X"]
    elif {"data", "indices", "indptr", "shape"} <= arrays.keys():
        from scipy import sparse  # noqa: PLC0415  (slow to import)

        columns = str(arrays.get("format", "csr")).strip("b'") == "csc"
        kind = sparse.csc_array if columns else sparse.csr_array
        triple = (arrays["data"], arrays["indices"], arrays["indptr"])
        X = kind(triple, shape=tuple(arrays["shape"]))
    else:
        raise InvalidArgumentError(
            f"{path} must hold X, or data, indices, indptr and shape; it holds "
            f"{', '.join(sorted(arrays)) or 'nothing'}."
        )
    return Table(X, y, None if names is None else [str(name) for name in names])


def _read_libsvm(path: Path, target: str | None, labelled: bool) -> Table:
    del target, labelled
    from regiht.datasets import load_libsvm  # noqa: PLC0415  (slow to import)

    X, y = load_libsvm(path)
    return Table(X, y, None)


_READERS: dict[str, Callable[[Path, str | None, bool], Table]] = {
    ".csv": _read_csv,
    ".parquet": _read_parquet,
    ".npz": _read_npz,
}


def _target_place(
    path: Path, names: Sequence[str], target: str | None, labelled: bool
) -> int | None:
    if target is None:
        return len(names) - 1 if labelled else None
    if target in names:
        return list(names).index(target)
    if not labelled:
        return None
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    raise InvalidArgumentError(f"{path} has no column {target!r}; it has {shown}.")


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _numbers(path: Path, name: str, values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind in "fiub":
        return values
    raise InvalidArgumentError(f"{path} must hold numbers in all features; {name!r} holds others.")


def _as_target(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers where all entries are numbers, text otherwise."""
    if values.dtype.kind in "fiub":
        return values
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        return values.astype(str)

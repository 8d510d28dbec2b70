"""Reading the files that the command line takes: CSV, Parquet, LIBSVM and npz."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import InvalidArgumentError


@dataclass(frozen=True)
class Table:
    """A matrix of features, perhaps with targets and names."""

    X: Any
    y: NDArray[Any] | None
    feature_names: list[str] | None

    def named(self) -> list[str]:
        """Names of all columns, made up if there are none."""
        return self.feature_names or [f"x{j}" for j in range(self.X.shape[1])]


@dataclass(frozen=True)
class Asked:
    """What to take out of a file with named columns."""

    target: str | None
    labelled: bool
    is_read: Callable[[str], bool]


def read_table(
    path: str | Path,
    target: str | None = None,
    *,
    labelled: bool = True,
    is_read: Callable[[str], bool] = lambda name: True,
) -> Table:
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
    is_read : function of a name
        Which columns of a CSV or Parquet file are needed. The others may hold anything and become
        zeros.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    asked = Asked(target, labelled, is_read)
    table = _READERS.get(path.suffix.lower(), _read_libsvm)(path, asked)
    if table.X.ndim != 2 or 0 in table.X.shape:
        raise InvalidArgumentError(f"{path} has no rows or no columns of features.")
    if labelled and table.y is None:
        raise InvalidArgumentError(f"{path} holds no target; an npz needs an array y.")
    _refuse_missing(path, table)
    return table


def _refuse_missing(path: Path, table: Table) -> None:
    if not isinstance(table.X, np.ndarray) or table.X.dtype.kind != "f":
        return
    rows, columns = np.nonzero(~np.isfinite(table.X))
    if rows.size:
        raise InvalidArgumentError(
            f"{path}: sample {rows[0] + 1} has no finite number in column "
            f"{table.named()[columns[0]]!r}; fill in what is missing first."
        )


def _read_csv(path: Path, asked: Asked) -> Table:
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
    place = _target_place(path, names, asked)
    columns = [j for j in range(len(names)) if j != place]
    read = [k for k, j in enumerate(columns) if asked.is_read(names[j])]
    options: dict[str, Any] = {
        "delimiter": ",", "skiprows": int(has_names), "ndmin": 2, "quotechar": '"',
        "comments": None, "encoding": "utf-8-sig",
    }  # fmt: skip
    usecols = [columns[k] for k in read]
    try:
        kind = float if read else str  # without any, some column tells how many rows there are
        values = np.loadtxt(path, usecols=usecols or [0], dtype=kind, **options)
        X = np.zeros((len(values), len(columns)))
        if read:
            X[:, read] = values
        y = None
        if place is not None:
            y = _as_target(np.loadtxt(path, usecols=[place], dtype=str, **options)[:, 0])
    except ValueError as error:
        said = _what_is_wrong(path, names, usecols) or f": {error}"
        raise InvalidArgumentError(f"{path}{said}.") from None
    return Table(X, y, [names[j] for j in columns])


def _what_is_wrong(path: Path, names: Sequence[str], columns: Sequence[int]) -> str | None:
    """Where the first cell is that should be a number and is none."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file)
        for row in lines:
            where = f", line {lines.line_num}: "
            if row == list(names) or not row:
                continue
            if len(row) != len(names):
                return f"{where}there are {len(row)} cells instead of {len(names)}"
            for j in columns:
                if not row[j].strip():
                    return f"{where}column {names[j]!r} is empty; fill in what is missing first"
                if not _is_number(row[j]):
                    return (
                        f"{where}{row[j]!r} in column {names[j]!r} is not a number; features must "
                        "be numbers, unless they are excluded"
                    )
    return None


def _read_parquet(path: Path, asked: Asked) -> Table:
    try:
        from pyarrow import parquet  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError('Parquet files need pyarrow: pip install "regiht[files]"') from error
    table = parquet.read_table(path)
    names = list(table.column_names)
    place = _target_place(path, names, asked)
    columns = [j for j in range(len(names)) if j != place]
    arrays = [
        _numbers(path, names[j], table.column(j).to_numpy())
        if asked.is_read(names[j])
        else np.zeros(table.num_rows)
        for j in columns
    ]
    X = np.column_stack(arrays) if arrays else np.empty((table.num_rows, 0))
    y = None if place is None else _as_target(table.column(place).to_numpy())
    return Table(X, y, [names[j] for j in columns])


def _read_npz(path: Path, asked: Asked) -> Table:
    del asked
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


def _read_libsvm(path: Path, asked: Asked) -> Table:
    del asked
    from regiht.datasets import load_libsvm  # noqa: PLC0415  (slow to import)

    X, y = load_libsvm(path)
    return Table(X, y, None)


_READERS: dict[str, Callable[[Path, Asked], Table]] = {
    ".csv": _read_csv,
    ".parquet": _read_parquet,
    ".npz": _read_npz,
}


def _target_place(path: Path, names: Sequence[str], asked: Asked) -> int | None:
    if asked.target is None:
        return len(names) - 1 if asked.labelled else None
    if asked.target in names:
        return list(names).index(asked.target)
    if not asked.labelled:
        return None
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    raise InvalidArgumentError(f"{path} has no column {asked.target!r}; it has {shown}.")


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _numbers(path: Path, name: str, values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind in "fiub":
        return values
    raise InvalidArgumentError(
        f"{path}: column {name!r} holds no numbers; features must be numbers, unless they are "
        "excluded."
    )


def _as_target(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers where all entries are numbers, text otherwise."""
    if values.dtype.kind in "fiub":
        return values
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        return values.astype(str)

"""Reading the files that the command line takes: CSV, Parquet, LIBSVM and npz."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs import checks as check
from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.npz import read_npz
from regiht._inputs.stored_rows import as_matrix, is_dataset
from regiht.cli._csv_files import read_csv
from regiht.cli._encoding import Column, Encoding, encode, fill_numbers, refuse_text
from regiht.cli._table import Asked, Table, as_target, target_place

# What deflate can do to zeros, so that no compressed matrix is refused.
_MOST_TIMES = 1100

# Every column takes memory, even if no row of the file has it.
_COLUMNS_ALWAYS_ALLOWED = 2**22
_MOST_COLUMNS_PER_ENTRY = 1000


def read_table(
    path: str | Path,
    target: str | None = None,
    *,
    labelled: bool = True,
    is_read: Callable[[str], bool] = lambda name: True,
    columns_from: int | None = None,
    encoding: Encoding | None = None,
) -> Table:
    """Read a file by its suffix.

    Parameters
    ----------
    path : str or Path
        ``.csv``, ``.parquet``, ``.npz`` (X and y, or the arrays of a CSR or CSC matrix and y), a
        directory that ``regiht convert`` has made, or anything else for LIBSVM text.
    target : str, optional
        Name of the target column of a CSV or Parquet file, the last by default.
    labelled : bool
        False: the file may be without a target, so only a column that ``target`` names is taken
        out; LIBSVM lines always begin with one.
    is_read : function of a name
        Which columns of a CSV or Parquet file are needed. The others may hold anything and become
        zeros.
    columns_from : 0 or 1, optional
        Where the numbers of columns begin in LIBSVM text; by default at 1 unless there is a 0.
    encoding : Encoding, optional
        What to do with text and empty cells, which are refused by default.
    """
    path = Path(path)
    if is_dataset(path):
        return _stored(path, target, labelled, columns_from, encoding)
    check_file(path)
    if columns_from is not None and not is_libsvm(path):
        raise InvalidArgumentError(f"--columns-from is for LIBSVM text; {path} is not.")
    asked = Asked(target, labelled, is_read, columns_from, encoding or Encoding())
    table = _READERS.get(path.suffix.lower(), _read_libsvm)(path, asked)
    if table.X.ndim != 2 or 0 in table.X.shape:
        raise InvalidArgumentError(f"{path} has no rows or no columns of features.")
    if labelled and table.y is None:
        raise InvalidArgumentError(f"{path} holds no target; an npz needs an array y.")
    if labelled and table.y is not None and table.y.shape != table.X.shape[:1]:
        raise InvalidArgumentError(
            f"{path} has {table.X.shape[0]} samples and targets of shape {table.y.shape}."
        )
    table = _with_numbers(path, table, asked.encoding)
    _refuse_missing(path, table)
    return table


def _stored(
    path: Path,
    target: str | None,
    labelled: bool,
    columns_from: int | None,
    encoding: Encoding | None,
) -> Table:
    """The table of a converted directory, of which nothing is read yet."""
    asked = (target, columns_from) != (None, None)
    if asked or (encoding is not None and (encoding.one_hot or encoding.impute)):
        raise InvalidArgumentError(
            f"{path} is a directory: --target and --columns-from belong to `regiht convert`, "
            "and text is encoded and cells are filled in before that."
        )
    X = as_matrix(path)
    if labelled and X.y is None:
        raise InvalidArgumentError(f"{path} holds no target.")
    return Table(X, X.y, X.feature_names, X.dataset.columns_from)


def check_file(path: Path) -> None:
    """Refuse what cannot be opened."""
    if path.is_dir():
        raise InvalidArgumentError(
            f"{path} is a directory; give a file, or a directory made by `regiht convert`."
        )
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")


def _with_numbers(path: Path, table: Table, encoding: Encoding) -> Table:
    """Put numbers where there are none, as far as that was asked for."""
    if not isinstance(table.X, np.ndarray) or table.X.dtype.kind != "f":
        return table
    X = fill_numbers(path, table.X, table.named(), encoding, table.preparation)
    return replace(table, X=X)


def is_libsvm(path: Path) -> bool:
    """Whether the file would be read as LIBSVM text."""
    return path.suffix.lower() not in _READERS and not is_dataset(path)


def _refuse_missing(path: Path, table: Table) -> None:
    if not isinstance(table.X, np.ndarray) or table.X.dtype.kind != "f":
        return
    rows, columns = np.nonzero(~np.isfinite(table.X))
    if rows.size:
        raise InvalidArgumentError(
            f"{path}: sample {rows[0] + 1} has no finite number in column "
            f"{table.named()[columns[0]]!r}; --impute fills in what is missing when a model is "
            "fitted."
        )


def _read_parquet(path: Path, asked: Asked) -> Table:
    try:
        from pyarrow import parquet  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError('Parquet files need pyarrow: pip install "regiht[files]"') from error
    table = parquet.read_table(path)
    names = list(table.column_names)
    place = target_place(path, names, asked)
    needed = [j for j in range(len(names)) if j != place and asked.is_read(names[j])]
    values = {j: table.column(j).to_numpy() for j in needed}
    text = [j for j in needed if _is_text(values[j], names[j], asked.encoding)]
    unasked = [] if asked.encoding.one_hot or asked.encoding.fitted is not None else text
    if unasked:
        refuse_text(
            f"{path}: column {names[unasked[0]]!r} holds no numbers", [names[j] for j in unasked]
        )
    columns: dict[str, Column] = {}
    for j in range(len(names)):
        if j in text:
            columns[names[j]] = ["" if cell is None else str(cell) for cell in values[j]]
        elif j in values:
            columns[names[j]] = _numbers(path, names[j], values[j]).astype(np.float64)
        elif j != place:
            columns[names[j]] = np.zeros(table.num_rows)
    X, features, preparation = encode(path, columns, asked.encoding)
    y = None if place is None else as_target(path, table.column(place).to_numpy())
    return Table(X, y, features, preparation=preparation)


def _is_text(values: NDArray[Any], name: str, encoding: Encoding) -> bool:
    if encoding.fitted is not None:
        return name in encoding.fitted.levels
    return values.dtype.kind == "O" and all(
        cell is None or isinstance(cell, str) for cell in values
    )


def _read_npz(path: Path, asked: Asked) -> Table:
    try:
        arrays = read_npz(path, _MOST_TIMES)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{path} cannot be read: {error}.") from None
    if "X" in arrays:
        X = _numbers(path, "X", arrays["X"])
    elif {"data", "indices", "indptr", "shape"} <= arrays.keys():
        X = _compressed(path, arrays)
    else:
        raise InvalidArgumentError(
            f"{path} must hold X, or data, indices, indptr and shape; it holds "
            f"{', '.join(sorted(arrays)) or 'nothing'}."
        )
    named = arrays.get("feature_names")
    if named is None:
        return Table(X, arrays.get("y"), None)
    names = [str(name) for name in named.ravel()]
    if X.shape[1:] != (len(names),):
        raise InvalidArgumentError(f"{path} has {X.shape[1:]} columns and {len(names)} names.")
    target_place(path, names, Asked(None, False, asked.is_read, None))
    return Table(X, arrays.get("y"), names)


def _compressed(path: Path, arrays: dict[str, NDArray[Any]]) -> Any:
    from scipy import sparse  # noqa: PLC0415  (slow to import)

    columns = str(arrays.get("format", "csr")).strip("b'") == "csc"
    kind = sparse.csc_array if columns else sparse.csr_array
    try:
        X = kind(check.check_shape(arrays["shape"]))
        X.data, X.indices, X.indptr = (
            _numbers(path, name, arrays[name]) for name in ("data", "indices", "indptr")
        )
        check.check_index_arrays(X)
        check.check_structure(X)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{path}: {error}") from None
    return X


def _read_libsvm(path: Path, asked: Asked) -> Table:
    from regiht.datasets.libsvm import read_libsvm  # noqa: PLC0415  (slow to import)

    zero_based = None if asked.columns_from is None else asked.columns_from == 0
    X, y, columns_from = read_libsvm(path, zero_based=zero_based)
    if asked.labelled and X.shape[1] > max(
        _COLUMNS_ALWAYS_ALLOWED, _MOST_COLUMNS_PER_ENTRY * X.nnz
    ):
        raise InvalidArgumentError(
            f"{path} has a column {X.shape[1] - 1 + columns_from} and {X.nnz} entries: nearly all "
            "columns are empty. Count those that occur."
        )
    return Table(X, y, None, columns_from)


_READERS: dict[str, Callable[[Path, Asked], Table]] = {
    ".csv": read_csv,
    ".tsv": read_csv,  # which says that it wants commas
    ".parquet": _read_parquet,
    ".npz": _read_npz,
}


def _numbers(path: Path, name: str, values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind in "fiub":
        return values
    raise InvalidArgumentError(
        f"{path}: column {name!r} holds no numbers; features must be numbers, unless they are "
        "excluded."
    )

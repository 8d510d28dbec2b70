"""``convert``: a file of any known kind as a directory."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from regiht._inputs import checks as check
from regiht._inputs.checks.stored_shards import check_shards
from regiht.dataset._aside import absolute, new_path
from regiht.dataset._convert import (
    DEFAULT_MEMORY,
    LEAST_MEMORY,
    Report,
    convert_columns,
    convert_rows,
)
from regiht.dataset._journal import remove_finished
from regiht.dataset._rows import ColumnSource, RowSource
from regiht.dataset._sources.h5ad import open_h5ad
from regiht.dataset._sources.libsvm import LibsvmSource
from regiht.dataset._sources.matrix_market import MatrixMarketSource
from regiht.dataset._sources.npz import open_npz
from regiht.dataset._sources.tables import CsvSource, ParquetSource
from regiht.dataset._split import Make, convert_whole_or_cut

_COMPRESSED = {".gz", ".bz2", ".xz"}
_NAMED = {".csv", ".parquet", ".h5ad"}


@dataclass(frozen=True)
class Wanted:
    """What to take out of a file, and how."""

    dtype: str
    target: str | None = None
    n_features: int | None = None
    columns_from: int | None = None


def convert(
    file: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    dtype: DTypeLike = np.float64,
    target: str | None = None,
    n_features: int | None = None,
    columns_from: int | None = None,
    shards: int | None = None,
    memory: int = DEFAULT_MEMORY,
    report: Report = lambda share: None,
) -> None:
    r"""Convert a file into a directory for `regiht.Design.open`, in bounded memory.

    It may be killed at any moment: the same call then resumes where it was. The directory appears
    once it is complete; until then the work is in ``.NAME.part`` beside it.

    Parameters
    ----------
    file : str or path
        LIBSVM text, unless the name ends in ``.csv``, ``.parquet``, ``.npz`` (of scipy, or X and
        y), ``.mtx`` (Matrix Market) or ``.h5ad`` (the sparse X of anndata). Text may be compressed
        by gzip, bzip2 or xz.
    path : str or path
        The directory, which must not exist yet.
    dtype : float32 or float64
        Type of the values.
    target : str, optional
        The column of a table that has the targets, by default the last one; for h5ad files a
        column of ``obs``, by default none.
    n_features : int, optional
        The number of columns of LIBSVM text, by default as many as occur.
    columns_from : 0 or 1, optional
        The number of the first column in LIBSVM text; by default 1 unless there is a column 0.
    shards : int, optional
        Cut the rows into this many subdirectories, for `regiht.distributed`.
    memory : int
        Largest number of bytes for the transposition, besides a few bytes for every row and column
        and what Python takes; a single column must fit.
    report : callable, optional
        Called with the finished share of the work, from 0 to 1.

    Raises
    ------
    InvalidArgumentError
        If the file cannot be read or is malformed, or the directory exists already.

    See Also
    --------
    write : Writes matrices or chunks of rows.
    open : Opens the directory.

    Examples
    --------
    >>> from pathlib import Path
    >>> from regiht import dataset
    >>> lines = Path("visits.svm").write_text("1 1:0.5 3:2\n0 2:1\n", encoding="utf-8")
    >>> dataset.convert("visits.svm", "visits")
    >>> dataset.open("visits").shape
    (2, 3)
    """
    source_path = check.check_path("file", file)
    remove_finished(absolute(path))
    place = new_path(path)
    memory = check.check_integer("memory", memory, LEAST_MEMORY)
    shards = check_shards(shards)
    if columns_from is not None:
        columns_from = check.check_integer("columns_from", columns_from, 0, 1)
    if n_features is not None:
        n_features = check.check_integer("n_features", n_features, 1)
    wanted = Wanted(check.check_float_dtype("dtype", dtype).name, target, n_features, columns_from)
    if source_path.is_dir():
        raise check.InvalidArgumentError(f"{source_path} is a directory; file must be a file.")
    if not source_path.is_file():
        raise FileNotFoundError(f"there is no file {source_path}")
    facts = source_path.stat()
    task = asdict(wanted) | {
        "file": str(source_path.resolve()), "bytes": facts.st_size, "changed": facts.st_mtime_ns,
    }  # fmt: skip
    source = open_source(source_path, wanted)
    common: dict[str, Any] = {"task": task, "dtype": wanted.dtype, "memory": memory}
    if isinstance(source, ColumnSource):
        make: Make = partial(convert_columns, source, **common)
    else:
        make = partial(convert_rows, source, columns_from=columns_from, **common)
    convert_whole_or_cut(make, place, task, shards, memory, report)


def open_source(path: Path, wanted: Wanted) -> RowSource | ColumnSource:
    """Open a file by its suffix, one that says how it is compressed left aside."""
    suffixes = [each.lower() for each in path.suffixes]
    while suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    kind = suffixes[-1] if suffixes else ""
    if kind in _SOURCES and (wanted.n_features, wanted.columns_from) != (None, None):
        raise check.InvalidArgumentError(
            f"n_features and columns_from are for LIBSVM text; {path} is none."
        )
    if kind not in _NAMED and wanted.target is not None:
        raise check.InvalidArgumentError(
            f"target is for tables and h5ad files; {path} has no columns with names."
        )
    return _SOURCES.get(kind, _libsvm)(path, wanted)


def _libsvm(path: Path, wanted: Wanted) -> RowSource:
    return LibsvmSource(path, wanted.dtype, wanted.n_features)


_SOURCES: dict[str, Callable[[Path, Wanted], RowSource | ColumnSource]] = {
    ".csv": lambda path, wanted: CsvSource(path, wanted.target),
    ".parquet": lambda path, wanted: ParquetSource(path, wanted.target),
    ".npz": lambda path, wanted: open_npz(path),
    ".mtx": lambda path, wanted: MatrixMarketSource(path),
    ".h5ad": lambda path, wanted: open_h5ad(path, wanted.target),
}

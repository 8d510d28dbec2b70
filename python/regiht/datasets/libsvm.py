"""LIBSVM text, plain or compressed, as a scipy matrix."""

from __future__ import annotations

import bz2
import gzip
import lzma
import math
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

from regiht import _core
from regiht._inputs import checks as check

# Large enough to make calls rare, small enough for the cache and for Ctrl-C.
_PIECE_BYTES = 1 << 20

# What gzip can do to zeros; the others can do more.
_MOST_TIMES = 1100

# What a compressed file begins with; the name of a file may say anything.
_OPENERS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
_READERS: dict[np.dtype[Any], type[_core.LibsvmReader | _core.LibsvmReaderFloat32]] = {
    np.dtype(np.float64): _core.LibsvmReader,
    np.dtype(np.float32): _core.LibsvmReaderFloat32,
}


def load_libsvm(
    path: str | os.PathLike[str],
    *,
    n_features: int | None = None,
    dtype: DTypeLike = np.float64,
    zero_based: bool | None = None,
) -> tuple[Any, NDArray[np.float64]]:
    r"""Read LIBSVM text: lines of ``label column:value column:value … # comment``.

    Parameters
    ----------
    path : str or path
        A text file, plain or compressed by gzip, bzip2 or xz, as detected from its content.
    n_features : int, optional
        The number of columns; by default as many as the largest column number needs.
    dtype : dtype
        Type of the values, float64 or float32.
    zero_based : bool, optional
        Whether columns are counted from 0 instead of 1. By default from 1, as LIBSVM does, unless
        there is a column 0.

    Returns
    -------
    X : scipy.sparse.csr_matrix
        With 32-bit indices unless a column number or the number of entries needs 64.
    y : array of float64
        The labels as in the file.

    Raises
    ------
    InvalidArgumentError
        If the file is not LIBSVM text.
    OSError
        If it cannot be read.

    See Also
    --------
    load_rcv1, load_year : The data sets of the paper.

    Notes
    -----
    ``qid:`` fields, comments and empty lines are skipped. A malformed line, columns that are not
    ascending, NaN and infinity raise a ValueError that names the line and the reason. So does a
    compressed file that expands to more than 1100 times its size.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from regiht import datasets
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "two.svm"
    ...     _ = path.write_text("1 1:0.5 3:2\n-1 2:1\n")
    ...     X, y = datasets.load_libsvm(path)
    >>> X.toarray().tolist(), y.tolist()
    ([[0.5, 0.0, 2.0], [0.0, 1.0, 0.0]], [1.0, -1.0])
    """
    X, y, _ = read_libsvm(path, n_features=n_features, dtype=dtype, zero_based=zero_based)
    return X, y


def read_libsvm(
    path: str | os.PathLike[str],
    *,
    n_features: int | None = None,
    dtype: DTypeLike = np.float64,
    zero_based: bool | None = None,
) -> tuple[Any, NDArray[np.float64], int]:
    """`load_libsvm`, which also says whether columns were counted from 0 or 1."""
    if n_features is not None:
        n_features = check.check_integer("n_features", n_features, 1)
    reader = _READERS[check.check_float_dtype("dtype", dtype)]()
    with open_text(path) as stream, damage_as_os_error(path):
        try:
            for piece in _refusing_bombs(pieces(stream), path):
                reader.feed(piece)
            rows = reader.finish()
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}, {error}") from None
    if rows["labels"].size == 0:
        raise ValueError(f"{os.fspath(path)} holds no rows.")
    if zero_based is None:
        zero_based = rows["smallest"] == 0
    elif not check.check_flag("zero_based", zero_based) and rows["smallest"] == 0:
        raise ValueError(f"{os.fspath(path)} has a column 0, so columns are not counted from 1.")
    columns = rows["columns"]
    if not zero_based:
        columns -= 1
    needed = rows["largest"] + (1 if zero_based else 0)
    if n_features is not None and needed > n_features:
        raise ValueError(
            f"{os.fspath(path)}, line {rows['largest_line']}: column {rows['largest']} is beyond "
            f"n_features={n_features}."
        )
    shape = (rows["labels"].size, max(needed, 1) if n_features is None else n_features)
    X = sparse.csr_matrix((rows["values"], columns, rows["offsets"]), shape=shape)
    return X, rows["labels"], 0 if zero_based else 1


def open_text(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open a file for reading bytes, decompressing it if it is compressed."""
    with Path(path).open("rb") as file:
        beginning = file.read(max(map(len, _OPENERS)))
    for signature, opener in _OPENERS.items():
        if beginning.startswith(signature):
            stream: IO[bytes] = opener(path, "rb")
            return stream
    return Path(path).open("rb", buffering=0)


def pieces(stream: Any) -> Iterator[memoryview]:
    """Yield the stream piece by piece, each in the same memory as the one before."""
    memory = memoryview(bytearray(_PIECE_BYTES))
    while count := stream.readinto(memory):
        yield memory[:count]


def _refusing_bombs(
    parts: Iterator[memoryview], path: str | os.PathLike[str]
) -> Iterator[memoryview]:
    """Pass on what a file holds, unless decompression makes far more of it than text can be."""
    facts = Path(path).stat()
    room = _MOST_TIMES * facts.st_size if stat.S_ISREG(facts.st_mode) else math.inf
    for part in parts:
        room -= len(part)
        if room < 0:
            raise ValueError(f"it holds more than {_MOST_TIMES} times its size.")
        yield part


@contextmanager
def damage_as_os_error(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say which file is damaged: what decompressors raise are exceptions of many kinds."""
    try:
        yield
    except (EOFError, lzma.LZMAError, zlib.error) as error:
        raise OSError(f"{os.fspath(path)} is damaged: {error}") from error
    except OSError as error:
        if error.errno is not None:  # of the operating system, which says more
            raise
        raise OSError(f"{os.fspath(path)} is damaged: {error}") from error

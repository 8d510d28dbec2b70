"""The data sets of the paper, from files that the user has: YearPredictionMSD and rcv1."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from regiht.datasets.libsvm import damage_as_os_error, load_libsvm, open_text
from regiht.datasets.problem import Problem

Vector = NDArray[np.float64]

YEAR_FEATURES = 90
YEAR_ROWS = 463_715
# UCI's one file holds the test rows as well, after the others.
YEAR_ROWS_WITH_TEST = 515_345
RCV1_SHAPE = (20_242, 47_236)

_ENDINGS = ("", ".gz", ".bz2", ".xz")
_YEAR_NAMES = tuple(
    f"yearpredictionmsd{kind}{ending}"
    for kind in ("", ".txt", ".csv")
    for ending in (*_ENDINGS, ".zip")
)
_RCV1_NAMES = tuple(
    f"rcv1_train{kind}{ending}"
    for kind in (".binary", ".binary.txt", ".binary.svm")
    for ending in _ENDINGS
)


def find_year(folder: str | os.PathLike[str]) -> Path | None:
    """Find a file of YearPredictionMSD by its usual names: UCI's or LIBSVM's, packed or not."""
    return _find(folder, _YEAR_NAMES)


def find_rcv1(folder: str | os.PathLike[str]) -> Path | None:
    """Find a file of rcv1_train.binary by its usual names."""
    return _find(folder, _RCV1_NAMES)


def _find(folder: str | os.PathLike[str], names: tuple[str, ...]) -> Path | None:
    present = {path.name.lower(): path for path in sorted(Path(folder).iterdir(), reverse=True)}
    return next((present[name] for name in names if name in present), None)


def load_year_arrays(path: str | os.PathLike[str]) -> tuple[Vector, Vector]:
    """Read YearPredictionMSD: UCI's comma-separated text or LIBSVM text; the training rows only.

    A file that is not of the shape and the years of YearPredictionMSD is refused.
    """
    with _open_member(path) as stream:
        first_line = stream.readline()
    X, y = (_read_libsvm if b":" in first_line else _read_commas)(path)
    if X.shape[1] != YEAR_FEATURES or X.shape[0] not in {YEAR_ROWS, YEAR_ROWS_WITH_TEST}:
        raise ValueError(
            f"{os.fspath(path)} is not YearPredictionMSD: it is {X.shape[0]} × {X.shape[1]}, not "
            f"{YEAR_ROWS} (or, with the test rows, {YEAR_ROWS_WITH_TEST}) × {YEAR_FEATURES}."
        )
    if y.min() < 1922 or y.max() > 2011 or np.any(y != np.rint(y)):
        raise ValueError(
            f"{os.fspath(path)} is not YearPredictionMSD: its targets are not years 1922 to 2011."
        )
    return X[:YEAR_ROWS], y[:YEAR_ROWS]


def load_rcv1_arrays(path: str | os.PathLike[str]) -> tuple[Any, Vector]:
    """Read rcv1_train.binary, LIBSVM text, as CSR and labels 0 and 1.

    A file that is not of its shape and labels is refused.
    """
    X, y = load_libsvm(path)
    if X.shape != RCV1_SHAPE:
        raise ValueError(
            f"{os.fspath(path)} is not rcv1_train.binary: it is {X.shape[0]} × {X.shape[1]}, not "
            f"{RCV1_SHAPE[0]} × {RCV1_SHAPE[1]}."
        )
    labels = np.unique(y)
    if labels.tolist() != [-1.0, 1.0]:
        raise ValueError(
            f"{os.fspath(path)} is not rcv1_train.binary: its labels are not −1 and 1."
        )
    return X, (y > 0).astype(np.float64)


def _read_libsvm(path: str | os.PathLike[str]) -> tuple[Vector, Vector]:
    X, y = load_libsvm(path)
    return X.toarray(), y


def _read_commas(path: str | os.PathLike[str]) -> tuple[Vector, Vector]:
    """Rows of the year and the features."""
    with _open_member(path) as stream, damage_as_os_error(path):
        try:
            table = np.loadtxt(stream, delimiter=",", ndmin=2)
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from None
    return np.ascontiguousarray(table[:, 1:]), table[:, 0].copy()


@contextmanager
def _open_member(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open the file, or the only text file of a zip archive."""
    if not zipfile.is_zipfile(path):
        with open_text(path) as stream:
            yield io.BufferedReader(stream) if isinstance(stream, io.RawIOBase) else stream
        return
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith((".txt", ".csv"))]
        if len(names) != 1:
            raise ValueError(f"{os.fspath(path)} must hold one text file; it holds {len(names)}.")
        with archive.open(names[0]) as member:
            yield member


def load_year(path: str | os.PathLike[str]) -> Problem:
    """Read the 463 715 training rows and 90 features of YearPredictionMSD from your file.

    Parameters
    ----------
    path : str or path
        UCI's comma-separated text, also inside the zip archive as UCI ships it, or LIBSVM text;
        plain or compressed. A file with another shape or other years is refused.

    Returns
    -------
    Problem

    Raises
    ------
    ValueError
        If the file is another one.

    See Also
    --------
    year_like : Generated data of that shape.

    Examples
    --------
    The file is from UCI's or LIBSVM's page; no copy comes with the package.

    >>> from regiht import datasets
    >>> problem = datasets.load_year("YearPredictionMSD.txt.zip")  # doctest: +SKIP
    """
    X, y = load_year_arrays(path)
    return Problem(X, y, "squared", "year", None, f"YearPredictionMSD from {Path(path).name}.")


def load_rcv1(path: str | os.PathLike[str]) -> Problem:
    """Read rcv1_train.binary, 20 242 × 47 236, from your file, with labels 0 and 1.

    Parameters
    ----------
    path : str or path
        LIBSVM text, plain or compressed. A file with another shape or with labels other than −1
        and 1 is refused.

    Returns
    -------
    Problem

    Raises
    ------
    ValueError
        If the file is another one.

    See Also
    --------
    rcv1_like : Generated data of that shape.

    Examples
    --------
    The file is from LIBSVM's page; no copy comes with the package.

    >>> from regiht import datasets
    >>> problem = datasets.load_rcv1("rcv1_train.binary.bz2")  # doctest: +SKIP
    """
    X, y = load_rcv1_arrays(path)
    return Problem(X, y, "logistic", "rcv1", None, f"rcv1_train.binary from {Path(path).name}.")

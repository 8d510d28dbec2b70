"""Rows of a matrix on disk, where others have a matrix in memory."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray
from regiht._inputs.checks.stored_matrices import HEADER, SHARDS
from regiht._inputs.collections import refuse_dask
from regiht._inputs.design import Design

if TYPE_CHECKING:
    from regiht.dataset import Dataset


class StoredRows:
    """All rows of a matrix on disk, or some of them; none is read before it is asked for.

    Some rows are only predicted for. A fit to them is one to all rows, with weights that are zero
    for the others: nothing is copied.
    """

    ndim = 2

    def __init__(self, design: Design, rows: IndexArray | None = None) -> None:
        self._design = design
        self._rows = rows
        count = design.shape[0] if rows is None else rows.size
        self.shape: tuple[int, int] = (int(count), design.shape[1])

    @property
    def dataset(self) -> Dataset:
        """What lies on disk."""
        assert self._design._dataset is not None
        return self._design._dataset

    @property
    def y(self) -> NDArray[Any] | None:
        """The targets of all rows."""
        return self.dataset.y

    @property
    def feature_names(self) -> list[str] | None:
        """The names of the columns."""
        return self.dataset.feature_names

    def __getitem__(self, rows: Any) -> StoredRows:
        here = np.arange(self._design.shape[0]) if self._rows is None else self._rows
        return StoredRows(self._design, here[rows])

    def weights_of(self, rows: Any, sample_weight: FloatArray | None) -> FloatArray:
        """Weights of all rows that stand for a fit to some: a row that is taken twice counts so."""
        numbers = np.arange(self.shape[0])[rows]
        counts = np.bincount(numbers, minlength=self.shape[0]).astype(np.float64)
        return counts if sample_weight is None else counts * sample_weight

    def predictions(self, coef: FloatArray) -> FloatArray:
        """Products with coefficients, or with several rows of them; only nonzeros are read."""
        threads = check.check_threads(None)
        every = [self._design._core.apply(each, n_threads=threads) for each in np.atleast_2d(coef)]
        here = slice(None) if self._rows is None else self._rows
        found: FloatArray = np.stack([each[here] for each in every], axis=1)
        return found if coef.ndim == 2 else found[:, 0]

    def deviations(self, columns: IndexArray) -> FloatArray:
        """Standard deviations of some columns over all rows."""
        scaled: FloatArray = self.dataset.centred_norms[columns] / np.sqrt(self._design.shape[0])
        return scaled


def is_dataset(path: str | os.PathLike[str]) -> bool:
    """Whether there is a directory with a header, good or bad."""
    return (Path(path) / HEADER).is_file()


def is_sharded(path: str | os.PathLike[str]) -> bool:
    """Whether there is a directory whose header, good or bad, is one of shards."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        content = json.loads((Path(path) / HEADER).read_bytes())
        return isinstance(content, dict) and SHARDS in content
    return False


def refuse_stored(X: Any, what: str) -> None:
    """Refuse a directory, a Design or a collection, where only a matrix in memory will do."""
    refuse_dask(X)
    if isinstance(X, (str, os.PathLike, Design)):
        raise check.InvalidArgumentError(
            f"{what} needs a matrix in memory; take the columns it is about from a directory by "
            "regiht.dataset.open(path).matrix[:, model.support_]."
        )


def as_matrix(X: Any) -> Any:
    """The rows of a directory, or of a Design of one; of another Design its matrix; else X."""
    if isinstance(X, (str, os.PathLike)):
        X = Design.open(X)
    if not isinstance(X, Design):
        return X
    if not X.is_plain:
        raise check.InvalidArgumentError(
            "X is a Design that is centred, scaled or without some columns; this standardizes by "
            "itself: give a Design without center, scale and exclude."
        )
    return X._prepared if X._dataset is None else StoredRows(X)

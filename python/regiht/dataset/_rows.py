"""Rows of a matrix on their way into columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


@dataclass(frozen=True)
class RowChunk:
    """Some rows, in order: row i has the entries [offsets[i], offsets[i + 1]).

    ``rows``, if given, are the row numbers of single entries instead, in any order; there are no
    offsets then. ``position`` is what a source needs to go on after this chunk, as JSON has it;
    ``done`` is the share of the source that it ends at.
    """

    columns: NDArray[Any]
    values: NDArray[Any]
    offsets: NDArray[Any] = field(default_factory=lambda: np.zeros(1, np.int64))
    y: NDArray[Any] | None = None
    rows: NDArray[Any] | None = None
    position: Any = None
    done: float = 0.0

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self.offsets.size) - 1


class Source:
    """A matrix elsewhere, and what is known of it before it is read."""

    feature_names: list[str] | None = None
    target: str | None = None  # the name of y
    y: NDArray[Any] | None = None  # where it does not come with the rows
    columns_from: int | None = None  # where LIBSVM text began to count columns


class RowSource(Source, ABC):
    """A matrix that comes row by row, in chunks that fit into memory many times."""

    # None where only the end tells. Where entries come one by one, rows are known.
    shape: tuple[int | None, int | None] = (None, None)
    # Columns are numbered as in LIBSVM text, from 1 unless there is a 0.
    numbers_from_text: bool = False

    @abstractmethod
    def chunks(self, position: Any) -> Iterator[RowChunk]:
        """Chunks from a position on; None is the beginning."""


class ColumnSource(Source, ABC):
    """A matrix that is stored by columns already, with so many entries in each."""

    shape: tuple[int, int]
    counts: NDArray[np.int64]

    @abstractmethod
    def block(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Row numbers and values of the entries of some columns; called in ascending order."""


def dense_chunk(X: NDArray[Any], y: NDArray[Any] | None, position: Any, done: float) -> RowChunk:
    """Rows of a dense matrix, without their zeros."""
    rows = sparse.csr_array(X.astype(np.float32) if X.dtype == np.float16 else X)
    return RowChunk(rows.indices, rows.data, rows.indptr, y, position=position, done=done)

"""The numbers of features that cross-validation tries when none are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import FloatArray
from regiht._inputs.stored_rows import StoredRows

# All up to ten, then some.
NUMBERS = (*range(1, 11), 12, 15, 20, 25, 30)


def default_grid(
    X: Any, sample_weight: FloatArray | None, training_sets: Iterable[NDArray[Any]]
) -> Sequence[int]:
    """Numbers below half of the distinct rows of every training set, which count; at least 1.

    From 2s = rows on, two disjoint supports of s columns can fit the same targets equally well,
    and then rounding chooses. Copies of a row, and rows without weight, do not tell them apart.
    """
    enough = 2 * NUMBERS[-1] + 1
    counts = (
        np.ones(X.shape[0], dtype=bool) if sample_weight is None else np.asarray(sample_weight > 0)
    )
    numbers = np.arange(X.shape[0])
    fewest = min(
        (_distinct_rows(X, numbers[train][counts[train]], enough) for train in training_sets),
        default=enough,
    )
    return numbers_below(fewest)


def numbers_below(fewest: int) -> Sequence[int]:
    """Numbers below half of so many rows; at least 1."""
    return [s for s in NUMBERS if s == 1 or 2 * s < fewest]


def _distinct_rows(X: Any, rows: NDArray[Any], enough: int) -> int:
    """How many of these rows of a dense or CSR matrix differ; counting ends at ``enough``.

    On disk, where a row is not in one place, all are taken to differ.
    """
    if isinstance(X, StoredRows):
        return min(int(rows.size), enough)
    seen: set[bytes] = set()
    for i in rows:
        seen.add(_content(X, i))
        if len(seen) == enough:
            break
    return len(seen)


def _content(X: Any, i: int) -> bytes:
    if isinstance(X, np.ndarray):
        return bytes(X[i].tobytes())
    entries = slice(X.indptr[i], X.indptr[i + 1])
    return bytes(X.indices[entries].tobytes() + X.data[entries].tobytes())

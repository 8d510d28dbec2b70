"""Columns given by number or by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from regiht._validation import IndexArray, InvalidArgumentError

Columns = Sequence[int] | Sequence[str]


def column_numbers(
    name: str, columns: Columns | None, feature_names: Sequence[str] | None
) -> IndexArray | None:
    """Return the numbers of columns given by number, by name or by a boolean mask."""
    if columns is None:
        return None
    if isinstance(columns, str):
        raise InvalidArgumentError(f"{name} must list columns; got the one string {columns!r}.")
    listed = np.asarray(columns)
    if listed.dtype.kind == "b":
        return np.flatnonzero(listed)
    if listed.dtype.kind not in "OUT":
        return listed
    if feature_names is None:
        raise InvalidArgumentError(
            f"{name} lists names, and X has none: give column numbers, or a data frame."
        )
    return np.array([_find(name, each, list(feature_names)) for each in columns], dtype=np.int64)


def _find(name: str, column: Any, feature_names: list[str]) -> int:
    if not isinstance(column, str):
        return int(column)
    if column not in feature_names:
        raise InvalidArgumentError(f"{name} lists {column!r}, which is no column of X.")
    return feature_names.index(column)


def refuse_overlap(keep: IndexArray | None, exclude: IndexArray | None) -> None:
    """Refuse a column that is to be always in and never in."""
    if keep is None or exclude is None:
        return
    both = np.intersect1d(keep, exclude)
    if both.size:
        raise InvalidArgumentError(f"column {both[0]} is listed in both keep and exclude.")

"""Columns of a matrix, by number or by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from regiht._inputs.checks.arrays import as_real_array
from regiht._inputs.checks.errors import IndexArray, InvalidArgumentError
from regiht._inputs.checks.groups import count_groups

Columns = Sequence[int] | Sequence[str]


def check_columns(name: str, columns: ArrayLike | None, cols: int) -> IndexArray | None:
    """Check for column numbers, returned in ascending order and without repetition."""
    if columns is None:
        return None
    array = as_real_array(name, columns)
    if array.size == 0:
        return None
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"{name} must list column numbers; got {array.dtype} of shape {array.shape}."
        )
    if array.min() < 0 or array.max() >= cols:
        bad = array[(array < 0) | (array >= cols)][0]
        raise InvalidArgumentError(f"{name} must list columns between 0 and {cols - 1}; got {bad}.")
    return np.unique(array).astype(np.int64)


def check_keep(
    keep: ArrayLike | None, cols: int, s: int, groups: IndexArray | None = None
) -> IndexArray | None:
    """Check the columns that are always in: at most s, or those of at most s groups, in full."""
    kept = check_columns("keep", keep, cols)
    if kept is None:
        return None
    count, what = count_groups(groups, kept), "columns" if groups is None else "groups"
    if count > s:
        raise InvalidArgumentError(
            f"keep lists {count} {what} and s allows {s}: kept {what} count towards s."
        )
    return kept if groups is None else np.flatnonzero(np.isin(groups, groups[kept]))


def check_exclude(exclude: ArrayLike | None, cols: int) -> IndexArray | None:
    """Check the columns that are never selected: different column numbers, not all of them."""
    excluded = check_columns("exclude", exclude, cols)
    if excluded is not None and excluded.size == cols:
        raise InvalidArgumentError(f"exclude must leave some column; it lists all {cols}.")
    return excluded


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

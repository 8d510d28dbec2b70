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
    kept: IndexArray | None, s: int, groups: IndexArray | None = None
) -> IndexArray | None:
    """Check that the columns that are always in are at most s, or of at most s groups, in full."""
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
    name: str, columns: ArrayLike | Columns | None, feature_names: Sequence[str] | None
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
            f"{name} lists names, but X has none: give column numbers, or a data frame."
        )
    return np.array(
        [_find(name, each, list(feature_names)) for each in listed.tolist()], dtype=np.int64
    )


def _find(name: str, column: Any, feature_names: list[str]) -> int:
    if not isinstance(column, str):
        return int(column)
    if column not in feature_names:
        raise InvalidArgumentError(f"{name} lists {column!r}, which is not a column of X.")
    return feature_names.index(column)


def keep_and_exclude(
    keep: Columns | None, exclude: Columns | None, feature_names: Sequence[str] | None
) -> tuple[IndexArray | None, IndexArray | None]:
    """Return the numbers of the columns that are always in and of those that never are."""
    kept = column_numbers("keep", keep, feature_names)
    excluded = column_numbers("exclude", exclude, feature_names)
    if kept is not None and excluded is not None:
        both = np.intersect1d(kept, excluded)
        if both.size:
            raise InvalidArgumentError(f"column {both[0]} is listed in both keep and exclude.")
    return kept, excluded

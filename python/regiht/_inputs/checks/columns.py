"""Columns of a matrix, by number or by name."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
        _refuse_beyond(name, array[(array < 0) | (array >= cols)][0], cols)
    return np.unique(array).astype(np.int64)


def _refuse_beyond(name: str, column: Any, cols: int) -> NoReturn:
    raise InvalidArgumentError(f"{name} must list columns between 0 and {cols - 1}; got {column}.")


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
    name: str, columns: ArrayLike | Columns | None, cols: int, feature_names: Sequence[str] | None
) -> IndexArray | None:
    """Return the numbers of columns given by number, by name or by a boolean mask."""
    if columns is None:
        return None
    if isinstance(columns, str):
        raise InvalidArgumentError(f"{name} must list columns; got the one string {columns!r}.")
    if isinstance(columns, AbstractSet):
        columns = list(columns)
    try:
        listed = np.asarray(columns)
    except ValueError:
        raise InvalidArgumentError(f"{name} must list columns, not lists of them.") from None
    if listed.dtype.kind == "b":
        return _marked(name, listed, cols)
    if listed.dtype.kind not in "OUT":
        return listed
    if listed.ndim != 1:
        raise InvalidArgumentError(f"{name} must list columns; got {type(columns).__name__}.")
    # Of numbers and names numpy would make names.
    entries = columns if isinstance(columns, (list, tuple)) else listed.tolist()
    return np.array([_find(name, each, cols, feature_names) for each in entries], dtype=np.int64)


def _marked(name: str, mask: NDArray[np.bool_], cols: int) -> IndexArray:
    if mask.shape != (cols,):
        raise InvalidArgumentError(
            f"{name} must have one entry for every column ({cols}) if it is a mask; "
            f"got bool of shape {mask.shape}."
        )
    return np.flatnonzero(mask)


def _find(name: str, column: Any, cols: int, feature_names: Sequence[str] | None) -> int:
    if isinstance(column, (int, np.integer)) and not isinstance(column, bool):
        if not 0 <= column < cols:
            _refuse_beyond(name, column, cols)
        return int(column)
    if not isinstance(column, str):
        raise InvalidArgumentError(f"{name} must list columns by number or name; got {column!r}.")
    if feature_names is None:
        raise InvalidArgumentError(
            f"{name} lists names, but X has none: give column numbers, or a data frame."
        )
    places = [place for place, each in enumerate(feature_names) if each == column]
    if len(places) != 1:
        what = "the name of several columns" if places else "not a column of X"
        raise InvalidArgumentError(f"{name} lists {column!r}, which is {what}.")
    return places[0]


def keep_and_exclude(
    keep: Columns | None, exclude: Columns | None, cols: int, feature_names: Sequence[str] | None
) -> tuple[IndexArray | None, IndexArray | None]:
    """Return the numbers of the columns that are always in and of those that never are."""
    kept = column_numbers("keep", keep, cols, feature_names)
    excluded = column_numbers("exclude", exclude, cols, feature_names)
    if kept is not None and excluded is not None:
        refuse_kept_and_excluded(kept, excluded)
    return kept, excluded


def refuse_kept_and_excluded(kept: IndexArray, excluded: IndexArray) -> None:
    """Refuse columns that are to be always in and never."""
    both = np.intersect1d(kept, excluded)
    if both.size:
        raise InvalidArgumentError(f"column {both[0]} is listed in both keep and exclude.")

"""Groups of columns that enter and leave together."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regiht._inputs.checks.errors import FloatArray, IndexArray, InvalidArgumentError

PREFIX = "prefix"
Groups = ArrayLike | Mapping[Any, Hashable] | Sequence[Sequence[int] | Sequence[str]]


def check_groups(
    groups: Groups | None, cols: int, feature_names: Sequence[str] | None = None
) -> IndexArray | None:
    """Number the groups in the order of their first columns; answer the number of every column.

    Groups are one label for every column, integers or strings; a mapping from columns to labels;
    or a list of lists of columns. A column that a mapping or the lists leave out is alone. The word
    "prefix" groups columns by their names up to the last "_", as dummies of a category have them.
    """
    if groups is None:
        return None
    if isinstance(groups, str):
        if groups != PREFIX:
            raise InvalidArgumentError(
                f"groups must have one label for every column, or be {PREFIX!r}; got {groups!r}."
            )
        return _numbered(_as_labels(_prefixes(cols, feature_names)))
    if isinstance(groups, bytes) or not isinstance(groups, (Mapping, Sequence)):
        groups = _as_labels(groups)
    if isinstance(groups, Mapping):
        return _from_labelled(groups.items(), cols, feature_names)
    if not isinstance(groups, np.ndarray) and any(_is_listing(each) for each in groups):
        if not all(_is_listing(each) for each in groups):
            raise InvalidArgumentError("groups must be labels or lists of columns, not both.")
        listed = [(column, number) for number, each in enumerate(groups) for column in each]
        return _from_labelled(listed, cols, feature_names)
    labels = _as_labels(groups)
    if labels.shape != (cols,):
        raise InvalidArgumentError(
            f"groups must have one label for every column ({cols}); got shape {labels.shape}."
        )
    return _numbered(labels)


def _prefixes(cols: int, feature_names: Sequence[str] | None) -> list[str]:
    if feature_names is None or len(feature_names) != cols:
        raise InvalidArgumentError(
            f"groups={PREFIX!r} needs columns with names: give a data frame, or one label for "
            "every column."
        )
    return [name.rpartition("_")[0] or name for name in feature_names]


def separate(groups: IndexArray, columns: NDArray[np.bool_]) -> IndexArray:
    """Take some columns out of their groups: each is alone from now on."""
    return _numbered(np.where(columns, groups.size + np.arange(groups.size), groups))


def count_groups(groups: IndexArray | None, columns: IndexArray) -> int:
    """Count what s counts: these columns, or their groups."""
    return int(np.unique(columns if groups is None else groups[columns]).size)


def refuse_unlike_weights(w0: FloatArray | None, groups: IndexArray | None) -> None:
    """Refuse first weights that differ within a group, which has only one."""
    if w0 is None or groups is None:
        return
    first = np.unique(groups, return_index=True)[1]
    bad = np.flatnonzero(w0 != w0[first[groups]])
    if bad.size:
        raise InvalidArgumentError(
            f"w0 must be the same for all columns of a group; w0[{bad[0]}] is "
            f"{float(w0[bad[0]])!r}, and w0[{first[groups[bad[0]]]}] of the same group is not."
        )


def _is_listing(each: Any) -> bool:
    return isinstance(each, (Sequence, np.ndarray, set, frozenset)) and not isinstance(
        each, (str, bytes)
    )


def _as_labels(groups: Any) -> NDArray[Any]:
    # Of a list, numpy would make one kind: 1 and "1" are two labels.
    labels = np.asarray(groups, dtype=object if isinstance(groups, (list, tuple)) else None)
    if labels.dtype.kind in "iubUT":
        return labels
    if labels.dtype.kind == "O" and labels.ndim == 1:
        for column, label in enumerate(labels):
            if not isinstance(label, (str, int, np.integer)):
                raise InvalidArgumentError(
                    f"groups must hold integers or strings; groups[{column}] is {label!r}."
                )
        return labels
    raise InvalidArgumentError(
        "groups must be one integer or string for every column, a mapping from columns to labels, "
        f"or a list of lists of columns; got {_described(groups, labels)}."
    )


def _described(groups: Any, labels: NDArray[Any]) -> str:
    return f"an array of {labels.dtype}" if labels.ndim else type(groups).__name__


def _numbered(labels: NDArray[Any]) -> IndexArray:
    """Labels as 0, 1, … in the order in which they first appear."""
    if labels.dtype.kind == "O":  # strings and integers have no common order
        numbers: dict[Any, int] = {}
        return np.array([numbers.setdefault(each, len(numbers)) for each in labels], np.int64)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[inverse]


def _from_labelled(pairs: Any, cols: int, feature_names: Sequence[str] | None) -> IndexArray:
    """Number the groups given as pairs of a column and a label."""
    names = () if feature_names is None else feature_names
    places = {name: j for j, name in enumerate(names)}
    repeated = {name for name, count in Counter(names).items() if count > 1}
    labels: list[Any] = [(column,) for column in range(cols)]  # unlike any label
    seen: set[int] = set()
    pairs = list(pairs)
    for column, label in pairs:
        if not isinstance(label, Hashable):
            raise InvalidArgumentError(
                f"groups must have integers or strings as labels; {column!r} has {label!r}."
            )
    for column, label in _without_absent(pairs, places):
        j = places.get(column, -1) if isinstance(column, str) else column
        if isinstance(j, (bool, np.bool_)) or not isinstance(j, (int, np.integer)):
            raise InvalidArgumentError(f"groups lists {column!r}, which is not a column.")
        if not 0 <= j < cols:
            raise InvalidArgumentError(
                f"groups lists {column!r}, which is not a column of X."
                + (" It has no names." if isinstance(column, str) and not places else "")
            )
        if isinstance(column, str) and column in repeated:
            raise InvalidArgumentError(
                f"groups lists {column!r}, which is the name of several columns."
            )
        if int(j) in seen:
            raise InvalidArgumentError(f"groups lists column {column!r} more than once.")
        seen.add(int(j))
        labels[int(j)] = label
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(each, len(numbers)) for each in labels], np.int64)


def _without_absent(pairs: list[tuple[Any, Any]], places: Mapping[str, int]) -> Any:
    """Leave out named columns that X has not, with a warning, where it has others of their group.

    A category that does not occur has no dummy column.
    """
    absent = [column for column, _ in pairs if isinstance(column, str) and column not in places]
    there = {label for column, label in pairs if column in places}
    missing = {column for column, label in pairs if column in absent and label in there}
    if not missing:
        return pairs
    listed = ", ".join(repr(column) for column in absent if column in missing)
    warnings.warn(
        f"groups lists {listed}, which X does not have; left out of their groups. See the page "
        "“Groups, bounds and forced features”.",
        stacklevel=2,
    )
    return [pair for pair in pairs if pair[0] not in missing]

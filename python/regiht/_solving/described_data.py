"""Data as users describe them: columns by their names, two classes by their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import Columns, FloatArray, Groups, IndexArray
from regiht._inputs.stored_rows import StoredRows
from regiht._solving.registry import LossName


class DescribedColumns(NamedTuple):
    """The columns of a matrix, and what is to be done with them.

    ``given`` are their names, if they have any; ``names`` those for tables and pictures.
    """

    given: Sequence[str] | None
    names: list[str]
    kept: IndexArray | None
    excluded: IndexArray | None
    groups: IndexArray | None


def describe_columns(
    X: Any,
    feature_names: Sequence[str] | None,
    keep: Columns | None,
    exclude: Columns | None,
    groups: Groups | None,
) -> DescribedColumns:
    """Number what may be named; a data frame and a directory bring names with them."""
    if feature_names is None:
        stored = isinstance(X, StoredRows)
        feature_names = X.feature_names if stored else check.refuse_other_columns(X)
    return number_columns(check.matrix_shape(X)[1], feature_names, keep, exclude, groups)


def number_columns(
    cols: int,
    feature_names: Sequence[str] | None,
    keep: Columns | None,
    exclude: Columns | None,
    groups: Groups | None,
) -> DescribedColumns:
    """Number what may be named, of so many columns that have these names."""
    kept, excluded = check.keep_and_exclude(keep, exclude, cols, feature_names)
    return DescribedColumns(
        feature_names, list(check.check_feature_names(feature_names, cols)), kept, excluded,
        check.check_groups(groups, cols, feature_names),
    )  # fmt: skip


def loss_for(y: Any, loss: LossName | None) -> LossName:
    """The loss asked for; without one, that for classes if targets can only be labels."""
    if loss is not None:
        return loss
    return "logistic" if check.holds_labels(y) else "squared"


def target_of(
    y: ArrayLike | None, rows: int, loss: _core.Loss
) -> tuple[FloatArray, NDArray[Any] | None]:
    """Targets as numbers, and for a loss of two classes what 0 and 1 stand for."""
    classes = None
    if check.holds_labels(y):
        classes, y = check.check_two_labels(y, loss)
    elif loss.targets == "binary":
        classes = np.array([0, 1]).astype(np.asarray(y).dtype)
    return check.check_target(cast(ArrayLike, y), rows, loss), classes

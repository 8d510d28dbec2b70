"""Kept columns and groups of columns as the solvers take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.design import Design


def kept_columns(keep: ArrayLike | check.Columns | None, design: Design) -> check.IndexArray | None:
    """Number the columns that are always in; they are checked later."""
    return check.column_numbers("keep", keep, design.shape[1], design.feature_names)


def grouping(groups: check.Groups | None, design: Design) -> check.IndexArray | None:
    """Number the groups; a column that the design leaves out is in none but its own."""
    return separated(check.check_groups(groups, design.shape[1], design.feature_names), design)


def separated(numbers: check.IndexArray | None, design: Design) -> check.IndexArray | None:
    """Take the columns that the design leaves out from their groups."""
    if numbers is None or design.factors is None or design.factors.all():
        return numbers
    return check.separate(numbers, design.factors == 0.0)


def most_columns(groups: check.IndexArray | None, s: int) -> int:
    """Count the columns that s groups can have at most."""
    return s if groups is None else int(np.sort(np.bincount(groups))[-s:].sum())

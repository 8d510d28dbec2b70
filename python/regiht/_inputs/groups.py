"""Kept columns, groups of columns and starting points as the solvers take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht._inputs.design import Design


def kept_columns(keep: ArrayLike | check.Columns | None, design: Design) -> check.IndexArray | None:
    """Number the columns that are always in; they are checked later."""
    kept = check.column_numbers("keep", keep, design.shape[1], design.feature_names)
    if kept is not None and design.excluded is not None:
        check.refuse_kept_and_excluded(kept, design.excluded)
    return kept


def starting_point(x0: ArrayLike | None, design: Design) -> FloatArray | None:
    """Check where to start: not on columns that the design left out, where nothing would stir."""
    start = check.check_start(x0, design.shape[1])
    if start is None or design.factors is None:
        return start
    return np.where(design.factors == 0.0, 0.0, start)


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

"""From what the user has as one block to a RowBlock, where that block is."""

from __future__ import annotations

from typing import Any

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, InvalidArgumentError
from regiht._inputs.design import Design
from regiht.dataset._shards import Shard
from regiht.distributed.row_block import RowBlock


def load(number: int, X: Any, y: Any, weights: Any) -> RowBlock | None:
    """Check and prepare the rows of one block; None if it has none.

    A shard is opened here, and has targets of its own.
    """
    if isinstance(X, Shard):
        X = _opened(X)
        y = X.y if y is None else y
    if not (hasattr(X, "shape") or isinstance(X, list | tuple)):
        raise InvalidArgumentError(
            f"block {number}: X must be an array, a sparse matrix, a data frame or a Design; got "
            f"{type(X).__name__}."
        )
    rows = int(X.shape[0]) if hasattr(X, "shape") else len(X)
    for name, other in (("y", y), ("sample_weight", weights)):
        if other is not None and np.shape(other)[:1] != (rows,):
            raise InvalidArgumentError(
                f"block {number} has {rows} rows in X and {np.shape(other)[0]} in {name}: "
                "partition both alike."
            )
    if rows == 0:
        return None
    try:
        design = X if isinstance(X, Design) else Design(_by_columns(X))
        if design.factors is not None:
            raise InvalidArgumentError("X must not be standardized before all rows are known.")
        target = None if y is None else np.asarray(y)
        return RowBlock(design, _as_vector(target), _checked(weights, rows), number)
    except ValueError as error:
        raise InvalidArgumentError(f"block {number}: {error}") from None


def _opened(shard: Shard) -> Design:
    try:
        return Design.of_dataset(shard.open(), center=False, scale=False)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"X, where it is to be solved: {error}") from None


def _by_columns(X: Any) -> Any:
    """Rows and columns are both asked for, columns far more often."""
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.flags.c_contiguous:
        return np.asfortranarray(X)
    return X


def _as_vector(target: Any) -> Any:
    """One column is a vector."""
    return target[:, 0] if target is not None and target.shape[1:] == (1,) else target


def _checked(weights: Any, rows: int) -> FloatArray | None:
    """Weights may be zero for all rows of a block, if others have some."""
    if weights is None:
        return None
    checked = check.check_vector("sample_weight", np.asarray(weights), rows, "row")
    return check.check_sample_weight(checked, rows) if checked.any() else checked

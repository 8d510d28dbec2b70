"""From the columns of a data frame to one matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from regiht._inputs import checks as check


def frame_matrix(X: Any) -> Any:
    """The numbers of a data frame, whose columns have been checked, as an array or matrix.

    Not copied where the frame hands out its memory. Booleans are 0 and 1, what is missing is NaN.
    """
    if all(str(dtype).lower().startswith("sparse") for _, dtype in check.frame_columns(X) or ()):
        return X.sparse.to_coo().tocsc()
    array = np.asarray(X)
    if array.dtype.kind in "fiub":
        return array
    return np.column_stack([_numbers(column) for column in _columns(X)])


def _columns(X: Any) -> list[Any]:
    if hasattr(X, "iloc"):
        return [X.iloc[:, place] for place in range(X.shape[1])]
    return [X[name] for name, _ in check.frame_columns(X) or ()]


def _numbers(column: Any) -> Any:
    try:
        if hasattr(column, "array"):  # of pandas, which has a value of its own for what is missing
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        name = getattr(column, "name", None)
        raise check.InvalidArgumentError(
            f"X must hold real numbers; its column {str(name)!r} has something else."
        ) from None

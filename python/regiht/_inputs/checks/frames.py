"""Data frames: pandas, polars, Arrow tables and what looks like them. None of them is imported."""

from __future__ import annotations

from typing import Any

import numpy as np

from regiht._inputs.checks.arrays import check_matrix_shape
from regiht._inputs.checks.errors import InvalidArgumentError

# How the types of columns that are no numbers begin, in any of the libraries.
_NOT_NUMBERS = {
    "category": "categories",
    "categorical": "categories",
    "dictionary": "categories",
    "enum": "categories",
    "str": "text",
    "large_string": "text",
    "utf8": "text",
    "date": "dates",
    "time": "dates",
    "duration": "dates",
    "period": "dates",
    "interval": "intervals",
    "complex": "complex numbers",
    "binary": "bytes",
    "list": "lists",
    "array": "lists",
    "struct": "records",
}
_MOST_LISTED = 20


def frame_columns(X: Any) -> list[tuple[str, Any]] | None:
    """Names and types of the columns of a data frame; None for anything else."""
    if type(X) is np.ndarray:
        return None
    if hasattr(X, "column_names") and hasattr(X, "schema"):  # an Arrow table
        return [
            (str(name), dtype) for name, dtype in zip(X.column_names, X.schema.types, strict=True)
        ]
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        return [(str(name), dtype) for name, dtype in zip(X.columns, X.dtypes, strict=True)]
    return None


def string_columns(X: Any) -> list[str] | None:
    """Names of the columns of a data frame, if all are text, as scikit-learn wants them."""
    columns = frame_columns(X)
    names = getattr(X, "columns", ())
    if columns is None or not all(isinstance(name, str) for name in names):
        return None
    return [name for name, _ in columns]


def refuse_other_columns(X: Any) -> list[str] | None:
    """Refuse a data frame with columns that are not numbers; answer the names of its columns."""
    if type(X).__name__ == "LazyFrame":
        raise InvalidArgumentError("X is a LazyFrame, which holds no data yet: give X.collect().")
    columns = frame_columns(X)
    if columns is None:
        return None
    check_matrix_shape(tuple(X.shape))
    bad = []
    for place, (name, dtype) in enumerate(columns):
        kind = _other_kind(X, place, dtype)
        if kind:
            bad.append(f"{name!r} ({kind})")
    if not bad:
        return [name for name, _ in columns]
    listed = ", ".join(bad[:_MOST_LISTED]) + (" and others" if len(bad) > _MOST_LISTED else "")
    raise InvalidArgumentError(
        f"X must hold real numbers; got objects in its columns {listed}. Encode them first, for "
        "example with OneHotEncoder of scikit-learn or get_dummies of pandas, or leave them out."
    )


def _other_kind(X: Any, place: int, dtype: Any) -> str | None:
    """What a column holds, unless that is numbers."""
    text = str(dtype).lower()
    if text == "object":  # may hold anything
        values = X.iloc[:, place] if hasattr(X, "iloc") else [""]
        return "text" if any(isinstance(value, str) for value in values) else None
    return next((kind for start, kind in _NOT_NUMBERS.items() if text.startswith(start)), None)

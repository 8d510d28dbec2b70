"""What is shown in words and pictures: fitted models, names of features, values beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from regiht._inputs.checks.arrays import as_real_array
from regiht._inputs.checks.errors import FloatArray, InvalidArgumentError


def check_fitted_model(model: Any) -> None:
    """Check for a sparse estimator that has been fitted."""
    if not hasattr(model, "coef_") or not hasattr(model, "support_"):
        raise InvalidArgumentError(
            f"model must be a fitted sparse estimator or a Result; got {type(model).__name__}."
        )


def check_feature_names(names: Sequence[str] | None, cols: int) -> Sequence[str]:
    """Check for one name for every column; x0, x1, … if there are none."""
    if names is None:
        return [f"x{j}" for j in range(cols)]
    if isinstance(names, str) or len(names) != cols:
        raise InvalidArgumentError(
            f"feature_names must name every column of X ({cols}); got {len(names)}."
        )
    return names


def check_named_values(
    names: Sequence[str], values: Any, labels: Sequence[str] | None
) -> FloatArray:
    """Check for one value for every name, or one row of them for every class."""
    table = as_real_array("values", values)
    if table.ndim not in {1, 2} or table.shape[-1] != len(names):
        raise InvalidArgumentError(
            f"values must have one entry for each of the {len(names)} names, and one such row for "
            f"each of several classes; got shape {table.shape}."
        )
    rows = np.atleast_2d(table).astype(np.float64)
    if labels is not None and len(labels) != len(rows):
        raise InvalidArgumentError(
            f"labels must name every row of values ({len(rows)}); got {len(labels)}."
        )
    return rows

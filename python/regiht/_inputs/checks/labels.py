"""Targets that are labels of two classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht import _core
from regiht._inputs.checks.errors import FloatArray, InvalidArgumentError

_MOST_SHOWN = 5


def holds_labels(y: Any) -> bool:
    """Whether targets are text or categories, so that they can only be labels."""
    values = np.asarray(y)
    if str(getattr(y, "dtype", "")) == "category":
        return True
    return values.dtype.kind in "UST" or (
        values.dtype.kind == "O" and any(isinstance(each, str) for each in values.ravel())
    )


def check_two_labels(y: Any, loss: _core.Loss) -> tuple[NDArray[Any], FloatArray]:
    """Check for one of two labels in every row; answer both, and 0 or 1 for every row."""
    if loss.targets != "binary":
        raise InvalidArgumentError(f"loss={loss.name!r} needs numbers in y; got labels.")
    values = np.asarray(y)
    if values.dtype.kind == "O":
        bad = [place for place, each in enumerate(values.ravel()) if not isinstance(each, str)]
        if bad:
            raise InvalidArgumentError(
                "y must have a label in every row, all text or none; "
                f"y[{bad[0]}] is {values.ravel()[bad[0]]!r}."
            )
    classes, target = np.unique(values, return_inverse=True)
    if classes.size != 2:
        shown = ", ".join(repr(str(each)) for each in classes[:_MOST_SHOWN])
        raise InvalidArgumentError(
            f"y must have two labels; got {classes.size} ({shown}{', …' * (classes.size > 5)}). "
            "SparseClassifier and SparseClassifierCV take more."
        )
    return classes, target.reshape(values.shape).astype(np.float64)

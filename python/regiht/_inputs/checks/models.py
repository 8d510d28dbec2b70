"""Targets, sample weights and starting points of a linear model."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from regiht import _core
from regiht._inputs.checks.arrays import as_plain, as_real_array, check_finite, check_vector
from regiht._inputs.checks.errors import FloatArray, InvalidArgumentError


def check_target(y: ArrayLike | None, rows: int, loss: _core.Loss) -> FloatArray:
    """Check for targets that the loss is defined for."""
    if y is None:
        raise InvalidArgumentError("y must not be None, except for a directory that holds targets.")
    target = check_vector("y", y, rows, "row")
    _check_allowed("y", target, loss)
    return target


def check_targets(Y: ArrayLike, rows: int, loss: _core.Loss) -> FloatArray:
    """Check for a matrix with one column of targets for each problem; returned transposed."""
    array = as_real_array("Y", Y)
    if array.ndim != 2 or array.shape[0] != rows or array.shape[1] == 0:
        raise InvalidArgumentError(
            f"Y must have one row for every row of X ({rows}) and one column for every target; "
            f"got shape {array.shape}."
        )
    targets = as_plain(array.T)
    check_finite("Y", targets.T)
    for column, target in enumerate(targets):
        _check_allowed(f"Y[:, {column}]", target, loss)
    return targets


def _check_allowed(name: str, target: FloatArray, loss: _core.Loss) -> None:
    if loss.targets == "real":
        return
    bad = _core.first_bad_target(loss.name, target)
    if bad < 0:
        return
    allowed = {
        "binary": "labels 0 and 1 (or False and True)",
        "nonnegative": "targets that are not negative",
    }[loss.targets]
    raise InvalidArgumentError(
        f"loss={loss.name!r} needs {allowed} in {name}; {name}[{bad}] is {float(target[bad])!r}."
    )


def check_sample_weight(sample_weight: ArrayLike | None, rows: int) -> FloatArray | None:
    """Check for weights that are not negative and not all zero."""
    if sample_weight is None:
        return None
    weights = check_vector("sample_weight", sample_weight, rows, "row")
    if weights.min() < 0.0:
        bad = int(np.argmax(weights < 0.0))
        raise InvalidArgumentError(
            f"sample_weight must not be negative; sample_weight[{bad}] is {float(weights[bad])!r}."
        )
    refuse_zero_weights(weights)
    return weights


def refuse_zero_weights(weights: FloatArray) -> None:
    """Refuse weights by which no sample counts."""
    if not weights.any():
        raise InvalidArgumentError("sample_weight must not be zero for every row.")


def check_intercept_exists(
    target: FloatArray, loss: _core.Loss, sample_weight: FloatArray | None
) -> None:
    """Refuse targets for which the best intercept is infinite."""
    if sample_weight is not None:
        target = target[sample_weight > 0.0]
    refuse_no_intercept(target.min(), target.max(), loss)


def refuse_no_intercept(least: float, largest: float, loss: _core.Loss) -> None:
    """Refuse the same, given the least and the largest target that counts."""
    if loss.targets == "binary" and least == largest:
        raise InvalidArgumentError(
            f"loss={loss.name!r} with an intercept needs both labels in y; all are {least:g}."
        )
    if loss.targets == "nonnegative" and largest <= 0.0:
        raise InvalidArgumentError(
            f"loss={loss.name!r} with an intercept needs a nonzero target in y; all are 0."
        )


def check_start(x0: ArrayLike | None, cols: int) -> FloatArray | None:
    """Check the first iterate."""
    return None if x0 is None else check_vector("x0", x0, cols, "column")


def check_first_weights(w0: ArrayLike | None, cols: int) -> FloatArray | None:
    """Check the first adaptive weights."""
    if w0 is None:
        return None
    weights = check_vector("w0", w0, cols, "column")
    if weights.min() < 0.0 or weights.max() > 1.0:
        bad = int(np.argmax((weights < 0.0) | (weights > 1.0)))
        raise InvalidArgumentError(
            f"w0 must be between 0 and 1; w0[{bad}] is {float(weights[bad])!r}."
        )
    return weights

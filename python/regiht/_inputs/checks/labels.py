"""Targets that may be labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regiht import _core
from regiht._inputs.checks.arrays import check_real_dtype
from regiht._inputs.checks.errors import FloatArray, InvalidArgumentError
from regiht._inputs.checks.scalars import check_real

_MOST_SHOWN = 5


def holds_labels(y: Any) -> bool:
    """Whether targets are text or categories, so that they can only be labels."""
    values = np.asarray(y)
    if str(getattr(y, "dtype", "")) == "category":
        return True
    return values.dtype.kind in "UST" or (
        values.dtype.kind == "O" and any(isinstance(each, str) for each in values.ravel())
    )


def check_labels(y: ArrayLike) -> NDArray[Any]:
    """Check for a vector of finite numbers, or of labels; answer numbers, or text."""
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise InvalidArgumentError(f"y must be one-dimensional; got shape {labels.shape}.")
    if labels.dtype.kind == "O":
        labels = _of_one_kind(labels)
    if labels.dtype.kind in "UST":
        return labels.astype(str)
    check_real_dtype("y", labels)
    if not np.isfinite(labels).all():
        raise InvalidArgumentError("y must not contain NaN or infinity.")
    return labels


def _of_one_kind(objects: NDArray[Any]) -> NDArray[Any]:
    """Objects that are all text or all numbers, as such; refuse others, None among them."""
    kind = str if objects.size and isinstance(objects[0], str) else (int, float, np.number)
    for place, each in enumerate(objects):
        if not isinstance(each, kind):
            raise InvalidArgumentError(
                "y must have a label in every row, all text or all numbers; "
                f"y[{place}] is {each!r}."
            )
    return np.array(objects.tolist())


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


def class_factors(
    class_weight: Any, classes: NDArray[Any], labels: NDArray[Any], weights: FloatArray | None
) -> FloatArray | None:
    """What to multiply the weight of every class with; None for nothing.

    ``"balanced"`` gives all classes the same weight in all, a sample of weight two counting twice.
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        counts = np.bincount(labels, weights=weights, minlength=classes.size).astype(np.float64)
        factors: FloatArray = counts.sum() / (classes.size * counts)
        return factors
    if not isinstance(class_weight, Mapping):
        raise InvalidArgumentError(
            f"class_weight must be 'balanced', a dict from labels to weights, or None; "
            f"got {class_weight!r}."
        )
    places = {label: place for place, label in enumerate(classes.tolist())}
    factors = np.ones(classes.size)
    for label, weight in class_weight.items():
        if label not in places:
            raise InvalidArgumentError(f"class_weight names {label!r}, which is not a label of y.")
        factors[places[label]] = check_real(f"class_weight[{label!r}]", weight, least=0.0)
    return factors

"""Losses as functions of the prediction and the target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from regiht.reference.thresholding import Vector

Elementwise = Callable[[Vector, Vector], Vector]


@dataclass(frozen=True)
class Loss:
    """A loss per sample, as functions of the prediction and the target.

    `derivative` and `curvature` are the first and second derivative in the prediction (at a kink,
    one of the one-sided values); `max_curvature` bounds the second.

    Attributes
    ----------
    value, derivative, curvature : functions of prediction and target
    max_curvature : float

    See Also
    --------
    LinearObjective : Sums one over the rows.

    Examples
    --------
    >>> from regiht import reference
    >>> squared = reference.LOSSES["squared"]
    >>> squared.value(3.0, 1.0), squared.derivative(3.0, 1.0)
    (2.0, 2.0)
    """

    value: Elementwise
    derivative: Elementwise
    curvature: Elementwise
    max_curvature: float


def _sigmoid(z: Vector) -> Vector:
    decay = np.exp(-np.abs(z))  # never overflows
    return np.where(z >= 0, 1.0, decay) / (1.0 + decay)


def _logistic_value(z: Vector, b: Vector) -> Vector:
    # log(1 + e^z) = max(z, 0) + log(1 + e^-|z|); folding -b z in leaves nothing to cancel.
    return np.where(z >= 0, (1.0 - b) * z, -b * z) + np.log1p(np.exp(-np.abs(z)))


def _exp(z: Vector) -> Vector:
    with np.errstate(over="ignore"):  # infinity is the right answer there
        return np.exp(z)


HUBER_DELTA = 1.35


def _huber_value(z: Vector, b: Vector) -> Vector:
    size = np.abs(z - b)
    linear = HUBER_DELTA * size - 0.5 * HUBER_DELTA**2
    return np.where(size <= HUBER_DELTA, 0.5 * size**2, linear)


def _hinge(z: Vector, b: Vector) -> Vector:
    return np.maximum(0.0, 1.0 - (2.0 * b - 1.0) * z)


LOSSES: dict[str, Loss] = {
    "squared": Loss(
        value=lambda z, b: 0.5 * (z - b) ** 2,
        derivative=lambda z, b: z - b,
        curvature=lambda z, _: np.ones_like(z),
        max_curvature=1.0,
    ),
    "logistic": Loss(
        value=_logistic_value,
        derivative=lambda z, b: _sigmoid(z) - b,
        curvature=lambda z, _: _sigmoid(z) * _sigmoid(-z),
        max_curvature=0.25,
    ),
    "poisson": Loss(
        value=lambda z, b: _exp(z) - b * z,
        derivative=lambda z, b: _exp(z) - b,
        curvature=lambda z, _: _exp(z),
        max_curvature=np.inf,
    ),
    "huber": Loss(
        value=_huber_value,
        derivative=lambda z, b: np.clip(z - b, -HUBER_DELTA, HUBER_DELTA),
        curvature=lambda z, b: (np.abs(z - b) <= HUBER_DELTA).astype(np.float64),
        max_curvature=1.0,
    ),
    "squared-hinge": Loss(
        value=lambda z, b: 0.5 * _hinge(z, b) ** 2,
        derivative=lambda z, b: -(2.0 * b - 1.0) * _hinge(z, b),
        curvature=lambda z, b: (_hinge(z, b) > 0).astype(np.float64),
        max_curvature=1.0,
    ),
}
"""Losses by name. Targets of "logistic" and "squared-hinge" are 0 or 1."""

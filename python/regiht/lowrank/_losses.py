"""Losses of predictions, summed over all of them."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from regiht._inputs.checks import FloatArray
from regiht.lowrank._products import dot


class EntryLoss(Protocol):
    """A sum of convex losses, one for each prediction."""

    max_curvature: float

    def value(self, z: FloatArray) -> float:
        """Sum of the losses."""

    def derivative(self, z: FloatArray, out: FloatArray | None = None) -> FloatArray:
        """First derivative of each loss, in ``out`` if given, which may be z."""

    def curvature(self, z: FloatArray) -> FloatArray | float:
        """Second derivative of each loss."""


class SquaredLoss:
    """½ · weight · (z − target)²."""

    def __init__(self, target: FloatArray, weights: FloatArray | float = 1.0) -> None:
        self.target = target
        self.weights = weights
        self.max_curvature = float(np.max(weights))

    def value(self, z: FloatArray) -> float:
        """Sum of the losses."""
        residual = z - self.target
        return 0.5 * dot(residual, np.asarray(self.weights * residual))

    def derivative(self, z: FloatArray, out: FloatArray | None = None) -> FloatArray:
        """Return weight · (z − target), in ``out`` if given, which may be z."""
        residual = np.subtract(z, self.target, out=out)
        residual *= self.weights
        return residual

    def curvature(self, z: FloatArray) -> FloatArray | float:
        """Return the weights, whatever the prediction."""
        del z
        return self.weights


class LogisticLoss:
    """log(1 + exp(−sign·z)) for signs −1 and 1."""

    max_curvature = 0.25

    def __init__(self, signs: FloatArray) -> None:
        self.signs = signs

    def value(self, z: FloatArray) -> float:
        """Sum of the losses."""
        return float(np.logaddexp(0.0, -self.signs * z).sum())

    def derivative(self, z: FloatArray, out: FloatArray | None = None) -> FloatArray:
        """−sign · σ(−sign·z), in ``out`` if given, which may be z."""
        return np.multiply(-self.signs, _sigmoid(-self.signs * z), out=out)

    def curvature(self, z: FloatArray) -> FloatArray:
        """σ(z) · σ(−z)."""
        return _sigmoid(z) * _sigmoid(-z)


def _sigmoid(z: FloatArray) -> FloatArray:
    decay = np.exp(-np.abs(z))  # never overflows
    return np.asarray(np.where(z >= 0.0, 1.0, decay) / (1.0 + decay))

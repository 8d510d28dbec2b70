"""The objective of a linear model."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from regiht.reference.losses import LOSSES, Loss
from regiht.reference.standardization import ImplicitStandardized, promote
from regiht.reference.thresholding import Vector


class Objective(Protocol):
    """A convex function that a solver can ask for its value and gradient."""

    def value(self, x: Vector) -> float:
        """f(x)."""

    def gradient(self, x: Vector) -> Vector:
        """Whole gradient of f at x."""


class LinearObjective:
    """Sum of losses of a linear model: sum_i weight_i loss((A x)_i, y_i) + (ridge/2) ||x||^2.

    Parameters
    ----------
    A : dense array, scipy sparse matrix or ImplicitStandardized
        float32 and integer values are promoted to float64 once, here.
    y : array of shape (rows,)
    loss : str or Loss
        A name in `LOSSES`, or a loss of one's own.
    ridge : float
    sample_weight : array of shape (rows,), optional
    """

    def __init__(
        self,
        A: Any,
        y: Any,
        loss: str | Loss = "squared",
        ridge: float = 0.0,
        sample_weight: Any = None,
    ) -> None:
        self.A = A if isinstance(A, ImplicitStandardized) else promote(A)
        self.A_transposed = self.A.T
        self.y: Vector = np.asarray(y, dtype=np.float64)
        self.loss = LOSSES[loss] if isinstance(loss, str) else loss
        self.ridge = ridge
        self.sample_weight: Vector = (
            np.ones(len(self.y))
            if sample_weight is None
            else np.asarray(sample_weight, dtype=np.float64)
        )

    def value(self, x: Vector) -> float:
        """Objective value: a sum over samples, not a mean."""
        losses = self.loss.value(self.A @ x, self.y)
        return float(self.sample_weight @ losses + 0.5 * self.ridge * (x @ x))

    def gradient(self, x: Vector) -> Vector:
        """A^T (weights * loss') + ridge x."""
        slope = self.sample_weight * self.loss.derivative(self.A @ x, self.y)
        gradient: Vector = self.A_transposed @ slope + self.ridge * x
        return gradient

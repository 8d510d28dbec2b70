"""The objective of a linear model."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from regiht.reference.losses import LOSSES, Loss
from regiht.reference.standardization import ImplicitStandardized, promote
from regiht.reference.thresholding import Vector


class Objective(Protocol):
    """A convex function that a solver can ask for its value and gradient.

    See Also
    --------
    LinearObjective : The usual one.
    regiht.Objective : What the compiled solvers ask for.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import reference
    >>> class Distance:
    ...     def value(self, x):
    ...         return 0.5 * np.sum((x - np.arange(4)) ** 2)
    ...
    ...     def gradient(self, x):
    ...         return x - np.arange(4)
    >>> reference.iht(Distance(), 4, 1, step=1.0, max_iter=5).x.tolist()
    [0.0, 0.0, 0.0, 3.0]
    """

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

    See Also
    --------
    iht, regularized_iht : Minimise it.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import reference
    >>> objective = reference.LinearObjective(np.eye(2), np.array([3.0, 1.0]))
    >>> float(objective.value(np.zeros(2))), objective.gradient(np.zeros(2)).tolist()
    (5.0, [-3.0, -1.0])
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

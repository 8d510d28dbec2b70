"""The penalty on factors that alternating least squares are known for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regiht._inputs.checks import FloatArray
from regiht.lowrank._factors import Factors


@dataclass(frozen=True, slots=True)
class FactorPenalty:
    """(strength/2)(Σ rowsᵢ²‖lᵢ‖² + Σ colsⱼ²‖rⱼ‖²), least over all L·Rᵀ = A.

    That is strength times the sum of the singular values of diag(rows)·A·diag(cols). The scales are
    ones, or the roots of the numbers of observations.
    """

    strength: float
    rows: FloatArray
    cols: FloatArray

    def value(self, A: Factors) -> float:
        """Least penalty of all factors of A."""
        if self.strength == 0.0:
            return 0.0
        return self.strength * float(self._scaled(A).s.sum())

    def balanced(self, A: Factors) -> tuple[FloatArray, FloatArray]:
        """Return the factors L and R with that penalty, which is the same for both."""
        scaled = self._scaled(A)
        root = np.sqrt(scaled.s)
        return scaled.U * root / self.rows[:, None], scaled.V * root / self.cols[:, None]

    def _scaled(self, A: Factors) -> Factors:
        return Factors.of_terms(A.left * self.rows[:, None], A.V * self.cols[:, None])

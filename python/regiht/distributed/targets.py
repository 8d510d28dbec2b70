"""What of the targets of a block a model is fitted to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht._solving.registry import LOSSES


@dataclass(frozen=True)
class TargetRule:
    """How numbers to fit are made of what the user gave.

    Attributes
    ----------
    label : object, optional
        One class against the rest: 1 where y equals it, else 0.
    column : int, optional
        One of several columns.
    factor : float
        What numbers are multiplied with.
    class_factors : tuple of (label, factor)
        What sample weights are multiplied with, for the classes that are named.
    """

    label: Any = None
    column: int | None = None
    factor: float = 1.0
    class_factors: tuple[tuple[Any, float], ...] = ()

    def target(self, y: Any, loss: str) -> FloatArray:
        """The numbers to fit."""
        if self.label is not None:
            equal: FloatArray = (np.asarray(y) == self.label).astype(np.float64)
            return equal
        values = np.asarray(y) if self.column is None else np.asarray(y)[:, self.column]
        checked = check.check_target(values, len(values), LOSSES[loss])
        return checked if self.factor == 1.0 else checked * self.factor

    def weights(self, y: Any, weights: FloatArray | None) -> FloatArray | None:
        """The weights of the samples, with those of their classes."""
        if not self.class_factors:
            return weights
        labels = np.asarray(y)
        factors = np.ones(labels.size)
        for label, factor in self.class_factors:
            factors[labels == label] = factor
        return factors if weights is None else factors * weights

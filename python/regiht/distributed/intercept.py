"""The intercept of a model on blocks: at every x the one that minimises the loss."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from regiht._inputs.checks import FloatArray
from regiht.distributed.row_block import Point

# What is left of a sum that should be zero, against the sum of the magnitudes.
_TOLERANCE = 1e-13
_MOST_STEPS = 100


class Intercept:
    """Newton's method along the intercept, a round for each step.

    The minimum over the intercept is a convex function of x. A search begins where the intercept
    would be if it followed x along a straight line from the last point, and so takes a step or two.
    """

    def __init__(self) -> None:
        self._point: Point | None = None
        self._slope = self._magnitude = self._curvature = 0.0
        self._cross: FloatArray = np.empty(0)

    def learn(self, point: Point, answer: dict[str, Any]) -> None:
        """Take what the blocks said of a point."""
        self._point = point
        self._slope, self._magnitude = float(answer["slope"]), float(answer["magnitude"])
        self._curvature = float(answer["curvature"])
        self._cross = answer["cross"]

    def search(self, point: Point) -> Iterator[Point]:
        """Yield the point with one intercept after another; each is learned before the next."""
        value = self._predicted(point)
        lower, upper = -math.inf, math.inf  # where the slope is negative, and where positive
        reach = max(1.0, abs(value))
        for _ in range(_MOST_STEPS):
            yield replace(point, intercept=value)
            slope = self._slope
            if not math.isfinite(slope) or abs(slope) <= _TOLERANCE * self._magnitude:
                return
            lower, upper = (value, upper) if slope < 0.0 else (lower, value)
            following = value - slope / self._curvature if self._curvature > 0.0 else math.nan
            if not abs(following - value) <= reach:
                following = value - math.copysign(reach, slope)
                reach *= 2.0
            if not lower < following < upper:
                following = 0.5 * (lower + upper)
            if following in (value, lower, upper):
                return
            value = following

    def _predicted(self, point: Point) -> float:
        """Where the slope would be zero if the loss were quadratic around the last point."""
        last = self._point
        if last is None:
            return 0.0
        if not (self._curvature > 0.0 and math.isfinite(self._curvature)):
            return last.intercept
        # Columns that have entered since are taken not to correlate.
        moved = {int(j): -v for j, v in zip(last.columns, last.values, strict=True)}
        cross = dict(zip(last.columns.tolist(), self._cross.tolist(), strict=True))
        for j, v in zip(point.columns.tolist(), point.values.tolist(), strict=True):
            moved[j] = moved.get(j, 0.0) + v
        along = sum(cross.get(j, 0.0) * by for j, by in moved.items())
        guess = last.intercept - along / self._curvature
        return guess if math.isfinite(guess) else last.intercept

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


# The least distance to which slopes are asked for: closer, they say nothing new.
_LEAST_REACH = 1e-3


class Intercept:
    """Steps along the intercept to where its slope is zero, a round for each.

    The minimum over the intercept is a convex function of x. A search begins where the intercept
    would be if it followed x along a straight line from the last point. Each round brings the slope
    there and at two points near by, and its derivative: the next step goes to the zero of the cubic
    through them, and is the last as a rule.

    Attributes
    ----------
    reach : float
        How far away these points are.
    """

    def __init__(self) -> None:
        self.reach = 1.0
        self._slopes: FloatArray = np.zeros(2)
        self._point: Point | None = None
        self._slope = self._magnitude = self._curvature = 0.0
        self._cross: FloatArray = np.empty(0)

    def learn(self, point: Point, answer: dict[str, Any]) -> None:
        """Take what the blocks said of a point."""
        self._point = point
        self._slope, self._magnitude = float(answer["slope"]), float(answer["magnitude"])
        self._curvature = float(answer["curvature"])
        self._slopes = answer["slopes"]
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
            following = value + self._step()
            if not abs(following - value) <= reach:
                following = value - math.copysign(reach, slope)
                reach *= 2.0
            if not lower < following < upper:
                following = 0.5 * (lower + upper)
            if following in {value, lower, upper}:
                return
            self.reach = max(_LEAST_REACH, min(abs(following - value), 1.0))
            value = following

    def _step(self) -> float:
        """To the zero of the cubic; where that is no use, Newton's step."""
        if not self._curvature > 0.0:
            return math.nan
        newton = -self._slope / self._curvature
        before, after = self._slopes.tolist()
        second = (after - 2.0 * self._slope + before) / self.reach**2
        third = 6.0 * ((after - before) / (2.0 * self.reach) - self._curvature) / self.reach**2
        step = newton
        for _ in range(8):
            value = self._slope + step * (
                self._curvature + step * (second / 2.0 + step * third / 6.0)
            )
            slope = self._curvature + step * (second + step * third / 2.0)
            if not slope > 0.0:
                return newton
            step -= value / slope
        return step if abs(step) <= 2.0 * self.reach else newton

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

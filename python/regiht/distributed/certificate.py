"""Lower bounds for models on blocks: `regiht.solve(certify=True)` with sums over blocks."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from regiht import _core
from regiht._inputs.checks import FloatArray, IndexArray
from regiht.distributed import row_block
from regiht.distributed.blocks import Blocks
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.row_block import Point
from regiht.distributed.screening import ColumnNorms

# Each takes a full gradient, and another round for every length that is tried.
MOST_STEPS = 300

_EPSILON = float(np.finfo(np.float64).eps)
_LEAST = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True)
class ConstrainedModel:
    """A model of at most so many features, over blocks of rows without an intercept."""

    blocks: Blocks
    norms: ColumnNorms
    rows: int
    loss: _core.Loss
    ridge: float
    sparsity: int
    keep: IndexArray

    def bound_at_zero(self) -> float:
        """What slopes of zero give."""
        answer = self.blocks.sum(row_block.dual, None)
        return 0.0 - float(answer["conjugate"]) - self._roundoff * float(answer["magnitude"])

    def bound(self, answer: Answer) -> float:
        """What the slopes at a point give: a number not above D(u), rounding included.

        As in dual_bound.hpp, where each gradient entry is as large as rounding may have hidden.
        """
        lost = math.sqrt(self.rows * _LEAST)  # to underflow, in a norm
        norm = math.sqrt(answer["squared_norm"]) + lost
        error = self._roundoff * (1.0 + 2.0 * self._roundoff) * norm
        sizes = np.abs(answer["gradient"]) + (self.norms.roundoff_norms + lost) * error
        kept, free = sizes[self.keep], self.sparsity - self.keep.size
        others = np.delete(sizes, self.keep)
        if free < others.size:
            others = np.partition(others, others.size - free)[others.size - free :]
        squares = float(np.sum(np.square(kept)) + np.sum(np.square(others)))
        conjugate, quadratic = float(answer["conjugate"]), squares / (2.0 * self.ridge)
        margin = self._roundoff * float(answer["magnitude"])
        margin += (self.sparsity + 16) * _EPSILON * (abs(conjugate) + quadratic)
        bound = -conjugate - quadratic - margin - self.rows * _LEAST
        return -math.inf if math.isnan(bound) else bound

    @property
    def _roundoff(self) -> float:
        return (self.rows + 16) * _EPSILON

    def value(self, x: FloatArray) -> float:
        """The loss, without the ridge."""
        nothing = np.empty(0, dtype=np.int64)
        return float(self.blocks.sum(row_block.evaluate, _point(x), nothing, None, None)["value"])

    def shortest_safe_step(self) -> float:
        """One over a bound on the curvature along a column."""
        curvature = float(self.loss.max_curvature)
        if not math.isfinite(curvature):
            curvature = 1.0
        curvature *= max(
            float(each["weight"]) for each in self.blocks.map(row_block.largest_weight)
        )
        norm = float(self.norms.norms.max())
        step = 1.0 / max(curvature * norm * norm, _LEAST)
        return min(step, self.longest_step())

    def longest_step(self) -> float:
        """Beyond, a step is one to the minimum of the ridge, and only overflow is near."""
        return min(1e3 / self.ridge, 1e300)


def lower_bound(model: ConstrainedModel, x: FloatArray, fun: float, seconds: float | None) -> float:
    """Bound the least value of the model from below, beginning at a solution x with f(x) = fun.

    The convex relaxation is minimised by accelerated proximal gradient steps that restart where
    the value rises, and the slopes at every point on the way give a bound; the best is kept. The
    steps are those of certificate.hpp.
    """
    end = math.inf if seconds is None else time.monotonic() + seconds
    best = model.bound_at_zero()
    here = np.array(x) if math.isfinite(model.value(x)) else np.zeros(x.size)
    before, momentum, step = here, 1.0, model.shortest_safe_step()
    relaxed, last = fun if math.isfinite(fun) else math.inf, math.inf
    steps = 0
    while steps < MOST_STEPS and time.monotonic() < end:
        following = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * momentum * momentum))
        share = (momentum - 1.0) / following
        momentum = following
        point = here + share * (here - before)
        answer = model.blocks.sum(row_block.dual, _point(point))
        if not math.isfinite(answer["value"]):
            if share <= 0.0:
                break
            before, momentum = here, 1.0
            continue
        best = max(best, model.bound(answer))
        gain = relaxed - best
        if gain <= 1e-10 * abs(fun) or gain <= 1e-3 * (fun - best):
            break
        if not np.isfinite(answer["gradient"]).all():
            break
        steps += 1
        found = _descend(model, point, answer, step, end)
        if found is None:
            break
        before, here = here, found.x
        if found.relaxed > last:
            before, momentum = here, 1.0
        last = found.relaxed
        relaxed = min(relaxed, last)
        step = min(1.1 * found.step, model.longest_step())
    return best


@dataclass(frozen=True)
class _Step:
    x: FloatArray
    relaxed: float  # the value of the relaxation there
    step: float


def _descend(
    model: ConstrainedModel, point: FloatArray, answer: Answer, step: float, end: float
) -> _Step | None:
    """Take a proximal gradient step, the longest tried that is short enough; None without one."""
    value, gradient = float(answer["value"]), answer["gradient"]
    while step >= _LEAST and time.monotonic() < end:
        x, penalty = _core.relaxed_threshold(
            point - step * gradient, step * model.ridge, model.sparsity, model.keep
        )
        reached, moved = model.value(x), x - point
        slope = float(gradient @ moved)
        noise = 16.0 * _EPSILON * (abs(reached) + abs(value) + abs(slope))
        if reached - value - slope <= 0.5 * float(moved @ moved) / step + noise:
            return _Step(x, reached + model.ridge * penalty, step)
        step *= 0.5
    return None


def _point(x: FloatArray) -> Point:
    columns = np.flatnonzero(x)
    return Point(columns, x[columns])

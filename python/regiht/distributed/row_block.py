"""One block of rows: its samples, and its share of every sum that a fit asks for.

All functions here run where the block is. They answer dicts of numbers and arrays, which are added
up over the blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from regiht import _core
from regiht._inputs.checks import FloatArray, IndexArray
from regiht._inputs.design import Design
from regiht.distributed.alignment import Aligned
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.targets import TargetRule

# Predictions, the loss, and its derivative for each sample.
Evaluated = tuple[FloatArray, float, FloatArray]

# A rounded slope may lie just outside the domain of the conjugate; zero lies in it.
_INWARDS = 1.0 - 4.0 * np.finfo(np.float64).eps

# Points whose predictions a block remembers: the reference of screening, and the last ones.
_REMEMBERED = 3


@dataclass(frozen=True)
class Point(Aligned):
    """Where to evaluate: the nonzeros of x, and the intercept."""

    columns: IndexArray
    values: FloatArray
    intercept: float = 0.0

    def key(self) -> bytes:
        """Equal for equal points."""
        return self.columns.tobytes() + self.values.tobytes() + np.float64(self.intercept).tobytes()


@dataclass(frozen=True)
class RowBlock(Aligned):
    """Rows as they were loaded: a matrix that is checked, their targets and their weights.

    ``number`` is the place among all blocks, empty ones included.
    """

    design: Design
    target: Any
    weights: FloatArray | None = None
    number: int = 0

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.design.shape[0]


def weighed(block: RowBlock, rule: TargetRule) -> RowBlock:
    """Make the same rows with the weights of their classes."""
    return replace(block, weights=rule.weights(block.target, block.weights))


def masked(
    block: RowBlock, first_rows: dict[int, int], counts: IndexArray, weighted: bool
) -> RowBlock:
    """Make the same rows with weights that count each so often; counts are those of all blocks."""
    first = first_rows[block.number]
    here: FloatArray = counts[first : first + block.rows].astype(np.float64)
    if weighted and block.weights is not None:
        here = here * block.weights
    return replace(block, weights=here)


def total_weight(block: RowBlock) -> Answer:
    """Sum of the weights of the samples, or their number."""
    return {"total": float(block.rows if block.weights is None else np.sum(block.weights))}


@dataclass(frozen=True)
class ModelBlock(Aligned):
    """Rows, standardized without a copy, under a loss. One thread uses it at a time."""

    rows: RowBlock
    loss: str
    target: FloatArray
    means: FloatArray | None
    factors: FloatArray | None
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": {}}

    @property
    def design(self) -> _core.Design:
        """The standardized matrix."""
        core = self._kept.get("design")
        if core is None:
            core = self.rows.design._core
            if self.factors is not None:
                means = np.zeros_like(self.factors) if self.means is None else self.means
                core = _core.rescaled_design(core, means, self.factors)
            self._kept["design"] = core
        return core

    def weights(self) -> FloatArray:
        """Weights of the samples."""
        weights = self.rows.weights
        return np.ones(self.rows.rows) if weights is None else weights

    def at(self, point: Point) -> Evaluated:
        """Predictions at a point, the loss there, and its derivative for each sample."""
        points: dict[bytes, Evaluated] = self._kept.setdefault("points", {})
        key = point.key()
        known = points.pop(key, None)
        if known is None:
            prediction = self.design.apply_columns(point.columns, point.values, point.intercept)
            value, derivative = _core.loss_evaluate(
                self.loss, prediction, self.target, self.rows.weights
            )
            known = prediction, value, derivative
        points[key] = known
        while len(points) > _REMEMBERED:
            points.pop(next(iter(points)))
        return known

    def slope(self, point: Point, by: float) -> float:
        """Sum of the derivatives where all predictions are moved by so much."""
        moved = self.at(point)[0] + by
        derivative = _core.loss_evaluate(self.loss, moved, self.target, self.rows.weights)[1]
        return float(np.sum(derivative))

    def curvature(self, point: Point) -> FloatArray:
        """Second derivative of the loss for each sample."""
        return _core.loss_curvature(self.loss, self.at(point)[0], self.target, self.rows.weights)


def as_model(
    block: RowBlock,
    loss: str,
    rule: TargetRule,
    means: FloatArray | None,
    factors: FloatArray | None,
) -> ModelBlock:
    """Make a block of a model of loaded rows."""
    return ModelBlock(block, loss, rule.target(block.target, loss), means, factors)


def target_range(block: ModelBlock) -> Answer:
    """The least and the largest target of the samples that count, and their least weight."""
    weights = block.weights()
    counted = block.target[weights > 0.0]
    if not counted.size:
        return {"least": np.inf, "largest": -np.inf, "least_weight": np.inf}
    return {
        "least": float(counted.min()),
        "largest": float(counted.max()),
        "least_weight": float(weights[weights > 0.0].min()),
    }


def evaluate(
    block: ModelBlock,
    point: Point,
    columns: IndexArray | None,
    reference: Point | None,
    reach: float | None,
) -> Answer:
    """The loss and its gradient at a point, for some columns or, with None, for all.

    With a reference also ‖r − r₀‖², r being the derivatives of the samples. With a reach, for
    models that have an intercept, what a step along it needs, how it follows x, and the slopes at
    this distance to both sides.
    """
    _, value, derivative = block.at(point)
    answer: Answer = {"value": value}
    if columns is None:
        answer["gradient"] = block.design.apply_transpose(derivative)
    else:
        answer["gradient"] = block.design.apply_transpose_columns(columns, derivative)
    if columns is None or reference is not None:
        answer["squared_norm"] = float(np.sum(np.square(derivative)))
    if reference is not None:
        apart = derivative - block.at(reference)[2]
        answer["squared_distance"] = float(np.sum(np.square(apart)))
    if reach is not None:
        curvature = block.curvature(point)
        answer["slopes"] = np.array([block.slope(point, by) for by in (-reach, reach)])
        answer["slope"] = float(np.sum(derivative))
        answer["magnitude"] = float(np.sum(np.abs(derivative)))
        answer["curvature"] = float(np.sum(curvature))
        answer["cross"] = block.design.apply_transpose_columns(point.columns, curvature)
    return answer


def second_derivatives(
    block: ModelBlock, point: Point, rows: IndexArray, columns: IndexArray, with_intercept: bool
) -> Answer:
    """Second derivatives of the loss between rows and columns, and those with the intercept."""
    curvature = block.curvature(point)
    answer: Answer = {"products": block.design.weighted_products(rows, columns, curvature)}
    if with_intercept:
        answer["left"] = block.design.apply_transpose_columns(rows, curvature)
        answer["right"] = block.design.apply_transpose_columns(columns, curvature)
        answer["total"] = float(np.sum(curvature))
    return answer


def curvatures(
    block: ModelBlock, point: Point, columns: IndexArray, with_intercept: bool
) -> Answer:
    """The diagonal of the second derivatives, and the row of the intercept."""
    curvature = block.curvature(point)
    answer: Answer = {"squares": block.design.weighted_squares(columns, curvature)}
    if with_intercept:
        answer["sums"] = block.design.apply_transpose_columns(columns, curvature)
        answer["total"] = float(np.sum(curvature))
    return answer


def total_curvature(block: ModelBlock, point: Point) -> Answer:
    """Sum of the second derivatives over the samples."""
    return {"total": float(np.sum(block.curvature(point)))}


def squared_norms(block: ModelBlock) -> Answer:
    """‖aⱼ‖² of the standardized columns, and of all that is summed in products with them."""
    norms = block.design.column_norms()
    answer: Answer = {"squares": np.square(norms)}
    if block.factors is not None and block.means is not None:
        plain = block.rows.design._core.column_norms()
        shift = 2.0 * np.sqrt(block.rows.rows) * np.abs(block.means)
        answer["roundoff"] = np.square((plain + shift) * block.factors)
    return answer


def without_mean(block: ModelBlock, mean: float) -> ModelBlock:
    """Make the same rows with targets from which a number is subtracted."""
    return replace(block, target=block.target - mean, _kept={})


def target_sum(block: ModelBlock) -> Answer:
    """Sum of the targets, and how many blocks have weights."""
    return {"sum": float(np.sum(block.target)), "weighted": float(block.rows.weights is not None)}


def largest_weight(block: ModelBlock) -> Answer:
    """The largest weight of a sample."""
    return {"weight": float(np.max(block.weights()))}


def dual(block: ModelBlock, point: Point | None) -> Answer:
    """The loss at a point, and the parts of the dual bound that its slopes give.

    Without a point, those that slopes of zero give, for which nothing is multiplied.
    """
    weights = block.rows.weights
    if point is None:
        slope = np.zeros(block.rows.rows)
        answer: Answer = {}
    else:
        prediction, value, slope = block.at(point)
        if weights is not None:
            slope = _core.loss_evaluate(block.loss, prediction, block.target)[1]
        slope = slope * _INWARDS
        weighted = slope if weights is None else slope * weights
        answer = {
            "value": value,
            "gradient": block.design.apply_transpose(weighted),
            "squared_norm": float(np.sum(np.square(weighted))),
        }
    conjugate, magnitude = _core.loss_conjugate_sum(block.loss, slope, block.target, weights)
    return answer | {"conjugate": conjugate, "magnitude": magnitude}


def moments(block: ModelBlock, with_gram: bool, with_intercept: bool) -> Answer:
    """What squared loss knows of the data before the first step."""
    weights, target, cols = block.weights(), block.target, block.design.cols
    every = np.arange(cols)
    answer: Answer = {
        "squared_target": float(np.sum(weights * np.square(target))),
        "correlations": block.design.apply_transpose(weights * target),
    }
    if with_gram:
        answer["gram"] = block.design.weighted_products(every, every, weights)
    else:
        answer["squares"] = block.design.weighted_squares(every, weights)
    if with_intercept:
        answer["sums"] = block.design.apply_transpose(weights)
        answer["total"] = float(np.sum(weights))
        answer["target_sum"] = float(np.sum(weights * target))
    return answer


def gram_columns(block: ModelBlock, columns: IndexArray) -> Answer:
    """Inner products of some columns, one row each, with all of them."""
    weights = block.weights()
    one = np.ones(1)
    rows = [
        block.design.apply_transpose(weights * block.design.apply_columns(columns[k : k + 1], one))
        for k in range(columns.size)
    ]
    return {"gram": np.stack(rows)}

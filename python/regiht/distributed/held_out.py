"""Scores of models on rows that were held out, as sums over blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import FloatArray
from regiht._solving.result import Result
from regiht.distributed.blocks import Blocks
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.row_block import Point, RowBlock

# For every number of features the models of all targets.
Models = list[list[Point]]


def models_of(path: Sequence[Sequence[Result]]) -> Models:
    """What has to be sent of fitted models."""
    return [[_point(each) for each in results] for results in path]


def _point(result: Result) -> Point:
    columns = np.flatnonzero(result.coef)
    return Point(columns, result.coef[columns], float(result.intercept))


def r_squared(
    blocks: Blocks, models: Models, log_link: bool, rows: int
) -> tuple[FloatArray, float]:
    """R² of all models, the mean over targets, and the weight of the rows in all.

    As in scikit-learn: 1 for targets that do not vary and are met, 0 if they are not met, and
    undefined for less than two rows.
    """
    sums = blocks.sum(_squares, models, log_link, combine=_pooled)
    errors, spread = sums["errors"], np.broadcast_to(sums["spread"], sums["errors"].shape)
    scores = np.where(errors > 0.0, 0.0, 1.0)
    np.divide(errors, spread, out=scores, where=spread > 0.0)
    scores = np.where(spread > 0.0, 1.0 - scores, scores)
    if rows < 2:
        scores = np.full_like(scores, np.nan)
    return scores.mean(axis=1), float(sums["total"])


def _squares(block: RowBlock, models: Models, log_link: bool) -> Answer:
    """Squared errors of the models, and the mean and the spread of the targets."""
    weights = _weights(block)
    target = np.asarray(block.target, dtype=np.float64).reshape(block.rows, -1)
    total = float(np.sum(weights))
    mean = weights @ target / total if total > 0.0 else np.zeros(target.shape[1])
    errors = [
        weights @ np.square(target - (np.exp(each) if log_link else each))
        for each in (_predictions(block, model) for model in models)
    ]
    return {
        "total": total, "mean": mean, "spread": weights @ np.square(target - mean),
        "errors": np.stack(errors),
    }  # fmt: skip


def _pooled(left: Answer, right: Answer) -> Answer:
    total = left["total"] + right["total"]
    share = right["total"] / total if total > 0.0 else 0.0
    apart = right["mean"] - left["mean"]
    return {
        "total": total,
        "mean": left["mean"] + share * apart,
        "spread": left["spread"] + right["spread"] + share * left["total"] * np.square(apart),
        "errors": left["errors"] + right["errors"],
    }


def accuracy(blocks: Blocks, models: Models, classes: NDArray[Any]) -> tuple[FloatArray, float]:
    """The share of the rows whose class is predicted, and the weight of the rows in all."""
    sums = blocks.sum(_right, models, classes)
    total = float(sums["total"])
    return (sums["right"] / total if total > 0.0 else sums["right"]), total


def _right(block: RowBlock, models: Models, classes: NDArray[Any]) -> Answer:
    """Weights of the rows whose class the models predict."""
    weights = _weights(block)
    right = []
    for model in models:
        scores = _predictions(block, model)
        chosen = (scores[:, 0] > 0).astype(np.intp) if len(model) == 1 else scores.argmax(axis=1)
        right.append(float(np.sum(weights[classes[chosen] == block.target])))
    return {"right": np.array(right), "total": float(np.sum(weights))}


def _weights(block: RowBlock) -> FloatArray:
    assert block.weights is not None  # rows that are held out have them
    return block.weights


def _predictions(block: RowBlock, model: Sequence[Point]) -> FloatArray:
    core = block.design._core
    columns = [core.apply_columns(each.columns, each.values, each.intercept) for each in model]
    return np.stack(columns, axis=1)

"""Scores of models on rows that were held out, as sums over blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from regiht._inputs.checks import FloatArray, IndexArray
from regiht._solving.probabilities import log_probabilities
from regiht._solving.registry import LOSSES
from regiht._solving.result import Result
from regiht.distributed.blocks import Blocks
from regiht.distributed.ordered_sum import Answer, Combine, add
from regiht.distributed.row_block import Point, RowBlock

# For every number of features the models of all targets.
Models = list[list[Point]]

# Errors of rows from their targets and what is predicted, a column for each target.
Errors = Callable[[FloatArray, FloatArray], FloatArray]

# Values of rows from the numbers of their classes and linear scores, a column for each mean.
Verdict = Callable[[IndexArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class Score:
    """A score of scikit-learn that is made of sums over rows.

    Attributes
    ----------
    sums : callable
        What a block adds, of itself, the models, whether they predict logarithms, and the classes.
        ``total`` is the weight of its rows.
    value : callable
        The scores of all models, from all sums and the number of rows.
    combine : callable
        Adds two sums.
    link : str, optional
        That of the losses it is defined for; all, if there is none.
    """

    sums: Callable[[RowBlock, Models, bool, NDArray[Any] | None], Answer]
    value: Callable[[Answer, int], FloatArray]
    combine: Combine = add
    link: str | None = None

    def of(
        self, blocks: Blocks, models: Models, loss: str, classes: NDArray[Any] | None, rows: int
    ) -> tuple[FloatArray, float]:
        """Score all models on rows that have weights; also the weight of these in all."""
        log_link = LOSSES[loss].link == "log"
        sums = blocks.sum(self.sums, models, log_link, classes, combine=self.combine)
        return self.value(sums, rows), float(sums["total"])


def models_of(path: Sequence[Sequence[Result]]) -> Models:
    """What has to be sent of fitted models."""
    return [[_point(each) for each in results] for results in path]


def _point(result: Result) -> Point:
    columns = np.flatnonzero(result.coef)
    return Point(columns, result.coef[columns], float(result.intercept))


def _counted(block: RowBlock) -> tuple[IndexArray, FloatArray]:
    """Rows that were held out, and their weights; what is predicted for others may be anything."""
    assert block.weights is not None  # rows that are held out have them
    here = np.flatnonzero(block.weights)
    return here, block.weights[here]


def _linear(block: RowBlock, model: Sequence[Point], here: IndexArray) -> FloatArray:
    core = block.design._core
    columns = [core.apply_columns(each.columns, each.values, each.intercept) for each in model]
    return np.stack([each[here] for each in columns], axis=1)


def _numbers(
    block: RowBlock, models: Models, log_link: bool, here: IndexArray
) -> tuple[FloatArray, Iterator[FloatArray]]:
    """Targets and the predictions of one model after the other, a column for each target."""
    target = np.asarray(block.target, dtype=np.float64).reshape(block.rows, -1)
    linear = (_linear(block, model, here) for model in models)
    return target[here], (np.exp(each) if log_link else each for each in linear)


def _error_sums(
    errors: Errors, block: RowBlock, models: Models, log_link: bool, _: NDArray[Any] | None
) -> Answer:
    """Errors of the models, for every target."""
    here, weights = _counted(block)
    target, predicted = _numbers(block, models, log_link, here)
    sums = np.stack([weights @ errors(target, each) for each in predicted])
    total = float(np.sum(weights))
    return {"sums": sums, "totals": np.full(target.shape[1], total), "total": total}


def _verdict_sums(
    verdict: Verdict, by_class: bool, block: RowBlock, models: Models, _: bool, classes: Any
) -> Answer:
    """Values of the models, of all rows or for every class."""
    here, weights = _counted(block)
    labels = np.searchsorted(classes, block.target[here])
    places, count = (labels, classes.size) if by_class else (np.zeros_like(labels), 1)
    sums = [
        np.bincount(places, weights * verdict(labels, _linear(block, model, here)), count)
        for model in models
    ]
    totals = np.bincount(places, weights, count)
    return {"sums": np.stack(sums), "totals": totals, "total": float(np.sum(weights))}


def _square_sums(block: RowBlock, models: Models, log_link: bool, _: NDArray[Any] | None) -> Answer:
    """Squared errors of the models, and the mean and the spread of the targets."""
    here, weights = _counted(block)
    target, predicted = _numbers(block, models, log_link, here)
    total = float(np.sum(weights))
    mean = weights @ target / total if total > 0.0 else np.zeros(target.shape[1])
    errors = [weights @ np.square(target - each) for each in predicted]
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


def _r_squared(sums: Answer, rows: int) -> FloatArray:
    """R², the mean over targets.

    As in scikit-learn: 1 for targets that do not vary and are met, 0 if they are not met, and
    undefined for less than two rows.
    """
    errors, spread = sums["errors"], np.broadcast_to(sums["spread"], sums["errors"].shape)
    scores = np.where(errors > 0.0, 0.0, 1.0)
    np.divide(errors, spread, out=scores, where=spread > 0.0)
    scores = np.where(spread > 0.0, 1.0 - scores, scores)
    if rows < 2:
        scores = np.full_like(scores, np.nan)
    mean: FloatArray = scores.mean(axis=1)
    return mean


def _means(sums: Answer) -> FloatArray:
    """Means over rows, for all targets or classes that have some."""
    present = sums["totals"] > 0.0
    means: FloatArray = sums["sums"][:, present] / sums["totals"][present]
    return means if present.any() else np.zeros((len(means), 1))


def _mean(sums: Answer, _: int) -> FloatArray:
    mean: FloatArray = _means(sums).mean(axis=1)
    return mean


def _negative_mean(sums: Answer, rows: int) -> FloatArray:
    return -_mean(sums, rows)


def _negative_root(sums: Answer, _: int) -> FloatArray:
    mean: FloatArray = np.sqrt(_means(sums)).mean(axis=1)
    return -mean


def _squared_errors(target: FloatArray, predicted: FloatArray) -> FloatArray:
    return np.square(target - predicted)


def _absolute_errors(target: FloatArray, predicted: FloatArray) -> FloatArray:
    return np.abs(target - predicted)


def _poisson_deviances(target: FloatArray, predicted: FloatArray) -> FloatArray:
    deviances: FloatArray = 2.0 * (xlogy(target, target / predicted) - target + predicted)
    return deviances


def _hits(labels: IndexArray, scores: FloatArray) -> FloatArray:
    chosen = scores[:, 0] > 0 if scores.shape[1] == 1 else scores.argmax(axis=1)
    hits: FloatArray = np.equal(chosen, labels).astype(np.float64)
    return hits


def _log_losses(labels: IndexArray, scores: FloatArray) -> FloatArray:
    """Logarithms of the probabilities of the true classes, which are cut off as in scikit-learn."""
    least = np.finfo(np.float64).eps
    logs = log_probabilities(scores)[np.arange(labels.size), labels]
    losses: FloatArray = -np.clip(logs, np.log(least), np.log1p(-least))
    return losses


REGRESSION_SCORES = {
    "r2": Score(_square_sums, _r_squared, _pooled),
    "neg_mean_squared_error": Score(partial(_error_sums, _squared_errors), _negative_mean),
    "neg_root_mean_squared_error": Score(partial(_error_sums, _squared_errors), _negative_root),
    "neg_mean_absolute_error": Score(partial(_error_sums, _absolute_errors), _negative_mean),
    "neg_mean_poisson_deviance": Score(
        partial(_error_sums, _poisson_deviances), _negative_mean, link="log"
    ),
}
CLASSIFICATION_SCORES = {
    "accuracy": Score(partial(_verdict_sums, _hits, False), _mean),
    "balanced_accuracy": Score(partial(_verdict_sums, _hits, True), _mean),
    "neg_log_loss": Score(partial(_verdict_sums, _log_losses, False), _negative_mean, link="logit"),
}

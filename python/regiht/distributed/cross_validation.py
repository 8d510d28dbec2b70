"""Choosing the number of features by cross-validation on blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv

from regiht._inputs import checks as check
from regiht._inputs.checks import IndexArray
from regiht._solving.deadline import Deadline
from regiht._solving.nested import is_nested
from regiht._solving.options import Options
from regiht._solving.progress import ProgressBar
from regiht._solving.registry import LOSSES
from regiht._solving.result import Result
from regiht._solving.shared_time import SharedTime
from regiht.distributed.estimator_data import EstimatorData
from regiht.distributed.held_out import (
    CLASSIFICATION_SCORES,
    REGRESSION_SCORES,
    Score,
    models_of,
)
from regiht.distributed.model import BlockModel
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.row_block import RowBlock
from regiht.estimators._cross_validation import (
    FITS_OF_A_FOLD,
    RULES,
    refuse_undefined,
    refuse_weightless,
)
from regiht.estimators._default_grid import numbers_below

# Numbers of the rows to fit and of those to score.
Fold = tuple[IndexArray, IndexArray]


def score_of(model: Any) -> Score:
    """The score of held-out rows; refuse those that are not sums over rows."""
    check.check_choice("rule", model.rule, RULES)
    table = CLASSIFICATION_SCORES if is_classifier(model) else REGRESSION_SCORES
    name = next(iter(table)) if model.scoring is None else model.scoring
    link = LOSSES[check.check_choice("loss", model.loss, tuple(LOSSES))].link
    offered = {each: score for each, score in table.items() if score.link in {None, link}}
    if not isinstance(name, str) or name not in offered:
        raise check.InvalidArgumentError(
            f"for blocks of rows and loss={model.loss!r} scoring must be None or one of "
            f"{', '.join(map(repr, offered))}; got {name!r}."
        )
    return offered[name]


def choose(
    model: Any,
    data: EstimatorData,
    score: Score,
    params: dict[str, Any],
    deadline: Deadline,
    *,
    weighted: bool,
) -> None:
    """Set the number of features, as in memory, and what it is based on."""
    routed = model._routed(np.ones(1) if weighted else None, params)
    folds = _folds(model, data, routed.splitter.split)
    largest = check.count_groups(data.options.groups, np.arange(data.options.n))
    model.n_nonzero_coefs_grid_ = model._grid(
        lambda: numbers_below(min(_counted(data, train) for train, _ in folds)), largest
    )
    sparsities = [0] * model._tries_none() + model.n_nonzero_coefs_grid_.tolist()
    parts = [sparsities] if is_nested(data.options) else [[s] for s in sparsities]
    options = data.options.shared(FITS_OF_A_FOLD, len(sparsities))
    fits = (len(folds) * len(parts) + 1) * len(data.rules)  # with those to all rows
    time = SharedTime(deadline.left(), fits)
    scores = np.empty((len(folds), len(sparsities)))
    model.fold_supports_ = []
    fitted: list[Result] = []
    counts = data.design.blocks.communication
    shown = model._shows_progress()
    with ProgressBar(len(folds), shown=shown, also=lambda: str(counts)) as bar:
        for number, (train, test) in enumerate(folds):
            path = _fold_path(data, train, parts, options, time)
            by_weight = weighted and "sample_weight" in routed.scorer.score
            held_out = data.given.masked(test, weighted=by_weight).blocks
            scores[number], total = score.of(
                held_out, models_of(path), model.loss, getattr(model, "classes_", None), test.size
            )
            refuse_weightless(np.array([total]), number)
            refuse_undefined(scores[number], sparsities, number, test.size)
            fitted += [each for results in path for each in results]
            supports = [np.unique(np.concatenate([r.support for r in each])) for each in path]
            model.fold_supports_.append(supports[sparsities.count(0) :])
            if bar.update:
                bar.update(number + 1, np.nan)
    model._keep_scores(scores)
    model._warn_of_time(fitted, "cross-validation", stacklevel=5)
    model._choose()


def _folds(model: Any, data: EstimatorData, params: dict[str, Any]) -> list[Fold]:
    """The folds of the same rows in memory: splitters see y and the numbers of the rows."""
    y = np.concatenate(data.given.blocks.map(_target))
    rows = np.arange(y.shape[0])
    splitter = check_cv(model.cv, y, classifier=is_classifier(model))
    unseen = np.broadcast_to(0.0, (rows.size, 1))
    return [(rows[train], rows[test]) for train, test in splitter.split(unseen, y, **params)]


def _target(block: RowBlock) -> NDArray[Any]:
    target: NDArray[Any] = block.target
    return target


def _counted(data: EstimatorData, train: IndexArray) -> int:
    """How many rows of a training set have a weight; all are taken to differ."""
    return int(data.design.masked(train).blocks.sum(_positive)["rows"])


def _positive(block: RowBlock) -> Answer:
    assert block.weights is not None
    return {"rows": int(np.count_nonzero(block.weights))}


def _fold_path(
    data: EstimatorData, train: IndexArray, parts: list[list[int]], options: Options,
    time: SharedTime,
) -> list[list[Result]]:  # fmt: skip
    """Models of every s for all targets, fitted to the rows of a fold."""
    design, options = data.standardized(data.design.masked(train), options)
    by_target = []
    for rule in data.rules:
        model = BlockModel.of(design, rule, options).sharing()
        results: list[Result] = []
        for part in parts:
            limited = replace(options, time_limit=time.next())
            results += replace(model, options=limited).fit_path(part)
        by_target.append(results)
    return [list(each) for each in zip(*by_target, strict=True)]

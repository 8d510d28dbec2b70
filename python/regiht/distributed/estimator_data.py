"""What an estimator is fitted to: blocks of rows, what their targets are, and how to solve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError
from regiht._solving.options import Options
from regiht._solving.prepared_model import huber_scale
from regiht.distributed import row_block
from regiht.distributed.design import BlockDesign
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.row_block import RowBlock
from regiht.distributed.targets import TargetRule


@dataclass(frozen=True)
class EstimatorData:
    """Blocks with the parameters of an estimator, checked.

    Attributes
    ----------
    given : BlockDesign
        Rows with the weights that the user gave; scores know no others.
    design : BlockDesign
        Rows with those of their classes too.
    rules : list of TargetRule
        One for every model.
    options : Options
    scale : bool
    excluded : array of int, optional
    """

    given: BlockDesign
    design: BlockDesign
    rules: list[TargetRule]
    options: Options
    scale: bool
    excluded: IndexArray | None

    def standardized(self, design: BlockDesign, options: Options) -> tuple[BlockDesign, Options]:
        """Rows, all of them or some, as the estimator standardizes, and options that suit them."""
        ready = design.standardized(
            center=options.intercept, scale=self.scale, weighted=True, exclude=self.excluded
        )
        return ready, ready.separated(options)


def estimator_data(model: Any, design: BlockDesign) -> EstimatorData:
    """Check the parameters of an estimator; sets its names and classes."""
    _set_names(model, design)
    options = model._options(design.shape[1])
    if model.warm_start and hasattr(model, "coef_"):
        raise InvalidArgumentError("warm_start is not available for blocks of rows.")
    weighed, rules = (_classes if hasattr(model, "class_weight") else _targets)(model, design)
    names = getattr(model, "feature_names_in_", None)
    _, excluded = check.keep_and_exclude(model.keep, model.exclude, design.shape[1], names)
    scale = check.check_flag("standardize", model.standardize)
    return EstimatorData(design, weighed, rules, options, scale, excluded)


def _set_names(model: Any, design: BlockDesign) -> None:
    model.n_features_in_ = design.shape[1]
    vars(model).pop("feature_names_in_", None)
    if design.feature_names is not None:
        model.feature_names_in_ = np.array(design.feature_names, dtype=object)


def _targets(model: Any, design: BlockDesign) -> tuple[BlockDesign, list[TargetRule]]:
    """One rule for every column of targets."""
    widths = {int(each["width"]) for each in design.blocks.map(_width)}
    if len(widths) > 1:
        raise InvalidArgumentError("all blocks of y must have the same number of columns.")
    factor = huber_scale(model.loss, model.huber_threshold)
    width = widths.pop()
    if width == 0:
        return design, [TargetRule(factor=factor)]
    return design, [TargetRule(column=k, factor=factor) for k in range(width)]


def _width(block: RowBlock) -> Answer:
    """Columns of the targets; 0 for a vector."""
    return {"width": 0 if block.target.ndim == 1 else block.target.shape[1]}


def _classes(model: Any, design: BlockDesign) -> tuple[BlockDesign, list[TargetRule]]:
    """One rule for two classes, else one for every class; blocks with the weights of classes."""
    from sklearn.utils.multiclass import check_classification_targets  # noqa: PLC0415

    found = design.blocks.map(_labels)
    if len({each["labels"].dtype.kind in "UOT" for each in found}) > 1:
        raise InvalidArgumentError("y must be text in all blocks or numbers in all.")
    classes, places = np.unique(
        np.concatenate([each["labels"] for each in found]), return_inverse=True
    )
    check_classification_targets(classes)
    weights = np.concatenate([each["counts"] for each in found])
    counts: FloatArray = np.bincount(places, weights=weights).astype(np.float64)
    _refuse_missing(model, classes, counts)
    model.classes_ = classes
    factors = check.class_factors(model.class_weight, classes, np.arange(classes.size), counts)
    if factors is not None:
        rule = TargetRule(class_factors=tuple(zip(classes, factors.tolist(), strict=True)))
        design = replace(design, blocks=design.blocks.derive(row_block.weighed, rule))
    positive = classes[1:] if classes.size == 2 else classes
    return design, [TargetRule(label=label) for label in positive]


def _labels(block: RowBlock) -> dict[str, NDArray[Any]]:
    """Labels of a block, and their weights in all."""
    try:
        check.check_labels(block.target)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"block {block.number}: {error}") from None
    labels, places = np.unique(block.target, return_inverse=True)
    counts: FloatArray = np.bincount(places.ravel(), weights=block.weights).astype(np.float64)
    return {"labels": labels, "counts": counts}


def _refuse_missing(model: Any, classes: NDArray[Any], counts: FloatArray) -> None:
    present = classes[counts > 0.0]
    if present.size < 2:
        raise InvalidArgumentError(
            f"{type(model).__name__} needs samples of at least 2 classes; all that count are "
            f"of one class, '{present[0] if present.size else ''}'."
        )
    if present.size < classes.size:
        missing = classes[counts == 0.0][0]
        raise InvalidArgumentError(f"class '{missing}' has no sample with a positive weight.")

"""Estimators fitted to rows that lie in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, InvalidArgumentError
from regiht._solving.options import Options
from regiht._solving.prepared_model import huber_scale, unscaled
from regiht._solving.result import Result
from regiht.distributed import row_block
from regiht.distributed.communication import Communication
from regiht.distributed.design import BlockDesign
from regiht.distributed.inputs import block_design
from regiht.distributed.model import BlockModel, largest_sparsity
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.row_block import RowBlock
from regiht.distributed.targets import TargetRule

Model = TypeVar("Model")


def fit(
    estimator: Model, X: Any, y: Any, sample_weight: Any = None, *, client: Any = None
) -> Model:
    """Fit a `SparseRegressor` or `SparseClassifier` to rows that lie in blocks.

    ``estimator.fit(X, y)`` does the same for collections of Dask on the present client. Fitted
    attributes are numbers and numpy arrays in this process; ``communication_`` says what it took.

    Parameters
    ----------
    estimator : SparseRegressor or SparseClassifier
    X, y, sample_weight, client
        As in `regiht.distributed.solve`.

    Returns
    -------
    estimator
        Fitted.

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed, or cannot be had on blocks.
    LostBlocksError
        If blocks were lost that cannot be computed again.

    See Also
    --------
    solve : The same without an estimator.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> y = X[:, 4] - X[:, 17]
    >>> model = regiht.SparseRegressor(2)
    >>> regiht.distributed.fit(model, [X[:60], X[60:]], [y[:60], y[60:]]).support_.tolist()
    [4, 17]
    """
    # Estimators import this module, when they meet a collection.
    from regiht.estimators import SparseClassifier, SparseRegressor  # noqa: PLC0415

    if type(estimator) not in {SparseClassifier, SparseRegressor}:
        raise InvalidArgumentError(
            "only SparseRegressor and SparseClassifier can be fitted to blocks of rows; got "
            f"{type(estimator).__name__}."
        )
    model: Any = estimator
    sparsity = check.check_integer("n_nonzero_coefs", model.n_nonzero_coefs, 1)
    design = block_design(X, y, sample_weight, client)
    _set_names(model, design)
    options = model._options(design.shape[1])
    _refuse_unsupported(model, options)
    is_classifier = isinstance(model, SparseClassifier)
    design, rules = (_classes if is_classifier else _targets)(model, design)
    names = getattr(model, "feature_names_in_", None)
    _, excluded = check.keep_and_exclude(model.keep, model.exclude, names)
    scale = check.check_flag("standardize", model.standardize)
    design = design.standardized(
        center=options.intercept, scale=scale, weighted=True, exclude=excluded
    )
    options = design.separated(options)
    results = _fit_each(model, design, rules, options, sparsity)
    model._take(results)
    model.communication_ = design.blocks.communication
    model._warn_of_failures(results)
    return estimator


def _fit_each(
    model: Any, design: BlockDesign, rules: Sequence[TargetRule], options: Options, sparsity: int
) -> list[Result]:
    """Fit one model for every rule; the first has the rounds before it."""
    s = min(sparsity, largest_sparsity(design, options))
    callback = (model.options or {}).get("callback")
    since: Communication | None = Communication()
    results = []
    for rule in rules:
        prepared = BlockModel.of(design, rule, options)
        found = prepared.fit(s, options, callback, model._shows_progress(), since)
        results.append(unscaled(found, rule.factor))
        since = None
    return results


def _set_names(model: Any, design: BlockDesign) -> None:
    model.n_features_in_ = design.shape[1]
    vars(model).pop("feature_names_in_", None)
    if design.feature_names is not None:
        model.feature_names_in_ = np.array(design.feature_names, dtype=object)


def _refuse_unsupported(model: Any, options: Options) -> None:
    if options.certify:
        raise InvalidArgumentError("certify is not possible for rows that lie in blocks.")
    if model.warm_start and hasattr(model, "coef_"):
        raise InvalidArgumentError("warm_start is not possible for rows that lie in blocks.")


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

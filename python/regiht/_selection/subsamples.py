"""Halves of the samples, and what a model fitted to one of them selects."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError


def strata_of(estimator: Any, X: Any, y: Any) -> IndexArray:
    """Number the classes that every half must have; one for all samples of a regression."""
    if isinstance(estimator, type) or not hasattr(estimator, "get_params"):
        raise InvalidArgumentError(
            f"estimator must be an estimator of scikit-learn; got {reprlib.repr(estimator)}."
        )
    targets, rows = np.asarray(y), _num_samples(X)
    if targets.ndim == 0 or len(targets) != rows:
        raise InvalidArgumentError(
            f"y must have one entry for every row of X ({rows}); got shape {targets.shape}."
        )
    if not is_classifier(estimator):
        return np.zeros(len(targets), dtype=np.int64)
    classes, strata, counts = np.unique(targets, return_inverse=True, return_counts=True)
    if counts.min() < 2:
        raise InvalidArgumentError(
            f"class '{classes[counts.argmin()]}' has one sample; each half of the samples needs "
            "one of every class."
        )
    return strata.astype(np.int64)


def complementary_halves(
    strata: IndexArray, rng: np.random.Generator
) -> tuple[IndexArray, IndexArray]:
    """Draw two disjoint halves with equally many samples of every stratum.

    Of a stratum of odd size one sample is in neither.
    """
    first, second = [], []
    for stratum in np.unique(strata):
        members = rng.permutation(np.flatnonzero(strata == stratum))
        half = members.size // 2
        first.append(members[:half])
        second.append(members[half : 2 * half])
    return np.sort(np.concatenate(first)), np.sort(np.concatenate(second))


def fit_on(estimator: Any, X: Any, y: Any, weights: FloatArray | None, rows: IndexArray) -> Any:
    """Fit to some of the samples; weights go to the last step of a pipeline."""
    extra = {}
    if weights is not None:
        step = f"{estimator.steps[-1][0]}__" if isinstance(estimator, Pipeline) else ""
        extra[f"{step}sample_weight"] = weights[rows]
    return estimator.fit(_safe_indexing(X, rows), _safe_indexing(y, rows), **extra)


def selected_features(model: Any) -> NDArray[np.bool_]:
    """Which features a fitted estimator, or the last step of a pipeline, uses."""
    last = model[-1] if isinstance(model, Pipeline) else model
    if hasattr(last, "get_support"):
        mask: NDArray[np.bool_] = last.get_support()
        return mask
    if hasattr(last, "coef_"):
        used: NDArray[np.bool_] = np.any(np.atleast_2d(last.coef_) != 0.0, axis=0)
        return used
    raise InvalidArgumentError(
        f"estimator must select features, by get_support or by zeros in coef_; "
        f"{type(last).__name__} does neither."
    )


def names_of_features(model: Any, count: int) -> list[str]:
    """Names of the features that a fitted model selects from; x0, x1, … where it knows none."""
    names: Any = None
    if isinstance(model, Pipeline) and len(model) > 1:
        try:
            names = model[:-1].get_feature_names_out()
        except (AttributeError, ValueError):  # a step that gives no names
            names = None
    else:
        last = model[-1] if isinstance(model, Pipeline) else model
        names = getattr(last, "feature_names_in_", None)
    return [f"x{j}" for j in range(count)] if names is None else [str(name) for name in names]

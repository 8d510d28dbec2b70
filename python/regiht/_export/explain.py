"""A model in words: its formula, feature by feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from regiht._inputs.checks import FloatArray, check_feature_names, check_fitted_model
from regiht._solving.registry import LOSSES
from regiht._solving.result import Result


def explain(model: Any, feature_names: Sequence[str] | None = None) -> None:
    """Print a model as a formula, the largest coefficients first.

    Parameters
    ----------
    model : fitted SparseRegressor, SparseClassifier, their CV forms, or Result
    feature_names : list of str, optional
        Names of all columns; by default those that the model was fitted with, else x0, x1, …

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> regiht.explain(regiht.SparseRegressor(2).fit(X, 3 * X[:, 4] - 2 * X[:, 17] + 1))
    SparseRegressor: 2 of 30 features, squared loss
    prediction =
        1
      + 3 × x4
      − 2 × x17
    """
    print(describe(model, feature_names))  # noqa: T201  (printing is the purpose)


def describe(model: Any, feature_names: Sequence[str] | None = None) -> str:
    """Return what `explain` prints."""
    if isinstance(model, Result):
        names = check_feature_names(
            model.feature_names if feature_names is None else feature_names, model.coef.size
        )
        title = f"Result: {model.support.size} of {model.coef.size} features"
        terms = _terms(model.coef, model.intercept, model.support, names)
        return "\n".join([title, "prediction =", *terms])
    check_fitted_model(model)
    if feature_names is None:
        feature_names = getattr(model, "feature_names_in_", None)
    names = check_feature_names(feature_names, model.n_features_in_)
    title = (
        f"{type(model).__name__}: {model.support_.size} of {model.n_features_in_} features, "
        f"{model.loss} loss"
    )
    lines = [title]
    coef, intercept = np.atleast_2d(model.coef_), np.atleast_1d(model.intercept_)
    for row, constant, label in zip(coef, intercept, _labels(model), strict=True):
        used = model.support_ if len(coef) == 1 else np.flatnonzero(row)
        left = LOSSES[model.loss].predictor.format(label)
        lines += [f"{left} =", *_terms(row, float(constant), used, names)]
    return "\n".join(lines)


def _labels(model: Any) -> list[str]:
    if not hasattr(model, "classes_"):
        return [""]
    listed = [f"'{label}'" for label in model.classes_]
    return listed[1:] if len(listed) == 2 else listed


def _terms(coef: FloatArray, intercept: float, used: Any, names: Sequence[str]) -> list[str]:
    ranked = used[np.argsort(-np.abs(coef[used]), kind="stable")]
    numbers = [f"{abs(coef[j]):.6g}" for j in ranked]
    width = max(map(len, numbers), default=0)
    first = f"{intercept:.6g}".replace("-", "−", 1)
    return [f"    {first}"] + [
        f"  {'−' if coef[j] < 0 else '+'} {number:<{width}} × {names[j]}"
        for j, number in zip(ranked, numbers, strict=True)
    ]

"""A model as a formula, feature by feature."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from regiht._export.explanation import Explanation, Formula
from regiht._export.pipeline_names import names_out
from regiht._inputs.checks import FloatArray, check_feature_names, check_fitted_model
from regiht._solving.registry import LOSSES
from regiht._solving.result import Result
from regiht._streams import print_line


def explain(model: Any, feature_names: Sequence[str] | None = None) -> Explanation:
    """Show a model as a formula, the largest coefficients first.

    A script prints it; an interactive session shows the return value instead.

    Parameters
    ----------
    model : fitted SparseRegressor, SparseClassifier, their CV forms, Result, or pipeline
        A pipeline, or a search over pipelines, must end in one of these estimators. Its features
        get readable names: ``[colour = red]`` for a category, ``tf-idf("word")``,
        ``(age − 38.6) / 13.2`` for a scaled column.
    feature_names : list of str, optional
        Names of all input columns of the model or the pipeline; by default those that it was
        fitted with, or else x0, x1, …

    Returns
    -------
    Explanation
        With ``text``, ``to_frame()`` and an HTML form for notebooks.

    Raises
    ------
    InvalidArgumentError
        If the model cannot be explained or is not fitted.

    See Also
    --------
    Explanation : What it returns.
    plotting.plot_model : Plots the coefficients as bars.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> model = regiht.SparseRegressor(2).fit(X, 3 * X[:, 4] - 2 * X[:, 17] + 1)
    >>> explanation = regiht.explain(model)
    SparseRegressor: 2 of 30 features, squared loss
    prediction =
        1
      + 3 × x4
      − 2 × x17
    """
    explanation = explained(model, feature_names)
    if not hasattr(sys, "ps1"):  # which interactive sessions have
        print_line(str(explanation), sys.stdout)
    return explanation


def explained(model: Any, feature_names: Sequence[str] | None = None) -> Explanation:
    """Return what `explain` shows."""
    model = getattr(model, "best_estimator_", model)
    if hasattr(model, "steps"):
        if feature_names is None:
            feature_names = getattr(model, "feature_names_in_", None)
        feature_names = names_out(model[:-1], feature_names)
        model = model[-1]
    if isinstance(model, Result):
        names = check_feature_names(
            model.feature_names if feature_names is None else feature_names, model.coef.size
        )
        title = f"Result: {model.support.size} of {model.coef.size} features"
        return Explanation(
            title, (_formula("prediction", model.coef, model.intercept, model.support, names),)
        )
    check_fitted_model(model)
    if feature_names is None:
        feature_names = getattr(model, "feature_names_in_", None)
    names = check_feature_names(feature_names, model.n_features_in_)
    title = (
        f"{type(model).__name__}: {model.support_.size} of {model.n_features_in_} features, "
        f"{model.loss} loss"
    )
    coef, intercept = np.atleast_2d(model.coef_), np.atleast_1d(model.intercept_)
    formulas = []
    for k, (row, constant) in enumerate(zip(coef, intercept, strict=True)):
        used = model.support_ if len(coef) == 1 else np.flatnonzero(row)
        left = _left(model, k, len(coef))
        formulas.append(_formula(left, row, float(constant), used, names))
    return Explanation(title, tuple(formulas))


def _left(model: Any, k: int, count: int) -> str:
    """What the k-th of so many formulas predicts."""
    predictor = LOSSES[model.loss].predictor
    if hasattr(model, "classes_"):
        return predictor.format(f"'{model.classes_[k if count > 1 else 1]}'")
    return predictor.format("") + (f" of target {k}" if count > 1 else "")


def _formula(
    left: str, coef: FloatArray, intercept: float, used: Any, names: Sequence[str]
) -> Formula:
    ranked = used[np.argsort(-np.abs(coef[used]), kind="stable")]
    return Formula(left, intercept, tuple((str(names[j]), float(coef[j])) for j in ranked))

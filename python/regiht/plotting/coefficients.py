"""Pictures of the coefficients of one model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from regiht._inputs.checks import (
    FloatArray,
    check_feature_names,
    check_fitted_model,
    check_named_values,
)
from regiht._inputs.design import Design
from regiht.plotting.style import new_axes, palette, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PER_DEVIATION = "coefficient × standard deviation"


def plot_coefficients(
    names: Sequence[str],
    values: Any,
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    xlabel: str = "coefficient",
) -> Axes:
    """Plot coefficients as bars, the largest on top; one colour for each of several classes.

    Parameters
    ----------
    names : list of str
        Names of the features.
    values : array of shape (features,) or (classes, features)
        One row for each class, as in ``coef_``. To compare features in different units, pass
        coefficients times standard deviations, and say so in ``xlabel``.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    labels : list of str, optional
        Names of the classes.
    xlabel : str
        What the values are.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    MissingMatplotlibError
        Without matplotlib.

    See Also
    --------
    plot_model : From a fitted estimator.

    Examples
    --------
    >>> from regiht.plotting import plot_coefficients
    >>> ax = plot_coefficients(["age", "sex"], [0.5, -1.0])
    """
    table = check_named_values(names, values, labels)
    order = np.argsort(-np.abs(table).max(axis=0, initial=0.0), kind="stable")
    ax = ax or new_axes((7.0, 1.5 + 0.3 * max(len(names), 3)))
    colors = palette(ax)
    height = 0.8 / max(len(table), 1)
    for k, (row, color) in enumerate(zip(table, cycle(colors.lines), strict=False)):
        places = np.arange(len(names)) + (k - (len(table) - 1) / 2) * height
        label = None if labels is None else str(labels[k])
        ax.barh(places, row[order], height=height, color=color, label=label)
    ax.set_yticks(np.arange(len(names)), [short(str(names[j])) for j in order])
    ax.invert_yaxis()
    ax.axvline(0.0, color=colors.ink, linewidth=0.8)
    ax.set_xlabel(xlabel)
    set_title(ax, f"Coefficients of the {len(names)} features selected")
    ax.grid(visible=True, axis="x", alpha=0.3)
    if labels is not None:
        ax.legend()
    return ax


def plot_model(
    model: Any,
    ax: Axes | None = None,
    *,
    X: Any = None,
    feature_names: Sequence[str] | None = None,
) -> Axes:
    """Plot the coefficients of the selected features of a fitted estimator.

    Parameters
    ----------
    model : fitted SparseRegressor, SparseClassifier, or one of their forms with cross-validation
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    X : array, sparse matrix or data frame, optional
        Coefficients are multiplied by the standard deviations of its columns, so that features in
        different units can be compared.
    feature_names : list of str, optional
        Names of all columns; by default those that the model was fitted with, or else x0, x1, …

    Returns
    -------
    matplotlib axes

    Raises
    ------
    MissingMatplotlibError
        Without matplotlib.

    See Also
    --------
    regiht.explain : Shows the model as a formula.
    plot_coefficients : From names and numbers.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> from regiht.plotting import plot_model
    >>> X = np.random.default_rng(0).normal(size=(80, 8))
    >>> ax = plot_model(regiht.SparseRegressor(2).fit(X, X[:, 3] - X[:, 5]), X=X)
    """
    check_fitted_model(model)
    coef: FloatArray = np.atleast_2d(model.coef_)[:, model.support_]
    if X is not None:
        coef = coef * _deviations(X)[model.support_]
    if feature_names is None:
        feature_names = getattr(model, "feature_names_in_", None)
    names = check_feature_names(feature_names, model.n_features_in_)
    classes = getattr(model, "classes_", [f"target {k}" for k in range(len(coef))])
    return plot_coefficients(
        [names[j] for j in model.support_], coef, ax,
        labels=[str(each) for each in classes] if len(coef) > 1 else None,
        xlabel=PER_DEVIATION if X is not None else "coefficient",
    )  # fmt: skip


def _deviations(X: Any) -> FloatArray:
    """Standard deviations of the columns; a Design keeps one divided by their norms."""
    design = Design(X, center=True, scale=True)
    assert design.factors is not None
    factors = design.factors * np.sqrt(design.shape[0])
    deviations: FloatArray = np.zeros_like(factors)
    np.divide(1.0, factors, out=deviations, where=factors != 0.0)
    return deviations

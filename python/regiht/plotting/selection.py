"""Pictures of cross-validation and of the stability of a selection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError
from regiht.plotting.style import new_axes, palette, set_title, short, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_STABILITY_ROWS = 25


def plot_cross_validation(model: Any, ax: Axes | None = None) -> Axes:
    """Plot the scores of a fitted SparseRegressorCV or SparseClassifierCV.

    Every fold is a thin line; the mean has bars of one standard error; the choice is marked.

    Parameters
    ----------
    model : fitted SparseRegressorCV or SparseClassifierCV
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    MissingMatplotlibError
        Without matplotlib.

    See Also
    --------
    plot_stability : In how many folds each feature was selected.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> from regiht.plotting import plot_cross_validation
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 8))
    >>> model = regiht.SparseRegressorCV(3, cv=3).fit(X, X[:, 3] + 0.1 * rng.normal(size=60))
    >>> ax = plot_cross_validation(model)
    """
    scores: FloatArray | None = getattr(model, "scores_", None)
    if scores is None:
        raise InvalidArgumentError("model must be a fitted estimator with cross-validation.")
    from regiht.estimators._cross_validation import standard_errors  # noqa: PLC0415

    ax = ax or new_axes((7.0, 4.5))
    colors = palette(ax)
    grid: IndexArray = model.n_nonzero_coefs_grid_
    for fold in scores:
        ax.plot(grid, fold, color=colors.faint, linewidth=0.9, zorder=1)
    ax.plot([], [], color=colors.faint, linewidth=0.9, label=f"each of {len(scores)} folds")
    ax.errorbar(
        grid, model.mean_scores_, yerr=model.standard_errors_, color=colors.lines[0], marker="o",
        markersize=4, linewidth=1.8, capsize=3, zorder=2, label="mean ± standard error",
    )  # fmt: skip
    null: FloatArray | None = getattr(model, "null_scores_", None)
    if null is not None:
        mean, error = null.mean(), standard_errors(null[:, None])[0]
        ax.vlines(0, mean - error, mean + error, color=colors.ink, linewidth=1.8, zorder=2)
        ax.plot([0], [mean], "s", color=colors.ink, markersize=4, zorder=2, label="no features")
    ax.axvline(
        model.n_nonzero_coefs_, color=colors.lines[1], linestyle="--", zorder=0,
        label=f"chosen: {model.n_nonzero_coefs_} ({model.rule.replace('-', ' ')})",
    )  # fmt: skip
    _count_axis(ax)
    ax.set_ylabel(f"score: {_name_of_score(model)}")
    set_title(ax, "Cross-validated score over the number of features")
    ax.grid(visible=True, alpha=0.3)
    ax.legend()
    return ax


def plot_stability(
    supports: Any, ax: Axes | None = None, *, feature_names: Sequence[str] | None = None
) -> Axes:
    """Plot in how many folds each feature was selected.

    Parameters
    ----------
    supports : fitted estimator with cross-validation, or list of arrays of int
        The selected columns of each fold; for an estimator, those at its chosen number of features.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    feature_names : list of str, optional
        Names of all columns; by default those the estimator was fitted with.

    Returns
    -------
    matplotlib axes
        One bar for each of the features selected most often.

    Raises
    ------
    MissingMatplotlibError
        Without matplotlib.

    See Also
    --------
    plot_probabilities : The same over many halves of the samples.

    Examples
    --------
    >>> from regiht.plotting import plot_stability
    >>> ax = plot_stability([[0, 1], [0, 2], [0, 1]], feature_names=["age", "sex", "weight"])
    """
    folds, names = _folds_of(supports, feature_names)
    selected, counts = np.unique(np.concatenate(folds), return_counts=True)
    order = np.argsort(-counts, kind="stable")[:_MOST_STABILITY_ROWS]
    ax = ax or new_axes((7.0, 1.2 + 0.28 * max(order.size, 3)))
    colors = palette(ax).lines
    labels = [short(names[j]) if names is not None else f"x{j}" for j in selected[order]]
    shares = counts[order]
    always = shares == len(folds)
    places = np.arange(order.size)
    ax.barh(places, shares, color=np.where(always, colors[0], colors[5]).tolist())
    ax.set_yticks(places, labels)
    ax.invert_yaxis()
    ax.set_xlim(0, 1.02 * len(folds))
    ax.xaxis.set_major_locator(whole_numbers())
    ax.set_xlabel(f"folds that selected it, of {len(folds)}")
    left_out = selected.size - order.size
    more = f" ({left_out} not shown)" if left_out else ""
    stable = np.count_nonzero(counts == len(folds))
    set_title(ax, f"Selected in every fold: {stable} of {selected.size} features{more}")
    ax.grid(visible=True, axis="x", alpha=0.3)
    return ax


def _count_axis(ax: Axes) -> None:
    ax.set_xlabel("number of features")
    ax.xaxis.set_major_locator(whole_numbers())


def _name_of_score(model: Any) -> str:
    if model.scoring is None:
        return "accuracy" if hasattr(model, "classes_") else "R²"
    name = str(getattr(model.scoring, "__name__", model.scoring))
    if name.startswith("neg_"):
        return f"−{name.removeprefix('neg_')}".replace("_", " ")
    return name.replace("_", " ")


def _folds_of(
    supports: Any, names: Sequence[str] | None
) -> tuple[list[IndexArray], Sequence[str] | None]:
    if hasattr(supports, "fold_supports_"):
        places = np.flatnonzero(supports.n_nonzero_coefs_grid_ == supports.n_nonzero_coefs_)
        none = np.empty(0, dtype=np.int64)  # what a model of no features has selected
        folds = [fold[places[0]] if places.size else none for fold in supports.fold_supports_]
        return folds, names if names is not None else getattr(supports, "feature_names_in_", None)
    folds = [np.asarray(fold, dtype=np.int64) for fold in supports]
    if not folds:
        raise InvalidArgumentError("supports must list the columns of at least one fold.")
    return folds, names

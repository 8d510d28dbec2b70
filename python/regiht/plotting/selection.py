"""Pictures of how models change with the number of features."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError
from regiht._solving.criteria import has_criteria
from regiht._solving.path import SparsePath
from regiht.plotting.style import COLORS, DASHES, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LABELLED = len(COLORS)
_LONGEST_NAME = 24
_MOST_STABILITY_ROWS = 25


def plot_path(path: SparsePath, ax: Axes | None = None, *, criterion: str | None = "ebic") -> Axes:
    """Draw the coefficients over the number of features.

    Parameters
    ----------
    path : SparsePath
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    criterion : str, optional
        Mark the number of features that it chooses; None, or a loss without one: no mark.

    Returns
    -------
    matplotlib axes
        The features with the largest coefficients are named at the right, all others are grey.
    """
    if not isinstance(path, SparsePath):
        raise InvalidArgumentError(f"path must be a SparsePath; got {type(path).__name__}.")
    ax = ax or new_axes((8.0, 5.0))
    values = path.standardized_coef()
    used = np.flatnonzero(values.any(axis=0))
    order = used[np.argsort(-np.abs(values[-1, used]), kind="stable")]
    named = order[:_LABELLED]
    for j in order[_LABELLED:]:
        ax.plot(path.s, _after_entry(values[:, j]), color="0.75", linewidth=1.0, zorder=1)
    for j, color, dashes in zip(named, cycle(COLORS), cycle(DASHES), strict=False):
        marker = "o" if len(path) == 1 else ""
        ax.plot(
            path.s, _after_entry(values[:, j]), color=color, linestyle=dashes, marker=marker,
            linewidth=1.8, zorder=2, label=path.feature_names[j],
        )  # fmt: skip
    _name_lines(ax, path, values[-1, named], named)
    if criterion is not None and has_criteria(path.loss):
        chosen = path.s[int(np.argmin(path.criterion(criterion)))]
        ax.axvline(chosen, color="0.3", linestyle=":", linewidth=1.2, zorder=0)
        # The names of features are at the right.
        side = "right" if chosen > (path.s[0] + path.s[-1]) / 2 else "left"
        ax.annotate(
            f" {criterion.upper()}: {chosen} ", (chosen, 0.98), xycoords=("data", "axes fraction"),
            va="top", ha=side, color="0.3",
        )  # fmt: skip
    ax.axhline(0.0, color="0.5", linewidth=0.8, zorder=0)
    _count_axis(ax)
    standardized = path.is_standardized
    ax.set_ylabel("coefficient × standard deviation" if standardized else "coefficient")
    others = order.size - named.size
    more = f" ({others} more in grey)" if others else ""
    ax.set_title(f"Coefficients over the number of features, {path.loss} loss{more}")
    ax.grid(visible=True, alpha=0.3)
    return ax


def plot_cross_validation(model: Any, ax: Axes | None = None) -> Axes:
    """Draw the scores of a fitted SparseRegressorCV or SparseClassifierCV.

    Every fold is a thin line; the mean has bars of one standard error; the choice is marked.
    """
    scores: FloatArray | None = getattr(model, "scores_", None)
    if scores is None:
        raise InvalidArgumentError("model must be a fitted estimator with cross-validation.")
    ax = ax or new_axes((7.0, 4.5))
    grid: IndexArray = model.n_nonzero_coefs_grid_
    for fold in scores:
        ax.plot(grid, fold, color="0.75", linewidth=0.9, zorder=1)
    ax.plot([], [], color="0.75", linewidth=0.9, label=f"each of {len(scores)} folds")
    ax.errorbar(
        grid, model.mean_scores_, yerr=model.standard_errors_, color=COLORS[0], marker="o",
        markersize=4, linewidth=1.8, capsize=3, zorder=2, label="mean ± standard error",
    )  # fmt: skip
    ax.axvline(
        model.n_nonzero_coefs_, color=COLORS[1], linestyle="--", zorder=0,
        label=f"chosen: {model.n_nonzero_coefs_} ({model.rule.replace('-', ' ')})",
    )  # fmt: skip
    _count_axis(ax)
    ax.set_ylabel(f"score: {_name_of_score(model)}")
    ax.set_title("Cross-validated score over the number of features")
    ax.grid(visible=True, alpha=0.3)
    ax.legend()
    return ax


def plot_coefficients(
    names: Sequence[str],
    values: Sequence[Any],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
) -> Axes:
    """Draw coefficients as bars, the largest on top; one colour for each of several classes.

    To compare features of different units, give coefficients times standard deviations.
    """
    table = np.asarray(values, dtype=np.float64).reshape(len(names), -1)
    order = np.argsort(-np.abs(table).max(axis=1, initial=0.0), kind="stable")
    ax = ax or new_axes((7.0, 1.5 + 0.3 * max(len(names), 3)))
    height = 0.8 / table.shape[1] if table.size else 0.8
    for k, (column, color) in enumerate(zip(table.T, cycle(COLORS), strict=False)):
        places = np.arange(len(names)) + (k - (table.shape[1] - 1) / 2) * height
        label = None if labels is None else labels[k]
        ax.barh(places, column[order], height=height, color=color, label=label)
    ax.set_yticks(np.arange(len(names)), [_short(names[j]) for j in order])
    ax.invert_yaxis()
    ax.axvline(0.0, color="0.3", linewidth=0.8)
    ax.set_xlabel("coefficient × standard deviation")
    ax.set_title(f"Coefficients of the {len(names)} features selected")
    ax.grid(visible=True, axis="x", alpha=0.3)
    if labels is not None:
        ax.legend()
    return ax


def plot_stability(
    supports: Any, ax: Axes | None = None, *, feature_names: Sequence[str] | None = None
) -> Axes:
    """Draw in how many folds each feature was selected.

    Parameters
    ----------
    supports : fitted estimator with cross-validation, or list of arrays of int
        The selected columns of each fold; of an estimator, those for the number it has chosen.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    feature_names : list of str, optional
        Names of all columns; by default those the estimator was fitted with.

    Returns
    -------
    matplotlib axes
        One bar for each of the features selected most often.
    """
    folds, names = _folds_of(supports, feature_names)
    selected, counts = np.unique(np.concatenate(folds), return_counts=True)
    order = np.argsort(-counts, kind="stable")[:_MOST_STABILITY_ROWS]
    ax = ax or new_axes((7.0, 1.2 + 0.28 * max(order.size, 3)))
    labels = [_short(names[j]) if names is not None else f"x{j}" for j in selected[order]]
    shares = counts[order]
    always = shares == len(folds)
    places = np.arange(order.size)
    ax.barh(places, shares, color=np.where(always, COLORS[0], COLORS[5]).tolist())
    ax.set_yticks(places, labels)
    ax.invert_yaxis()
    ax.set_xlim(0, 1.02 * len(folds))
    _whole_numbers(ax)
    ax.set_xlabel(f"folds that selected it, of {len(folds)}")
    left_out = selected.size - order.size
    more = f" ({left_out} not shown)" if left_out else ""
    stable = np.count_nonzero(counts == len(folds))
    ax.set_title(f"Selected in every fold: {stable} of {selected.size} features{more}")
    ax.grid(visible=True, axis="x", alpha=0.3)
    return ax


def _after_entry(values: FloatArray) -> NDArray[Any]:
    """Leave out zeros, but for those beside other values: lines begin and end on the axis."""
    inside = values != 0.0
    shown = inside.copy()
    shown[:-1] |= inside[1:]
    shown[1:] |= inside[:-1]
    return np.where(shown, values, np.nan)


def _name_lines(ax: Axes, path: SparsePath, ends: FloatArray, named: IndexArray) -> None:
    """Write names at the right end of lines, moved apart where they would touch."""
    if not len(named):
        return
    low, high = ax.get_ylim()
    gap = 0.05 * (high - low)
    places = ends.astype(float).copy()
    order = np.argsort(places)
    for below, above in pairwise(order):
        places[above] = max(places[above], places[below] + gap)
    places += ends.mean() - places.mean()
    line = {"arrowstyle": "-", "linewidth": 0.6, "relpos": (0.0, 0.5), "shrinkA": 1, "shrinkB": 0}
    for j, end, place, color in zip(named, ends, places, cycle(COLORS), strict=False):
        ax.annotate(
            _short(path.feature_names[j]), (path.s[-1], end), (1.02, place),
            textcoords=("axes fraction", "data"), va="center", color=color,
            arrowprops=line | {"color": color}, annotation_clip=False,
        )  # fmt: skip


def _count_axis(ax: Axes) -> None:
    ax.set_xlabel("number of features")
    _whole_numbers(ax)


def _whole_numbers(ax: Axes) -> None:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  (optional)

    ax.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))


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
        chosen = int(np.argmax(supports.n_nonzero_coefs_grid_ == supports.n_nonzero_coefs_))
        folds = [fold[chosen] for fold in supports.fold_supports_]
        return folds, names if names is not None else getattr(supports, "feature_names_in_", None)
    folds = [np.asarray(fold, dtype=np.int64) for fold in supports]
    if not folds:
        raise InvalidArgumentError("supports must list the columns of at least one fold.")
    return folds, names


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"

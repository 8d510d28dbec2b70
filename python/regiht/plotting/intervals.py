"""Pictures of coefficients with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from regiht._inputs.checks import InvalidArgumentError
from regiht.plotting.style import new_axes, palette, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from regiht._selection.inference import Inference


def plot_intervals(inference: Inference, ax: Axes | None = None) -> Axes:
    """Plot coefficients with their intervals, the largest on top, without the intercept.

    Parameters
    ----------
    inference : Inference
        What ``model.inference(X, y)`` returns.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib axes
        Coefficients and intervals are multiplied by the standard deviations of their columns, so
        that features in different units can be compared. Intervals that contain zero are pale.

    Raises
    ------
    MissingMatplotlibError
        Without matplotlib.

    See Also
    --------
    regiht.Inference : Has it as ``plot``.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> from regiht.plotting import plot_intervals
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(80, 8))
    >>> y = X[:, 3] + rng.normal(size=80)
    >>> ax = plot_intervals(regiht.SparseRegressor(2).fit(X, y).inference(X, y, split=True))
    """
    if not hasattr(inference, "intervals"):
        raise InvalidArgumentError(
            f"inference must be an Inference; got {type(inference).__name__}."
        )
    count = inference.support.size
    ax = ax or new_axes((7.0, 1.6 + 0.3 * max(count, 3)))
    first = len(inference.names) - count  # after the intercept, if there is one
    centers = inference.estimates[first:] * inference.deviations
    ends = inference.intervals[first:] * inference.deviations[:, None]
    order = np.argsort(-np.abs(centers), kind="stable")
    colors = palette(ax)
    for place, j in enumerate(order):
        away = ends[j, 0] > 0.0 or ends[j, 1] < 0.0
        color = colors.lines[0] if away else colors.faint
        ax.plot(ends[j], [place, place], color=color, linewidth=2.0)
        ax.plot(centers[j], place, color=color, marker="o", markersize=5)
    ax.set_yticks(np.arange(count), [short(inference.names[first + j]) for j in order])
    ax.set_ylim(count - 0.5, -0.5)
    ax.axvline(0.0, color=colors.ink, linewidth=0.8)
    ax.set_xlabel("coefficient × standard deviation")
    worth = "conditional on the selection" if inference.is_conditional else "valid after selection"
    set_title(ax, f"{100 * inference.level:g} % intervals, {worth}")
    ax.grid(visible=True, axis="x", alpha=0.3)
    return ax

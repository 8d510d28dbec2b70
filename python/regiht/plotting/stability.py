"""Pictures of how often features are selected from halves of the samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from regiht._inputs.checks import InvalidArgumentError
from regiht.plotting.style import new_axes, palette, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from regiht._selection.stability import StabilitySelection

_MOST_ROWS = 25


def plot_probabilities(selection: StabilitySelection, ax: Axes | None = None) -> Axes:
    """Plot the selection probabilities of the features selected most often, and the threshold.

    Parameters
    ----------
    selection : StabilitySelection
        What `regiht.stability_selection` returns.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib axes
        Stable features are dark; the title has the error bound.

    Raises
    ------
    InvalidArgumentError
        If ``selection`` is something else.
    MissingMatplotlibError
        Without matplotlib.

    See Also
    --------
    regiht.stability_selection : Returns the selection.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> from regiht.plotting import plot_probabilities
    >>> X = np.random.default_rng(0).normal(size=(80, 20))
    >>> found = regiht.stability_selection(regiht.SparseRegressor(2), X, X[:, 3], n_pairs=10)
    >>> ax = plot_probabilities(found)
    """
    if not hasattr(selection, "pair_probabilities"):
        raise InvalidArgumentError(
            f"selection must be a StabilitySelection; got {type(selection).__name__}."
        )
    ever = np.flatnonzero(selection.probabilities > 0.0)
    order = ever[np.argsort(-selection.probabilities[ever], kind="stable")][:_MOST_ROWS]
    ax = ax or new_axes((7.0, 1.6 + 0.28 * max(order.size, 3)))
    colors = palette(ax)
    stable = np.isin(order, selection.support)
    places = np.arange(order.size)
    ax.barh(
        places, selection.probabilities[order],
        color=np.where(stable, colors.lines[0], colors.faint).tolist(),
    )  # fmt: skip
    ax.set_yticks(places, [short(selection.feature_names[j]) for j in order])
    ax.invert_yaxis()
    ax.axvline(selection.threshold, color=colors.lines[1], linestyle="--", linewidth=1.4)
    ax.set_xlim(0.0, 1.02)
    halves = f"share of {2 * selection.n_pairs} halves that select it"
    ax.set_xlabel(f"{halves} (threshold {selection.threshold:g})")
    set_title(
        ax,
        f"Stable: {selection.support.size} of {selection.probabilities.size} features, "
        f"at most {selection.error_bound:.2g} expected by chance",
    )
    ax.grid(visible=True, axis="x", alpha=0.3)
    left_out = ever.size - order.size
    if left_out:
        ax.set_ylabel(f"{left_out} more not shown")
    return ax

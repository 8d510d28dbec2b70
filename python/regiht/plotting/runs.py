"""Pictures of runs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from regiht._inputs.checks import FloatArray, InvalidArgumentError
from regiht.plotting.style import DASHES, new_axes, palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A logarithmic axis pays from this ratio of the largest value to the smallest.
_LOG_FROM_RATIO = 20.0


class HasHistory(Protocol):
    """A `Result` or anything else that recorded its iterations."""

    @property
    def history(self) -> dict[str, Any] | None:
        """Arrays with one entry for every iteration, ``fun`` among them."""


def plot_convergence(results: Mapping[str, HasHistory], ax: Axes | None = None) -> Axes:
    """Plot the objective of one or several runs over their iterations.

    Parameters
    ----------
    results : mapping of str to Result or LowRankResult
        The runs by their names in the legend. Each needs ``history=True``.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib axes
        The vertical axis is logarithmic if the values are positive and span more than a decade or
        so. Values that are not finite, and zeros on a logarithmic axis, are left out.

    Raises
    ------
    InvalidArgumentError
        If there is no run, or one without a history.
    MissingMatplotlibError
        Without matplotlib.

    See Also
    --------
    regiht.Result.plot : A single run.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> from regiht.plotting import plot_convergence
    >>> X = np.random.default_rng(0).normal(size=(50, 20))
    >>> y = X[:, 3] - X[:, 7]
    >>> runs = {m: regiht.solve(X, y, 2, method=m, history=True) for m in ("iht", "regiht")}
    >>> ax = plot_convergence(runs)
    """
    curves = {name: _curve(name, result) for name, result in results.items()}
    if not curves:
        raise InvalidArgumentError("results must name at least one Result; got none.")
    if ax is None:
        ax = new_axes()
    logarithmic = _suits_a_logarithm(curves.values())
    for (name, values), color, dashes in zip(
        curves.items(), cycle(palette(ax).lines), cycle(DASHES), strict=False
    ):
        shown = np.where(np.isfinite(values) & ((values > 0.0) | (not logarithmic)), values, np.nan)
        # One point draws no line.
        marker = "o" if values.size == 1 else ""
        ax.plot(
            np.arange(1, values.size + 1), shown, color=color, linestyle=dashes, marker=marker,
            label=name,
        )  # fmt: skip
    if logarithmic:
        ax.set_yscale("log")
    ax.set_xlabel("iteration")
    ax.set_ylabel("objective f(x)")
    ax.set_title("Objective over the iterations")
    ax.grid(visible=True, alpha=0.3)
    if len(curves) > 1:
        ax.legend()
    return ax


def _curve(name: str, result: HasHistory) -> FloatArray:
    if not hasattr(result, "history"):
        raise InvalidArgumentError(
            f"results[{name!r}] must be a Result; got {type(result).__name__}."
        )
    if result.history is None:
        raise InvalidArgumentError(
            f"results[{name!r}] has no history to draw: solve with history=True."
        )
    return np.asarray(result.history["fun"], dtype=np.float64)


def _suits_a_logarithm(curves: Any) -> bool:
    values = np.concatenate(list(curves))
    values = values[np.isfinite(values)]
    positive = values[values > 0.0]
    if positive.size == 0 or (values < 0.0).any():
        return False
    # Zeros are an exact fit reached: they make no difference to the choice.
    return bool(positive.max() / positive.min() > _LOG_FROM_RATIO)

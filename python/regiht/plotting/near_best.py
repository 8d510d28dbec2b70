"""Pictures of models that are nearly as good as the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from regiht._inputs.checks import InvalidArgumentError
from regiht.plotting.style import new_axes, palette, set_title, short, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from regiht._selection.model_set import NearBest

_MOST_MODELS = 40
_MOST_FEATURES = 25

# The name of a sign, and the place of its colour in the palette.
_SIGNS = {"positive": (1.0, 0), "negative": (-1.0, 1)}


def plot_near_best(models: NearBest, ax: Axes | None = None) -> Axes:
    """Plot which model uses which feature, and the signs of its coefficients.

    Parameters
    ----------
    models : NearBest
        What `regiht.near_best` returns.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib axes
        One column for each model, the best on the left, and one row for each feature, those in
        most models on top. A feature can replace another if gaps in one row are filled in the
        other.

    Raises
    ------
    MissingMatplotlibError
        Without matplotlib.

    See Also
    --------
    regiht.near_best : Returns the models.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> from regiht.plotting import plot_near_best
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(80, 8))
    >>> ax = plot_near_best(regiht.near_best(X, X[:, 3] + rng.normal(size=80), 2, within=0.1))
    """
    if not hasattr(models, "substitutes"):
        raise InvalidArgumentError(f"models must be a NearBest; got {type(models).__name__}.")
    shown, features = models[:_MOST_MODELS], models.features[:_MOST_FEATURES]
    ax = ax or new_axes((3.0 + 0.22 * max(len(shown), 14), 2.0 + 0.28 * max(features.size, 3)))
    coef = np.array([result.coef[features] for result in shown])
    colors = palette(ax).lines
    for sign, place_of_color in _SIGNS.values():
        for place, used in enumerate((np.sign(coef) == sign).T):
            ax.barh(
                np.full(np.count_nonzero(used), place), 0.9, left=np.flatnonzero(used) + 0.55,
                height=0.8, color=colors[place_of_color],
            )  # fmt: skip
    ax.set_yticks(np.arange(features.size), [short(models.feature_names[j]) for j in features])
    ax.set_ylim(features.size - 0.5, -0.5)
    ax.set_xlim(0.5, len(shown) + 0.5)
    ax.set_xlabel(f"models, the best first; the last is {_percent(models.excess[len(shown) - 1])}")
    ax.xaxis.set_major_locator(whole_numbers())
    hidden = [
        f"{count - part} {what} not shown"
        for what, count, part in (
            ("models", len(models), len(shown)),
            ("features", models.features.size, features.size),
        )
        if count > part
    ]
    more = f" ({', '.join(hidden)})" if hidden else ""
    set_title(
        ax,
        f"{len(models)} models within {100 * models.within:g} % of the best; "
        f"features in all of them: {models.always.size}{more}",
    )
    if np.any(coef > 0.0) and np.any(coef < 0.0):
        _explain_colors(ax, colors)
    return ax


def _explain_colors(ax: Axes, colors: Sequence[str]) -> None:
    from matplotlib.patches import Patch  # noqa: PLC0415  (optional)

    handles = [Patch(color=colors[place], label=name) for name, (_, place) in _SIGNS.items()]
    # Rarer features stand lower and first appear further right, so this corner is free.
    ax.legend(handles=handles, title="coefficient", loc="lower left", frameon=False)


def _percent(excess: float) -> str:
    return f"{100 * excess:.2g} % above it"

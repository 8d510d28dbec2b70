"""A picture of how coefficients change with the number of features."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError
from regiht._solving.criteria import has_criteria
from regiht._solving.path import SparsePath
from regiht.plotting.coefficients import PER_DEVIATION
from regiht.plotting.style import (
    COLORS,
    DASHES,
    Palette,
    new_axes,
    palette,
    set_title,
    short,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NAMES = len(COLORS)
# Coefficients beyond so many times the largest of the marked model are cut off.
_MOST_TIMES = 5.0
# Of letters, in sizes of the font: the height of a line, and the width of one of them.
_LINE = 1.35
_LETTER = 0.56
_USED = 0.9


def plot_path(path: SparsePath, ax: Axes | None = None, *, criterion: str | None = "ebic") -> Axes:
    """Plot the coefficients over the number of features.

    Parameters
    ----------
    path : SparsePath
    ax : matplotlib axes, optional
        Where to draw; a new figure by default. Nothing is drawn outside of them.
    criterion : str, optional
        Mark the number of features that it chooses. There is no mark for None or for a loss
        without criteria.

    Returns
    -------
    matplotlib axes
        The features of the marked model (without a mark, of the last one) are named on the right,
        those with the largest coefficients if there are many; all others are grey. If models beyond
        the marked one have far larger coefficients, these are cut off, and the title says so.

    Raises
    ------
    MissingMatplotlibError
        Without matplotlib.

    See Also
    --------
    regiht.sparse_path : Returns the path.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> from regiht.plotting import plot_path
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(80, 8))
    >>> ax = plot_path(regiht.sparse_path(X, X[:, 3] - X[:, 5] + rng.normal(size=80), 4))
    """
    if not isinstance(path, SparsePath):
        raise InvalidArgumentError(f"path must be a SparsePath; got {type(path).__name__}.")
    ax = ax or new_axes((8.0, 5.0))
    colors = palette(ax)
    values = path.standardized_coef()
    marked = _marked(path, criterion)
    ax.set_xlabel("number of features")
    ax.set_ylabel(PER_DEVIATION if path.is_standardized else "coefficient")
    shown = _Shown(values, _model_to_name(path, values, marked))
    more = f" ({shown.others.size} more in grey)" if shown.others.size else ""
    cut = f"; up to {shown.largest:.2g}, cut off" if shown.is_cut else ""
    set_title(ax, f"Coefficients over the number of features, {path.loss} loss{more}{cut}")
    for j in shown.others:
        ax.plot(path.s, _after_entry(values[:, j]), color=colors.faint, linewidth=1.0, zorder=1)
    for j, color, dashes in zip(shown.named, cycle(colors.lines), cycle(DASHES), strict=False):
        ax.plot(
            path.s, _after_entry(values[:, j]), color=color, linestyle=dashes, linewidth=1.8,
            marker="o" if len(path) == 1 else "", zorder=2, label=path.feature_names[j],
        )  # fmt: skip
    room = _Room(ax)
    names = [short(path.feature_names[j], room.letters) for j in shown.named[: room.lines]]
    first = path.s[0] if marked is None else min(path.s[0], marked)
    _set_limits(ax, (float(first), float(path.s[-1])), shown, room, names)
    _name_lines(ax, path, shown, room, names, colors)
    if marked is not None:
        _mark(ax, marked, str(criterion), colors)
    ax.axhline(0.0, color=colors.ink, linewidth=0.8, zorder=0)
    ax.grid(visible=True, alpha=0.3)
    return ax


class _Shown:
    """Which features are named, and which values are in the picture."""

    def __init__(self, values: FloatArray, model: FloatArray) -> None:
        used = np.flatnonzero(values.any(axis=0))
        order = used[np.argsort(-np.abs(model[used]), kind="stable")]
        wanted = min(np.count_nonzero(model), _MOST_NAMES)
        self.named: IndexArray = order[:wanted]
        self.others: IndexArray = order[wanted:]
        self.values = values
        self.largest = float(np.abs(values).max(initial=0.0))
        usual = float(np.abs(model).max(initial=0.0))
        self.is_cut = 0.0 < usual * _MOST_TIMES < self.largest
        bound = usual * _MOST_TIMES if self.is_cut else self.largest
        inside = np.clip(values, -bound, bound)
        self.low, self.high = float(inside.min(initial=0.0)), float(inside.max(initial=0.0))


def _marked(path: SparsePath, criterion: str | None) -> int | None:
    """The number of features that the criterion chooses, which may be none."""
    if criterion is None or not has_criteria(path.loss):
        return None
    return path.best_s(criterion)


def _model_to_name(path: SparsePath, values: FloatArray, marked: int | None) -> FloatArray:
    """Coefficients of the model whose features are named: the marked one, else the last."""
    if marked is None:
        return np.asarray(values[-1])
    places = np.flatnonzero(path.s == marked)
    return np.asarray(values[places[0]]) if places.size else np.zeros(values.shape[1])


class _Room:
    """What the axes have room for, in sizes of the font.

    A layout is made before it is measured; one that is made again, for what comes later into other
    axes of the figure, may take some of it, so not all of it is used.
    """

    def __init__(self, ax: Axes) -> None:
        from matplotlib.font_manager import FontProperties  # noqa: PLC0415  (optional)

        ax.figure.canvas.figure.draw_without_rendering()
        extent = ax.get_window_extent()
        size = FontProperties(size="medium").get_size_in_points() * ax.figure.dpi / 72.0
        self.width = max(_USED * extent.width / size, 1.0)
        self.height = max(_USED * extent.height / size, 1.0)
        self.letters = max(1, int((0.5 * self.width - 2.0) / _LETTER))
        # One is that of the mark.
        self.lines = max(1, int(self.height / _LINE - 1.5))


def _set_limits(
    ax: Axes, ends: tuple[float, float], shown: _Shown, room: _Room, names: Sequence[str]
) -> None:
    """Leave room for names at the right, and above for the mark."""
    inner = ((shown.high - shown.low) or 1.0) / max(0.2, 0.9 - _LINE / room.height)
    ax.set_ylim(shown.low - 0.05 * inner, shown.low + 0.95 * inner)
    letters = max(map(len, names), default=0)
    share = min(0.5, (letters * _LETTER + 2.0) / room.width)
    first, last = ends
    across = (last - first) or 1.0
    ax.set_xlim(first - 0.03 * across, last + (across * 1.03) * share / (1.0 - share))
    ticks = whole_numbers().tick_values(first, last)
    ax.set_xticks([tick for tick in ticks if first <= tick <= last])


def _after_entry(values: FloatArray) -> NDArray[Any]:
    """Leave out zeros, but for those beside other values: lines begin and end on the axis."""
    inside = values != 0.0
    shown = inside.copy()
    shown[:-1] |= inside[1:]
    shown[1:] |= inside[:-1]
    return np.where(shown, values, np.nan)


def _name_lines(
    ax: Axes, path: SparsePath, shown: _Shown, room: _Room, names: Sequence[str], colors: Palette
) -> None:
    """Write names beside the right end of lines, moved apart where they would touch."""
    low, high = ax.get_ylim()
    named = shown.named[: len(names)]
    last = [int(np.flatnonzero(shown.values[:, j])[-1]) for j in named]
    # A feature that left before the end has its line end on the axis.
    ends = [
        (path.s[k], shown.values[k, j]) if k == len(path) - 1 else (path.s[k + 1], 0.0)
        for j, k in zip(named, last, strict=True)
    ]
    heights = (np.clip([end[1] for end in ends], shown.low, shown.high) - low) / (high - low)
    gap = _LINE / room.height
    places = _apart(heights, gap, 0.5 * gap, 1.0 - 1.5 * gap)
    left, right = ax.get_xlim()
    beside = path.s[-1] + 1.2 * (right - left) / room.width
    line = {"arrowstyle": "-", "linewidth": 0.6, "relpos": (0.0, 0.5), "shrinkA": 1, "shrinkB": 0}
    for name, end, height, place, color in zip(
        names, ends, heights, places, cycle(colors.lines), strict=False
    ):
        ax.annotate(
            name, (end[0], low + height * (high - low)), (beside, place),
            textcoords=("data", "axes fraction"), va="center", color=color, clip_on=True,
            arrowprops=line | {"color": color}, bbox=_behind_text(ax),
        )  # fmt: skip


def _apart(heights: FloatArray, gap: float, least: float, most: float) -> FloatArray:
    """Move places apart until none are closer than the gap, inside of two bounds."""
    places = np.clip(heights, least, most)
    order = np.argsort(heights, kind="stable")
    if order.size * gap > most - least + gap:
        gap = (most - least) / max(order.size - 1, 1)
    for k in range(1, order.size):
        places[order[k]] = max(places[order[k]], places[order[k - 1]] + gap)
    ceiling = most
    for j in order[::-1]:
        places[j] = min(places[j], ceiling)
        ceiling = places[j] - gap
    return places


def _mark(ax: Axes, chosen: int, criterion: str, colors: Palette) -> None:
    ax.axvline(chosen, color=colors.ink, linestyle=":", linewidth=1.2, zorder=0)
    # On the wider side.
    left, right = ax.get_xlim()
    side = "right" if chosen > (left + right) / 2 else "left"
    ax.annotate(
        f" {criterion.upper()}: {chosen} ", (chosen, 0.985), xycoords=("data", "axes fraction"),
        va="top", ha=side, color=colors.ink, zorder=3,
        bbox=_behind_text(ax),
    )  # fmt: skip


def _behind_text(ax: Axes) -> dict[str, Any]:
    """What keeps lines of the picture from running through a name."""
    return {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.5}

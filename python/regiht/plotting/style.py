"""Colours and axes that all pictures share."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import MaxNLocator

# Okabe and Ito's colours, told apart by colour-blind readers; the dashes serve print in grey.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":")

_LONGEST_NAME = 24
_CHARACTERS_PER_INCH = 11.5


class Palette(NamedTuple):
    """Colours that can be told from the background: of lines, of marks, and of what is minor."""

    lines: tuple[str, ...]
    ink: str
    faint: str


_ON_LIGHT = Palette(COLORS, "0.3", "0.75")
# Blue is lighter there, and what was black is white.
_ON_DARK = Palette(("#3DA5E0", *COLORS[1:-1], "#FFFFFF"), "0.8", "0.4")


class MissingMatplotlibError(ImportError):
    """A plot was requested but matplotlib is not installed.

    See Also
    --------
    plot_path : Raises it, as do all other plots.

    Examples
    --------
    >>> from regiht.plotting import MissingMatplotlibError
    >>> print(MissingMatplotlibError())
    Plots need matplotlib: pip install "regiht[plot]"
    """

    def __init__(self) -> None:
        super().__init__('Plots need matplotlib: pip install "regiht[plot]"')


def new_axes(size: tuple[float, float] | None = None) -> Axes:
    """Return the axes of a new figure."""
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415  (optional, and slow to import)
    except ImportError as error:
        raise MissingMatplotlibError from error
    _, ax = plt.subplots(layout="constrained", figsize=size)
    return ax


def palette(ax: Axes) -> Palette:
    """Colours for the background that these axes have."""
    from matplotlib.colors import to_rgba  # noqa: PLC0415  (optional)

    seen = to_rgba(ax.get_facecolor())
    if seen[3] == 0.0:
        seen = to_rgba(ax.figure.get_facecolor())
    red, green, blue, opacity = seen
    is_dark = opacity > 0.0 and 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
    return _ON_DARK if is_dark else _ON_LIGHT


def whole_numbers() -> MaxNLocator:
    """Ticks of an axis that counts."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  (optional)

    return MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10])


def set_title(ax: Axes, text: str) -> None:
    """Write a title in as many lines as the width of the axes asks for."""
    inches = ax.get_window_extent().width / ax.figure.dpi
    ax.set_title(fill(text, max(20, int(inches * _CHARACTERS_PER_INCH))))


def short(name: str, most: int = _LONGEST_NAME) -> str:
    """A name that leaves room for the picture."""
    most = min(most, _LONGEST_NAME)
    return name if len(name) <= most else name[: most - 1] + "…"

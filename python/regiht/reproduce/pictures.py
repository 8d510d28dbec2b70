"""How the figures look, and saving them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regiht.plotting.style import COLORS, DASHES, MissingMatplotlibError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLES: dict[str, dict[str, Any]] = {
    "iht": {"color": COLORS[1], "linestyle": "--"},
    "regiht": {"color": COLORS[0], "linestyle": "-"},
}


def require_matplotlib() -> None:
    """Fail early, and say what to install."""
    try:
        import matplotlib as mpl  # noqa: F401, PLC0415  (optional)
    except ImportError as error:
        raise MissingMatplotlibError from error


def style(position: int) -> dict[str, Any]:
    """Colour and dashes of the line at this position."""
    return {
        "color": COLORS[position % len(COLORS)],
        "linestyle": DASHES[position % len(DASHES)],
    }


def finish(axes: Axes, *, legend: bool = True, **options: Any) -> None:
    """Add what all panels have."""
    axes.grid(visible=True, alpha=0.3)
    if legend:
        axes.legend(fontsize="small", **options)


def save(draw: Callable[[Figure], None], title: str, stem: Path) -> None:
    """Draw a figure and save it as PNG and SVG; the same data gives the same files."""
    import matplotlib as mpl  # noqa: PLC0415  (optional)
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context({"svg.hashsalt": "regiht", "svg.fonttype": "path"}):
        figure = Figure(figsize=(11, 4.5), layout="constrained")
        draw(figure)
        figure.suptitle(title)
        figure.savefig(stem.with_suffix(".png"), dpi=120)
        figure.savefig(stem.with_suffix(".svg"), metadata={"Date": None})

"""Colours and axes that all pictures share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, told apart by colour-blind readers; the dashes serve print in grey.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":")


class MissingMatplotlibError(ImportError):
    """A picture was asked for and matplotlib is not installed."""

    def __init__(self) -> None:
        super().__init__('Pictures need matplotlib: pip install "regiht[plot]"')


def new_axes(size: tuple[float, float] | None = None) -> Axes:
    """Return the axes of a new figure."""
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415  (optional, and slow to import)
    except ImportError as error:
        raise MissingMatplotlibError from error
    _, ax = plt.subplots(layout="constrained", figsize=size)
    return ax

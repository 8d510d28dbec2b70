"""Which gradient entries can matter, told from an earlier gradient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regiht._inputs.checks import FloatArray, IndexArray
from regiht.distributed import row_block
from regiht.distributed.blocks import Blocks
from regiht.distributed.row_block import Point

_EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class ColumnNorms:
    """‖aⱼ‖ of all columns, and the norms of all that is summed in products with them."""

    norms: FloatArray
    roundoff_norms: FloatArray


def column_norms(blocks: Blocks) -> ColumnNorms:
    """Ask for them, in one round."""
    answer = blocks.sum(row_block.squared_norms)
    norms = np.sqrt(answer["squares"])
    return ColumnNorms(norms, np.sqrt(answer["roundoff"]) if "roundoff" in answer else norms)


@dataclass(frozen=True)
class Reference:
    """A point whose whole gradient is known.

    For the derivatives r of the samples at another point, Cauchy–Schwarz gives
    |gⱼ| ≤ |g₀ⱼ| + ‖aⱼ‖·‖r − r₀‖, and ‖r − r₀‖² is a sum over blocks. Rounding adds up to
    (rows + 16)·ε·‖āⱼ‖·(‖r‖ + ‖r₀‖), so that no entry that is computed as large enough is missed.

    Attributes
    ----------
    point : Point
    magnitudes : array
        |g₀|.
    norm : float
        ‖r₀‖.
    """

    point: Point
    magnitudes: FloatArray
    norm: float

    def reaching(
        self, columns: ColumnNorms, rows: int, distance: float, magnitude: float
    ) -> IndexArray:
        """Columns whose entry can be of this magnitude where r is at this distance from r₀."""
        relative = (rows + 16) * _EPSILON
        most = distance * (1.0 + 2.0 * relative)
        rounding = relative * (most + 2.0 * self.norm)
        bound = self.magnitudes + columns.norms * most + columns.roundoff_norms * rounding
        return np.flatnonzero(~(bound < magnitude * (1.0 - 8.0 * _EPSILON)))


class Guess:
    """Which columns will be asked for next, so that they come with the value and cost no round.

    It bears on the cost alone: what was not guessed is asked for afterwards.
    """

    # By how much the distance may grow and the magnitude fall until the next point; the first
    # that does not list too many columns is taken.
    _MARGINS = ((1.5, 0.9), (1.2, 0.92), (1.06, 0.94))

    # The part of all columns that may be sent along.
    _SHARE = 1 / 16

    def __init__(self) -> None:
        self._magnitude: float | None = None
        self._distance = 0.0
        self._idle = 0

    def learn(self, magnitude: float, distance: float) -> None:
        """Entries of this magnitude were asked for at this distance from the reference."""
        self._magnitude, self._distance, self._idle = magnitude, distance, 0

    def move(self) -> None:
        """Another point is evaluated. After two at which nothing was asked, nothing is guessed."""
        self._idle += 1
        if self._idle > 2:
            self._magnitude = None

    def columns(self, reference: Reference, norms: ColumnNorms, rows: int) -> IndexArray:
        """The columns to send along."""
        if self._magnitude is not None:
            for farther, lower in self._MARGINS:
                listed = reference.reaching(
                    norms, rows, farther * self._distance, lower * self._magnitude
                )
                if listed.size <= max(16.0, self._SHARE * norms.norms.size):
                    return listed
        return np.empty(0, dtype=np.int64)

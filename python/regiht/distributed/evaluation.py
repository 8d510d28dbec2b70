"""What is known of the objective at one point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regiht._inputs.checks import FloatArray, IndexArray
from regiht.distributed.row_block import Point
from regiht.distributed.screening import Reference


@dataclass
class Evaluation:
    """The loss at a point, and the part of its gradient that was asked for so far.

    Attributes
    ----------
    point : Point
    value : float
        Of the loss, without ridge.
    columns, entries : arrays
        Where the gradient is known, in ascending order, and what it is there.
    full : array, optional
        All of it.
    distance : float, optional
        How far the derivatives are from those at the reference.
    reference : Reference, optional
        Which one that was.
    """

    point: Point
    value: float
    columns: IndexArray
    entries: FloatArray
    full: FloatArray | None = None
    distance: float = 0.0
    reference: Reference | None = None

    def missing(self, columns: IndexArray) -> IndexArray:
        """The columns whose entries are not known."""
        if self.full is not None:
            return columns[:0]
        return np.setdiff1d(columns, self.columns, assume_unique=True)

    def add(self, columns: IndexArray, entries: FloatArray) -> None:
        """Learn some more."""
        united = np.concatenate([self.columns, columns])
        order = np.argsort(united, kind="stable")
        self.columns = united[order]
        self.entries = np.concatenate([self.entries, entries])[order]

    def gradient_at(self, columns: IndexArray) -> FloatArray:
        """Entries that are known."""
        if self.full is not None:
            return self.full[columns]
        return self.entries[np.searchsorted(self.columns, columns)]

"""How the coordinates of rows are distributed: what a new row is shrunk towards, and how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regiht import _core
from regiht._inputs.checks import FloatArray, IndexArray
from regiht.lowrank._observations import Observations
from regiht.lowrank._products import inner, times

_ROUNDS = 8
_MOST_ROWS = 2000
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class RowPrior:
    """Coordinates are normal around ``mean``; ``precision`` is in units of the noise's."""

    mean: FloatArray
    precision: FloatArray

    def fold_in(self, seen: Observations, basis: FloatArray) -> FloatArray:
        """Return the expected coordinates of rows given their observations.

        An observation is ⟨coordinates of its row, row of ``basis`` for its column⟩ and noise.
        """
        entries = _core.ObservedEntries(*seen.shape, seen.rows, seen.cols)
        rest = seen.values - times(basis, self.mean[:, None])[seen.cols, 0]
        weights = None if seen.weights is None else entries.arrange(seen.rows, seen.weights)
        moved = entries.alternating_step(
            True,
            _core.EntryLoss(False, entries.arrange(seen.rows, rest), weights),
            basis,
            np.zeros((seen.shape[0], basis.shape[1])),
            self.precision,
            0.0,
            1e-300,
        )
        return np.asarray(moved + self.mean)


def fit_prior(seen: Observations, basis: FloatArray, coordinates: FloatArray) -> RowPrior:
    """Fit mean, covariance and noise by expectation maximisation over up to 2000 rows."""
    sums = _RowSums.of(seen, basis)
    expected = coordinates[sums.rows]
    mean, covariance = _moments(expected, 0.0)
    noise = sums.noise(expected, 0.0)
    for _ in range(_ROUNDS):
        inverse = _inverse(covariance)
        spread = _inverse(sums.grams / noise + inverse)
        pull = sums.products / noise + times(inverse, mean[:, None])[:, 0]
        expected = np.einsum("ijk,ik->ij", spread, pull)
        mean, covariance = _moments(expected, spread.mean(axis=0))
        noise = sums.noise(expected, spread)
    return RowPrior(mean, noise * _inverse(covariance))


def _inverse(matrices: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.inv(matrices), dtype=np.float64)


def _moments(rows: FloatArray, more: FloatArray | float) -> tuple[FloatArray, FloatArray]:
    mean = rows.mean(axis=0)
    covariance = inner(rows - mean, rows - mean) / len(rows) + more
    size = float(np.trace(covariance) + np.sum(mean**2))
    return mean, covariance + (_ROUNDING * size + 1e-100) * np.eye(mean.size)


@dataclass(frozen=True, slots=True)
class _RowSums:
    """Sums over the observations of each row of a sample."""

    rows: IndexArray
    grams: FloatArray  # of the rows of the basis
    products: FloatArray  # of these with the values
    squares: float  # of all values
    count: int

    @staticmethod
    def of(seen: Observations, basis: FloatArray) -> _RowSums:
        order = np.argsort(seen.rows, kind="stable")
        known, starts = np.unique(seen.rows[order], return_index=True)
        ends = np.append(starts[1:], order.size)
        chosen = np.arange(known.size)
        if known.size > _MOST_ROWS:
            chosen = np.random.default_rng(0).choice(known.size, _MOST_ROWS, replace=False)
        width = basis.shape[1]
        grams, products = np.empty((chosen.size, width, width)), np.empty((chosen.size, width))
        squares, count = 0.0, 0
        for place, row in enumerate(chosen):
            at = order[starts[row] : ends[row]]
            vectors, values = basis[seen.cols[at]], seen.values[at]
            scaled = vectors if seen.weights is None else vectors * seen.weights[at][:, None]
            grams[place] = inner(scaled, vectors)
            products[place] = inner(scaled, values[:, None])[:, 0]
            weights = 1.0 if seen.weights is None else seen.weights[at]
            squares += float(np.sum(weights * values**2))
            count += at.size
        return _RowSums(known[chosen], grams, products, squares, count)

    def noise(self, expected: FloatArray, spread: FloatArray | float) -> float:
        """Return the mean square that coordinates leave, more where these are not certain."""
        left = self.squares - 2.0 * float(np.sum(expected * self.products))
        left += float(np.einsum("ij,ijk,ik->", expected, self.grams, expected))
        left += float(np.sum(spread * self.grams))
        return max(left, _ROUNDING * self.squares + 1e-100) / self.count

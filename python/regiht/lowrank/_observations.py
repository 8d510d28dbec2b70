"""Entries of a matrix as the estimators take them, and their row and column effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError

MaskArray = npt.NDArray[np.bool_]

_EFFECT_SWEEPS = 20
# Effects are means with so many entries of value zero added: rows with few entries stay moderate.
_DAMPING = 1.0


@dataclass(frozen=True, slots=True)
class Observations:
    """Values, and where in the matrix they stand."""

    rows: IndexArray
    cols: IndexArray
    values: FloatArray
    shape: tuple[int, int]
    weights: FloatArray | None = None

    @staticmethod
    def of_array(X: FloatArray) -> Observations:
        """All entries that are not NaN."""
        rows, cols = (np.ascontiguousarray(part) for part in np.nonzero(~np.isnan(X)))
        return _nonempty(Observations(rows, cols, X[rows, cols], check.shape_of(X)))

    def part(self, chosen: MaskArray) -> Observations:
        """Return those that a mask chooses."""
        weights = None if self.weights is None else self.weights[chosen]
        return Observations(
            self.rows[chosen], self.cols[chosen], self.values[chosen], self.shape, weights
        )


def alternate_in_rows(seen: Observations) -> MaskArray:
    """Return a mask of every other observation of each row, by columns."""
    order = np.lexsort((seen.cols, seen.rows))
    rows = seen.rows[order]
    place = np.arange(rows.size) - np.searchsorted(rows, rows)
    mask = np.empty(rows.size, dtype=np.bool_)
    mask[order] = place % 2 == 1
    return mask


def of_sparse(X: Any) -> Observations:
    """Return the stored entries of a scipy matrix that are not NaN."""
    entries = X.tocoo()
    seen = ~np.isnan(entries.data)
    rows, cols = entries.row[seen].astype(np.int64), entries.col[seen].astype(np.int64)
    return _nonempty(Observations(rows, cols, entries.data[seen], X.shape))


def from_triple(X: tuple[Any, ...], shape: tuple[int, int] | None) -> Observations:
    """(rows, cols, values), with the shape that they need if none is given."""
    if len(X) != 3:
        raise InvalidArgumentError(
            f"X must be a matrix or a tuple (rows, cols, values); got {len(X)} entries."
        )
    rows, cols = (np.asarray(part) for part in X[:2])
    if shape is None:
        if rows.size == 0 or cols.size == 0:
            raise InvalidArgumentError("X must have at least one observed entry; got none.")
        shape = int(rows.max()) + 1, int(cols.max()) + 1
    where = check.check_entries(rows, cols, shape)
    values = check.check_values("values", X[2], where.rows.size)
    return _nonempty(Observations(where.rows, where.cols, values, where.shape))


def with_weights(seen: Observations, weights: Any) -> Observations:
    """Add weights, in the order of the observations or as an array of the matrix's shape."""
    if weights is None:
        return seen
    given = np.asarray(weights)
    if given.ndim == 2:
        if given.shape != seen.shape:
            raise InvalidArgumentError(
                f"weights must have the shape of X, {seen.shape}; got {given.shape}."
            )
        given = given[seen.rows, seen.cols]
    checked = check.check_observation_weights(given, seen.values.size)
    return Observations(seen.rows, seen.cols, seen.values, seen.shape, checked)


def _nonempty(seen: Observations) -> Observations:
    if seen.values.size == 0:
        raise InvalidArgumentError("X must have at least one observed entry; got none.")
    check.refuse_empty_lines(seen.shape, seen.values.size)
    return seen


@dataclass(frozen=True, slots=True)
class Effects:
    """mean + rows[i] + cols[j]."""

    mean: float
    rows: FloatArray
    cols: FloatArray

    @staticmethod
    def none(shape: tuple[int, int]) -> Effects:
        """Zeros."""
        return Effects(0.0, np.zeros(shape[0]), np.zeros(shape[1]))

    def at(self, seen: Observations) -> FloatArray:
        """Sum of the effects at each observation."""
        return np.asarray(self.mean + self.rows[seen.rows] + self.cols[seen.cols])

    def with_rows_fitted(self, seen: Observations) -> Effects:
        """Row effects that fit best while the others stay."""
        rest = seen.values - self.mean - self.cols[seen.cols]
        return Effects(
            self.mean, _damped_means(seen.rows, rest, seen.shape[0], seen.weights), self.cols
        )

    def with_cols_fitted(self, seen: Observations) -> Effects:
        """Column effects that fit best while the others stay."""
        rest = seen.values - self.mean - self.rows[seen.rows]
        return Effects(
            self.mean, self.rows, _damped_means(seen.cols, rest, seen.shape[1], seen.weights)
        )


def fit_effects(seen: Observations) -> Effects:
    """Least squares for the effects, damped, by alternating means; the rows come last."""
    effects = Effects.none(seen.shape)
    mean = float(np.average(seen.values, weights=seen.weights))
    effects = Effects(mean, effects.rows, effects.cols)
    for _ in range(_EFFECT_SWEEPS):
        effects = effects.with_cols_fitted(seen).with_rows_fitted(seen)
    return effects


def _damped_means(
    groups: IndexArray, values: FloatArray, size: int, weights: FloatArray | None
) -> FloatArray:
    weighted = values if weights is None else weights * values
    totals = np.bincount(groups, weights=weighted, minlength=size)
    return np.asarray(totals / (np.bincount(groups, weights=weights, minlength=size) + _DAMPING))

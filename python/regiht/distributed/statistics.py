"""Means and norms of the columns of all blocks, by the rules of `regiht.Design`."""

from __future__ import annotations

from typing import Any

import numpy as np

from regiht._inputs.checks import FloatArray, InvalidArgumentError
from regiht._inputs.standardize import as_core, squared_deviations
from regiht.distributed.blocks import Blocks
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.row_block import RowBlock


def _counted(block: RowBlock, weighted: bool) -> tuple[Any, FloatArray]:
    """The rows of positive weight, and their weights; all of them, if weights do not count."""
    prepared, weights = block.design._prepared, block.weights
    if weights is None or not weighted:
        return prepared, np.ones(block.rows)
    counted = weights > 0.0
    return (prepared, weights) if counted.all() else (prepared[counted], weights[counted])


def column_ranges(block: RowBlock, weighted: bool) -> Answer:
    """Sums, least and largest entries of the columns."""
    prepared, weights = _counted(block, weighted)
    cols = prepared.shape[1]
    if not weights.size:
        return {
            "sums": np.zeros(cols), "total": 0.0,
            "minima": np.full(cols, np.inf), "maxima": np.full(cols, -np.inf),
        }  # fmt: skip
    return {
        "sums": as_core(prepared).apply_transpose(np.ascontiguousarray(weights)),
        "total": float(np.sum(weights)),
        "minima": _as_vector(prepared.min(axis=0)),
        "maxima": _as_vector(prepared.max(axis=0)),
    }


def _as_vector(row: Any) -> FloatArray:
    dense = row.toarray() if hasattr(row, "toarray") else row
    return np.asarray(dense, dtype=np.float64).ravel()


def _united(left: Answer, right: Answer) -> Answer:
    return {
        "sums": left["sums"] + right["sums"],
        "total": left["total"] + right["total"],
        "minima": np.minimum(left["minima"], right["minima"]),
        "maxima": np.maximum(left["maxima"], right["maxima"]),
    }


def column_squares(block: RowBlock, means: FloatArray, weighted: bool) -> Answer:
    """Squares of the deviations from these means."""
    prepared, weights = _counted(block, weighted)
    if not weights.size:
        return {"squares": np.zeros(means.size)}
    return {"squares": squared_deviations(prepared, weights, means)}


def standardization(
    blocks: Blocks, cols: int, *, center: bool, scale: bool, shift: bool, weighted: bool
) -> tuple[FloatArray, FloatArray]:
    """Return what to subtract from each column and what to multiply it with, in two rounds.

    A column that does not vary (or, uncentred, has no entries) gets factor 0. With ``shift`` means
    are subtracted in any case, though without ``center`` norms are those before that: where there
    is an intercept it changes no model, but saves digits. ``weighted`` is whether sample weights
    count, as they do for estimators and not for `regiht.solve`.
    """
    ranges = blocks.sum(column_ranges, weighted, combine=_united)
    constant = ranges["minima"] == ranges["maxima"]
    left_out = constant if center else constant & (ranges["maxima"] == 0.0)
    means = np.zeros(cols)
    if center or shift:
        with np.errstate(over="ignore"):
            means = np.where(constant, ranges["minima"], ranges["sums"] / ranges["total"])
    factors = np.where(left_out, 0.0, 1.0)
    if scale:
        about = means if center else np.zeros(cols)
        squares = blocks.sum(column_squares, about, weighted)["squares"]
        with np.errstate(divide="ignore", over="ignore"):
            factors[~left_out] = 1.0 / np.sqrt(squares[~left_out])
    bad = ~np.isfinite(factors) | ~np.isfinite(means) | ((factors == 0.0) & ~left_out)
    if bad.any():
        raise InvalidArgumentError(
            f"X cannot be standardized: column {int(np.argmax(bad))} is too large or too small "
            "to standardize in double precision."
        )
    return means, factors

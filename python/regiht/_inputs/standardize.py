"""Column means and norms under sample weights, so that a weight of two means a row given twice."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht import _core
from regiht._inputs.checks import FloatArray, InvalidArgumentError
from regiht._inputs.column_blocks import column_blocks, columns_of

_BLOCK_ENTRIES = 1 << 20


def weighted_standardization(
    prepared: Any, weights: FloatArray, center: bool, scale: bool
) -> tuple[FloatArray, FloatArray]:
    """Return what to subtract from each column and what to multiply it with.

    Columns that do not vary over the rows of positive weight get factor 0, as without weights.
    """
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise InvalidArgumentError(
                "X cannot be standardized: sample_weight is too large; its sum is infinite."
            )
    if isinstance(prepared, np.ndarray) or prepared.format != "csc":
        means, factors, left_out = _standardization(prepared, weights, center, scale)
    else:  # columns do not depend on each other, so few of them are copied at a time
        blocks = column_blocks(prepared.indptr, _BLOCK_ENTRIES)
        parts = [
            _standardization(columns_of(prepared, first, last), weights, center, scale, first)
            for first, last in blocks
        ]
        means, factors, left_out = (np.concatenate(each) for each in zip(*parts, strict=True))
    bad = ~np.isfinite(factors) | ~np.isfinite(means) | ((factors == 0.0) & ~left_out)
    if bad.any():
        raise InvalidArgumentError(
            f"X cannot be standardized: column {int(np.argmax(bad))} is too large or too small "
            "to standardize in double precision under these weights."
        )
    return means, factors


def _standardization(
    prepared: Any, weights: FloatArray, center: bool, scale: bool, first: int = 0
) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Means, factors and which columns do not vary, of columns that are numbered from ``first``."""
    counted = weights > 0.0
    if not counted.all():
        prepared, weights = prepared[counted], weights[counted]
    core = as_core(prepared)
    try:
        _, plain_means, plain_factors = _core.standardized_design(core, center, scale)
    except ValueError as error:
        number = re.compile(r"column (\d+)")
        raise ValueError(
            number.sub(lambda found: f"column {int(found[1]) + first}", str(error))
        ) from None
    left_out = plain_factors == 0.0
    means = np.zeros(prepared.shape[1])
    if center:
        means = core.apply_transpose(np.ascontiguousarray(weights)) / weights.sum()
        means[left_out] = plain_means[left_out]
    factors = np.where(left_out, 0.0, 1.0)
    if scale:
        with np.errstate(divide="ignore", over="ignore"):
            factors[~left_out] = 1.0 / np.sqrt(
                squared_deviations(prepared, weights, means)[~left_out]
            )
    return means, factors, left_out


def as_core(prepared: Any) -> _core.Design:
    """Return the compiled view of an array or compressed matrix that has been prepared."""
    if isinstance(prepared, np.ndarray):
        return _core.dense_design(prepared)
    return _core.compressed_design(
        prepared.data,
        prepared.indices,
        prepared.indptr,
        rows=prepared.shape[0],
        cols=prepared.shape[1],
        by_columns=prepared.format == "csc",
    )


def squared_deviations(prepared: Any, weights: FloatArray, means: FloatArray) -> FloatArray:
    """Σᵢ weightᵢ (aᵢⱼ − meanⱼ)² for every column j, without a difference of large sums."""
    cols = prepared.shape[1]
    squares = np.zeros(cols)
    if isinstance(prepared, np.ndarray):
        block = max(1, _BLOCK_ENTRIES // cols)
        for first in range(0, len(weights), block):
            rows = slice(first, first + block)
            squares += weights[rows] @ np.square(prepared[rows] - means)
        return squares
    lines = np.repeat(np.arange(prepared.indptr.size - 1), np.diff(prepared.indptr))
    stored = prepared.indptr[-1]
    row, col = prepared.indices[:stored], lines
    if prepared.format == "csr":
        row, col = col, row
    weight = weights[row]
    deviation = np.square(prepared.data[:stored].astype(np.float64) - means[col])
    squares += np.bincount(col, weights=weight * deviation, minlength=cols)
    not_stored = weights.sum() - np.bincount(col, weights=weight, minlength=cols)
    squares += np.maximum(not_stored, 0.0) * np.square(means)
    return squares

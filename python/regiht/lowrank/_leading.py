"""Leading singular triplets of sums that are never formed."""

from __future__ import annotations

import numpy as np

from regiht import _core
from regiht._inputs.checks import FloatArray
from regiht.lowrank._factors import Factors

_MAX_BLOCKS = 300


def leading_triplets(
    operator: _core.MatrixOperator,
    count: int,
    *,
    scale: float = 1.0,
    terms: tuple[FloatArray, FloatArray] | None = None,
    start: Factors | None = None,
    shape: tuple[int, int],
    tol: float = 1e-10,
    max_blocks: int = _MAX_BLOCKS,
    threads: int = 1,
) -> Factors:
    """H_count(scale · operator + left · rightᵀ), by block Lanczos iterations.

    Each triplet satisfies ‖Mᵀu − σv‖ ≤ tol·σ₁, unless ``max_blocks`` ends it. ``start`` holds
    guesses of the singular vectors.
    """
    rows, cols = shape
    left, right = terms if terms is not None else (np.zeros((rows, 0)), np.zeros((cols, 0)))
    guess = start if start is not None else Factors.zero(shape)
    U, s, V, _, _, _ = _core.leading_singular(
        operator,
        scale=scale,
        left=np.ascontiguousarray(left),
        right=np.ascontiguousarray(right),
        count=count,
        tol=tol,
        max_blocks=max_blocks,
        start_left=np.ascontiguousarray(guess.U),
        start_right=np.ascontiguousarray(guess.V),
        n_threads=threads,
    )
    return Factors(U, s, V)

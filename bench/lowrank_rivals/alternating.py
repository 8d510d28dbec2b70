"""Alternating least squares in numpy: all rows of a factor in one batch of small systems."""

import numpy as np

name = "alternating least squares (numpy)"
module = None
SWEEPS = 30


def complete(problem, rank):
    rng = np.random.default_rng(0)
    right = rng.standard_normal((problem.shape[1], rank))
    for _ in range(SWEEPS):
        left = half(problem.rows, problem.cols, problem, right, problem.shape[0])
        right = half(problem.cols, problem.rows, problem, left, problem.shape[1])
    return left, right


def half(lines, others, problem, fixed, size):
    """The best rows of one factor. The sums over entries are products with sparse matrices."""
    rank = fixed.shape[1]
    pattern = problem.sparse(lines, others, np.ones_like(problem.values), size, len(fixed))
    valued = problem.sparse(lines, others, problem.values, size, len(fixed))
    squares = (fixed[:, :, None] * fixed[:, None, :]).reshape(len(fixed), -1)
    systems = (pattern @ squares).reshape(size, rank, rank)
    systems += (problem.ridge + 1e-9) * np.eye(rank)
    return np.linalg.solve(systems, (valued @ fixed)[:, :, None])[:, :, 0]

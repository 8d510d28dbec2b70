"""Alternating least squares in some thirty lines of numba: what a user would write."""

import numpy as np

try:
    from numba import prange
except ImportError:
    prange = range

name = "alternating least squares (numba)"
module = "numba"
SWEEPS = 10


def complete(problem, rank):
    half = compiled()
    rows, cols = problem.shape
    by_row = lines(problem.rows, problem.cols, problem.values, rows)
    by_col = lines(problem.cols, problem.rows, problem.values, cols)
    right = np.random.default_rng(0).standard_normal((cols, rank))
    left = np.zeros((rows, rank))
    for _ in range(SWEEPS):
        half(*by_row, right, left, problem.ridge + 1e-9)
        half(*by_col, left, right, problem.ridge + 1e-9)
    return left, right


def lines(of, others, values, count):
    """Where each line begins, and its entries; an entry may be there several times."""
    order = np.argsort(of, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=count))])
    return starts, others[order], values[order]


def compiled():
    """Compiled once in a process; the first call takes seconds and should not be timed."""
    if not _compiled:
        import numba  # noqa: PLC0415  (optional)

        _compiled.append(numba.njit(parallel=True, fastmath=True)(_half))
    return _compiled[0]


_compiled = []


def _half(starts, others, values, fixed, out, ridge):
    rank = fixed.shape[1]
    for i in prange(out.shape[0]):
        system, b = np.zeros((rank, rank)), np.zeros(rank)
        for e in range(starts[i], starts[i + 1]):
            row = fixed[others[e]]
            for k in range(rank):
                b[k] += values[e] * row[k]
                for m in range(k + 1):
                    system[k, m] += row[k] * row[m]
        for k in range(rank):
            system[k, k] += ridge
            for m in range(k):
                system[m, k] = system[k, m]
        out[i] = np.linalg.solve(system, b)

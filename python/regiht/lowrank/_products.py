"""Dense products and decompositions by the core.

Those of numpy would wait for the threads of its BLAS library, and change with their number.
"""

from __future__ import annotations

import math

import numpy as np

from regiht import _core
from regiht._inputs.checks import FloatArray


def times(A: FloatArray, B: FloatArray, threads: int = 1) -> FloatArray:
    """A · B."""
    return _product(A, B, threads)


def inner(A: FloatArray, B: FloatArray, threads: int = 1) -> FloatArray:
    """Aᵀ · B."""
    return _product(A, B, threads, transpose_a=True)


def outer(A: FloatArray, B: FloatArray, threads: int = 1) -> FloatArray:
    """A · Bᵀ."""
    return _product(A, B, threads, transpose_b=True)


def dot(a: FloatArray, b: FloatArray, threads: int = 1) -> float:
    """Sum of the products of the entries of two arrays of the same shape."""
    return _core.dot(np.ascontiguousarray(a), np.ascontiguousarray(b), threads)


def norm(a: FloatArray) -> float:
    """Root of the sum of the squares of all entries."""
    return math.sqrt(dot(a, a))


def qr(X: FloatArray, threads: int = 1) -> tuple[FloatArray, FloatArray]:
    """Return Q with orthonormal columns and an upper triangular R whose product is X."""
    return _core.thin_qr(np.ascontiguousarray(X), threads)


def _product(
    A: FloatArray,
    B: FloatArray,
    threads: int,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
) -> FloatArray:
    return _core.product(
        np.ascontiguousarray(A),
        np.ascontiguousarray(B),
        transpose_a=transpose_a,
        transpose_b=transpose_b,
        n_threads=threads,
    )

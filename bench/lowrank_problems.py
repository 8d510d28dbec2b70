"""Problems of matrix completion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from problems import DATA
from scipy import sparse

from regiht import lowrank


@dataclass(frozen=True)
class CompletionProblem:
    """Entries to fit, and entries to judge by."""

    name: str
    rows: Any
    cols: Any
    values: Any
    shape: tuple[int, int]
    test_rows: Any
    test_cols: Any
    test_values: Any
    ridge: float = 0.0

    def sparse(self, lines, others, values, *shape):
        return sparse.csr_array((values, (lines, others)), shape=shape)

    def error(self, left, right, shift=0.0):
        """Norm of the error on the test entries, as a part of their norm."""
        guess = np.einsum("ij,ij->i", left[self.test_rows], right[self.test_cols]) + shift
        return np.linalg.norm(guess - self.test_values) / np.linalg.norm(self.test_values)


def planted(shape=(500, 400), rank=5, part=0.3, noise=0.1, seed=0) -> CompletionProblem:
    """A Gaussian matrix of low rank; noise on what is seen, none on what is not."""
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((shape[0], rank)) @ rng.standard_normal((rank, shape[1]))
    M /= np.sqrt(rank)
    seen = rng.random(shape) < part
    rows, cols = (np.ascontiguousarray(index) for index in np.nonzero(seen))
    test_rows, test_cols = np.nonzero(~seen)
    values = M[rows, cols] + noise * rng.standard_normal(rows.size)
    return CompletionProblem(
        f"{shape[0]} × {shape[1]}, rank {rank}, {100 * part:.0f} % seen",
        rows, cols, values, shape, test_rows, test_cols, M[test_rows, test_cols],
    )  # fmt: skip


def large(rows, cols, count, rank=10, noise=0.1, seed=0) -> CompletionProblem:
    """As many random entries of a matrix that is never formed; a twentieth is for judging."""
    rng = np.random.default_rng(seed)
    left, right = rng.standard_normal((rows, rank)), rng.standard_normal((cols, rank))
    left /= np.sqrt(rank)
    i, j = rng.integers(0, rows, count), rng.integers(0, cols, count)
    values = np.einsum("ij,ij->i", left[i], right[j])
    test = slice(0, count // 20)
    fit = slice(count // 20, None)
    noisy = values + noise * rng.standard_normal(count)
    return CompletionProblem(
        f"{rows} × {cols}, {count} entries", i[fit], j[fit], noisy[fit], (rows, cols),
        i[test], j[test], values[test],
    )  # fmt: skip


def large_in_pieces(rows, cols, count, rank=10, noise=0.1, seed=0) -> CompletionProblem:
    """The same kind with little more memory than the entries themselves."""
    rng = np.random.default_rng(seed)
    left, right = rng.standard_normal((rows, rank)), rng.standard_normal((cols, rank))
    left /= np.sqrt(rank)
    i, j = rng.integers(0, rows, count, np.int32), rng.integers(0, cols, count, np.int32)
    values = np.empty(count)
    for first in range(0, count, 1_000_000):
        at = slice(first, first + 1_000_000)
        values[at] = np.einsum("ij,ij->i", left[i[at]], right[j[at]])
        values[at] += noise * rng.standard_normal(values[at].size)
    test_i, test_j = rng.integers(0, rows, 100_000), rng.integers(0, cols, 100_000)
    exact = np.einsum("ij,ij->i", left[test_i], right[test_j])
    return CompletionProblem(
        f"{rows} × {cols}, {count} entries", i, j, values, (rows, cols), test_i, test_j, exact
    )


def jester() -> tuple[Any, Any, Any, tuple[int, int]] | None:
    """Ratings of jokes (real), or None where the file is missing."""
    path = DATA / "jester.npz"
    if not path.exists():
        return None
    with np.load(path) as arrays:
        return (
            arrays["rows"].astype(np.int64),
            arrays["cols"].astype(np.int64),
            arrays["values"].astype(np.float64),
            tuple(int(side) for side in arrays["shape"]),
        )


SMALL_KINDS = ("full", "weighted", "completion", "measurements", "one-bit")


def small(kind: str, seed: int) -> tuple[Any, int]:
    """A random objective from 5 × 4 to 60 × 50, and a rank that need not be the planted one."""
    rng = np.random.default_rng([SMALL_KINDS.index(kind), seed])
    shape = tuple(round(low * (high / low) ** rng.random()) for low, high in ((5, 60), (4, 50)))
    planted, rank = (int(r) for r in rng.integers(1, min(5, *shape) + 1, 2))
    M = rng.standard_normal((shape[0], planted)) @ rng.standard_normal((planted, shape[1]))
    noise = (0.0, 0.1, 1.0)[seed % 3]
    X = M + noise * rng.standard_normal(shape)
    ridge = (0.0, 0.5)[int(rng.integers(2))]
    rows, cols = np.nonzero(rng.random(shape) < rng.uniform(0.3, 0.9))
    if kind == "full":
        return lowrank.FullObservation(X, ridge=ridge), rank
    if kind == "weighted":
        weights = np.where(rng.random(shape) < 0.5, 1.0, 30.0)
        return lowrank.Weighted(X, weights, ridge=ridge), rank
    if kind == "completion":
        return lowrank.Completion(rows, cols, X[rows, cols], shape, ridge=ridge), rank
    if kind == "one-bit":
        signs = np.where(X[rows, cols] > 0.0, 1, -1)
        return lowrank.OneBit(rows, cols, signs, shape, ridge=0.1 + ridge), rank
    C = rng.standard_normal((int(rng.uniform(0.7, 3.0) * rank * sum(shape)), *shape))
    y = np.tensordot(C, M, 2)
    return lowrank.Measurements(C, y + noise * rng.standard_normal(y.size), ridge=ridge), rank

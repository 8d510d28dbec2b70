"""The low-rank algorithms in plain numpy, written to be read.

Everything is dense and favours clarity over speed: it is the oracle of the tests. An objective is
any object with ``value(A)`` and ``gradient(A)``; the fully corrective step takes f to be quadratic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


class Objective(Protocol):
    """A convex function of a matrix."""

    def value(self, A: Matrix, /) -> Any:
        """Value at A."""

    def gradient(self, A: Matrix, /) -> Any:
        """Gradient at A."""


@dataclass(frozen=True)
class WeightedSquares:
    """½ Σ weights · (A − M)² + (ridge/2)‖A‖²; weights of 0 and 1 make it matrix completion."""

    M: Matrix
    weights: Matrix
    ridge: float = 0.0

    def value(self, A: Matrix) -> float:
        """Value at A."""
        data = 0.5 * np.sum(self.weights * (A - self.M) ** 2)
        return float(data + 0.5 * self.ridge * np.sum(A**2))

    def gradient(self, A: Matrix) -> Matrix:
        """Gradient at A."""
        return np.asarray(self.weights * (A - self.M) + self.ridge * A)


def truncate_rank(A: Matrix, rank: int) -> Matrix:
    """H_r(A): the part of A in its leading singular directions."""
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    return np.asarray((U[:, :rank] * s[:rank]) @ Vt[:rank])


@dataclass(frozen=True)
class Regularized:
    """g(A) = f(A) + (β/4)(⟨W, AAᵀ⟩ + ⟨Y, AᵀA⟩)."""

    f: Objective
    W: Matrix
    Y: Matrix
    beta: float

    def value(self, A: Matrix) -> float:
        """Value at A."""
        held = np.sum(self.W * (A @ A.T)) + np.sum(self.Y * (A.T @ A))
        return float(self.f.value(A) + 0.25 * self.beta * held)

    def gradient(self, A: Matrix) -> Matrix:
        """Gradient at A."""
        return np.asarray(self.f.gradient(A) + 0.5 * self.beta * (self.W @ A + A @ self.Y))


def corrective(g: Objective, U: Matrix, V: Matrix) -> Matrix:
    """The best U·X·Vᵀ for a quadratic g: one column of the system for each entry of X."""
    shape = (U.shape[1], V.shape[1])
    at_zero = U.T @ g.gradient(np.zeros((U.shape[0], V.shape[0]))) @ V
    columns = []
    for k in range(at_zero.size):
        E = np.zeros(shape)
        E.flat[k] = 1.0
        columns.append((U.T @ g.gradient(U @ E @ V.T) @ V - at_zero).ravel())
    X = np.linalg.lstsq(np.array(columns).T, -at_zero.ravel(), rcond=1e-13)[0]
    return np.asarray(U @ X.reshape(shape) @ V.T)


def spaces(A: Matrix) -> tuple[Matrix, Matrix]:
    """Orthonormal bases of the columns and of the rows of A."""
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    kept = s > 1e-12 * max(s[0], 1e-300)
    return U[:, kept], Vt[kept].T


def greedy(f: Objective, shape: tuple[int, int], rank: int) -> Matrix:
    """Add the leading direction of the gradient and optimise over the spaces, rank times."""
    A = np.zeros(shape)
    for _ in range(rank):
        A = corrective(f, *_joined(A, truncate_rank(f.gradient(A), 1)))
    return A


def local_search(f: Objective, shape: tuple[int, int], rank: int, max_iter: int) -> Matrix:
    """Exchange the weakest direction of A for the leading one of the gradient, while f falls."""
    A = np.zeros(shape)
    for _ in range(max_iter):
        kept = truncate_rank(A, rank - 1)
        tried = corrective(f, *_joined(kept, truncate_rank(f.gradient(A), 1)))
        if f.value(tried) >= f.value(A) * (1.0 - 1e-9):
            break
        A = tried
    return A


def _joined(A: Matrix, B: Matrix) -> tuple[Matrix, Matrix]:
    """Bases of the spaces of A and B together."""
    U, V = spaces(A)
    P, Q = spaces(B)
    left, _ = np.linalg.qr(np.hstack([U, P]))
    right, _ = np.linalg.qr(np.hstack([V, Q]))
    return left, right


def _root(W: Matrix) -> Matrix:
    values, vectors = np.linalg.eigh(W)
    return np.asarray((vectors * np.sqrt(np.clip(values, 0.0, 1.0))) @ vectors.T)


def _leading_eigenvectors(P: Matrix, count: int) -> tuple[Matrix, float]:
    values, vectors = np.linalg.eigh(P)
    return vectors[:, ::-1][:, :count], float(values[::-1][:count].sum())


@dataclass
class SearchTrace:
    """What `regularized_local_search` did."""

    A: Matrix
    W: Matrix
    Y: Matrix
    fun: list[float]
    regularized_fun: list[float]
    branch: list[str]


def regularized_local_search(
    f: Objective,
    shape: tuple[int, int],
    rank: int,
    target_rank: int,
    target_value: float,
    *,
    beta: float,
    sufficient_progress: float,
    max_iter: int,
    start: Matrix | None = None,
    reoptimize: bool = True,
) -> SearchTrace:
    """Algorithm 2, read as docs/lowrank.md says.

    r′ is rank, r is target_rank, f(A*) is target_value.
    """
    A = np.zeros(shape) if start is None else start
    W, Y = np.eye(shape[0]), np.eye(shape[1])
    g = Regularized(f, W, Y, beta)
    if reoptimize and A.any():
        A = corrective(g, *spaces(A))
    trace = SearchTrace(A, W, Y, [], [], [])
    for _ in range(max_iter):
        delta = g.value(A) - target_value
        if delta <= 0.0:
            break
        kept = truncate_rank(A, rank - 1)
        direction = truncate_rank(g.gradient(A), 1)
        moved = kept - direction / (2.0 * beta)
        half_W, half_Y = _root(W), _root(Y)
        P, Q = half_W @ A @ A.T @ half_W, half_Y @ A.T @ A @ half_Y
        top_P, trace_P = _leading_eigenvectors(P, target_rank)
        top_Q, trace_Q = _leading_eigenvectors(Q, target_rank)
        if g.value(A) - g.value(moved) >= sufficient_progress * delta:
            branch = "step"
            A = corrective(g, *_joined(kept, direction))
        elif max(np.trace(P), np.trace(Q)) <= 1e-12 * np.sum(A**2):
            break
        else:
            if max(trace_P, trace_Q) >= 0.4 / beta * delta:
                branch = "spectral"
                W = W - half_W @ top_P @ top_P.T @ half_W / target_rank
                Y = Y - half_Y @ top_Q @ top_Q.T @ half_Y / target_rank
            else:
                branch = "proportional"
                W = W - W @ A @ A.T @ W / np.trace(P)
                Y = Y - Y @ A.T @ A @ Y / np.trace(Q)
            g = Regularized(f, W, Y, beta)
            if reoptimize:
                A = corrective(g, *spaces(A))
        trace.A, trace.W, trace.Y = A, W, Y
        trace.fun.append(float(f.value(A)))
        trace.regularized_fun.append(g.value(A))
        trace.branch.append(branch)
    return trace


def regularized_iht(
    f: Objective,
    shape: tuple[int, int],
    rank: int,
    *,
    step: float,
    weight_step: float,
    max_iter: int,
    round_threshold: float = 0.5,
) -> SearchTrace:
    """Our matrix form of the paper's Algorithm 1, without its memory limits."""
    A, W, Y = np.zeros(shape), np.eye(shape[0]), np.eye(shape[1])
    trace = SearchTrace(A, W, Y, [], [], [])
    for _ in range(max_iter):
        g = Regularized(f, W, Y, 1.0 / step)
        moved = truncate_rank(A - 0.5 * step * g.gradient(A), rank)
        W = _lowered(W, A @ A.T, weight_step, round_threshold)
        Y = _lowered(Y, A.T @ A, weight_step, round_threshold)
        A = moved
        trace.A, trace.W, trace.Y = A, W, Y
        trace.fun.append(float(f.value(A)))
        trace.regularized_fun.append(Regularized(f, W, Y, 1.0 / step).value(A))
        trace.branch.append("step")
    return trace


def _lowered(W: Matrix, gram: Matrix, weight_step: float, threshold: float) -> Matrix:
    half = _root(W)
    P = half @ gram @ half
    total = np.trace(P)
    if total <= 1e-12 * np.trace(gram):
        return W
    values, vectors = np.linalg.eigh(W - weight_step * half @ P @ half / total)
    kept = np.where(values <= threshold, 0.0, np.minimum(values, 1.0))
    return np.asarray((vectors * kept) @ vectors.T)

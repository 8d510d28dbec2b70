"""Systems of the fully corrective step: the best A = U · X · Vᵀ for fixed U and V."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from regiht import _core
from regiht._inputs.checks import FloatArray
from regiht.lowrank._losses import EntryLoss
from regiht.lowrank._products import inner, norm, times
from regiht.lowrank._weights import Regularizer

LinearMap = Callable[[FloatArray], FloatArray]

_CG_TOLERANCE = 1e-13
_MOST_CG_STEPS = 300
_NEWTON_STEPS = 50
_GRADIENT_TOLERANCE = 1e-12
_ENOUGH_HALVINGS = 40
_ROUNDING = 1e-14
# Of the largest eigenvalue: what a system does not tell from rounding.
_UNTOLD = 1e-14


class Penalty(Protocol):
    """A quadratic function of X whose minimum is at zero."""

    def gradient(self, X: FloatArray) -> FloatArray:
        """Derivative, which is linear in X."""

    def value(self, X: FloatArray) -> float:
        """Half of ⟨X, gradient(X)⟩."""


class Ridge:
    """(ridge/2)‖X‖²."""

    def __init__(self, ridge: float) -> None:
        self.ridge = ridge

    def gradient(self, X: FloatArray) -> FloatArray:
        """Return ridge · X."""
        return self.ridge * X

    def value(self, X: FloatArray) -> float:
        """(ridge/2)‖X‖²."""
        return 0.5 * self.ridge * float(np.sum(X**2))


class SpannedPenalty:
    """Φ(U·X·Vᵀ) + (ridge/2)‖X‖² as a function of X."""

    def __init__(
        self, regularizer: Regularizer | None, ridge: float, U: FloatArray, V: FloatArray
    ) -> None:
        self.ridge = ridge
        self.half = 0.0 if regularizer is None else 0.5 * regularizer.beta
        self.P = np.zeros((U.shape[1],) * 2) if regularizer is None else regularizer.W.gram(U)
        self.Q = np.zeros((V.shape[1],) * 2) if regularizer is None else regularizer.Y.gram(V)

    def gradient(self, X: FloatArray) -> FloatArray:
        """Derivative, which is linear in X."""
        return self.ridge * X + self.half * (times(self.P, X) + times(X, self.Q))

    def value(self, X: FloatArray) -> float:
        """Half of ⟨X, gradient(X)⟩."""
        return 0.5 * float(np.sum(X * self.gradient(X)))

    def matrix(self) -> FloatArray:
        """Return the gradient as a matrix that acts on X.ravel()."""
        rows, cols = self.P.shape[0], self.Q.shape[0]
        both = np.kron(self.P, np.eye(cols)) + np.kron(np.eye(rows), self.Q)
        return self.ridge * np.eye(rows * cols) + self.half * both


def conjugate_gradients(apply: LinearMap, b: FloatArray, max_iter: int) -> FloatArray:
    """Solve apply(x) = b for a positive semidefinite map and a b in its range."""
    x = np.zeros_like(b)
    residual = b.copy()
    direction = residual
    size = start = float(np.sum(residual**2))
    for _ in range(max_iter):
        _core.poll()
        if size <= _CG_TOLERANCE**2 * start:
            break
        image = apply(direction)
        curvature = float(np.sum(direction * image))
        if not curvature > 0.0:
            break
        step = size / curvature
        x = x + step * direction
        residual = residual - step * image
        smaller = float(np.sum(residual**2))
        direction = residual + (smaller / size) * direction
        size = smaller
    return x


def least_norm_solution(system: FloatArray, b: FloatArray) -> FloatArray:
    """Solve a symmetric system; directions that are nothing but rounding get no part."""
    values, vectors = _core.symmetric_eigen(system)
    told = np.abs(values) > _UNTOLD * np.abs(values).max()
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=told)
    return times(vectors, inverse[:, None] * inner(vectors, b))


def shorten_until_lower(
    value: Callable[[FloatArray], float], X: FloatArray, move: FloatArray
) -> FloatArray | None:
    """X + the longest of move, move/2, move/4, … that does not raise the value beyond rounding."""
    before = value(X)
    allowed = before + _ROUNDING * abs(before)
    for _ in range(_ENOUGH_HALVINGS):
        moved = X + move
        if value(moved) <= allowed:
            return moved
        move = 0.5 * move
    return None


def newton(
    loss: EntryLoss,
    predict: LinearMap,
    project: LinearMap,
    penalty: Penalty,
    X: FloatArray,
) -> FloatArray:
    """Minimise loss(predict(X)) + penalty(X), where project is the adjoint of predict.

    One step solves a quadratic, by conjugate gradients; a second mends rounding.
    """

    def solved(bend: FloatArray | float, slope: FloatArray) -> FloatArray:
        def curve(D: FloatArray) -> FloatArray:
            return project(bend * predict(D)) + penalty.gradient(D)

        return conjugate_gradients(curve, slope, min(2 * X.size + 10, _MOST_CG_STEPS))

    def value(D: FloatArray) -> float:
        return loss.value(predict(D)) + penalty.value(D)

    start = project(loss.derivative(predict(np.zeros_like(X))))
    enough = _GRADIENT_TOLERANCE * norm(start)
    best, least, lowest = X, math.inf, math.inf
    for _ in range(_NEWTON_STEPS):
        z = predict(X)
        slope = project(loss.derivative(z)) + penalty.gradient(X)
        size, current = norm(slope), loss.value(z) + penalty.value(X)
        if size >= least and current >= lowest:
            return best
        best, least, lowest = X, size, current
        if size <= enough:
            break
        lower = shorten_until_lower(value, X, solved(loss.curvature(z), -slope))
        if lower is None:
            break
        X = lower
    return X

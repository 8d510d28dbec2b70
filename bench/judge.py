"""What a chosen set of columns is worth: the objective after a refit, the same for every solver."""

from __future__ import annotations

from typing import Any

import numpy as np

from regiht import reference

NEWTON_STEPS = 100


def cut(support: Any, coef: Any, s: int) -> Any:
    """The s columns with the largest coefficients."""
    order = np.argsort(-np.abs(coef), kind="stable")[:s]
    return np.sort(np.asarray(support)[order])


def refit_value(problem: Any, support: Any) -> float:
    """The least value of the problem's objective on this support, by Newton's method."""
    A = problem.columns(support)
    ridges = np.full(A.shape[1], problem.ridge)
    return _least(A, problem.y, problem.objective.loss, ridges)


def refit_logistic(A: Any, y: Any, ridge: float) -> float:
    """The least value of a logistic model on these columns, with an intercept free of ridge."""
    ridges = np.append(np.full(A.shape[1], ridge), 0.0)
    return _least(np.column_stack([A, np.ones(len(y))]), y, reference.LOSSES["logistic"], ridges)


def _least(A: Any, y: Any, loss: Any, ridges: Any) -> float:
    def value(x: Any) -> float:
        return float(np.sum(loss.value(A @ x, y)) + 0.5 * (ridges * x) @ x)

    x = np.zeros(A.shape[1])
    best = value(x)
    for _ in range(NEWTON_STEPS):
        prediction = A @ x
        gradient = A.T @ loss.derivative(prediction, y) + ridges * x
        hessian = (A * loss.curvature(prediction, y)[:, None]).T @ A + np.diag(ridges)
        step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        length = 1.0
        while value(x - length * step) > best and length > 1e-10:
            length /= 2
        x = x - length * step
        before, best = best, min(best, value(x))
        if before - best <= 1e-14 * abs(before):
            break
    return best

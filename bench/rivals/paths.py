"""Following an ℓ₁ path from the strongest penalty until s columns are in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

POINTS = 100
RATIO = 1e-4


def largest_penalty(problem: Any) -> float:
    """The penalty, per sample as scikit-learn counts, above which nothing is selected."""
    prediction = np.zeros(len(problem.y))
    if problem.standardize:  # the rivals fit an intercept
        mean = problem.y.mean()
        prediction += mean if problem.loss == "squared" else np.log(mean / (1 - mean))
    slope = problem.objective.loss.derivative(prediction, problem.y)
    return float(np.max(np.abs(problem.scaled.T @ slope)) / len(problem.y))


def follow(problem: Any, s: int, fit: Callable[[float], Any]) -> tuple[Any, Any]:
    """Lower the penalty until at least s columns are in; `fit` returns all coefficients."""
    for penalty in largest_penalty(problem) * np.geomspace(1.0, RATIO, POINTS)[1:]:
        coef = fit(float(penalty))
        if np.count_nonzero(coef) >= s:
            break
    support = np.flatnonzero(coef)
    return support, coef[support]

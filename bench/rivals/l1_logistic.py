"""liblinear's ℓ₁ logistic regression: a bisection on the penalty for s columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from rivals.paths import RATIO, largest_penalty

name = "liblinear l1"
package, module = "scikit-learn", "sklearn"
HALVINGS = 20


def accepts(problem: Any) -> bool:
    return problem.loss == "logistic"


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    low, high = RATIO, 1.0  # of the largest penalty, which selects nothing
    largest = largest_penalty(problem) * len(problem.y)
    best = None
    for _ in range(HALVINGS):
        middle = np.sqrt(low * high)
        model = LogisticRegression(
            C=1.0 / (middle * largest), l1_ratio=1.0, solver="liblinear", tol=1e-4,
            random_state=0,
        )  # fmt: skip
        coef = model.fit(problem.scaled, problem.y).coef_[0]
        count = np.count_nonzero(coef)
        if count >= s:
            low, best = middle, coef
        else:
            high = middle
        if count == s:
            break
    best = coef if best is None else best
    support = np.flatnonzero(best)
    return support, best[support]

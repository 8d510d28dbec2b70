"""celer's lasso and ℓ₁ logistic regression along a path."""

from __future__ import annotations

from typing import Any

import numpy as np

from rivals.paths import follow

name = "celer"
package = module = "celer"


def accepts(problem: Any) -> bool:
    return problem.loss in {"squared", "logistic"}


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    import celer  # noqa: PLC0415

    logistic = problem.loss == "logistic"
    if logistic:
        model = celer.LogisticRegression(warm_start=True)  # has no intercept
    else:
        model = celer.Lasso(fit_intercept=problem.standardize, warm_start=True)

    def fit(penalty: float) -> Any:
        how = {"C": 1 / (len(problem.y) * penalty)} if logistic else {"alpha": penalty}
        return np.ravel(model.set_params(**how).fit(problem.scaled, problem.y).coef_).copy()

    return follow(problem, s, fit)

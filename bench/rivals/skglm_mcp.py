"""skglm along a path: minimax concave penalty for squared loss, ℓ₁ for logistic."""

from __future__ import annotations

from typing import Any

import numpy as np

from rivals.paths import follow

name = "skglm"
package = module = "skglm"
compiles = True


def accepts(problem: Any) -> bool:
    return problem.loss in {"squared", "logistic"}


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    import skglm  # noqa: PLC0415

    if problem.loss == "squared":
        model = skglm.MCPRegression(gamma=3.0, fit_intercept=problem.standardize, warm_start=True)
    else:
        model = skglm.SparseLogisticRegression(warm_start=True)

    # Its penalty expects columns of norm √rows; the order of the coefficients stays.
    size = np.sqrt(len(problem.y))
    X = problem.scaled * size

    def fit(penalty: float) -> Any:
        model.set_params(alpha=penalty * size)
        return np.ravel(model.fit(X, problem.y).coef_).copy()

    return follow(problem, s, fit)

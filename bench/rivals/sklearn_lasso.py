"""scikit-learn's lasso along a path, cut to the s largest coefficients."""

from __future__ import annotations

from typing import Any

from rivals.paths import follow

name = "scikit-learn lasso path"
package, module = "scikit-learn", "sklearn"


def accepts(problem: Any) -> bool:
    return problem.loss == "squared"


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    from sklearn.linear_model import Lasso  # noqa: PLC0415

    model = Lasso(fit_intercept=problem.standardize, warm_start=True, max_iter=10_000)

    def fit(penalty: float) -> Any:
        return model.set_params(alpha=penalty).fit(problem.scaled, problem.y).coef_

    return follow(problem, s, fit)

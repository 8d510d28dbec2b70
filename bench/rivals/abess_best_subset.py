"""abess at one support size."""

from __future__ import annotations

from typing import Any

import numpy as np

name = "abess"
package = module = "abess"


def accepts(problem: Any) -> bool:
    return problem.loss in {"squared", "logistic"}


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    from abess import LinearRegression, LogisticRegression  # noqa: PLC0415

    kind = LinearRegression if problem.loss == "squared" else LogisticRegression
    model = kind(support_size=[s], alpha=problem.ridge, thread=1)
    model.fit(problem.scaled, problem.y)
    coef = np.ravel(model.coef_)
    support = np.flatnonzero(coef)
    return support, coef[support]

"""abess at one support size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

name = "abess"
package = module = "abess"
MANY = 10_000
# Exchanges end where they gain less than a threshold that knows nothing of the unit of y.
SPREAD = 100.0


def accepts(problem: Any) -> bool:
    return problem.loss in {"squared", "logistic"}


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    return fit(problem, [s])


def fit(problem: Any, sizes: Sequence[int]) -> tuple[Any, Any]:
    """The model of the largest of these sizes; each starts where the one before ended."""
    from abess import LinearRegression, LogisticRegression  # noqa: PLC0415

    columns = varying(problem.scaled)
    kind, y = LogisticRegression, problem.y
    if problem.loss == "squared":
        kind, y = LinearRegression, y * (SPREAD / y.std())
    model = kind(
        support_size=list(sizes), alpha=problem.ridge, thread=1,
        important_search=0 if columns.size <= MANY else 128, ic_coef=1e-9,
    )  # fmt: skip
    model.fit(problem.scaled[:, columns], y)
    coef = np.ravel(model.coef_)
    chosen = np.flatnonzero(coef)
    return columns[chosen], coef[chosen]


def varying(X: Any) -> Any:
    """The columns that are not constant, which abess refuses."""
    if sparse.issparse(X):
        return np.flatnonzero(X.max(axis=0).toarray() != X.min(axis=0).toarray())
    return np.flatnonzero(X.max(axis=0) != X.min(axis=0))

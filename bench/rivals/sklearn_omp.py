"""scikit-learn's orthogonal matching pursuit: squared loss, dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

name = "scikit-learn OMP"
package, module = "scikit-learn", "sklearn"


def accepts(problem: Any) -> bool:
    return problem.loss == "squared" and not sparse.issparse(problem.X)


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    from sklearn.linear_model import OrthogonalMatchingPursuit  # noqa: PLC0415

    model = OrthogonalMatchingPursuit(n_nonzero_coefs=s, fit_intercept=problem.standardize)
    coef = model.fit(problem.scaled, problem.y).coef_
    support = np.flatnonzero(coef)
    return support, coef[support]

"""adelie's lasso and ℓ₁ logistic regression along its own path."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from rivals.paths import POINTS, RATIO

name = "adelie"
package = module = "adelie"


def accepts(problem: Any) -> bool:
    return problem.loss in {"squared", "logistic"}


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    import adelie  # noqa: PLC0415

    X = problem.scaled
    matrix = adelie.matrix.sparse(X) if sparse.issparse(X) else X
    loss = adelie.glm.binomial if problem.loss == "logistic" else adelie.glm.gaussian
    state = adelie.grpnet(
        matrix,
        loss(problem.y),
        intercept=problem.standardize,
        lmda_path_size=POINTS,
        min_ratio=RATIO,
        early_exit=False,
        exit_cond=lambda now: now.active_set_size >= s and now.betas[-1].nnz >= s,
        progress_bar=False,
    )
    coef = state.betas[-1].toarray().ravel()
    support = np.flatnonzero(coef)
    return support, coef[support]

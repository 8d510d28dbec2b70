"""The paper's regularized IHT in numpy, with the step named for the problem."""

from __future__ import annotations

from typing import Any

import numpy as np

from regiht import reference

name = "numpy listing"
package = module = None


def accepts(problem: Any) -> bool:
    return problem.loss in reference.LOSSES


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    step = problem.step("regiht", s)
    x = reference.regularized_iht(
        problem.objective, problem.X.shape[1], s, step=step, max_iter=problem.max_iter,
        history=False,
    ).x  # fmt: skip
    support = np.flatnonzero(x)
    return support, x[support]

"""What the adapters of skscope's solvers share: the objective, written in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np


def solve(solver: str, problem: Any, s: int) -> tuple[Any, Any]:
    import skscope  # noqa: PLC0415

    objective = problem.objective
    x = getattr(skscope, solver)(problem.X.shape[1], sparsity=s).solve(
        lambda x: objective.value(np.asarray(x)),
        gradient=lambda x: objective.gradient(np.asarray(x)),
    )
    x = np.asarray(x)
    support = np.flatnonzero(x)
    return support, x[support]

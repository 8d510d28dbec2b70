"""skscope's ScopeSolver on the objective written in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

name = "skscope Scope"
package = module = "skscope"

# Its memory grows with the square of the columns: 17 GB at 47 236.
MOST_COLUMNS = 10_000


def accepts(problem: Any) -> bool:
    return problem.X.shape[1] <= MOST_COLUMNS


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    from skscope import ScopeSolver  # noqa: PLC0415

    objective = problem.objective
    solver = ScopeSolver(problem.X.shape[1], sparsity=s)

    def value(x: Any) -> float:
        return objective.value(np.asarray(x))

    def value_and_gradient(x: Any) -> tuple[float, Any]:
        x = np.asarray(x)
        return objective.value(x), objective.gradient(x)

    x = np.asarray(solver.solve(value, gradient=lambda x: value_and_gradient(x)[1]))
    support = np.flatnonzero(x)
    return support, x[support]

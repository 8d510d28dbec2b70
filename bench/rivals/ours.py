"""regiht.solve as a newcomer calls it: the step is left to the solver."""

from __future__ import annotations

from typing import Any

import regiht

name = "regiht"
package = module = None
METHOD = "regiht"


def accepts(problem: Any) -> bool:
    return problem.loss in regiht.losses()


def solve(problem: Any, s: int, method: str = METHOD) -> tuple[Any, Any]:
    result = regiht.solve(
        problem.X, problem.y, s, loss=problem.loss, ridge=problem.ridge, method=method,
        max_iter=problem.max_iter, center=problem.standardize, scale=problem.standardize,
    )  # fmt: skip
    return result.support, result.x[result.support]

"""skscope's ScopeSolver on the objective written in numpy."""

from __future__ import annotations

from typing import Any

from rivals import skscope_solvers

name = "skscope Scope"
package = module = "skscope"

# Its memory grows with the square of the columns: 17 GB at 47 236.
MOST_COLUMNS = 10_000


def accepts(problem: Any) -> bool:
    return problem.X.shape[1] <= MOST_COLUMNS


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    return skscope_solvers.solve("ScopeSolver", problem, s)

"""skscope's FoBa on the objective written in numpy."""

from __future__ import annotations

from typing import Any

from rivals import skscope_solvers

name = "skscope FoBa"
package = module = "skscope"


def accepts(problem: Any) -> bool:  # noqa: ARG001  (whatever has a gradient)
    return True


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    return skscope_solvers.solve("FobaSolver", problem, s)

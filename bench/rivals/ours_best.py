"""The portfolio of this package: the best of several methods, refitted and polished."""

from __future__ import annotations

from typing import Any

from rivals import ours

name = "regiht, method best"
package = module = None
accepts = ours.accepts


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    return ours.solve(problem, s, method="best")

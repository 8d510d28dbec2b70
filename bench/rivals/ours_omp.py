"""Orthogonal matching pursuit of this package."""

from __future__ import annotations

from typing import Any

from rivals import ours

name = "regiht, method omp"
package = module = None
accepts = ours.accepts


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    return ours.solve(problem, s, method="omp")

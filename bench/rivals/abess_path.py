"""abess along the sizes 1 to s, each from the one before: what it does unless a size is given."""

from __future__ import annotations

from typing import Any

from rivals import abess_best_subset

name = "abess, path"
package = module = "abess"
accepts = abess_best_subset.accepts


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    return abess_best_subset.fit(problem, range(1, s + 1))

"""Models in ascending order of their objective, by Lawler's partition.

The best model of a set of supports is found by a solver. All other supports of the set leave out
some feature of it: its first one; or keep that and leave out the second; and so on. These sets have
no support in common, so the next best model is the best of theirs. With a solver that is exact,
nothing is missed. Where columns come in groups, these stand for the features.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from regiht._inputs.checks import IndexArray
from regiht._solving.deadline import Deadline
from regiht._solving.result import Result, Status

# Exact copies of a column differ in the last bits.
_ROUNDING = 1e-9

_NONE: IndexArray = np.array([], dtype=np.int64)


@dataclass(frozen=True)
class Supports:
    """All supports that have some columns and not others."""

    kept: IndexArray
    excluded: IndexArray

    def without_one_of(self, result: Result, groups: IndexArray) -> list[Supports]:
        """Split what is left without the groups of a result; the largest coefficients first.

        Most models without one of these are far worse, so most parts end there.
        """
        free = np.setdiff1d(np.flatnonzero(result.x), self.kept)
        free = free[np.argsort(-np.abs(result.x[free]), kind="stable")]
        numbers, first = np.unique(groups[free], return_index=True)
        allowed = np.setdiff1d(np.arange(groups.size), self.excluded)
        parts, kept = [], self.kept
        for number in numbers[np.argsort(first)]:
            columns = allowed[groups[allowed] == number]
            parts.append(Supports(kept, np.union1d(self.excluded, columns)))
            kept = np.union1d(kept, columns)
        return parts


@dataclass(frozen=True)
class Enumeration:
    """Models with distinct features, the best first, and whether the search came to its end."""

    results: list[Result]
    complete: bool


def enumerate_models(
    solve: Callable[[Supports, float | None], Result | None],
    start: Supports,
    groups: IndexArray,
    *,
    within: float,
    most: int,
    time_limit: float | None,
    threads: int,
) -> Enumeration:
    """List models whose objective is above the best one's by at most a share of it.

    ``solve`` finds the best model of some supports within some seconds; None if there is none.
    ``groups`` numbers the group of every column.
    """
    deadline = Deadline(time_limit)
    complete = True

    def solve_in_time(supports: Supports) -> Result | None:
        return solve(supports, deadline.left())

    first = solve_in_time(start)
    assert first is not None
    found = {selected_groups(first, groups): first}
    order = itertools.count(1)  # no two entries of the queue are equal
    queue = [(first.fun, 0, start, first)]
    limit = _limit(first.fun, within)
    with ThreadPoolExecutor(threads) as pool:
        while queue and len(found) < most:
            fun, _, supports, result = heapq.heappop(queue)
            if fun > limit:
                break
            if deadline.passed():
                complete = False
                break
            parts = supports.without_one_of(result, groups)
            for part, best in zip(parts, pool.map(solve_in_time, parts), strict=True):
                if best is None:
                    continue
                complete &= best.status != Status.TIME_LIMIT
                limit = min(limit, _limit(best.fun, within))
                if best.fun <= limit:
                    found.setdefault(selected_groups(best, groups), best)
                    heapq.heappush(queue, (best.fun, next(order), part, best))
    complete &= first.status != Status.TIME_LIMIT and not (queue and len(found) >= most)
    listed = sorted(found.values(), key=lambda each: each.fun)
    return Enumeration([each for each in listed if each.fun <= limit][:most], complete)


def everything(kept: IndexArray | None, excluded: IndexArray | None) -> Supports:
    """All supports that the user allows."""
    return Supports(
        _NONE if kept is None else np.unique(kept), _NONE if excluded is None else excluded
    )


def selected_groups(result: Result, groups: IndexArray) -> frozenset[int]:
    """The groups that have coefficients."""
    return frozenset(groups[np.flatnonzero(result.x)].tolist())


def _limit(fun: float, within: float) -> float:
    return fun + (within + _ROUNDING) * abs(fun)

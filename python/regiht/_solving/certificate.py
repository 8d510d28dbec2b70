"""Lower bounds on what any model of s features can reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from regiht._solving.result import Result

NO_RIDGE = (
    "No certificate is available: a lower bound needs ridge > 0. See the page “Certificates”."
)
WITH_INTERCEPT = (
    "No certificate is available with an intercept, except for squared loss on centred columns."
)


def certified(
    result: Result, *, intercept: bool, ridge: float, find: Callable[[], float]
) -> Result:
    """The result with the lower bound that `find` finds, or with a note that there is none."""
    reasons = [NO_RIDGE] * (ridge == 0.0) + [WITH_INTERCEPT] * intercept
    if reasons:
        return replace(result, notes=(*result.notes, *reasons))
    return replace(result, lower_bound=find())

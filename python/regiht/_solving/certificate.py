"""Lower bounds on what any model of s features can reach."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from regiht import _core
from regiht._solving.result import Result

NO_RIDGE = (
    "No certificate is available: a lower bound needs ridge > 0. See the page “Certificates”."
)
WITH_INTERCEPT = (
    "No certificate is available with an intercept, except for squared loss on centred columns."
)


def certified(result: Result, *, intercept: bool, ridge: float, **model: Any) -> Result:
    """The result with its lower bound, or with a note that there is none.

    `model` is the rest of what ``_core.lower_bound`` wants to know.
    """
    reasons = [NO_RIDGE] * (ridge == 0.0) + [WITH_INTERCEPT] * intercept
    if reasons:
        return replace(result, notes=(*result.notes, *reasons))
    bound = _core.lower_bound(x=result.x, fun=result.fun, ridge=ridge, **model)
    return replace(result, lower_bound=bound)

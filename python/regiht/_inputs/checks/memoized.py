"""Checks of settings that need not be made again for the same values."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

import numpy as np

from regiht._inputs.checks.errors import InvalidArgumentError

P = ParamSpec("P")
T = TypeVar("T")

# What cannot change behind our back. Others, such as a tensor, may be equal to themselves and yet
# not hold the number that was checked.
_CONSTANT = frozenset(
    {int, float, bool, str, type(None), np.bool_, np.float32, np.float64, np.int32, np.int64}
)


def remembered(check: Callable[P, T]) -> Callable[P, T]:
    """Let a check answer as before when it is given constants that it has seen and accepted.

    With an argument that is not a constant, such as an array, it is made every time.
    """

    @lru_cache(maxsize=1024, typed=True)
    def once(*values: P.args, **named: P.kwargs) -> T:
        if not all(type(value) in _CONSTANT for value in (*values, *named.values())):
            raise TypeError("not a constant")  # what raises is not remembered
        return check(*values, **named)

    @wraps(check)
    def remembering(*values: P.args, **named: P.kwargs) -> T:
        try:
            return once(*values, **named)  # type: ignore[arg-type]
        except InvalidArgumentError:
            raise
        except TypeError:
            return check(*values, **named)

    return remembering

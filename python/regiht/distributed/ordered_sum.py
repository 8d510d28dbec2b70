"""Sums whose bits depend on the order of the blocks and on nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Answer = dict[str, Any]
Combine = Callable[[Any, Any], Any]


def add(left: Answer, right: Answer) -> Answer:
    """Add two answers of the same names."""
    return {name: left[name] + right[name] for name in left}


def ordered_sum(answers: Sequence[Any], combine: Combine = add) -> Any:
    """Combine neighbours in pairs, then these, until one is left.

    The pairing is fixed by the number of answers: who computed them, where, and when they came
    makes no difference, not even in the last bit. The error of such a sum grows with the logarithm
    of the number of blocks.
    """
    level = list(answers)
    while len(level) > 1:
        paired = [combine(a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
        level = paired + level[2 * len(paired) :]
    return level[0]

"""Sums whose bits depend on the order of the blocks and on nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Answer = dict[str, Any]
Combine = Callable[[Any, Any], Any]

# A level of the tree, and the place there.
Node = tuple[int, int]


def add(left: Answer, right: Answer) -> Answer:
    """Add two answers of the same names."""
    return {name: left[name] + right[name] for name in left}


def merged(nodes: Mapping[Node, Any], count: int, combine: Combine) -> dict[Node, Any]:
    """Combine all neighbours that are here, in the tree over so many blocks.

    Leaves are the nodes (0, k). Whoever has both of a pair may combine them: since the tree is
    fixed by the number of blocks, who does, where, and when the answers came makes no difference,
    not even in the last bit. The error of such a sum grows with the logarithm of that number.
    """
    left = dict(nodes)
    level = 0
    while count > 1:
        for place in [k for at, k in left if at == level and k % 2 == 0]:
            above = level + 1, place // 2
            if place + 1 == count:
                left[above] = left.pop((level, place))
            elif (level, place + 1) in left:
                pair = left.pop((level, place)), left.pop((level, place + 1))
                left[above] = combine(*pair)
        count = (count + 1) // 2
        level += 1
    return left


def ordered_sum(answers: Sequence[Any], combine: Combine = add) -> Any:
    """Combine neighbours in pairs, then these, until one is left."""
    nodes = merged({(0, k): each for k, each in enumerate(answers)}, len(answers), combine)
    return nodes.popitem()[1]

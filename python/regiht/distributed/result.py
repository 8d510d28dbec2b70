"""What a solve on blocks returns."""

from __future__ import annotations

from dataclasses import dataclass

from regiht._solving.result import Result
from regiht.distributed.communication import Communication


@dataclass(frozen=True, eq=False, repr=False)
class DistributedResult(Result):
    """A `regiht.Result` that knows what it cost to reach the blocks.

    Attributes
    ----------
    communication : Communication
        Rounds and bytes of this solve; what loading and standardizing took is with the first.
    """

    communication: Communication | None = None

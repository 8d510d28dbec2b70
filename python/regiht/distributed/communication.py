"""What a fit on blocks has sent and received."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np


@dataclass
class Communication:
    """Counts of rounds and bytes between the client and the blocks; they depend on no clock.

    Attributes
    ----------
    rounds : int
        How often all blocks were asked something and their answers awaited.
    bytes_out : int
        Bytes sent to the blocks, once for each of them.
    bytes_in : int
        Bytes of the answers of all blocks; fewer are sent if one worker sums those of several.

    See Also
    --------
    DistributedResult : Has the counts of a solve.

    Examples
    --------
    >>> import numpy as np, regiht.distributed
    >>> X = np.eye(4)
    >>> fit = regiht.distributed.solve([X[:2], X[2:]], [np.ones(2), np.zeros(2)], 2)
    >>> fit.communication.rounds > 0, fit.communication.bytes_in > 0
    (True, True)
    """

    rounds: int = 0
    bytes_out: int = 0
    bytes_in: int = 0

    def __str__(self) -> str:
        return f"{self.rounds} rounds, {(self.bytes_out + self.bytes_in) / 1e6:.3g} MB"

    def count(self, blocks: int, sent: Any, received: int) -> None:
        """Count a round that sent so much to each of the blocks."""
        self.rounds += 1
        self.bytes_out += blocks * payload(sent)
        self.bytes_in += received

    def since(self, earlier: Communication) -> Communication:
        """What was added since a copy was taken."""
        return Communication(
            **{
                each.name: getattr(self, each.name) - getattr(earlier, each.name)
                for each in fields(self)
            }
        )


def payload(message: Any) -> int:
    """Bytes of the numbers in a message; names and headers are not counted."""
    if message is None:
        return 0
    if isinstance(message, np.ndarray):
        return message.nbytes
    if isinstance(message, dict):
        return sum(payload(each) for each in message.values())
    if isinstance(message, tuple | list):
        return sum(payload(each) for each in message)
    if hasattr(message, "__dataclass_fields__"):
        return sum(payload(getattr(message, name)) for name in message.__dataclass_fields__)
    return len(message) if isinstance(message, str | bytes) else 8

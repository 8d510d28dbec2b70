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

    See Also
    --------
    solve : Returns it.

    Examples
    --------
    >>> import numpy as np, regiht.distributed
    >>> X = np.eye(4)
    >>> fit = regiht.distributed.solve([X[:2], X[2:]], [np.ones(2), np.zeros(2)], 2)
    >>> fit.support.tolist()
    [0, 1]
    """

    communication: Communication | None = None

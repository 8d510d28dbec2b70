"""The result of a solve on blocks."""

from __future__ import annotations

from dataclasses import dataclass

from regiht._solving.result import Result
from regiht.distributed.communication import Communication


@dataclass(frozen=True, eq=False, repr=False)
class DistributedResult(Result):
    """A `regiht.Result` with the communication that it took.

    Attributes
    ----------
    communication : Communication
        Rounds and bytes of this solve; the first solve includes loading and standardizing.

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

"""The result of a path on blocks."""

from __future__ import annotations

from copy import copy
from typing import Any

from regiht._solving.path import SparsePath
from regiht.distributed.communication import Communication


class DistributedPath(SparsePath):
    """A `regiht.SparsePath` with the communication that it took.

    Attributes
    ----------
    communication : Communication
        Rounds and bytes of all its models, including loading and standardizing. The counts of a
        single model are what it needed beyond the models before it.

    See Also
    --------
    path : Returns it.

    Examples
    --------
    >>> import numpy as np, regiht.distributed
    >>> X = np.random.default_rng(0).normal(size=(40, 5))
    >>> path = regiht.distributed.path([X[:20], X[20:]], [X[:20, 3], X[20:, 3]], 2)
    >>> path.communication.rounds > 0
    True
    """

    def __init__(self, *models: Any, communication: Communication, **described: Any) -> None:
        super().__init__(*models, **described)
        self.communication = copy(communication)

"""The methods. A new one is a file with a function and one entry here."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from regiht.lowrank._run import USUAL_MAX_ITER, Run
from regiht.lowrank.methods import _regularized_iht
from regiht.lowrank.methods._best import best
from regiht.lowrank.methods._greedy import greedy
from regiht.lowrank.methods._local_search import local_search
from regiht.lowrank.methods._regularized_iht import regularized_iht
from regiht.lowrank.methods._regularized_local_search import regularized_local_search
from regiht.lowrank.objectives import LowRankObjective


def _usual_max_iter(objective: LowRankObjective, rank: int) -> int:
    del objective, rank
    return USUAL_MAX_ITER


class Method(NamedTuple):
    """A solver, and the iterations that it makes at most unless told otherwise."""

    run: Run
    default_max_iter: Callable[[LowRankObjective, int], int] = _usual_max_iter


METHODS: dict[str, Method] = {
    "best": Method(best, _regularized_iht.default_max_iter),
    "greedy": Method(greedy),
    "local-search": Method(local_search),
    "regularized-local-search": Method(regularized_local_search),
    "regularized-iht": Method(regularized_iht, _regularized_iht.default_max_iter),
}

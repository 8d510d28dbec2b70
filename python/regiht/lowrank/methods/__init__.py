"""The methods. A new one is a file with a function and one entry here."""

from __future__ import annotations

from collections.abc import Callable

from regiht.lowrank._run import LowRankOptions, Observer, Outcome
from regiht.lowrank.methods._greedy import greedy
from regiht.lowrank.methods._local_search import local_search
from regiht.lowrank.methods._regularized_iht import regularized_iht
from regiht.lowrank.methods._regularized_local_search import regularized_local_search
from regiht.lowrank.objectives import LowRankObjective

Method = Callable[[LowRankObjective, LowRankOptions, Observer], Outcome]

METHODS: dict[str, Method] = {
    "greedy": greedy,
    "local-search": local_search,
    "regularized-local-search": regularized_local_search,
    "regularized-iht": regularized_iht,
}

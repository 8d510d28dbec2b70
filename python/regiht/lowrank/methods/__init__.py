"""The methods. A new one is a file with a function and one entry here."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from regiht.lowrank._run import USUAL_MAX_ITER, LowRankOptions, Run
from regiht.lowrank.methods import _regularized_iht
from regiht.lowrank.methods._alternating import USUAL_SWEEPS, alternating
from regiht.lowrank.methods._best import best
from regiht.lowrank.methods._greedy import greedy
from regiht.lowrank.methods._local_search import local_search
from regiht.lowrank.methods._regularized_iht import regularized_iht
from regiht.lowrank.methods._regularized_local_search import regularized_local_search
from regiht.lowrank.objectives import LowRankObjective


def _usual_max_iter(objective: LowRankObjective, rank: int) -> int:
    del objective, rank
    return USUAL_MAX_ITER


def _unknown(objective: LowRankObjective, options: LowRankOptions) -> int | None:
    del objective, options
    return None


def _most_of_greedy(objective: LowRankObjective, options: LowRankOptions) -> int:
    del objective
    return max(min(options.rank - options.start.rank, options.max_iter), 0)


def _most_of_local_search(objective: LowRankObjective, options: LowRankOptions) -> int:
    del objective
    return options.max_iter


def _most_of_algorithm_2(objective: LowRankObjective, options: LowRankOptions) -> int:
    del objective
    return options.max_iter * (options.bisections if options.target_value is None else 1)


def _most_of_alternating(objective: LowRankObjective, options: LowRankOptions) -> int:
    del objective
    return options.max_iter + (1 if options.start.rank < options.rank else 0)


def _sweeps_of_alternating(objective: LowRankObjective, rank: int) -> int:
    del objective, rank
    return USUAL_SWEEPS


def _most_of_regularized_iht(objective: LowRankObjective, options: LowRankOptions) -> int:
    return options.max_iter + (options.refine if objective.refines else 0)


class Method(NamedTuple):
    """A solver, the iterations that it makes at most in all, if known, and its own max_iter.

    ``sweeps`` says whether it sweeps over the factors, and so whether it knows of their penalty.
    """

    run: Run
    most_iterations: Callable[[LowRankObjective, LowRankOptions], int | None]
    default_max_iter: Callable[[LowRankObjective, int], int] = _usual_max_iter
    sweeps: bool = False


METHODS: dict[str, Method] = {
    "best": Method(best, _unknown, _regularized_iht.default_max_iter, sweeps=True),
    "greedy": Method(greedy, _most_of_greedy),
    "local-search": Method(local_search, _most_of_local_search),
    "regularized-local-search": Method(regularized_local_search, _most_of_algorithm_2),
    "regularized-iht": Method(
        regularized_iht, _most_of_regularized_iht, _regularized_iht.default_max_iter, sweeps=True
    ),
    "alternating": Method(alternating, _most_of_alternating, _sweeps_of_alternating, sweeps=True),
}

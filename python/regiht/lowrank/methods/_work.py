"""What iterations cost, in multiply-adds: an estimate by which ``"best"`` deals out its work.

Counted and not timed, so that the same problem is solved in the same way everywhere.
"""

from __future__ import annotations

from regiht.lowrank.objectives import LowRankObjective

# What one product counts for however small the matrix is: about what a call from Python costs.
# Steps of the core count as much, since exchanges are worth the work that this leaves to them.
_CALL = 8e4
# Products in a step of regularized IHT: Lanczos iterations from a good start, and a value.
_PRODUCTS_IN_STEP = 12
_CALLS_IN_SWEEP = 6
# Products with one vector that find the leading direction of a gradient from nothing.
_PRODUCTS_FOR_DIRECTION = 60
_CALLS_FOR_DIRECTION = 20


def step_work(objective: LowRankObjective, rank: int) -> float:
    """One iteration of regularized IHT."""
    return _PRODUCTS_IN_STEP * (objective.product_work(rank) + _CALL)


def sweep_work(objective: LowRankObjective, rank: int) -> float:
    """One sweep over both factors."""
    return objective.sweep_work(rank) + _CALLS_IN_SWEEP * _CALL


def exchange_work(objective: LowRankObjective, rank: int) -> float:
    """One iteration of local search or of Algorithm 2: a direction, and the corrective step."""
    unknowns = (rank + 1) ** 2
    direction = _PRODUCTS_FOR_DIRECTION * objective.product_work(1)
    # Two rounds of conjugate gradients, with two products in each step.
    corrective = 4 * (2 * unknowns + 10) * objective.product_work(rank + 1)
    return direction + corrective + (unknowns + _CALLS_FOR_DIRECTION) * _CALL

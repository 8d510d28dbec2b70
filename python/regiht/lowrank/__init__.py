"""The best matrix of at most r ranks: Algorithm 2 of the paper, its rivals, and completion."""

from regiht.lowrank._factors import Factors
from regiht.lowrank._result import LowRankResult
from regiht.lowrank._run import LowRankIteration
from regiht.lowrank._solve import methods, solve, truncate_rank
from regiht.lowrank.objectives import (
    Completion,
    FullObservation,
    LowRankObjective,
    Measurements,
    OneBit,
    UserFunction,
    Weighted,
)

__all__ = [
    "Completion",
    "Factors",
    "FullObservation",
    "LowRankIteration",
    "LowRankObjective",
    "LowRankResult",
    "Measurements",
    "OneBit",
    "UserFunction",
    "Weighted",
    "methods",
    "solve",
    "truncate_rank",
]

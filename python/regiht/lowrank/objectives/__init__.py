"""What can be minimised over matrices of low rank."""

from regiht.lowrank.objectives._base import LowRankObjective
from regiht.lowrank.objectives._dense import FullObservation, Weighted
from regiht.lowrank.objectives._entries import Completion, OneBit
from regiht.lowrank.objectives._function import UserFunction, as_objective
from regiht.lowrank.objectives._measurements import Measurements

__all__ = [
    "Completion",
    "FullObservation",
    "LowRankObjective",
    "Measurements",
    "OneBit",
    "UserFunction",
    "Weighted",
    "as_objective",
]

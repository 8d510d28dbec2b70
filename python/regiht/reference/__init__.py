"""The paper in plain numpy, written to be read.

Everything here favours clarity over speed: it is the oracle that the tests compare the compiled
solvers with, and the yardstick of the benchmarks. All arithmetic is float64; float32 and integer
inputs are promoted once, when an objective is built.
"""

from regiht.reference.algorithms import (
    ReferenceResult,
    iht,
    regularized_iht,
    regularized_iht_in_rounds,
)
from regiht.reference.losses import HUBER_DELTA, LOSSES, Loss
from regiht.reference.objective import LinearObjective, Objective
from regiht.reference.standardization import ImplicitStandardized, standardize
from regiht.reference.thresholding import Vector, hard_threshold, number_groups

__all__ = [
    "HUBER_DELTA",
    "LOSSES",
    "ImplicitStandardized",
    "LinearObjective",
    "Loss",
    "Objective",
    "ReferenceResult",
    "Vector",
    "hard_threshold",
    "iht",
    "number_groups",
    "regularized_iht",
    "regularized_iht_in_rounds",
    "standardize",
]

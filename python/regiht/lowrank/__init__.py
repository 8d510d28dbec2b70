"""Matrices of at most a given rank: Algorithm 2 of the paper, its rivals, and completion."""

from typing import TYPE_CHECKING, Any

from regiht.lowrank._factors import Factors
from regiht.lowrank._grid import RankRidgePath, rank_ridge_path
from regiht.lowrank._path import RankPath, rank_path
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

if TYPE_CHECKING:
    from regiht.lowrank.cross_validated import LowRankCompletionCV
    from regiht.lowrank.estimator import LowRankCompletion
    from regiht.lowrank.imputer import LowRankImputer

__all__ = [
    "Completion",
    "Factors",
    "FullObservation",
    "LowRankCompletion",
    "LowRankCompletionCV",
    "LowRankImputer",
    "LowRankIteration",
    "LowRankObjective",
    "LowRankResult",
    "Measurements",
    "OneBit",
    "RankPath",
    "RankRidgePath",
    "UserFunction",
    "Weighted",
    "methods",
    "rank_path",
    "rank_ridge_path",
    "solve",
    "truncate_rank",
]


def __getattr__(name: str) -> Any:
    # Only the estimators need scikit-learn, which takes long to import and may be missing.
    if name in {"LowRankCompletion", "LowRankCompletionCV"}:
        from regiht.lowrank import cross_validated  # noqa: PLC0415

        return getattr(cross_validated, name)
    if name == "LowRankImputer":
        from regiht.lowrank import imputer  # noqa: PLC0415

        return imputer.LowRankImputer
    raise AttributeError(f"module 'regiht.lowrank' has no attribute {name!r}")

"""Models on blocks of rows: on the workers of a Dask cluster, or in this process.

Every method of `regiht.solve` runs on them. Blocks stay where they are; only the nonzeros of x, a
few numbers, and gradient entries that can matter are sent.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from regiht.distributed.blocks import Blocks, LocalBlocks
from regiht.distributed.communication import Communication
from regiht.distributed.errors import LostBlocksError
from regiht.distributed.estimators import fit
from regiht.distributed.path import path
from regiht.distributed.path_result import DistributedPath
from regiht.distributed.result import DistributedResult
from regiht.distributed.solve import solve

if TYPE_CHECKING:
    from regiht.distributed.client_estimators import (
        SparseClassifier,
        SparseClassifierCV,
        SparseRegressor,
        SparseRegressorCV,
    )

__all__ = [
    "Blocks",
    "Communication",
    "DistributedPath",
    "DistributedResult",
    "LocalBlocks",
    "LostBlocksError",
    "SparseClassifier",
    "SparseClassifierCV",
    "SparseRegressor",
    "SparseRegressorCV",
    "fit",
    "path",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name.startswith("Sparse") and name in __all__:  # they need scikit-learn
        return getattr(import_module("regiht.distributed.client_estimators"), name)
    raise AttributeError(f"module 'regiht.distributed' has no attribute {name!r}")

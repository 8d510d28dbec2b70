"""Models on blocks of rows: on the workers of a Dask cluster, or in this process.

Every method of `regiht.solve` runs on them. Blocks stay where they are; only the nonzeros of x, a
few numbers, and gradient entries that can matter are sent.
"""

from regiht.distributed.blocks import Blocks, LocalBlocks
from regiht.distributed.communication import Communication
from regiht.distributed.errors import LostBlocksError
from regiht.distributed.estimators import fit
from regiht.distributed.path import path
from regiht.distributed.path_result import DistributedPath
from regiht.distributed.result import DistributedResult
from regiht.distributed.solve import solve

__all__ = [
    "Blocks",
    "Communication",
    "DistributedPath",
    "DistributedResult",
    "LocalBlocks",
    "LostBlocksError",
    "fit",
    "path",
    "solve",
]

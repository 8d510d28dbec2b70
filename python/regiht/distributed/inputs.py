"""What users may give as blocks of rows, and which engine takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.collections import is_dask
from regiht.distributed.blocks import Blocks, LocalBlocks
from regiht.distributed.design import BlockDesign
from regiht.distributed.loading import load


def block_design(X: Any, y: Any, sample_weight: Any, client: Any) -> BlockDesign:
    """Load blocks of rows, where they are, and look at them."""
    if isinstance(X, BlockDesign):
        raise InvalidArgumentError("X is prepared already.")
    if is_dask(X) or (isinstance(X, list | tuple) and any(is_dask(each) for each in X)):
        from regiht.distributed.dask_inputs import dask_blocks  # noqa: PLC0415  (optional)

        blocks, names = dask_blocks(X, y, sample_weight, client)
        return BlockDesign.of(blocks, names)
    if not isinstance(X, list | tuple):
        raise InvalidArgumentError(
            "X must be a dask array, a dask dataframe, or a list of blocks of rows; got "
            f"{type(X).__name__}. For a matrix in memory use regiht.solve."
        )
    return BlockDesign.of(_local_blocks(X, y, sample_weight))


def _local_blocks(X: Sequence[Any], y: Any, sample_weight: Any) -> Blocks:
    parts = [listed(name, each, len(X)) for name, each in
             (("y", y), ("sample_weight", sample_weight))]  # fmt: skip
    return LocalBlocks([load(k, *each) for k, each in enumerate(zip(X, *parts, strict=True))])


def listed(name: str, value: Any, count: int) -> Sequence[Any]:
    """One part for every block of X."""
    if value is None:
        return [None] * count
    if not isinstance(value, list | tuple) or len(value) != count:
        got = f"{len(value)} of them" if isinstance(value, list | tuple) else type(value).__name__
        raise InvalidArgumentError(
            f"{name} must be a list of as many blocks as X has ({count}); got {got}."
        )
    return value

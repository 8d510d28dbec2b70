"""What users may give as blocks of rows, and which engine takes it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.collections import is_dask, is_future
from regiht._solving.deadline import Deadline
from regiht.dataset._shards import Shard
from regiht.distributed.blocks import Blocks, LocalBlocks
from regiht.distributed.design import BlockDesign
from regiht.distributed.loading import load
from regiht.distributed.shards import check_own_targets, names_of, shards_of


def block_design(
    X: Any, y: Any, sample_weight: Any, client: Any, deadline: Deadline
) -> BlockDesign:
    """Load blocks of rows, where they are, and look at them."""
    if isinstance(X, BlockDesign):
        raise InvalidArgumentError("X is prepared already.")
    if client is not None:
        from regiht.distributed.dask_inputs import check_client  # noqa: PLC0415  (optional)

        check_client(client)
    shards = shards_of(X)
    if shards is not None:
        return _shard_design(shards, y, sample_weight, client, deadline)
    by_dask = _holds_dask(X) or (client is not None and isinstance(X, list | tuple))
    if not (by_dask or isinstance(X, list | tuple)):
        raise InvalidArgumentError(
            "X must be a dask array, a dask dataframe, a list of blocks of rows, or a directory of "
            f"shards; got {type(X).__name__}. For a matrix in memory use regiht.solve."
        )
    if y is None:
        raise InvalidArgumentError("y must be given, unless X is shards, which have their own.")
    if by_dask:
        from regiht.distributed.dask_inputs import dask_blocks  # noqa: PLC0415  (optional)

        blocks, names = dask_blocks(X, y, sample_weight, client, deadline)
        return BlockDesign.of(blocks, names)
    return BlockDesign.of(_local_blocks(X, y, sample_weight))


def _holds_dask(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(is_dask(each) or is_future(each) for each in value)
    return is_dask(value)


def _shard_design(
    shards: list[Shard], y: Any, sample_weight: Any, client: Any, deadline: Deadline
) -> BlockDesign:
    """Open shards on the workers, if there are any."""
    if y is None:
        check_own_targets(shards)
    names = names_of(shards)
    if client is None and "distributed" in sys.modules:  # who has a client has imported it
        from regiht.distributed.dask_inputs import present_client  # noqa: PLC0415  (optional)

        client = present_client()
    if client is not None or _holds_dask(y) or _holds_dask(sample_weight):
        from regiht.distributed.dask_inputs import dask_blocks  # noqa: PLC0415  (optional)

        blocks, _ = dask_blocks(shards, y, sample_weight, client, deadline)
        return BlockDesign.of(blocks, names)
    rows = [shard.rows for shard in shards]
    parts = [
        each if each is None or isinstance(each, list | tuple) else cut(name, each, rows)
        for name, each in (("y", y), ("sample_weight", sample_weight))
    ]
    return BlockDesign.of(_local_blocks(shards, *parts), names)


def _local_blocks(X: Sequence[Any], y: Any, sample_weight: Any) -> Blocks:
    parts = [listed(name, each, len(X)) for name, each in
             (("y", y), ("sample_weight", sample_weight))]  # fmt: skip
    return LocalBlocks([load(k, *each) for k, each in enumerate(zip(X, *parts, strict=True))])


def cut(name: str, values: Any, rows: Sequence[int]) -> list[Any]:
    """Cut an array in memory into parts of so many rows."""
    values = np.asarray(values)
    if values.shape[:1] != (sum(rows),):
        raise InvalidArgumentError(
            f"{name} must have one entry for every row of X ({sum(rows)}); got "
            f"{len(values) if values.ndim else 'a number'}."
        )
    return np.split(values, np.cumsum(rows)[:-1])


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

"""From collections of Dask to blocks of rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.collections import is_dask
from regiht._solving.deadline import Deadline
from regiht.dataset._shards import Shard
from regiht.distributed.blocks import Blocks, LocalBlocks
from regiht.distributed.inputs import cut, listed
from regiht.distributed.loading import load

try:
    import dask
    from dask.delayed import Delayed
except ImportError as error:  # pragma: no cover  (the tests have it)
    raise ImportError(
        "fits on Dask collections need dask and distributed: pip install 'regiht[dask]'. "
        "See the page “Large data”."
    ) from error


def dask_blocks(
    X: Any, y: Any, sample_weight: Any, client: Any, deadline: Deadline
) -> tuple[Blocks, list[str] | None]:
    """Load the blocks of X with their targets and weights, on the workers if there are any.

    Also returns the names of the columns, if X is a data frame.
    """
    parts, rows = _row_parts(X)
    others = [
        _like(name, value, len(parts), rows)
        for name, value in (("y", y), ("sample_weight", sample_weight))
    ]
    blocks = list(zip(parts, *others, strict=True))
    names = [str(each) for each in X.columns] if hasattr(X, "columns") else None
    client = present_client() if client is None else client
    if client is None:
        return LocalBlocks(dask.compute(*_loads(blocks))), names
    from regiht.distributed.dask_blocks import DaskBlocks  # noqa: PLC0415  (needs distributed)

    loads = _loads(blocks)
    placed, addresses = _placed(client, loads, X)
    loaded = DaskBlocks(client, placed)
    tasks = [key for load in loads for key in load.__dask_graph__()]
    if addresses and not loaded.wait_where_placed(addresses, tasks, deadline):
        client.cancel(placed)  # and with them what they wait for
        loaded = DaskBlocks(client, client.compute(_loads(blocks)))
    loaded.wait(deadline)
    return loaded, names


def _loads(blocks: Sequence[Any]) -> list[Any]:
    """Tasks that load the blocks. Not pure: their names need no hash of the data, and are new."""
    return [dask.delayed(_load, pure=False)(k, *each) for k, each in enumerate(blocks)]


def _placed(client: Any, loads: list[Any], X: Any) -> tuple[list[Any], list[str]]:
    """Load neighbours on one worker, as far as it is free, so that their sums are made there.

    Also returns the workers that were chosen, none if the scheduler chooses.
    """
    from distributed import futures_of  # noqa: PLC0415  (needs distributed)

    addresses = sorted(client.nthreads())
    if not addresses or futures_of(X):  # what lies on workers already stays there
        return list(client.compute(loads)), []
    placed: list[Any] = []
    bounds = np.linspace(0, len(loads), len(addresses) + 1).round().astype(int).tolist()
    for address, first, last in zip(addresses, bounds, bounds[1:], strict=False):
        if first < last:
            placed += client.compute(loads[first:last], workers=[address], allow_other_workers=True)
    return placed, addresses


def present_client() -> Any:
    """The client that computations of Dask would go to now; None if they stay here."""
    try:
        from distributed.client import default_client  # noqa: PLC0415  (not needed without one)

        return default_client()
    except (ImportError, ValueError):
        return None


def check_client(client: Any) -> None:
    """Refuse what is no connected client; a cluster makes one by ``get_client()``."""
    from distributed import Client  # noqa: PLC0415  (needs distributed)

    if not isinstance(client, Client):
        raise InvalidArgumentError(
            f"client must be a distributed.Client; got {type(client).__name__}."
        )
    if client.asynchronous:
        raise InvalidArgumentError("client must not be asynchronous.")
    if client.status != "running":
        raise InvalidArgumentError(f"client must be connected; this one is {client.status}.")


def _load(number: int, parts: list[Any], y: Any, weights: Any) -> Any:
    X = parts[0]
    if len(parts) > 1:
        some_sparse = any(sparse.issparse(each) for each in parts)
        X = sparse.hstack(parts, format="csc") if some_sparse else np.hstack(parts)
    return load(number, X, y, weights)


def _row_parts(X: Any) -> tuple[list[list[Any]], tuple[int, ...] | None]:
    """For every block of rows its parts along columns; and the numbers of rows, if known."""
    if isinstance(X, list | tuple):
        shards = [each for each in X if isinstance(each, Shard)]
        rows = tuple(each.rows for each in shards) if len(shards) == len(X) else None
        return [[each] for each in X], rows
    _refuse_single("X", X)
    if hasattr(X, "npartitions") and hasattr(X, "columns"):
        return [[each] for each in X.to_delayed()], None
    if getattr(X, "ndim", None) != 2:
        raise InvalidArgumentError(
            f"X must have two dimensions; got a {type(X).__name__} of {getattr(X, 'ndim', '?')}."
        )
    return [list(each) for each in X.to_delayed()], _known(X.chunks[0])


def _refuse_single(name: str, value: Any) -> None:
    if isinstance(value, Delayed):
        raise InvalidArgumentError(f"{name} must be a list of delayed blocks; got a single one.")


def _known(chunks: Sequence[float]) -> tuple[int, ...] | None:
    return None if any(math.isnan(each) for each in chunks) else tuple(int(c) for c in chunks)


def _like(name: str, value: Any, count: int, rows: tuple[int, ...] | None) -> Sequence[Any]:
    """Parts of y or of weights, one for every block of X."""
    if value is None or isinstance(value, list | tuple):
        return listed(name, value, count)
    if not is_dask(value):
        if rows is None:
            raise InvalidArgumentError(
                f"{name} must be in blocks like X, whose numbers of rows are unknown; got an array "
                "in memory."
            )
        return cut(name, value, rows)
    _refuse_single(name, value)
    if hasattr(value, "chunks"):
        return _array_parts(name, value, count, rows)
    parts = list(value.to_delayed())
    if len(parts) != count:
        raise InvalidArgumentError(_unlike(name, count, len(parts)))
    return parts


def _array_parts(name: str, value: Any, count: int, rows: tuple[int, ...] | None) -> list[Any]:
    own = _known(value.chunks[0])
    if rows is not None and own is not None:
        if sum(rows) != sum(own):
            raise InvalidArgumentError(
                f"{name} must have one entry for every row of X ({sum(rows)}); got {sum(own)}."
            )
        value = value.rechunk({0: rows})
    if value.ndim == 2:
        value = value.rechunk({1: -1})
    parts = list(value.to_delayed().reshape(-1))
    if len(parts) != count:
        raise InvalidArgumentError(_unlike(name, count, len(parts)))
    return parts


def _unlike(name: str, count: int, own: int) -> str:
    return (
        f"X has {count} blocks of rows and {name} has {own}, with unknown numbers of rows: "
        "partition both alike, or call compute_chunk_sizes() on both."
    )

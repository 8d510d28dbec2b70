"""Questions to the workers of a Dask cluster that hold blocks, past the queue of its tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import distributed

from regiht.distributed.alignment import aligned
from regiht.distributed.errors import LostBlocksError
from regiht.distributed.ordered_sum import Combine, Node, merged

# The address of a worker, and the numbers and keys of the blocks that it holds.
Places = dict[str, list[tuple[int, Any]]]

# Seconds after which to look whether a worker that does not answer is still there.
_LOOK_AFTER = 1.0


@dataclass(frozen=True)
class Question:
    """A function of a block, and how its values are combined in the tree over so many blocks.

    Without ``combine`` every value is wanted.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    combine: Combine | None
    blocks: int


@dataclass(frozen=True)
class _Reply:
    """The numbers of the blocks that were here, and their values, or what a function has raised."""

    answered: list[int]
    nodes: dict[Node, Any]
    error: Exception | None = None


async def ask_workers(
    client: distributed.Client, places: Places, question: Question
) -> tuple[set[int], dict[Node, Any]]:
    """Return the numbers of the blocks that have answered, and the nodes of the tree they give.

    Blocks that are not where they were, or whose worker has died, are missing.
    """
    if client.status != "running":
        raise LostBlocksError(f"the client is {client.status}, and the blocks are gone with it.")
    asked = {
        asyncio.ensure_future(
            client.run(_answer, blocks, question, workers=[address], on_error="return")
        ): address
        for address, blocks in places.items()
    }
    pending = set(asked)
    while pending:
        done, pending = await asyncio.wait(pending, timeout=_LOOK_AFTER)
        if pending and not done:
            # A call to a worker that is gone would try to connect for half a minute.
            present = await client.nthreads()
            for call in [each for each in pending if asked[each] not in present]:
                call.cancel()
                pending.discard(call)
                asked.pop(call)
    answered: set[int] = set()
    nodes: dict[Node, Any] = {}
    for call, address in asked.items():
        reply = call.result().get(address)
        if not isinstance(reply, _Reply):  # the call has failed, not what it calls
            continue
        if reply.error is not None:
            raise reply.error
        answered.update(reply.answered)
        nodes |= reply.nodes
    return answered, nodes


async def _answer(
    places: list[tuple[int, Any]], question: Question, dask_worker: distributed.Worker
) -> _Reply:
    """Compute a function of the blocks that are here, on the threads that compute tasks."""
    blocks = {k: dask_worker.data[key] for k, key in places if key in dask_worker.data}
    pool = dask_worker.executors["default"]
    loop = asyncio.get_running_loop()
    given = [aligned(each) for each in question.arguments]
    calls = [
        loop.run_in_executor(pool, question.function, each, *given) for each in blocks.values()
    ]
    try:
        values = await asyncio.gather(*calls)
    except Exception as error:
        return _Reply([], {}, error)
    nodes: dict[Node, Any] = {(0, k): value for k, value in zip(blocks, values, strict=True)}
    if question.combine is not None:
        nodes = merged(nodes, question.blocks, question.combine)
    return _Reply(list(blocks), nodes)

"""Questions to the workers of a Dask cluster that hold blocks, past the queue of its tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import distributed

from regiht.distributed.alignment import aligned

# The address of a worker, and the keys of the blocks that it holds.
Places = dict[str, list[Any]]

# Seconds after which to look whether a worker that does not answer is still there.
_LOOK_AFTER = 1.0


async def ask_workers(
    client: distributed.Client,
    places: Places,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> dict[Any, Any]:
    """Return ``function(block, *arguments)`` by the keys of the blocks.

    Blocks that are not where they were, or whose worker has died, are missing.
    """
    asked = {
        asyncio.ensure_future(
            client.run(_answer, keys, function, arguments, workers=[address], on_error="return")
        ): address
        for address, keys in places.items()
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
    answers: dict[Any, Any] = {}
    for call, address in asked.items():
        reply = call.result().get(address)
        if isinstance(reply, _Failure):
            raise reply.error
        if isinstance(reply, dict):  # else the call has failed
            answers |= reply
    return answers


class _Failure:
    """What a function has raised, told from what happened to the call."""

    def __init__(self, error: Exception) -> None:
        self.error = error


async def _answer(
    keys: list[Any],
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    dask_worker: distributed.Worker,
) -> dict[Any, Any] | _Failure:
    """Compute a function of the blocks that are here, on the threads that compute tasks."""
    blocks = {key: dask_worker.data[key] for key in keys if key in dask_worker.data}
    pool = dask_worker.executors["default"]
    loop = asyncio.get_running_loop()
    given = [aligned(each) for each in arguments]
    calls = [loop.run_in_executor(pool, function, each, *given) for each in blocks.values()]
    try:
        return dict(zip(blocks, await asyncio.gather(*calls), strict=True))
    except Exception as error:
        return _Failure(error)

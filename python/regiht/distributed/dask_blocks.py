"""Blocks on the workers of a Dask cluster."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

import distributed
import numpy as np
from distributed.scheduler import KilledWorker

from regiht._solving.deadline import Deadline
from regiht.distributed.alignment import aligned
from regiht.distributed.blocks import Blocks
from regiht.distributed.communication import Communication
from regiht.distributed.dask_messages import Places, Question, ask_workers
from regiht.distributed.errors import LostBlocksError
from regiht.distributed.ordered_sum import Combine, Node, merged

# Seconds between looks at the cluster while answers are waited for, and how long it may have no
# worker at all.
_LOOK_AFTER, PATIENCE = 5.0, 60.0
_NEVER = Deadline(None)


class DaskBlocks(Blocks):
    """Futures that know how they were made.

    A block is on one worker, and what is asked of it is computed there. As a rule the question goes
    to the workers as a message, which takes a quarter of the time of a task. What is not answered,
    because a worker has died or a block has moved, is asked again as a task: then the scheduler
    makes the block again from what it was loaded from. Since every function depends on the block
    alone, the answers are the same to the last bit.
    """

    def __init__(
        self,
        client: distributed.Client,
        futures: Sequence[distributed.Future],
        communication: Communication | None = None,
        made_of: tuple[Any, ...] = (),
    ) -> None:
        super().__init__(communication)
        self._client = client
        # The scheduler may hear that these are let go before it hears what needs them.
        self._made_of = made_of
        self._futures = list(futures)
        self._places: Places | None = None  # where the blocks were when that was looked at last

    def __len__(self) -> int:
        return len(self._futures)

    def derive(self, function: Callable[..., Any], *arguments: Any) -> DaskBlocks:
        """Make new blocks of these, where they are."""
        with _without_size_warning():
            # One copy for all; as a task, not as scattered data, which is lost with its worker.
            packed = self._client.submit(_itself, arguments, pure=False)
            made = self._client.map(_apply, self._futures, function=function, packed=packed,
                                    pure=False)  # fmt: skip
        return DaskBlocks(self._client, made, self.communication, (self, packed))

    def select(self, numbers: Sequence[int]) -> DaskBlocks:
        """Take some of the blocks."""
        chosen = [self._futures[k] for k in numbers]
        return DaskBlocks(self._client, chosen, self.communication)

    def _ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any]:
        answers = self._nodes(function, arguments, None)
        return [answers[0, k] for k in range(len(self))]

    def _ask_sum(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], combine: Combine
    ) -> Any:
        nodes = merged(self._nodes(function, arguments, combine), len(self), combine)
        return nodes.popitem()[1]

    def _nodes(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], combine: Combine | None
    ) -> dict[Node, Any]:
        """Answers of all blocks, those on one worker combined as far as the tree allows."""
        question = Question(function, arguments, combine, len(self))
        nodes: dict[Node, Any]
        answered, nodes = self._client.sync(ask_workers, self._client, self._located(), question)
        missing = [k for k in range(len(self)) if k not in answered]
        if missing:
            self._places = None
            tasks = self._ask_by_tasks(missing, function, arguments)
            nodes |= {(0, k): answer for k, answer in zip(missing, tasks, strict=True)}
        return nodes

    def _located(self) -> Places:
        """The numbers and keys of the blocks on each worker."""
        if self._places is None:
            self._wait(self._futures)
            for future in self._futures:
                if future.status == "error":
                    with self._naming_losses():
                        future.result()  # raises what loading it has raised
            self._places = {}
            holders = self._client.who_has(self._futures)
            for number, future in enumerate(self._futures):
                for worker in holders.get(future.key, ())[:1]:
                    self._places.setdefault(worker, []).append((number, future.key))
        return self._places

    def _ask_by_tasks(
        self, numbers: Sequence[int], function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> list[Any]:
        with _without_size_warning():
            answers = self._client.map(
                _apply, [self._futures[k] for k in numbers], function=function, packed=arguments,
                pure=False,
            )  # fmt: skip
        self._wait(answers)
        with self._naming_losses():
            gathered: list[Any] = self._client.gather(answers)
        return gathered

    def wait(self, deadline: Deadline) -> None:
        """Wait until all blocks are there, or raise `TimeoutError`."""
        self._wait(self._futures, deadline=deadline)

    def wait_where_placed(
        self, addresses: Sequence[str], tasks: Sequence[Any], deadline: Deadline
    ) -> bool:
        """Wait for blocks whose tasks prefer some workers, and then let go of that preference.

        False if all of these workers are gone and others have come: Dask leaves such tasks waiting
        for ever if there was no worker in between.
        """
        if not self._wait(self._futures, addresses, deadline):
            return False
        release = self._client.scheduler.set_restrictions
        try:
            self._client.sync(release, worker=dict.fromkeys(tasks, ()))
        except KeyError:  # of a task that the scheduler did not need; it stops at the first
            for task in tasks:
                with contextlib.suppress(KeyError):
                    self._client.sync(release, worker={task: ()})
        return True

    def _wait(
        self,
        futures: Sequence[distributed.Future],
        addresses: Sequence[str] | None = None,
        deadline: Deadline = _NEVER,
    ) -> bool:
        """Wait for all, or for one to fail, while there are workers, or one of those named."""
        last_seen = time.monotonic()
        while True:
            try:
                with self._naming_losses(), self._client.as_current():
                    distributed.wait(futures, timeout=min(_LOOK_AFTER, deadline.left() or np.inf))
            except TimeoutError:
                # Where one has failed, the workers that the others wait for may not come back.
                if any(future.status == "error" for future in futures):
                    return True
                if deadline.passed():
                    raise TimeoutError(
                        "time_limit passed before all blocks of X were loaded, so there is no "
                        "answer yet: allow more time, or have them loaded before (persist)."
                    ) from None
                present = self._client.nthreads().keys()
                if present and addresses is not None and present.isdisjoint(addresses):
                    return False
                if present:
                    last_seen = time.monotonic()
                elif time.monotonic() - last_seen > PATIENCE:
                    raise LostBlocksError(
                        f"the cluster has had no worker for {PATIENCE:g} seconds."
                    ) from None
            else:
                return True

    @contextlib.contextmanager
    def _naming_losses(self) -> Iterator[None]:
        try:
            yield
        except KilledWorker as error:
            raise LostBlocksError(
                "workers died repeatedly while computing a block, usually for lack of memory: "
                f"smaller blocks may help. ({error})"
            ) from error
        except CancelledError as error:
            gone = [k for k, future in enumerate(self._futures) if future.cancelled()]
            which = f"block {gone[0]}" if gone else "a block"
            raise LostBlocksError(
                f"{which} is gone and cannot be loaded again: it was scattered data, which has no "
                "second copy, and its worker died, or the client was restarted. Blocks that tasks "
                "read (delayed, dask.array, files) survive a worker. See the page “Large data”."
            ) from error


def _apply(block: Any, function: Callable[..., Any], packed: tuple[Any, ...]) -> Any:
    return function(block, *(aligned(each) for each in packed))


def _itself(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return arguments


@contextlib.contextmanager
def _without_size_warning() -> Iterator[None]:
    """Vectors of a million columns are what has to be sent."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
        yield

"""Worker processes behind forwarders that hold every message back, in both directions.

Where the kernel can delay packets (`tc qdisc add … netem delay 10ms`), that is the better way; this
one needs no rights. What it delays is what goes between the scheduler and the workers; the client
is beside the scheduler.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import distributed


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def hold_back(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float
) -> None:
    """Pass on what comes, each part after a delay; parts do not wait for each other."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(OSError):
        while part := await reader.read(1 << 20):
            loop.call_later(delay, writer.write, part)
    loop.call_later(delay, writer.close)


class Forwarders:
    """Ports that lead to others, slowly; they run in a thread of their own."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def to(self, target: int, port: int) -> int:
        async def serve() -> None:
            async def connect(reader: Any, writer: Any) -> None:
                back, forth = await asyncio.open_connection("127.0.0.1", target)
                await asyncio.gather(
                    hold_back(reader, forth, self.delay), hold_back(back, writer, self.delay)
                )

            await asyncio.start_server(connect, "127.0.0.1", port)

        asyncio.run_coroutine_threadsafe(serve(), self.loop).result()
        return port


@contextlib.contextmanager
def delayed_cluster(workers: int, delay: float) -> Iterator[distributed.Client]:
    """A client of workers that are so many seconds away, one way."""
    forwarders = Forwarders(delay)
    with distributed.LocalCluster(
        n_workers=0, dashboard_address=":0", silence_logs="ERROR", protocol="tcp://"
    ) as cluster:
        scheduler = forwarders.to(int(cluster.scheduler_address.rpartition(":")[2]), free_port())
        processes = []
        for _ in range(workers):
            own = free_port()
            contact = forwarders.to(own, free_port())
            processes.append(
                subprocess.Popen([
                    sys.executable, "-m", "distributed.cli.dask_worker",
                    f"tcp://127.0.0.1:{scheduler}", "--nthreads", "1", "--no-nanny",
                    "--no-dashboard", "--memory-limit", "0", "--listen-address",
                    f"tcp://127.0.0.1:{own}",
                    "--contact-address", f"tcp://127.0.0.1:{contact}",
                ], stderr=subprocess.DEVNULL)
            )  # fmt: skip
        try:
            with distributed.Client(cluster) as client:
                client.wait_for_workers(workers, timeout=120)
                yield client
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()

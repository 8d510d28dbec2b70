"""Worker processes in a network namespace of their own, as far away as one likes.

Two TUN devices join that namespace to the machine's, and a process hands every packet on after the
delay, as `netem` would, which not every kernel has. The client is beside the scheduler, outside.
Needs Linux, its command `ip`, and root.
"""

from __future__ import annotations

import contextlib
import fcntl
import multiprocessing
import os
import select
import struct
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator

import distributed

HERE, THERE = "10.77.0.1", "10.77.0.2"
# Large packets, so that handing them on takes little of the processor.
LARGEST = 60_000
_TUNSETIFF, _TUN_OF_BARE_PACKETS = 0x400454CA, 0x1001


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


def tun(name: str) -> int:
    """Make a device; what is sent through it is read from the file descriptor."""
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, _TUNSETIFF, struct.pack("16sH", name.encode(), _TUN_OF_BARE_PACKETS))
    return descriptor


def hand_on(ends: tuple[int, int], delay: float) -> None:
    """Send each packet out at the other end, after the delay."""
    other = {ends[0]: ends[1], ends[1]: ends[0]}
    waiting: deque[tuple[float, int, bytes]] = deque()
    while True:
        pause = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        for end in select.select(ends, [], [], pause)[0]:
            waiting.append((time.monotonic() + delay, other[end], os.read(end, LARGEST + 100)))
        while waiting and waiting[0][0] <= time.monotonic():
            _, end, packet = waiting.popleft()
            with contextlib.suppress(OSError):  # a packet may be lost
                os.write(end, packet)


@contextlib.contextmanager
def namespace(delay: float) -> Iterator[str]:
    """A network namespace at the end of a slow line; it is `THERE`, and all else is `HERE`."""
    name = f"regiht-{os.getpid()}"
    near, far = f"near{os.getpid()}", f"far{os.getpid()}"
    ends = tun(near), tun(far)
    ip("netns", "add", name)
    try:
        ip("link", "set", far, "netns", name)
        ip("-n", name, "link", "set", "lo", "up")
        for where, device, address in (([], near, HERE), (["-n", name], far, THERE)):
            ip(*where, "address", "add", f"{address}/30", "dev", device)
            ip(*where, "link", "set", device, "mtu", str(LARGEST), "up")
        line = multiprocessing.get_context("fork").Process(
            target=hand_on, args=(ends, delay), daemon=True
        )
        line.start()
        try:
            yield name
        finally:
            line.kill()
            line.join()
    finally:
        ip("netns", "delete", name)
        for end in ends:
            os.close(end)


@contextlib.contextmanager
def delayed_cluster(workers: int, delay: float) -> Iterator[distributed.Client]:
    """A client of workers that are so many seconds away, one way."""
    with (
        namespace(delay) as name,
        distributed.LocalCluster(
            n_workers=0, host=HERE, dashboard_address=":0", silence_logs="ERROR", protocol="tcp://"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        command = [
            "ip", "netns", "exec", name, sys.executable, "-m", "distributed.cli.dask_worker",
            cluster.scheduler_address, "--host", THERE, "--nthreads", "1", "--no-nanny",
            "--no-dashboard", "--memory-limit", "0",
        ]  # fmt: skip
        processes = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(workers)]
        try:
            client.wait_for_workers(workers, timeout=120)
            yield client
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()

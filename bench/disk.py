"""A sparse problem on disk, larger than what the process may have: cold passes and a fit.

    python bench/disk.py DIRECTORY --gigabytes 6 --limit 2

makes the problem in DIRECTORY unless it is there, then prints what the disk reads, what a cold
pass over all columns takes of that, and a logistic fit of 50 features in a process whose own
memory (RLIMIT_DATA: heap, stacks, private maps) is limited. Files are dropped from the page cache
before each cold measurement; maps of files are not limited by RLIMIT_DATA, that is the point.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import record

import regiht
from regiht import dataset
from regiht.dataset._aside import new_path
from regiht.dataset._convert import convert_columns
from regiht.dataset._rows import ColumnSource

COLUMNS = 200_000
PLANTED = 50
LARGE = 10.0  # gigabytes: a table of its own
BYTES_PER_ENTRY = 8  # float32 values and 32-bit rows


class Columns(ColumnSource):
    """Columns that are fewer and fewer, and labels that depend on fifty of them."""

    def __init__(self, rows: int, entries: int) -> None:
        self._rng = np.random.default_rng(0)
        popularity = 1.0 / (np.arange(COLUMNS) + 100.0)
        counts = popularity * entries / popularity.sum()
        self.counts = np.clip(counts, 1, rows // 4).astype(np.int64)
        self.shape = (rows, COLUMNS)
        self._signs = dict.fromkeys(range(20, 20 + 40 * PLANTED, 40), 4.0)
        self._signs.update((j, -4.0) for j in list(self._signs)[::2])
        self._prediction = np.zeros(rows)

    @property
    def y(self) -> np.ndarray:
        noise = np.random.default_rng(1).logistic(size=self.shape[0])
        return (self._prediction - np.median(self._prediction) + noise > 0).astype(float)

    def block(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        rows, values = [], []
        for j in range(first, last):
            count = int(self.counts[j])
            gap = self.shape[0] // count  # a row of each stretch, so that they ascend
            rows.append(np.arange(count) * gap + self._rng.integers(0, gap, count))
            values.append(self._rng.random(count, np.float32) + np.float32(0.5))
            if j in self._signs:
                self._prediction[rows[-1]] += self._signs[j] * values[-1]
        return np.concatenate(rows).astype(np.int32), np.concatenate(values)


def make(path: Path, gigabytes: float) -> None:
    entries = int(gigabytes * 1e9 / BYTES_PER_ENTRY)
    source = Columns(entries // 200, entries)
    convert_columns(source, new_path(path), {"size": gigabytes}, dtype=np.float32, memory=1 << 29)


def drop(path: Path) -> None:
    """Take the files out of the page cache."""
    for file in path.iterdir():
        descriptor = os.open(file, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def read_speed(path: Path) -> float:
    """Bytes a second of plain reads of the two large files, side by side."""
    drop(path)
    memory = [bytearray(1 << 22), bytearray(1 << 22)]
    files = [(path / f"{name}.npy").open("rb", buffering=0) for name in ("values", "indices_1")]

    def read(number: int) -> None:
        while files[number].readinto(memory[number]):
            pass

    threads = [threading.Thread(target=read, args=(k,)) for k in range(2)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(file.tell() for file in files) / (time.perf_counter() - start)


def pass_speed(path: Path, *, cold: bool) -> float:
    """Bytes a second of one product with the transposed matrix."""
    if cold:
        drop(path)
    design = regiht.Design.open(path, verify=False)
    v = np.ones(design.shape[0])
    start = time.perf_counter()
    design.rmatvec(v)
    size = sum((path / f"{name}.npy").stat().st_size for name in ("values", "indices_1"))
    return size / (time.perf_counter() - start)


def fit(
    path: Path, limit: float, method: str, iterations: int, seconds: float | None
) -> dict[str, object]:
    """Fit in this process, which may have so many gigabytes of its own."""
    resource.setrlimit(resource.RLIMIT_DATA, (int(limit * 2**30),) * 2)
    peak = [0]

    def watch() -> None:
        while True:
            status = Path("/proc/self/status").read_text()
            anonymous = int(status.split("RssAnon:")[1].split()[0]) / 1024
            peak[0] = max(peak[0], anonymous)
            time.sleep(0.05)

    threading.Thread(target=watch, daemon=True).start()
    start, reads = time.perf_counter(), _bytes_read()
    design = regiht.Design.open(path, center=True, scale=True, verify=False)
    result = regiht.solve(
        design, design.y, PLANTED, loss="logistic", method=method, ridge=1e-4, intercept=True,
        max_iter=iterations, time_limit=seconds,
    )  # fmt: skip
    planted = np.arange(20, 20 + 40 * PLANTED, 40)
    return {
        "method": method, "seconds": time.perf_counter() - start,
        "read_gigabytes": (_bytes_read() - reads) / 1e9, "peak_own_megabytes": peak[0],
        "limit_gigabytes": limit, "n_gradients": result.n_gradients, "fun": result.fun,
        "n_iter": result.n_iter, "status": result.status.value,
        "planted_found": int(np.isin(planted, result.support).sum()),
    }  # fmt: skip


def _bytes_read() -> int:
    """What this process had the disk read, page faults of maps included."""
    return int(Path("/proc/self/io").read_text().split("read_bytes:")[1].split()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--gigabytes", type=float, default=6.0)
    parser.add_argument("--limit", type=float, default=2.0, metavar="GIGABYTES")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--methods", nargs="*", default=["regiht", "omp"])
    parser.add_argument("--iterations", type=int, default=800)
    parser.add_argument("--seconds", type=float, help="time limit of each fit")
    parser.add_argument("--fit", help=argparse.SUPPRESS)
    record.add_option(parser)
    arguments = parser.parse_args()
    path = arguments.directory
    if arguments.fit:
        found = fit(path, arguments.limit, arguments.fit, arguments.iterations, arguments.seconds)
        print(json.dumps(found))
        return
    if not path.exists():
        start = time.perf_counter()
        make(path, arguments.gigabytes)
        print(f"made in {time.perf_counter() - start:.0f} s")
    found = dataset.open(path, verify=False)
    print(f"{found.shape[0]} × {found.shape[1]}, {found.n_bytes / 1e9:.2f} GB")
    passes, fits = [], []
    for _ in range(arguments.repeats):
        disk, cold, warm = read_speed(path), pass_speed(path, cold=True), 0.0
        warm = pass_speed(path, cold=False)
        print(
            f"disk {disk / 1e6:.0f} MB/s, cold pass {cold / 1e6:.0f} MB/s ({cold / disk:.0%}), "
            f"pass right after {warm / 1e6:.0f} MB/s"
        )
        passes.append({"disk": disk / 1e6, "cold": cold / 1e6, "warm": warm / 1e6})
    for method in arguments.methods:
        drop(path)
        command = [sys.executable, __file__, path, "--limit", str(arguments.limit), "--fit", method]
        command += ["--iterations", str(arguments.iterations)]
        if arguments.seconds:
            command += ["--seconds", str(arguments.seconds)]
        line = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        print(line)
        fits.append(json.loads(line))
    if arguments.record:
        figures = {"shape": found.shape, "gigabytes": found.n_bytes / 1e9}
        name = "disk" if arguments.gigabytes < LARGE else "disk_large"
        record.save(name, figures | {"passes": passes, "fits": fits})


if __name__ == "__main__":
    main()

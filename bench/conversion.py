"""How fast `regiht convert` makes a directory of LIBSVM text, and in how much memory.

    python bench/conversion.py DIRECTORY [--megabytes 1000] [--memory 256M 1G] [--record]

The text is that of generated documents, the same ones again and again, with a number of its own in
every line; it is written to DIRECTORY unless it is there. Each conversion is a process of its own.
Wall time, since it works on all cores.
"""

from __future__ import annotations

import argparse
import io
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import record
from measure import print_table, seconds_text

from regiht import datasets

MEGABYTE = 1_000_000


def write_text(file: Path, megabytes: int) -> None:
    """Lines of some seventy words."""
    from sklearn.datasets import dump_svmlight_file  # noqa: PLC0415  (optional)

    made = datasets.rcv1_like(20_000, 47_236, 1_500_000)
    text = io.BytesIO()
    dump_svmlight_file(made.X, made.y, text, zero_based=False)
    lines = text.getvalue().splitlines()
    row = 0
    with file.open("wb") as out:
        while out.tell() < megabytes * MEGABYTE:
            out.writelines(b"%s 47237:%d\n" % (line, row + i) for i, line in enumerate(lines))
            row += len(lines)


def convert(file: Path, memory: str) -> list[str]:
    target = file.with_suffix("")
    shutil.rmtree(target, ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "regiht",
        "convert",
        str(file),
        str(target),
        "--memory",
        memory,
    ]
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(target)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = file.stat().st_size / MEGABYTE
    return [f"{size:.0f} MB", memory, seconds_text(wall), f"{size / wall:.0f} MB/s",
            seconds_text(processor), f"{after.ru_maxrss / 1024:.0f} MB"]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--memory", nargs="+", default=["256M", "1G"], metavar="SIZE")
    record.add_option(parser)
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    file = arguments.directory / f"text{arguments.megabytes}.svm"
    if not file.exists():
        write_text(file, arguments.megabytes)
    table = print_table(
        ["text", "memory allowed", "conversion", "speed", "processor seconds", "largest process"],
        [convert(file, memory) for memory in arguments.memory],
    )
    if arguments.record:
        record.save("conversion", table)


if __name__ == "__main__":
    main()

"""What an empty file that includes one of our headers costs to compile, with each compiler.

    python bench/compile_cost.py [--compilers g++ clang++] [--repeats N]

Processor time and memory of the compiler, at -O2. The headers are those of this tree, Eigen's those
of the installed package.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import record
from measure import print_table, seconds_text

import regiht

INCLUDE = Path(__file__).resolve().parents[1] / "cpp" / "include"
HEADERS = ("regiht.h", "regiht/compiled/problem.hpp", "regiht/objective.hpp",
           "regiht/lowrank/complete.hpp", "regiht/regiht.hpp")  # fmt: skip
# getrusage counts memory in bytes on macOS, and elsewhere in KiB.
MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024


def spent(command: Sequence[str]) -> tuple[float, float]:
    """Seconds of processor time and bytes of memory that a command takes, and what it starts."""
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, float(usage.ru_maxrss * MEMORY_UNIT)


def compile_text(compiler: str, header: str, repeats: int) -> str:
    """The cheapest of several times, and the memory."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "empty.cpp"
        source.write_text(f"#include <{header}>\n")
        command = [
            compiler, "-std=c++17", "-O2", f"-I{INCLUDE}", f"-I{regiht.get_include()}",
            "-c", str(source), "-o", str(source.with_suffix(".o")),
        ]  # fmt: skip
        seconds, memory = min(spent(command) for _ in range(repeats))
    return f"{seconds_text(seconds)}, {memory / 1e6:.0f} MB"


def version_text(compiler: str) -> str:
    number = subprocess.run([compiler, "-dumpfullversion", "-dumpversion"], capture_output=True,
                            text=True, check=True).stdout  # fmt: skip
    return f"{compiler} {number.split()[0]}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    found = [each for each in ("g++", "clang++") if shutil.which(each)]
    parser.add_argument("--compilers", nargs="+", default=found, help="those that are on the PATH")
    parser.add_argument("--repeats", type=int, default=3, help="the shortest time counts")
    record.add_option(parser)
    arguments = parser.parse_args()
    rows = [
        [f"`{header}`", *(compile_text(each, header, arguments.repeats)
                          for each in arguments.compilers)]
        for header in HEADERS
    ]  # fmt: skip
    table = print_table(["header", *map(version_text, arguments.compilers)], rows)
    if arguments.record:
        record.save("compile_cost", table)


if __name__ == "__main__":
    main()

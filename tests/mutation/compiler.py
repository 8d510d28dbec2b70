"""The compiler that faults are compiled with, and what runs the programs it makes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

FLAGS = ("-std=c++17", "-O0", "-pthread", "-ffp-contract=off", '-DREGIHT_VERSION="0"')


class CompileError(Exception):
    """What the compiler said."""


class Compiler:
    """clang++, or what $CXX names, with the same flags at every call."""

    def __init__(self, *flags: str) -> None:
        self._program = os.environ.get("CXX", "clang++")
        if shutil.which(self._program) is None:
            raise SystemExit(f"{self._program} was not found: $CXX names another compiler")
        self._flags = [*FLAGS, "-isystem", str(find_eigen()), *flags]

    def run(self, *arguments: str | Path) -> None:
        command = [self._program, *self._flags, *map(str, arguments)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise CompileError(done.stderr)

    def precompile(self, names: Sequence[str], header: Path) -> list[str]:
        """Read what many files include only once; gives the arguments that include it."""
        header.write_text("".join(f"#include <{name}>\n" for name in names))
        self.run("-x", "c++-header", header, "-o", header.with_suffix(".hpp.gch"))
        return ["-include", str(header)]


def find_eigen() -> Path:
    """Where Eigen's headers are: in the environment (cmeel-eigen) or installed by the system."""
    places = [
        *(Path(entry) / "cmeel.prefix" / "include" / "eigen3" for entry in sys.path),
        Path("/usr/include/eigen3"),
        Path("/usr/local/include/eigen3"),
    ]
    for place in places:
        if (place / "Eigen" / "Core").exists():
            return place
    raise SystemExit("Eigen's headers were not found: pip install cmeel-eigen==3.4.1")


def exit_code(
    command: Sequence[str | Path],
    folder: Path,
    time_limit: float,
    environment: Mapping[str, str] | None = None,
) -> int | None:
    """Run a command in a folder, silently; None if it and what it started had to be ended."""
    process = subprocess.Popen(
        command, cwd=folder, env=environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        return process.wait(time_limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None

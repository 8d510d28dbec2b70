"""Instruction counts of three kernels, which do not depend on what else the machine does.

    python bench/instructions.py [--update]
    python bench/instructions.py --plain    # as a program built with -O2 alone has them

Compiles a small program against the headers, runs it under `valgrind --tool=callgrind`, and says
which counts are more than 2 % above those kept in instructions.json; `--update` keeps the new ones.
Valgrind has no AVX-512, so the dispatch picks the code for AVX2 (x86-64-v3), or the plain code
where there is no AVX2. Counts compare between machines that pick the same, and between like
compilers; the compiler is kept with them. Needs valgrind, a C++17 compiler ($CXX, default g++) and
the package, which has the headers of Eigen.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import print_table

import regiht

HERE = Path(__file__).parent
KEPT = HERE / "instructions.json"
SOURCE = HERE / "instructions.cpp"
KERNELS = ("dense-pass", "csc-pass", "logistic-run")
ALLOWED = 1.02
ALLOWED_PLAIN = 1.2
FLAGS = ("-std=c++17", "-O3", "-DNDEBUG", "-ffp-contract=off", "-fno-trapping-math",
         "-fno-math-errno", "-pthread")  # fmt: skip
PLAIN_FLAGS = ("-std=c++17", "-O2", "-pthread")


def compiler() -> tuple[str, str]:
    """The compiler, and what it calls itself."""
    command = os.environ.get("CXX", "g++")
    if shutil.which(command) is None or shutil.which("valgrind") is None:
        raise SystemExit(f"needs valgrind and a C++17 compiler; {command} is what $CXX names")
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    return command, version.stdout.splitlines()[0]


def build(command: str, flags: tuple[str, ...], folder: Path) -> Path:
    program = folder / "instructions"
    # Our headers are those of this tree; Eigen's lie beside those of the installed package.
    include = HERE.parent / "cpp" / "include", regiht.get_include()
    subprocess.run(
        [command, *flags, *(f"-I{each}" for each in include), str(SOURCE), "-o", str(program)],
        check=True,
    )
    return program


def count(program: Path, kernel: str, repeats: int) -> int:
    """Instructions of the whole program."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program), kernel,
         str(repeats)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        raise SystemExit(f"valgrind did not say how many:\n{done.stderr}")
    return int(found[1])


def measure(program: Path) -> dict[str, int]:
    """One more repeat costs one kernel: what prepares it is not counted."""
    return {name: count(program, name, 2) - count(program, name, 1) for name in KERNELS}


def report(counts: dict[str, int], kept: dict[str, int], allowed: float) -> bool:
    """Print both; whether any rose by more than is allowed."""
    rows, rose = [], False
    for name, instructions in counts.items():
        before = kept.get(name)
        change = "" if before is None else f"{100 * (instructions / before - 1):+.2f} %"
        worse = before is not None and instructions > allowed * before
        rose = rose or worse
        rows.append([name, f"{instructions:,}", "" if before is None else f"{before:,}",
                     change + (" ← rose" if worse else "")])  # fmt: skip
    print_table(["kernel", "instructions", "kept", "change"], rows)
    return rose


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--update", action="store_true", help="keep the counts of this run")
    what.add_argument("--plain", action="store_true", help="with -O2; a fifth more is allowed")
    arguments = parser.parse_args()
    command, version = compiler()
    with tempfile.TemporaryDirectory() as folder:
        flags = PLAIN_FLAGS if arguments.plain else FLAGS
        counts = measure(build(command, flags, Path(folder)))
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"compiler": version, "counts": {}}
    if kept["compiler"] != version:
        print(f"kept counts are those of another compiler: {kept['compiler']}")
    rose = report(counts, kept["counts"], ALLOWED_PLAIN if arguments.plain else ALLOWED)
    if arguments.update:
        KEPT.write_text(json.dumps({"compiler": version, "counts": counts}, indent=2) + "\n")
    elif rose:
        sys.exit(1)


if __name__ == "__main__":
    main()

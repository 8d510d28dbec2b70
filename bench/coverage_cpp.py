"""Which lines and branches of the C++ core its own tests reach.

    python bench/coverage_cpp.py [--missed] [--record]

Builds the tests as the CMake preset `coverage` says, runs them, and prints what LLVM counted for
cpp/include and cpp/library by folder; a template counts as one, whatever it is made for. Ends with
1 below a floor. `--missed` lists the lines that were not reached. Needs clang++ with its llvm-cov
and llvm-profdata (Debian: `apt install clang llvm`), CMake, Ninja, doctest and Eigen.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import record
from measure import print_table

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "coverage"
MEASURED = ("cpp/include/", "cpp/library/")
FLOOR = 95.0  # percent of the lines


def tool(name: str) -> str:
    """The one that belongs to the compiler."""
    done = subprocess.run(
        ["clang++", f"-print-prog-name={name}"], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def run_tests() -> dict[str, Any]:
    """What llvm-cov exports, after a build and a run."""
    for step in (["--preset"], ["--build", "--preset"]):
        subprocess.run(["cmake", *step, "coverage"], cwd=ROOT, check=True, stdout=sys.stderr)
    raw, merged, program = BUILD / "raw", BUILD / "merged", BUILD / "regiht_tests"
    environment = os.environ | {"LLVM_PROFILE_FILE": str(raw)}
    subprocess.run([program], check=True, env=environment, stdout=sys.stderr)
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", raw, "-o", merged], check=True)
    done = subprocess.run(
        [tool("llvm-cov"), "export", f"-instr-profile={merged}", program],
        check=True, capture_output=True,
    )  # fmt: skip
    exported: dict[str, Any] = json.loads(done.stdout)
    return exported


def measured_files(exported: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The core's own files, by their paths in the tree."""
    found = {}
    for each in exported["data"][0]["files"]:
        path = (BUILD / each["filename"]).resolve()  # ccache may make it relative
        if path.is_relative_to(ROOT):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(MEASURED):
                found[name] = each
    return found


def folder_of(name: str) -> str:
    parts = name.removeprefix("cpp/include/regiht/").split("/")
    return "library" if name.startswith("cpp/library/") else parts[0] if len(parts) > 1 else "top"


def table(files: dict[str, dict[str, Any]]) -> list[list[str]]:
    """A row for each folder, and one for all."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for name, each in files.items():
        for folder in (folder_of(name), "all"):
            for kind in ("lines", "branches"):
                counts[folder][kind] += each["summary"][kind]["count"]
                counts[folder][f"{kind} reached"] += each["summary"][kind]["covered"]
    return [
        [folder, str(found["lines"]), share(found, "lines"), share(found, "branches")]
        for folder, found in sorted(counts.items(), key=lambda item: (item[0] == "all", item[0]))
    ]


def share(found: Counter[str], kind: str) -> str:
    return f"{100 * found[f'{kind} reached'] / found[kind]:.1f} %" if found[kind] else ""


def print_missed(files: dict[str, dict[str, Any]]) -> None:
    """The first line of each stretch of code that no test reached."""
    for name, each in sorted(files.items()):
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        # A segment: line, column, count, whether it counts, whether a region begins, whether a gap.
        for line, _, count, counts, begins, *gap in each["segments"]:
            if counts and begins and count == 0 and not any(gap):
                print(f"{name}:{line}: {lines[line - 1].strip()}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--missed", action="store_true", help="list what was not reached")
    record.add_option(parser)
    arguments = parser.parse_args()
    files = measured_files(run_tests())
    rows = table(files)
    printed = print_table(["folder", "lines", "lines reached", "branches reached"], rows)
    if arguments.missed:
        print_missed(files)
    if arguments.record:
        record.save("coverage_cpp", printed)
    if float(rows[-1][2].split()[0]) < FLOOR:
        sys.exit(f"below {FLOOR} % of the lines")


if __name__ == "__main__":
    main()

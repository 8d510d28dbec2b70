"""What a benchmark measured, kept in bench/results: the pages take their figures from there.

A script that has the option `--record` writes `results/NAME.json`: the figures, the command, the
machine and the versions. `pages.py` makes tables and pictures of these files.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results"
CPU = Path("/proc/cpuinfo")
DIGITS = 6


def add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--record", action="store_true",
        help="keep the figures in bench/results, and write them into the pages",
    )  # fmt: skip


def save(name: str, figures: Any, packages: Sequence[str] = ()) -> None:
    """Keep figures, and refresh the pages that show them."""
    import pages  # noqa: PLC0415  (reads what is written here)

    kept = {
        "command": command(),
        "machine": machine(),
        "versions": versions(("regiht", "numpy", "scipy", *packages)),
        "figures": rounded(figures),
    }
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    path(name).write_text(text + "\n", encoding="utf-8")
    pages.refresh()


def path(name: str) -> Path:
    return RESULTS / f"{name}.json"


def load(name: str) -> dict[str, Any]:
    """What was kept under this name."""
    kept: dict[str, Any] = json.loads(path(name).read_text(encoding="utf-8"))
    return kept


def command() -> str:
    script, *arguments = sys.argv
    given = [each for each in arguments if each != "--record"]
    return " ".join(["python", f"bench/{Path(script).name}", *given])


def machine() -> str:
    processor = platform.processor() or platform.machine()
    if CPU.exists():
        lines = CPU.read_text().splitlines()
        named = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
        processor = named[0] if named else processor
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}"


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Of Python, and of those packages that are installed."""
    found = {"Python": platform.python_version()}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def rounded(figures: Any) -> Any:
    """The digits that say something, so that a file is small and its changes can be read."""
    if isinstance(figures, float):
        return float(f"{figures:.{DIGITS}g}") if abs(figures) < 1e5 else round(figures, 1)
    if isinstance(figures, dict):
        return {key: rounded(value) for key, value in figures.items()}
    if isinstance(figures, (list, tuple)):
        return [rounded(value) for value in figures]
    return figures

"""Describe a directory that convert has made; or print versions, methods, losses and headers.

Without DIRECTORY: what to put into a bug report.

    regiht info
    regiht info clicks --verify
"""

from __future__ import annotations

import argparse
from pathlib import Path

import regiht
from regiht._inputs.checks import InvalidArgumentError
from regiht.cli._console import say, table

NAME = "info"
HELP = "versions, methods and losses; or what a converted directory holds"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument("directory", nargs="?", type=Path, metavar="DIRECTORY", help="to describe")
    parser.add_argument(
        "--verify", action="store_true", help="read all of it and compare the checksums"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print everything."""
    if arguments.directory is not None:
        say(describe(arguments.directory, verify=arguments.verify))
        return 0
    if arguments.verify:
        raise InvalidArgumentError("--verify needs a directory.")
    regiht.show_versions()
    say(f"methods       {', '.join(regiht.methods())}")
    say(f"losses        {', '.join(regiht.losses())}")
    say(f"C++ headers   {regiht.get_include()}")
    say(f"CMake package {regiht.get_cmake_dir()}")
    return 0


def describe(directory: Path, *, verify: bool) -> str:
    """Say what a directory holds."""
    found = regiht.dataset.open(directory, verify=verify)
    rows, cols = found.shape
    share = found.n_stored / (rows * cols)
    facts = [
        ["samples", f"{rows}"],
        ["features", f"{cols}" + (", named" if found.feature_names is not None else "")],
        [
            "entries",
            f"{found.n_stored}, {found.dtype}, {share:.2g} of all",
        ],
        ["target", _target(found)],
        ["size", f"{found.n_bytes / 1e6:.6g} MB"],
        ["checksums", "all right" if verify else "not compared (--verify does)"],
    ]
    return table([str(directory), ""], facts, text=(0, 1))


def _target(found: regiht.dataset.Dataset) -> str:
    if found.y is None:
        return "none"
    name = "" if found.target is None else f"{found.target!r}, "
    if found.header.classes is not None:
        return f"{name}{len(found.header.classes)} classes"
    return f"{name}numbers from {found.y.min():g} to {found.y.max():g}"

"""Describe a directory made by convert, or print versions, methods, losses and headers.

Without DIRECTORY: what to put into a bug report.

    regiht info
    regiht info clicks --verify
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import regiht
from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.stored_rows import is_sharded
from regiht._text_table import table
from regiht.cli._console import say

NAME = "info"
HELP = "show versions, methods and losses, or describe a converted directory"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "directory", nargs="?", type=Path, metavar="DIRECTORY", help="the one to describe"
    )
    parser.add_argument(
        "--verify", action="store_true", help="read all files and compare their checksums"
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
    """Say what a directory holds, shards taken together."""
    sharded = is_sharded(directory)
    if sharded:
        found = regiht.dataset.open_shards(directory, verify=verify)
    else:
        found = [regiht.dataset.open(directory, verify=verify)]
    first, rows = found[0], [each.shape[0] for each in found]
    cols, entries = first.shape[1], sum(each.n_stored for each in found)
    share = entries / (sum(rows) * cols)
    facts = [
        ["samples", f"{sum(rows)}"],
        ["features", f"{cols}" + (", named" if first.feature_names is not None else "")],
        ["entries", f"{entries}, {first.dtype}, {100 * share:.3g} % of all"],
        ["target", _target(found)],
        ["size", f"{sum(each.n_bytes for each in found) / 1e6:.6g} MB"],
        ["checksums", "all right" if verify else "not compared (--verify does)"],
    ]
    if sharded:
        facts.insert(0, ["shards", f"{len(found)}, of {min(rows)} to {max(rows)} samples"])
    return table([str(directory), ""], facts, text=(0, 1))


def _target(found: Sequence[regiht.dataset.Dataset]) -> str:
    targets = [each.y for each in found if each.y is not None]
    if not targets:
        return "none"
    name = "" if found[0].target is None else f"{found[0].target!r}, "
    if found[0].header.classes is not None:
        classes = {label for each in found for label in each.header.classes or ()}
        return f"{name}{len(classes)} classes"
    least, most = min(y.min() for y in targets), max(y.max() for y in targets)
    return f"{name}numbers from {least:g} to {most:g}"

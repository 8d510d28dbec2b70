"""Print versions, methods, losses and where the C++ headers are: what to put into a bug report."""

from __future__ import annotations

import argparse

import regiht
from regiht.cli._console import say

NAME = "info"
HELP = "versions, methods, losses and where the C++ headers are"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take none."""
    del parser


def run(arguments: argparse.Namespace) -> int:
    """Print everything."""
    del arguments
    regiht.show_versions()
    say(f"methods       {', '.join(regiht.methods())}")
    say(f"losses        {', '.join(regiht.losses())}")
    say(f"C++ headers   {regiht.get_include()}")
    say(f"CMake package {regiht.get_cmake_dir()}")
    return 0

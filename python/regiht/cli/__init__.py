"""The command ``regiht``: each subcommand is a file in ``commands`` and an entry of its list."""

from regiht.cli._main import FAILED, INTERRUPTED, build_parser, main
from regiht.cli.commands import COMMANDS

__all__ = ["COMMANDS", "FAILED", "INTERRUPTED", "build_parser", "main"]

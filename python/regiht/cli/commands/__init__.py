"""Subcommands of the command line.

A subcommand is a module with ``NAME``, ``HELP`` (one line), a docstring (its ``--help``),
``add_arguments(parser)`` and ``run(arguments)``, which returns the exit code. Listing it here is
all that is needed. A ValueError, OSError or ImportError becomes a one-line message.
"""

from regiht.cli.commands import convert, cv, demo, fit, info, path, predict, reproduce

COMMANDS = (demo, fit, path, cv, predict, convert, info, reproduce)

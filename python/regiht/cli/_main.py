"""The parser of the command line, and what runs a subcommand."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence

from regiht._core import __version__
from regiht._streams import is_open, print_line
from regiht.cli._console import silence
from regiht.cli.commands import COMMANDS

# As shells expect: 1 for a failure, 2 for wrong usage (argparse), 130 after Ctrl-C.
FAILED = 1
INTERRUPTED = 130

_DESCRIPTION = """\
Fit linear and logistic models that use at most s features.

Start with `regiht demo`, which fits a model to data that comes with it.
"""

_EPILOG = """\
In Python it is one call:

    import regiht
    result = regiht.solve(X, y, s=10, loss="logistic", center=True, scale=True)
    result.support, result.coef, result.intercept
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = build_parser()
    arguments = parser.parse_args(argv)
    if arguments.run is None:
        parser.print_help()
        return 0
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _say_warning
            code: int = arguments.run(arguments)
        if is_open(sys.stdout):
            sys.stdout.flush()
    except KeyboardInterrupt:
        print_line("\nregiht: interrupted", sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe, such as `head`, has gone
        silence()  # for the flush at exit
        return 0
    except (OSError, ValueError, ImportError) as error:
        print_line(f"regiht: {error}", sys.stderr)
        return FAILED
    return code


def _say_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning without the line of code it came from."""
    print_line(f"regiht: {message}", sys.stderr)


def build_parser() -> argparse.ArgumentParser:
    """Make the parser with all subcommands."""
    parser = argparse.ArgumentParser(
        prog="regiht",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"regiht {__version__}")
    parser.set_defaults(run=None)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        subparser = subparsers.add_parser(
            command.NAME,
            help=command.HELP,
            description=command.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser

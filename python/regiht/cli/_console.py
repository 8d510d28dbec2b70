"""How subcommands talk: lines on standard output, progress on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from types import TracebackType
from typing import Self

from regiht._streams import is_terminal, print_line, write_error
from regiht._text_table import table

_WIDTH = 24


def say(text: str = "") -> None:
    """Print a line; once the reader of a pipe, such as `head`, has gone, nothing is printed."""
    try:
        print_line(text, sys.stdout)
    except BrokenPipeError:
        silence()


def silence() -> None:
    """Lead standard output nowhere, for this line and what is still to come."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    title: str = "",
    text: Collection[int] = (0,),
) -> None:
    """Print a table: with rich on a terminal that has it, as aligned text elsewhere."""
    if is_terminal(sys.stdout):
        try:
            from rich.console import Console  # noqa: PLC0415  (optional)
            from rich.table import Table  # noqa: PLC0415
        except ImportError:
            pass
        else:
            pretty = Table(title=title or None)
            for k, name in enumerate(header):
                pretty.add_column(name, justify="left" if k in text else "right")
            for row in rows:
                pretty.add_row(*row)
            Console().print(pretty, markup=False)
            return
    if title:
        say(title)
    say(table(header, rows, text))


class Steps:
    """A bar over named steps on standard error; silent where that is not a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._drawn = 0
        self._shown = is_terminal(sys.stderr)

    def begin(self, name: str) -> None:
        """Show that this step is now being done."""
        if self._shown:
            filled = _WIDTH * self._done // self._total
            line = f"{'█' * filled:░<{_WIDTH}} {self._done + 1}/{self._total}  {name}"
            write_error("\r" + line.ljust(self._drawn))
            self._drawn = len(line)
        self._done += 1

    def clear(self) -> None:
        """Take the bar away."""
        if self._drawn:
            write_error("\r" + " " * self._drawn + "\r")
            self._drawn = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.clear()

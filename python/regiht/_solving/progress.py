"""A progress bar on standard error, without a dependency."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from regiht._streams import is_terminal, write_error

_WIDTH = 30


def is_watched() -> bool:
    """Whether standard error is seen as it is written: by a terminal or in a notebook."""
    return is_terminal(sys.stderr) or "ipykernel" in sys.modules


Progress = Callable[[int, float], None]


class ProgressBar:
    """Draws iterations done of iterations in all, if that is known, at most some times a second.

    ``update`` is what to hand to a solver: a function of the iteration and the objective, the
    user's own if that is given instead of True, or None if nothing is to be shown. ``also`` says
    what else to write.
    """

    def __init__(
        self, total: int | None, *, shown: bool | Progress, also: Callable[[], str] | None = None
    ) -> None:
        self._total = total
        self._also = also
        self._start = time.monotonic()
        self._drawn = ""
        drawn = self._draw if shown else None
        self.update: Progress | None = shown if callable(shown) else drawn

    def _draw(self, done: int, value: float) -> None:
        elapsed = time.monotonic() - self._start
        shown = "" if math.isnan(value) else f"  f = {value:.6g}"
        also = "" if self._also is None else f"  {self._also()}"
        line = f"{self._share(done)}{shown}{also}  {elapsed:.1f} s"
        write_error("\r" + line.ljust(len(self._drawn)))
        self._drawn = line

    def _share(self, done: int) -> str:
        if self._total is None:
            return f"{done} iterations"
        filled = min(_WIDTH, _WIDTH * done // max(self._total, 1))
        return f"{'█' * filled:░<{_WIDTH}} {done}/{self._total}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._drawn:
            write_error("\r" + " " * len(self._drawn) + "\r")

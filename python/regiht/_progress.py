"""A progress bar on standard error, without a dependency."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

_WIDTH = 30


class ProgressBar:
    """Draws iterations done of iterations in all, at most some times a second.

    ``update`` is what to hand to a solver: a function of the iteration and the objective, or None
    if nothing is to be shown.
    """

    def __init__(self, total: int, *, shown: bool) -> None:
        self._total = total
        self._start = time.monotonic()
        self._drawn = ""
        self.update: Callable[[int, float], None] | None = self._draw if shown else None

    def _draw(self, done: int, value: float) -> None:
        filled = _WIDTH * done // max(self._total, 1)
        elapsed = time.monotonic() - self._start
        shown = "" if math.isnan(value) else f"  f = {value:.6g}"
        line = f"{'█' * filled:░<{_WIDTH}} {done}/{self._total}{shown}  {elapsed:.1f} s"
        sys.stderr.write("\r" + line.ljust(len(self._drawn)))
        sys.stderr.flush()
        self._drawn = line

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._drawn:
            sys.stderr.write("\r" + " " * len(self._drawn) + "\r")
            sys.stderr.flush()

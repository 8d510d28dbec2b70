"""The end of a limit of time."""

from __future__ import annotations

import time


class Deadline:
    """So many seconds from now on; never, if None."""

    LEAST = 1e-3  # seconds

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.perf_counter() + seconds

    def left(self) -> float | None:
        """Return the seconds left, never quite none, so that they can limit what comes next."""
        if self._end is None:
            return None
        return max(self.LEAST, self._end - time.perf_counter())

    def passed(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and time.perf_counter() >= self._end

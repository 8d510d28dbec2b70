"""One limit of time for several fits."""

from __future__ import annotations

import time
from threading import Lock


class SharedTime:
    """Seconds for all of several fits, some of them at a time: each may take a fair share."""

    _LEAST = 1e-3

    def __init__(self, seconds: float | None, fits: int, threads: int = 1) -> None:
        self._end = None if seconds is None else time.perf_counter() + seconds
        self._left = fits
        self._threads = threads
        self._lock = Lock()

    def next(self) -> float | None:
        """What the fit that begins now may take: as long as those that are left could."""
        if self._end is None:
            return None
        with self._lock:
            rounds = max(1, -(-self._left // self._threads))
            self._left -= 1
        return max(self._LEAST, (self._end - time.perf_counter()) / rounds)

"""One limit of time for several fits."""

from __future__ import annotations

from threading import Lock

from regiht._solving.deadline import Deadline


class SharedTime:
    """Seconds for all of several fits, some of them at a time: each may take a fair share."""

    def __init__(self, seconds: float | None, fits: int, threads: int = 1) -> None:
        self._deadline = Deadline(seconds)
        self._fits_left = fits
        self._threads = threads
        self._lock = Lock()

    def next(self) -> float | None:
        """What the fit that begins now may take: as long as those that are left could."""
        seconds = self._deadline.left()
        if seconds is None:
            return None
        with self._lock:
            rounds = max(1, -(-self._fits_left // self._threads))
            self._fits_left -= 1
        return max(Deadline.LEAST, seconds / rounds)

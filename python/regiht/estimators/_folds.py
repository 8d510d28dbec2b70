"""Fits for all folds and all numbers of features, side by side in threads that share memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Lock
from types import TracebackType
from typing import Self

from regiht._inputs.checks import FloatArray
from regiht._solving.prepared_model import PreparedModel
from regiht._solving.progress import Progress
from regiht._solving.result import Result
from regiht._solving.shared_time import SharedTime

# One list of results, one for each target, for every s.
Path = list[list[Result]]


class Fold:
    """A training set. Its matrix is there from the first of its fits to the last."""

    def __init__(
        self, make: Callable[[], PreparedModel], targets: FloatArray, shared_time: SharedTime
    ) -> None:
        self._make = make
        self._targets = targets
        self._time = shared_time
        self._lock = Lock()
        self._problem: PreparedModel | None = None
        self.fits_left = 0

    def fit(self, sparsities: Sequence[int]) -> Path:
        """Solve for these s."""
        with self._lock:
            if self._problem is None:
                self._problem = self._make()
            problem = self._problem
        try:
            return problem.within(self._time.next()).fit_path(self._targets, sparsities)
        finally:
            with self._lock:
                self.fits_left -= 1
                if self.fits_left == 0:
                    self._problem = None


class Stopped(Exception):  # noqa: N818  (no error: it ends fits that nobody waits for)
    """Raised in fits that are to end early."""


class FoldFits:
    """Runs the fits of all folds, one in each thread, and gives the paths fold after fold.

    Nothing is passed on between fits, so the answers do not depend on the number of threads. They
    are begun fold by fold, so that few training matrices are in memory at a time. Leaving the
    ``with`` block ends those that are still running; so does Ctrl-C.
    """

    def __init__(self, parts: Sequence[Sequence[int]], threads: int) -> None:
        self._parts = parts
        self._pool = ThreadPoolExecutor(threads)
        self._left = Event()

    @property
    def watch(self) -> Progress:
        """What the solvers must call now and then, to be told to end."""
        return self._watch

    def _watch(self, done: int, value: float) -> None:
        del done, value
        if self._left.is_set():
            raise Stopped

    def run(self, folds: Sequence[Fold], done: Callable[[int], object]) -> Iterator[Path]:
        """Begin all fits; the paths come in the order of the folds. ``done`` counts fits."""
        for fold in folds:
            fold.fits_left = len(self._parts)
        # The largest models take longest, and must not be left to the end.
        order = range(len(self._parts) - 1, -1, -1)
        begun: list[dict[int, Future[Path]]] = [
            {k: self._pool.submit(fold.fit, self._parts[k]) for k in order} for fold in folds
        ]
        count = 0
        for futures in begun:
            for future in futures.values():
                count += len(future.result())
                done(count)
            yield [each for k in sorted(futures) for each in futures[k].result()]
            futures.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._left.set()
        self._pool.shutdown(cancel_futures=True)

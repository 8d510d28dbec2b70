"""What a run is given, what it reports while it goes, and what it comes to."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regiht import _core
from regiht._solving.progress import ProgressBar
from regiht._solving.result import Status
from regiht.lowrank._factors import Factors
from regiht.lowrank._weights import Regularizer
from regiht.lowrank.objectives import LowRankObjective

_SECONDS_BETWEEN_LOOKS = 0.05
# Seconds within which something may be found, however short the time limit.
_MOMENT = 0.05

# Iterations that a method of exchanges makes at most unless told otherwise.
USUAL_MAX_ITER = 200


@dataclass(frozen=True, slots=True)
class LowRankOptions:
    """Checked options; each method reads those it knows."""

    rank: int
    target_rank: int
    target_value: float | None
    max_iter: int
    gives_max_iter: bool  # False: max_iter is the default of the method
    tol: float
    start: Factors
    condition: float
    sufficient_progress: float | None
    reoptimize: bool
    bisections: int
    step: float | None
    weight_step: float | None
    round_threshold: float
    weighted_part: float
    refine: int
    threads: int


@dataclass(frozen=True, slots=True)
class LowRankIteration:
    """One iteration as a callback sees it.

    Attributes
    ----------
    number : int
        1 after the first iteration.
    fun, regularized_fun : float
        f(A), and g(A) = f(A) + Φ(A) if the method has adaptive weights.
    method : str
        The method at work; for ``"best"`` the one that it was running.
    branch : str
        The kind of iteration; the methods say which words they use.
    factors : Factors
        The matrix: ``U``, ``s``, ``V``, ``rank``, ``matrix()``.
    weights : Regularizer or None
        ``W`` and ``Y``, each with ``matrix()``, ``removed_trace``, ``times(X)``.
    target : float
        The value that Algorithm 2 takes for f(A*); NaN for other methods.
    elapsed : float
        Seconds.

    See Also
    --------
    solve : Passes it to ``callback``.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> seen = []
    >>> objective = lowrank.Weighted(np.eye(4), 1.0 + np.arange(16.0).reshape(4, 4))
    >>> _ = lowrank.solve(objective, 2, callback=lambda iteration: seen.append(iteration.fun))
    >>> len(seen) > 0
    True
    """

    number: int
    fun: float
    regularized_fun: float
    method: str
    branch: str
    factors: Factors
    weights: Regularizer | None
    target: float
    elapsed: float


Callback = Callable[[LowRankIteration], Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method came to."""

    A: Factors
    status: Status
    message: str
    weights: Regularizer | None = None


@dataclass(slots=True)
class Observer:
    """The one hook into a run: history, callback, progress bar and time limit."""

    callback: Callback | None
    bar: ProgressBar
    time_limit: float
    keeps_history: bool
    method: str
    number: int = 0
    best: Factors | None = None
    _best_fun: float = math.inf
    _start: float = field(default_factory=time.monotonic)
    _next_look: float = 0.0
    _records: list[tuple[float, float, str, str, int, float, float]] = field(default_factory=list)

    def observe(
        self,
        A: Factors,
        fun: float,
        branch: str,
        weights: Regularizer | None = None,
        regularized_fun: float | None = None,
        target: float = math.nan,
    ) -> Status | None:
        """Tell of an iteration; the answer is the status to stop with, or None to go on."""
        self.number += 1
        elapsed = time.monotonic() - self._start
        regularized = fun if regularized_fun is None else regularized_fun
        if self.keeps_history:
            self._records.append((fun, regularized, self.method, branch, A.rank, target, elapsed))
        if not math.isfinite(fun):
            return Status.DIVERGED
        if fun < self._best_fun:
            self.best, self._best_fun = A, fun
        if self.callback is not None and self.callback(
            LowRankIteration(
                self.number, fun, regularized, self.method, branch, A, weights, target, elapsed
            )
        ):
            return Status.STOPPED
        if self.bar.update is not None and elapsed >= self._next_look:
            self._next_look = elapsed + _SECONDS_BETWEEN_LOOKS
            self.bar.update(self.number, fun)
        spent = time.monotonic() - self._start
        return Status.TIME_LIMIT if spent >= self.time_limit else None

    @property
    def is_watching(self) -> bool:
        """Whether iterations that are not told of one by one would be missed."""
        shows = self.callback is not None or self.bar.update is not None
        return shows or self.keeps_history or math.isfinite(self.time_limit)

    def count(self, iterations: int, A: Factors, fun: float) -> None:
        """Take note of iterations that it was not told of, and of the best of their matrices."""
        self.number += iterations
        if fun < self._best_fun:
            self.best, self._best_fun = A, fun

    def seconds_left(self) -> float:
        """Return what is left of the time limit."""
        return self.time_limit - (time.monotonic() - self._start)

    def core_limit(self) -> _core.TimeLimit:
        """Return a limit for what the core does on this thread; it has a moment in any case."""
        more = max(0.0, _MOMENT - self.time_limit)
        return _core.TimeLimit(self.seconds_left() + more)

    def history(self) -> dict[str, Any] | None:
        """Return arrays with one entry for each iteration, if they were asked for."""
        if not self.keeps_history:
            return None
        names = ("fun", "regularized_fun", "method", "branch", "rank", "target", "elapsed")
        columns = list(zip(*self._records, strict=True)) or [()] * len(names)
        kinds = (np.float64, np.float64, np.str_, np.str_, np.int64, np.float64, np.float64)
        return {
            name: np.array(column, dtype=kind)
            for name, column, kind in zip(names, columns, kinds, strict=True)
        }


def stopped(
    status: Status, A: Factors, weights: Regularizer | None = None, message: str | None = None
) -> Outcome:
    """An outcome with the usual sentence for its status, unless there is a better one."""
    return Outcome(A, status, status.message if message is None else message, weights)


Run = Callable[[LowRankObjective, LowRankOptions, Observer], Outcome]


def run_guarded(
    run: Run, objective: LowRankObjective, options: LowRankOptions, observer: Observer
) -> Outcome:
    """The outcome; time, or numbers that are not finite, end the run with the best matrix seen."""
    if not math.isfinite(objective.value(options.start, options.threads)):
        return stopped(Status.DIVERGED, options.start)
    try:
        with observer.core_limit():
            return run(objective, options, observer)
    except OverflowError:  # of the compiled core: a product left the finite numbers
        status = Status.DIVERGED
    except _core.TimeIsUpError:
        status = Status.TIME_LIMIT
    return stopped(status, options.start if observer.best is None else observer.best)

"""The best of several methods: what ``solve`` does unless told otherwise."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from regiht._solving.result import Status
from regiht.lowrank._run import (
    USUAL_MAX_ITER,
    LowRankOptions,
    Observer,
    Outcome,
    Run,
    run_guarded,
    stopped,
)
from regiht.lowrank.methods._alternating import USUAL_SWEEPS, alternating
from regiht.lowrank.methods._local_search import local_search
from regiht.lowrank.methods._regularized_iht import regularized_iht
from regiht.lowrank.methods._regularized_local_search import regularized_local_search
from regiht.lowrank.methods._sweeps import swept
from regiht.lowrank.methods._work import exchange_work, step_work, sweep_work
from regiht.lowrank.objectives import LowRankObjective

EXACT = "The minimum is known in closed form."

# Of f at the start above its bound: what is left of an exact fit by rounding.
_PERFECT = 1e-25
# Exchanges from the best matrix, each followed by sweeps.
_MOST_ROUNDS = 5
_INTERRUPTED = {Status.STOPPED, Status.TIME_LIMIT}


def best(objective: LowRankObjective, options: LowRankOptions, observer: Observer) -> Outcome:
    """Regularized IHT and sweeps, and sweeps alone; then others, which may cost as much again.

    The others are local search from the best matrix so far, local search from the start, and
    Algorithm 2, each followed by sweeps as long as they may still win, and at last more sweeps for
    the winner. What is not affordable is left out, and a matrix that fits perfectly ends it all.

    Branches: those of the methods, and ``"exact"`` where the minimum has a closed form.
    """
    known = objective.minimizer(options.rank, options.threads)
    if known is None:
        return _Portfolio(objective, options, observer).run()
    told = observer.observe(known, objective.value(known, options.threads), "exact")
    if told is not None:
        return stopped(told, known)
    return stopped(Status.CONVERGED, known, message=EXACT)


class _Portfolio:
    def __init__(
        self, objective: LowRankObjective, options: LowRankOptions, observer: Observer
    ) -> None:
        self.objective = objective
        self.options = options
        self.observer = observer
        self.work_left = 0.0
        self.found = self.last = stopped(Status.DIVERGED, options.start)
        self.value = math.inf
        self.winner = ""
        self.steps = 0  # of regularized IHT
        self.interrupted: Status | None = None
        at_start = objective.value(options.start, options.threads)
        self.perfect = objective.lower_bound + _PERFECT * (at_start - objective.lower_bound)
        self.sweep_cost = sweep_work(objective, options.rank)
        self.exchange_cost = exchange_work(objective, options.rank)

    def run(self) -> Outcome:
        self.work_left = self._regularized_iht()
        self._alternating()
        exchanges = (self._exchange, self._local_search, self._algorithm_2)
        # Exchanges know nothing of a penalty on factors.
        known = () if self.objective.factor_penalty > 0.0 else exchanges
        for improve in (*known, self._sweep_on):
            if self._is_done():
                break
            improve()
        if self.interrupted is not None:
            return stopped(self.interrupted, self.found.A, self.found.weights)
        message = f"{self.found.message} Found by {self.winner!r}."
        return replace(self.found, message=message)

    def _is_done(self) -> bool:
        return self.interrupted is not None or self.value <= self.perfect

    def _regularized_iht(self) -> float:
        """Run it as ``method="regularized-iht"`` does; the answer is the work that it took."""
        rank = self.options.rank
        self.steps = self._run("regularized-iht", regularized_iht, replace(self.options, refine=0))
        sweeps = self._sweep(self.found, self.options.refine)
        return self.steps * step_work(self.objective, rank) + sweeps * self.sweep_cost

    def _alternating(self) -> None:
        """Sweeps from a single step, unless regularized IHT came to that by itself."""
        could = self.objective.refines and self.options.refine > 0
        if self._is_done() or not could or self.steps <= 1:
            return
        most = self.options.max_iter if self.options.gives_max_iter else USUAL_SWEEPS
        run = partial(alternating, to_beat=self.value)
        self._run("alternating", run, replace(self.options, max_iter=most))

    def _exchange(self) -> None:
        """Local search from the best matrix, while it and sweeps still gain."""
        for _ in range(_MOST_ROUNDS):
            before = self.value
            self._search(local_search, "local-search", replace(self.options, start=self.found.A))
            if self._is_done() or not before - self.value > self.options.tol * abs(before):
                break

    def _local_search(self) -> None:
        """Local search from where it would begin by itself; greedy is its first part."""
        if self._affordable_exchanges() > self.options.rank:
            self._search(local_search, "local-search", self.options)

    def _algorithm_2(self) -> None:
        bounded = self.options.target_value is not None or math.isfinite(self.objective.lower_bound)
        affordable = self._affordable_exchanges()
        if bounded and affordable > self.options.rank:
            runs = max(1, min(self.options.bisections, affordable // self._max_iter()))
            options = replace(self.options, bisections=runs)
            self._search(regularized_local_search, "regularized-local-search", options)

    def _sweep_on(self) -> None:
        """More sweeps for the winner than the methods allow themselves."""
        if self.options.refine:
            self.observer.method = self.winner
            self._sweep(self.found, self._affordable_sweeps())

    def _search(self, run: Run, method: str, options: LowRankOptions) -> None:
        """Run a method of exchanges, and sweeps after it, as far as the work left allows."""
        most = min(self._max_iter(), self._affordable_exchanges())
        if most < 1:
            return
        iterations = self._run(method, run, replace(options, max_iter=most))
        self.work_left -= (iterations + 1) * self.exchange_cost
        if not self._is_done():
            most = min(self.options.refine, self._affordable_sweeps())
            self.work_left -= self.sweep_cost * self._sweep(self.last, most)

    def _run(self, method: str, run: Run, options: LowRankOptions) -> int:
        """Run a method and keep what it finds if that is better; the answer counts iterations."""
        before = self.observer.number
        self.observer.method = method
        self._offer(run_guarded(run, self.objective, options, self.observer))
        return self.observer.number - before

    def _sweep(self, found: Outcome, most: int) -> int:
        """Sweep over the factors of an outcome, likewise."""
        if not (found.status.success and self.objective.refines and most > 0):
            return 0
        before = self.observer.number
        self._offer(
            swept(self.objective, self.options, self.observer, found, most=most, to_beat=self.value)
        )
        return self.observer.number - before

    def _offer(self, found: Outcome) -> None:
        self.last = found
        if found.status in _INTERRUPTED:
            self.interrupted = found.status
        value = self.objective.value(found.A, self.options.threads)
        if not value < self.value:
            return
        # Who only takes the last digits off an answer has not found it.
        if not self.winner or self.value - value > self.options.tol * abs(self.value):
            self.winner = self.observer.method
        self.found, self.value = found, value

    def _max_iter(self) -> int:
        """Iterations that a method of exchanges makes at most by itself."""
        return self.options.max_iter if self.options.gives_max_iter else USUAL_MAX_ITER

    def _affordable_exchanges(self) -> int:
        return int(self.work_left / self.exchange_cost)

    def _affordable_sweeps(self) -> int:
        return int(self.work_left / self.sweep_cost)

"""The lemma of the paper, checked at every iteration of a run."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from regiht import reference
from regiht.reproduce.outcome import Table

Vector = NDArray[np.float64]

ROUNDING = 1e-10


class Premises(Protocol):
    """What the lemma is about."""

    @property
    def kappa(self) -> float:
        """Condition number."""

    @property
    def beta(self) -> float:
        """Smoothness."""

    @property
    def sparsity(self) -> int:
        """s′."""

    @property
    def start(self) -> Vector:
        """x⁰."""

    @property
    def x_star(self) -> Vector:
        """The sparse solution to compare with."""


class LemmaWatch:
    """A callback that checks the lemma between an iterate and the next.

    From x and w it makes the lemma's x′ itself: the safeguard of the algorithm may have kept x.
    `progress` and `correlated` count the iterations where the first condition held, and where only
    the second did; `violations` those where neither did, beyond rounding.
    """

    def __init__(self, objective: reference.LinearObjective, premises: Premises) -> None:
        self.objective = objective
        self.premises = premises
        self.target = objective.value(premises.x_star)
        self._zero = objective.value(np.zeros(premises.start.size))
        self.on_star = premises.x_star != 0
        self.progress = self.correlated = self.violations = self.rises = 0
        self.largest_violation = 0.0
        self.weight_margin = np.inf
        self._x, self._w = premises.start, np.ones(premises.start.size)
        self._previous = self._regularized(self._x, self._w)
        self._above = [(0, self._previous - self.target)]

    def __call__(self, iteration: Any) -> None:
        """Check the step from the last iterate, then take the new one over."""
        self._check_step()
        self._x, self._w = iteration.x.copy(), iteration.weights.copy()
        value = self._regularized(self._x, self._w)
        if value > self._previous + self._rounding(value):
            self.rises += 1
        self._previous = value
        self._above.append((iteration.number, value - self.target))
        n, sparsity = self._w.size, self.premises.sparsity
        self.weight_margin = min(self.weight_margin, float(self._w.sum()) - (n - sparsity / 2))

    def curve(self, setting: str) -> Table:
        """How far the regularized value lies above f(x*), thinned out."""
        wanted = np.unique(np.geomspace(1, len(self._above), 200).astype(int) - 1)
        return [
            {"setting": setting, "iteration": t, "above": float(gap)}
            for t, gap in (self._above[k] for k in wanted)
        ]

    def _regularized(self, x: Vector, w: Vector) -> float:
        return self.objective.value(x) + 0.5 * self.premises.beta * float(np.sum(w * x**2))

    def _rounding(self, value: float) -> float:
        # At an exact fit the values are squares of what is lost in y, and so is their rounding.
        return ROUNDING * (abs(value) + abs(self.target) + ROUNDING * self._zero)

    def _check_step(self) -> None:
        x, w, kappa, beta = self._x, self._w, self.premises.kappa, self.premises.beta
        moved = (1 - 0.5 * w) * x - self.objective.gradient(x) / (2 * beta)
        after = self._regularized(reference.hard_threshold(moved, self.premises.sparsity), w)
        before = self._regularized(x, w)
        gap = before - self.target
        missing = after - (before - max(gap, 0.0) / (16 * kappa))
        if missing <= self._rounding(before):
            self.progress += 1
            return
        on_star = float(np.sum((w * x)[self.on_star] ** 2))
        all_of_it = float(np.sum(w * x**2))
        short = max(
            all_of_it / (4 * kappa + 6) - on_star,
            gap / (8 * kappa + 8) - 0.5 * beta * on_star,
        )
        if short <= self._rounding(before):
            self.correlated += 1
            return
        self.violations += 1
        self.largest_violation = max(self.largest_violation, min(missing, short))

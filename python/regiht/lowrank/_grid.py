"""Ranks and ridges together, judged by held-out observations."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError, Rng
from regiht._solving.progress import Progress, ProgressBar
from regiht.lowrank._factors import Factors
from regiht.lowrank._held_out import (
    HeldOutLosses,
    check_ranks,
    mean_loss,
    splits,
    standard_error,
)
from regiht.lowrank._result import LowRankResult
from regiht.lowrank._solve import solve
from regiht.lowrank.objectives._base import PredictionObjective
from regiht.lowrank.objectives._observed import ObservedObjective

RULES = ("lowest", "one-standard-error")
PENALTIES = ("ridge", "factor")

# Held-out losses need no more digits.
_COARSE = 3e-4


@dataclass(frozen=True, slots=True, eq=False)
class RankRidgePath(HeldOutLosses):
    """The result of `rank_ridge_path`.

    Attributes
    ----------
    ranks : array of int
    ridges : array
        The ridges, or strengths of the penalty on factors.
    losses : array of shape (folds, len(ridges), len(ranks))
        Mean loss of held-out observations; for squared losses half the mean square. NaN where time
        ran out.
    loss, standard_error : arrays of shape (len(ridges), len(ranks))
        Over the folds.
    rank, ridge : int and float
        The pair chosen.
    result : LowRankResult
        The solve with that pair on all observations.

    See Also
    --------
    rank_ridge_path : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> rng = np.random.default_rng(0)
    >>> M = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 20))
    >>> rows, cols = np.nonzero(rng.random(M.shape) < 0.7)
    >>> entries = lowrank.Completion(rows, cols, M[rows, cols], M.shape)
    >>> grid = lowrank.rank_ridge_path(entries, (1, 2), (0.0, 1.0))
    >>> grid.loss.shape, grid.rank, grid.ridge
    ((2, 2), 2, 0.0)
    """

    ranks: IndexArray
    ridges: FloatArray
    losses: FloatArray
    rule: str
    result: LowRankResult = field(repr=False)

    @property
    def rank(self) -> int:
        """The rank chosen."""
        return int(self.ranks[_choose(self.losses, self.rule)[1]])

    @property
    def ridge(self) -> float:
        """The ridge chosen."""
        return float(self.ridges[_choose(self.losses, self.rule)[0]])

    def plot(self, ax: Any = None) -> Any:
        """Plot the held-out loss over ranks and ridges as a heat map; needs matplotlib."""
        from regiht.plotting.style import new_axes, palette  # noqa: PLC0415  (optional)

        ax = ax or new_axes()
        loss = np.where(np.isfinite(self.loss), self.loss, np.nan)
        image = ax.imshow(loss, origin="lower", aspect="auto", cmap="viridis_r")
        ax.figure.colorbar(image, ax=ax, label="mean loss of held-out observations")
        ax.set_xticks(range(self.ranks.size), [str(rank) for rank in self.ranks])
        ax.set_yticks(range(self.ridges.size), [f"{ridge:g}" for ridge in self.ridges])
        at = _choose(self.losses, self.rule)
        ax.plot(
            at[1], at[0], marker="o", color=palette(ax).lines[1], markersize=12, fillstyle="none"
        )
        ax.set_xlabel("rank")
        ax.set_ylabel("ridge")
        ax.set_title(f"Held-out loss: rank {self.rank}, ridge {self.ridge:g}")
        return ax


def rank_ridge_path(
    objective: ObservedObjective,
    ranks: Iterable[int],
    ridges: Iterable[float],
    *,
    penalty: Literal["ridge", "factor"] = "ridge",
    held_out: float = 0.1,
    folds: int = 1,
    rng: Rng = 0,
    seed: Rng = None,
    rule: Literal["lowest", "one-standard-error"] = "lowest",
    method: str = "best",
    time_limit: float | None = None,
    progress: bool | Progress = False,
    **options: Any,
) -> RankRidgePath:
    """Judge every rank with every ridge by held-out observations.

    In each fold every rank is solved from scratch with the largest ridge; with each other ridge it
    is swept from the matrix of the next larger one. (Starting from other ranks does not work: noise
    fitted by a rank that is too large misleads the smaller ones.)

    Parameters
    ----------
    objective : Completion or OneBit
    ranks, ridges : numbers
    penalty : {"ridge", "factor"}
        Whether ``ridges`` are ridges or strengths of ``factor_penalty``; the other one is that of
        the objective.
    held_out, folds, rng, seed
        As for `rank_path`.
    rule : {"lowest", "one-standard-error"}
        Take the lowest mean loss; or the smallest rank, and for it the largest ridge, whose mean
        loss is within one standard error of the lowest. The second needs two folds.
    time_limit : float, optional
        Seconds for all folds together, after which the choice is among the pairs judged so far.
        The final solve has the remaining time, but at least a tenth of the limit.
    progress : bool or callable
        Show a bar, or call this after each pair and fold with the number done and the loss.
    method, **options
        For the first solve in each fold and for the final one; as for `solve`.

    Returns
    -------
    RankRidgePath

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed.

    See Also
    --------
    rank_path : Ranks alone, for other objectives too.
    regiht.LowRankCompletionCV : An estimator that chooses both.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> rng = np.random.default_rng(0)
    >>> M = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 20))
    >>> rows, cols = np.nonzero(rng.random(M.shape) < 0.7)
    >>> entries = lowrank.Completion(rows, cols, M[rows, cols], M.shape)
    >>> lowrank.rank_ridge_path(entries, (1, 2), (0.0, 1.0)).result.rank
    2
    """
    if not isinstance(objective, ObservedObjective):
        raise InvalidArgumentError(
            f"objective must be Completion or OneBit; got {type(objective).__name__}."
        )
    tried = check_ranks(ranks, min(objective.shape))
    strengths = check_ridges(ridges)
    check.check_choice("penalty", penalty, list(PENALTIES))
    check.check_choice("rule", rule, list(RULES))
    limit = check.check_time_limit(time_limit)
    clock = _Clock(math.inf if limit is None else limit)
    parts = list(splits(objective, held_out, folds, check.check_rng(rng, seed)))
    if rule == "one-standard-error" and len(parts) < 2:
        raise InvalidArgumentError("rule 'one-standard-error' needs folds of at least 2.")
    losses = np.full((len(parts), len(strengths), len(tried)), np.nan)
    with ProgressBar(losses.size, shown=check.check_progress(progress)) as bar:
        judge = _Judge(penalty, tried, strengths, {"method": method, **options}, clock, bar)
        for fold, (training, judged) in enumerate(parts):
            judge.fill(losses[fold], training, judged)
    at = _choose(losses, rule)
    left = clock.left(least=0.1)
    found = solve(
        _penalized(objective, penalty, strengths[at[0]]), tried[at[1]], method=method,
        time_limit=None if math.isinf(left) else left, **options,
    )  # fmt: skip
    return RankRidgePath(np.array(tried, dtype=np.int64), np.array(strengths), losses, rule, found)


def check_ridges(ridges: Iterable[float]) -> list[float]:
    """Ridges to try, each once and in order."""
    checked = sorted({check.check_real("ridges", ridge, least=0.0) for ridge in ridges})
    if not checked:
        raise InvalidArgumentError("ridges must list at least one ridge; got none.")
    return checked


class _Clock:
    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._start = time.monotonic()

    def left(self, least: float = 0.0) -> float:
        """Seconds that are left, and at least this part of the limit."""
        spent = time.monotonic() - self._start
        return max(self._limit - spent, least * self._limit)


@dataclass(slots=True)
class _Judge:
    penalty: str
    ranks: list[int]
    ridges: list[float]
    options: dict[str, Any]
    clock: _Clock
    bar: ProgressBar
    done: int = 0

    def fill(self, losses: FloatArray, training: Any, judged: PredictionObjective) -> None:
        """Fill in the losses of one fold, a row for each ridge.

        From large ridges to small ones, since what fits noise is a bad start.
        """
        for column, rank in enumerate(self.ranks):
            start: Factors | None = None
            for row in reversed(range(len(self.ridges))):
                left = self.clock.left()
                if left <= 0.0:
                    return
                objective = _penalized(training, self.penalty, self.ridges[row])
                start = self._solve(objective, rank, start, left)
                losses[row, column] = judged.mean_loss(start)
                self.done += 1
                if self.bar.update is not None:
                    self.bar.update(self.done, float(losses[row, column]))

    def _solve(self, objective: Any, rank: int, start: Factors | None, left: float) -> Factors:
        options = dict(self.options)
        options["tol"] = max(options.get("tol", _COARSE), _COARSE)
        if start is not None:
            options |= {"method": "alternating", "start": (start.U, start.s, start.V)}
            options["max_iter"] = options.pop("refine", None) or None
        limit = None if math.isinf(left) else left
        found = solve(objective, rank, time_limit=limit, **options)
        return Factors(found.U, found.s, found.V)


def _penalized(objective: ObservedObjective, penalty: str, strength: float) -> ObservedObjective:
    if penalty == "ridge":
        return objective.with_penalties(ridge=strength)
    return objective.with_penalties(factor_penalty=strength)


def _choose(losses: FloatArray, rule: str) -> tuple[int, int]:
    """Return the numbers of the ridge and of the rank."""
    loss = mean_loss(losses)
    if not np.isfinite(loss).any():
        raise InvalidArgumentError("time_limit was reached before any pair was judged.")
    row, column = np.unravel_index(np.argmin(loss), loss.shape)
    if rule == "lowest":
        return int(row), int(column)
    margin = standard_error(losses)[row, column]
    near = loss <= loss[row, column] + (margin if math.isfinite(margin) else 0.0)
    column = np.flatnonzero(near.any(axis=0))[0]
    return int(np.flatnonzero(near[:, column])[-1]), int(column)

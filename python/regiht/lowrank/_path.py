"""Solves over several ranks, and the rank that predicts held-out observations best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray, Rng
from regiht.lowrank._factors import Factors
from regiht.lowrank._held_out import HeldOutLosses, check_ranks, mean_loss, splits
from regiht.lowrank._result import LowRankResult
from regiht.lowrank._solve import solve
from regiht.lowrank.objectives import LowRankObjective, as_objective
from regiht.lowrank.objectives._base import PredictionObjective


@dataclass(frozen=True, slots=True, eq=False)
class RankPath(HeldOutLosses):
    """The result of `rank_path`.

    Attributes
    ----------
    ranks : array of int
    losses : array of shape (folds, len(ranks))
        Mean loss of held-out observations; for squared losses half the mean square.
    loss, standard_error : arrays of shape (len(ranks),)
        Over the folds.
    rank : int
        The smallest rank with the lowest loss.
    result : LowRankResult
        The solve at that rank on all observations.

    See Also
    --------
    rank_path : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> rng = np.random.default_rng(0)
    >>> M = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 20))
    >>> rows, cols = np.nonzero(rng.random(M.shape) < 0.7)
    >>> entries = lowrank.Completion(rows, cols, M[rows, cols], M.shape)
    >>> path = lowrank.rank_path(entries, (1, 2))
    >>> path.rank, path.loss.shape
    (2, (2,))
    """

    ranks: IndexArray
    losses: FloatArray
    result: LowRankResult = field(repr=False)

    @property
    def rank(self) -> int:
        """The smallest rank with the lowest loss."""
        return int(self.ranks[np.argmin(self.loss)])

    def plot(self, ax: Any = None) -> Any:
        """Plot the held-out loss over the rank; needs matplotlib."""
        from regiht.plotting.style import new_axes, palette  # noqa: PLC0415  (optional)

        ax = ax or new_axes()
        colors = palette(ax).lines
        ax.plot(self.ranks, self.loss, marker="o", color=colors[0])
        ax.axvline(self.rank, color=colors[1], linestyle="--")
        ax.set_xlabel("rank")
        ax.set_ylabel("mean loss of held-out observations")
        ax.set_title(f"Held-out loss over the rank: best at {self.rank}")
        ax.grid(visible=True, alpha=0.3)
        return ax


def rank_path(
    objective: LowRankObjective,
    ranks: Iterable[int],
    *,
    held_out: float = 0.1,
    folds: int = 1,
    rng: Rng = 0,
    seed: Rng = None,
    method: str = "best",
    **options: Any,
) -> RankPath:
    """Solve for several ranks on a part of the observations and judge each by the others.

    Parameters
    ----------
    objective : Completion, OneBit or Measurements
    ranks : numbers
        The ranks to try.
    held_out : float
        The share of the observations that is held out, with one fold.
    folds : int
        With 2 or more, the observations are dealt into this many folds, and each is held out once.
    rng : int, numpy Generator or None
        Makes the random choice. None: a new one in every call.
    seed : int, optional
        The older name of ``rng``.
    method, **options
        As for `solve`.

    Returns
    -------
    RankPath

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed.

    See Also
    --------
    RankPath : What it returns.
    regiht.LowRankCompletionCV : An estimator that chooses its rank.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> rng = np.random.default_rng(0)
    >>> M = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 20))
    >>> rows, cols = np.nonzero(rng.random(M.shape) < 0.7)
    >>> entries = lowrank.Completion(rows, cols, M[rows, cols], M.shape)
    >>> lowrank.rank_path(entries, (1, 2)).result.rank
    2
    """
    function = as_objective(objective)
    tried = check_ranks(ranks, min(function.shape))
    losses = held_out_losses(
        function,
        tried,
        held_out=held_out,
        folds=folds,
        rng=check.check_rng(rng, seed),
        method=method,
        **options,
    )
    best = tried[int(np.argmin(mean_loss(losses)))]
    return RankPath(
        ranks=np.array(tried, dtype=np.int64),
        losses=losses,
        result=solve(function, best, method=method, **options),
    )


def held_out_losses(
    objective: LowRankObjective,
    ranks: list[int],
    *,
    held_out: float = 0.1,
    folds: int,
    rng: np.random.Generator,
    **options: Any,
) -> FloatArray:
    """Mean loss of held-out observations: a row for each fold, a column for each rank."""
    losses = [
        [_held_out_loss(training, judge, rank, options) for rank in ranks]
        for training, judge in splits(objective, held_out, folds, rng)
    ]
    return np.array(losses, dtype=np.float64)


def _held_out_loss(
    training: LowRankObjective,
    judge: PredictionObjective,
    rank: int,
    options: dict[str, Any],
) -> float:
    found = solve(training, rank, **options)
    return judge.mean_loss(Factors(found.U, found.s, found.V))

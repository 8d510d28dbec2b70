"""Matrix completion with rank and ridge chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from regiht._inputs.checks import InvalidArgumentError, Rng
from regiht._solving.progress import Progress
from regiht.lowrank._grid import rank_ridge_path
from regiht.lowrank._observations import Effects, Observations
from regiht.lowrank._path import RankPath
from regiht.lowrank._result import LowRankResult
from regiht.lowrank.estimator import LowRankCompletion


class LowRankCompletionCV(LowRankCompletion):
    """`LowRankCompletion` with rank and ridge chosen by cross-validation over the entries.

    Parameters
    ----------
    ranks : sequence of int
        The ranks to try.
    ridges : sequence of float, optional
        The ridges to try, each with every rank; by default only ``ridge``.
    factor_penalties : sequence of float, optional
        Strengths of the penalty on factors to try instead of ridges.
    rule : {"lowest", "one-standard-error"}
        As for `rank_ridge_path`.
    time_limit, progress
        For the whole search; as for `rank_ridge_path`.
    cv : int
        Number of folds into which the entries are dealt; each is held out once.
    random_state : int, Generator or None
        Deals the entries; None: a new deal in every fit.
    ridge, factor_penalty, scale_penalty, unseen_weight, center, method, max_iter, tol, refine, \
n_threads, shape, named
        As for `LowRankCompletion`.

    Attributes
    ----------
    rank_ : int
        The rank chosen.
    ridge_, factor_penalty_ : float
        The ridge, or the penalty, chosen.
    losses_ : array of shape (ridges, ranks)
        Mean loss of held-out entries, half the mean square. Both ascend.
    path_ : RankPath
        Losses for each rank and part at that ridge.
    grid_ : RankRidgePath
        All losses; ``grid_.plot()`` draws a heat map.

    See Also
    --------
    LowRankCompletion : With given rank and ridge.
    lowrank.rank_path : Held-out errors of several ranks, for other objectives too.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import LowRankCompletionCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 20))
    >>> X[rng.random(X.shape) < 0.2] = np.nan
    >>> LowRankCompletionCV((1, 2, 3), center=False, cv=3).fit(X).rank_
    2
    """

    def __init__(
        self,
        ranks: tuple[int, ...] = (1, 2, 3, 4, 5),
        *,
        ridges: Sequence[float] | None = None,
        factor_penalties: Sequence[float] | None = None,
        rule: Literal["lowest", "one-standard-error"] = "lowest",
        time_limit: float | None = None,
        progress: bool | Progress = False,
        cv: int = 5,
        random_state: Rng = 0,
        ridge: float = 0.0,
        factor_penalty: float = 0.0,
        scale_penalty: bool = False,
        unseen_weight: float = 0.0,
        center: bool = True,
        method: str = "best",
        max_iter: int | None = None,
        tol: float = 1e-6,
        refine: int = 50,
        n_threads: int | None = None,
        shape: tuple[int, int] | None = None,
        named: bool = False,
    ) -> None:
        super().__init__(
            ridge=ridge, factor_penalty=factor_penalty, scale_penalty=scale_penalty,
            unseen_weight=unseen_weight, center=center, method=method, max_iter=max_iter, tol=tol,
            refine=refine, n_threads=n_threads, shape=shape, named=named,
        )  # fmt: skip
        self.ranks = ranks
        self.ridges = ridges
        self.factor_penalties = factor_penalties
        self.rule = rule
        self.time_limit = time_limit
        self.progress = progress
        self.cv = cv
        self.random_state = random_state

    def _solve(self, seen: Observations, effects: Effects) -> LowRankResult:
        ranks = {min(rank, *seen.shape) for rank in self.ranks}
        if self.ridges is not None and self.factor_penalties is not None:
            raise InvalidArgumentError("give ridges or factor_penalties, not both.")
        given = self.ridges if self.factor_penalties is None else self.factor_penalties
        self.grid_ = rank_ridge_path(
            self._objective(seen, effects, self.ridge),
            ranks,
            [self.ridge] if given is None else given,
            penalty="ridge" if self.factor_penalties is None else "factor",
            folds=self.cv,
            rng=self.random_state,
            rule=self.rule,
            time_limit=self.time_limit,
            progress=self.progress,
            **self._options(),
        )
        chosen = self.grid_.ridge
        self.ridge_ = chosen if self.factor_penalties is None else float(self.ridge)
        self.factor_penalty_ = (
            float(self.factor_penalty) if self.factor_penalties is None else chosen
        )
        self.losses_ = self.grid_.loss
        at = int(np.flatnonzero(self.grid_.ridges == chosen)[0])
        self.path_ = RankPath(self.grid_.ranks, self.grid_.losses[:, at], self.grid_.result)
        return self.grid_.result

    def _ridge(self) -> float:
        return self.ridge_

    def _factor_penalty(self) -> float:
        return self.factor_penalty_

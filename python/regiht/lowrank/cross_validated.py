"""Matrix completion with rank and ridge chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import InvalidArgumentError
from regiht.lowrank._observations import Effects, Observations
from regiht.lowrank._path import RankPath, check_ranks, held_out_losses
from regiht.lowrank._result import LowRankResult
from regiht.lowrank._solve import solve
from regiht.lowrank.estimator import LowRankCompletion


class LowRankCompletionCV(LowRankCompletion):
    """`LowRankCompletion` with rank and ridge chosen by cross-validation over the entries.

    Parameters
    ----------
    ranks : sequence of int
        The ranks to try.
    ridges : sequence of float, optional
        The ridges to try, each with every rank; by default only ``ridge``.
    cv : int
        Parts that the entries are dealt into; each is held out once.
    random_state : int
        Of the deal.
    ridge, center, method, max_iter, tol, refine, n_threads, shape
        As for `LowRankCompletion`.

    Attributes
    ----------
    rank_ : int
        The rank chosen.
    ridge_ : float
        The ridge chosen.
    losses_ : array of shape (ridges, ranks)
        Mean loss of held-out entries, half the mean square. Both ascend.
    path_ : RankPath
        Losses for each rank and part at that ridge.
    """

    def __init__(
        self,
        ranks: tuple[int, ...] = (1, 2, 3, 4, 5),
        *,
        ridges: Sequence[float] | None = None,
        cv: int = 5,
        random_state: int = 0,
        ridge: float = 0.0,
        center: bool = True,
        method: str = "best",
        max_iter: int | None = None,
        tol: float = 1e-6,
        refine: int = 50,
        n_threads: int | None = None,
        shape: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(
            ridge=ridge, center=center, method=method, max_iter=max_iter, tol=tol,
            refine=refine, n_threads=n_threads, shape=shape,
        )  # fmt: skip
        self.ranks = ranks
        self.ridges = ridges
        self.cv = cv
        self.random_state = random_state

    def _solve(self, seen: Observations, effects: Effects) -> LowRankResult:
        ranks = check_ranks((min(rank, *seen.shape) for rank in self.ranks), min(seen.shape))
        ridges = self._ridges()
        losses = [
            held_out_losses(
                self._objective(seen, effects, ridge), ranks, folds=self.cv,
                seed=self.random_state, **self._options(),
            )
            for ridge in ridges
        ]  # fmt: skip
        self.losses_ = np.mean(losses, axis=1)
        best_ridge, best_rank = np.unravel_index(np.argmin(self.losses_), self.losses_.shape)
        self.ridge_ = ridges[best_ridge]
        objective = self._objective(seen, effects, self.ridge_)
        found = solve(objective, ranks[best_rank], **self._options())
        self.path_ = RankPath(np.array(ranks, dtype=np.int64), losses[best_ridge], found)
        return found

    def _ridges(self) -> list[float]:
        """Ridges to try, each once and in order."""
        given = [self.ridge] if self.ridges is None else self.ridges
        ridges = sorted({check.check_real("ridges", ridge, least=0.0) for ridge in given})
        if not ridges:
            raise InvalidArgumentError("ridges must list at least one ridge; got none.")
        return ridges

    def _ridge(self) -> float:
        return self.ridge_

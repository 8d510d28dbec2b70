"""Observations that are held out, and what they say about ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, InvalidArgumentError
from regiht.lowrank.objectives import LowRankObjective
from regiht.lowrank.objectives._base import PredictionObjective


class HeldOutLosses:
    """Mean losses of held-out observations, with the folds along the first axis of ``losses``."""

    __slots__ = ()

    losses: FloatArray

    @property
    def loss(self) -> FloatArray:
        """Mean over the folds that were done; infinite where there was none."""
        return mean_loss(self.losses)

    @property
    def standard_error(self) -> FloatArray:
        """Of that mean; NaN with a single fold."""
        return standard_error(self.losses)

    @property
    def rmse(self) -> FloatArray:
        """Root of the mean square, for squared losses."""
        return np.sqrt(2.0 * self.loss)


def mean_loss(losses: FloatArray) -> FloatArray:
    """Mean over the folds that were done; infinite where there was none."""
    done = np.isfinite(losses)
    counts = done.sum(axis=0)
    totals = np.where(done, losses, 0.0).sum(axis=0)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.inf)


def standard_error(losses: FloatArray) -> FloatArray:
    """Of the mean over the folds; NaN with a single fold."""
    done = np.isfinite(losses)
    counts = done.sum(axis=0)
    squares = np.where(done, (losses - mean_loss(losses)) ** 2, 0.0).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.sqrt(squares / (counts - 1) / counts))


def check_ranks(ranks: Iterable[int], most: int) -> list[int]:
    """Ranks to try, each once and in order."""
    try:
        tried = sorted({check.check_integer("ranks", rank, 1, most) for rank in ranks})
    except TypeError as error:
        if isinstance(error, InvalidArgumentError):
            raise
        raise InvalidArgumentError(f"ranks must list integers; got {ranks!r}.") from None
    if not tried:
        raise InvalidArgumentError("ranks must list at least one rank; got none.")
    return tried


def splits(
    objective: LowRankObjective, held_out: float, folds: int, rng: np.random.Generator
) -> Iterator[tuple[LowRankObjective, PredictionObjective]]:
    """Pairs of an objective to fit and one to judge by."""
    count = objective.observations
    part = check.check_real("held_out", held_out, least=0.0, most=0.9, strict=True)
    folds = check.check_integer("folds", folds, 1, max(count, 1))
    if count < 2:
        raise InvalidArgumentError(f"objective must have two observations to split; got {count}.")
    shuffled = rng.permutation(count)
    if folds == 1:
        judged = [shuffled[: max(1, round(part * count))]]
    else:
        judged = np.array_split(shuffled, folds)
    for chosen in judged:
        rest = np.setdiff1d(shuffled, chosen)
        judge = objective.part(np.sort(chosen))
        assert isinstance(judge, PredictionObjective)
        yield objective.part(rest), judge

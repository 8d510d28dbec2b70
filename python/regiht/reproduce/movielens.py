"""MovieLens 100K: errors on the usual five splits, beside published ones of plain factorizations.

Not of the paper, and so without a verdict: ``regiht reproduce movielens`` prints a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regiht.lowrank._names import Names
from regiht.reproduce.outcome import Steps

SPLITS = (1, 2, 3, 4, 5)
RANKS = (2, 5, 10)
PENALTIES = (3.0, 6.0, 10.0, 15.0, 25.0)
FOLDS = 3
LOWEST, HIGHEST = 1.0, 5.0

# The benchmark in the README of the library Surprise: means over five random folds of the same
# ratings, at its default parameters.
PUBLISHED = {
    "published (Surprise): means of users and items": 0.944,
    "published (Surprise): SVD, 100 factors": 0.934,
    "published (Surprise): NMF, 15 factors": 0.963,
}
WHERE = "https://grouplens.org/datasets/movielens/100k/"


class Ratings(NamedTuple):
    """Numbers of users and of films, and what they gave and got."""

    users: NDArray[np.int64]
    films: NDArray[np.int64]
    values: NDArray[np.float64]


class SplitError(NamedTuple):
    """Root mean square errors on one split, and what cross-validation chose for it."""

    split: int
    means: float
    low_rank: float
    rank: int
    penalty: float


def find(data_dir: Path | None) -> Path:
    """Return the folder with all files u1.base to u5.test, or say what is missing."""
    if data_dir is None:
        raise FileNotFoundError(f"movielens needs --data-dir with MovieLens 100K, from {WHERE}")
    inner = data_dir / "ml-100k"
    folder = inner if inner.is_dir() else data_dir
    names = [f"u{split}.{part}" for split in SPLITS for part in ("base", "test")]
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise FileNotFoundError(
            f"MovieLens 100K is not in {folder}: {', '.join(missing)} missing. It is at {WHERE}"
        )
    return folder


def read(path: Path) -> Ratings:
    """Read lines of user, film, rating and time."""
    try:
        lines = np.loadtxt(path, dtype=np.float64, ndmin=2)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if lines.shape[0] == 0 or lines.shape[1] != 4:
        raise ValueError(f"{path} must have lines of user, film, rating and time.")
    return Ratings(lines[:, 0].astype(np.int64), lines[:, 1].astype(np.int64), lines[:, 2])


def run(folder: Path, steps: Steps) -> Iterator[SplitError]:
    """Fit to each split; rank and penalty are chosen without a look at its test."""
    from regiht.lowrank import LowRankCompletionCV  # noqa: PLC0415  (needs scikit-learn)

    for split in SPLITS:
        steps.begin(f"split {split} of {len(SPLITS)}")
        seen, judged = read(folder / f"u{split}.base"), read(folder / f"u{split}.test")
        model = LowRankCompletionCV(RANKS, factor_penalties=PENALTIES, cv=FOLDS, named=True)
        model.fit(tuple(seen))
        pairs = np.column_stack([judged.users, judged.films])
        yield SplitError(
            split,
            _rmse(_means(model, judged), judged.values),
            _rmse(model.predict(pairs), judged.values),
            model.rank_,
            model.factor_penalty_,
        )


def _means(model: Any, judged: Ratings) -> NDArray[np.float64]:
    """Guesses of the model without its low-rank part; what is not known has no effect."""
    users = Names(model.row_names_).numbers(judged.users)
    films = Names(model.column_names_).numbers(judged.films)
    effects = (
        np.append(model.row_effects_, 0.0)[users] + np.append(model.column_effects_, 0.0)[films]
    )
    return np.asarray(model.mean_ + effects)


def _rmse(guess: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    inside = np.clip(guess, LOWEST, HIGHEST)
    return float(np.sqrt(np.mean((inside - values) ** 2)))


def rows(errors: list[SplitError]) -> list[list[str]]:
    """Lines of the table: the splits, their mean, and what others published."""
    lines = [
        [f"split {e.split}", f"{e.means:.4f}", f"{e.low_rank:.4f}", f"{e.rank}", f"{e.penalty:g}"]
        for e in errors
    ]
    means, low_rank = (
        float(np.mean([getattr(e, name) for e in errors])) for name in ("means", "low_rank")
    )
    lines.append(["mean of the splits", f"{means:.4f}", f"{low_rank:.4f}", "", ""])
    return lines + [[name, "", f"{error:.3f}", "", ""] for name, error in PUBLISHED.items()]

"""What `regiht demo` shows: the words that tell two kinds of text apart, by three methods."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import regiht
from regiht import datasets
from regiht._solving.registry import MethodName
from regiht._text_table import table
from regiht.cli._console import Steps

MOST_WORDS, RIDGE = 20, 0.01
FOLDS, QUICK_FOLDS = 5, 2
# How many words the curves of the picture allow.
CURVE = (2, 5, 10, MOST_WORDS)
KINDS = ("stats", "signal")
METHODS: dict[str, MethodName] = {"regiht": "best", "OMP": "omp", "lasso": "lasso"}


@dataclass(frozen=True)
class Fit:
    """What one method found: the model of all texts, and how it does on texts held out."""

    result: regiht.Result
    losses: list[float]
    accuracy: float
    seconds: float


def steps(folds: int) -> int:
    """How many steps `compare` and `draw` show."""
    return len(METHODS) * (folds + 1) + 1


def compare(problem: datasets.Problem, folds: int, shown: Steps) -> dict[str, Fit]:
    """Fit every method for all numbers of words, and the largest on all but one fold each."""
    fits = {}
    for name, method in METHODS.items():
        shown.begin(f"{name}, all texts")
        start = time.perf_counter()
        result = fit(problem.X, problem.y, MOST_WORDS, method)
        seconds = time.perf_counter() - start
        losses = [fit(problem.X, problem.y, s, method).fun for s in CURVE[:-1]] + [result.fun]
        right = np.concatenate(
            [is_correct(problem, method, fold, folds, name, shown) for fold in range(folds)]
        )
        fits[name] = Fit(result, losses, float(np.mean(right)), seconds)
    return fits


def fit(X: Any, y: Any, s: int, method: MethodName) -> regiht.Result:
    """Fit a logistic model of s words, refitted on what the method chose."""
    return regiht.solve(
        X, y, s, loss="logistic", method=method, ridge=RIDGE, refit=True, intercept=True,
        center=True, scale=True,
    )  # fmt: skip


def is_correct(
    problem: datasets.Problem, method: MethodName, fold: int, folds: int, name: str, shown: Steps
) -> Any:
    """Whether each text of a fold is classified correctly by the words chosen on the others."""
    shown.begin(f"{name}, fold {fold + 1} of {folds}")
    held = np.arange(problem.y.size) % folds == fold
    result = fit(problem.X[~held], problem.y[~held], MOST_WORDS, method)
    scores = problem.X[held] @ result.coef + result.intercept
    return (scores > 0.0) == (problem.y[held] > 0.5)


def describe(problem: datasets.Problem, fits: dict[str, Fit], folds: int) -> str:
    """Both tables: the words by name, and the methods beside one another."""
    names = problem.feature_names
    assert names is not None
    ours, *others = (each.result for each in fits.values())
    rows = [
        [names[j], f"{ours.coef[j]:+.2f}", KINDS[int(ours.coef[j] > 0.0)],
         *("yes" if j in other.support else "" for other in others)]
        for j in by_strength(ours)
    ]  # fmt: skip
    texts, words = problem.X.shape
    header = ["word", "log-odds each", "speaks for", *(f"{name} too" for name in list(fits)[1:])]
    methods = [
        [name, f"{each.result.fun:.2f}", f"{100 * each.accuracy:.1f} %", duration(each.seconds)]
        for name, each in fits.items()
    ]
    return (
        f"{texts} docstrings of scipy.stats and scipy.signal, told apart by {len(rows)} of "
        f"{words} words\n\n{table(header, rows, text=(0, 2, 3, 4))}\n\n"
        f"Other methods with as many words, refitted in the same way: loss, accuracy on held-out "
        f"texts\n({folds} folds), and time of one fit\n\n"
        f"{table(['', 'loss', 'accuracy', 'time'], methods)}"
    )


def duration(seconds: float) -> str:
    """Seconds, or thousandths of them."""
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1e3 * seconds:.1f} ms"


def by_strength(result: regiht.Result) -> Any:
    """The columns of the support, the largest standardized coefficient first."""
    return result.support[np.argsort(-np.abs(result.x[result.support]), kind="stable")]


def draw(problem: datasets.Problem, fits: dict[str, Fit], path: Path, shown: Steps) -> str:
    """Save the picture, and say where it is or what it needs."""
    shown.begin("drawing")
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  (optional)
    except ImportError:
        return '\nNo picture without matplotlib: pip install "regiht[plot]" and run again.'
    from regiht.plotting import plot_coefficients  # noqa: PLC0415
    from regiht.plotting.style import COLORS, DASHES  # noqa: PLC0415

    names = problem.feature_names
    assert names is not None
    figure = Figure(figsize=(10, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1.2, 1))
    ours = next(iter(fits.values())).result
    bars = plot_coefficients(
        [names[j] for j in ours.support], ours.x[ours.support], left,
        xlabel="coefficient of the standardized count",
    )  # fmt: skip
    bars.set_title(f"{ours.support.size} words: {KINDS[0]} to the left, {KINDS[1]} to the right")
    for (name, each), color, dash in zip(fits.items(), COLORS, DASHES, strict=False):
        right.plot(CURVE, each.losses, dash, marker="o", color=color, label=name)
    right.set(xlabel="words", ylabel="logistic loss", title="The loss at exactly that many words")
    right.set_ylim(bottom=0.0)
    right.set_xticks(CURVE)
    right.legend(frameon=False)
    figure.savefig(path, dpi=130)
    return f"\nPicture: {path}"

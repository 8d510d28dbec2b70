"""The first part of the demonstration: real data, and models that can be read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import regiht
from regiht import datasets
from regiht._text_table import table
from regiht.cli._console import Steps, say
from regiht.cli._entries import entries

TABLE_MOST, TEXT_S, TEXT_RIDGE = 8, 8, 0.1
# Every so many texts are held out.
_HELD_OUT = 4


@dataclass(frozen=True)
class Reading:
    """The words that tell texts apart, and the share of held-out texts classified correctly."""

    words: list[tuple[str, float]]
    accuracy: float
    texts: int
    all_words: int


def show_real_data(steps: Steps) -> None:
    """Fit a table of patients and a set of texts, and print both models."""
    steps.begin("a table of patients")
    try:
        patients = datasets.load_diabetes()
    except ImportError as error:
        answer = f"\n1. No table of patients: {error}"
    else:
        answer = describe_patients(patients)
    steps.begin("texts of two kinds")
    reading = read_texts()
    steps.clear()
    say(answer)
    say(describe_texts(reading))


def describe_patients(problem: datasets.Problem) -> str:
    """Print what each feature more brings, and which number a criterion chooses."""
    path = regiht.sparse_path(
        problem.X, problem.y, TABLE_MOST, method="best", feature_names=problem.feature_names
    )
    spread = 0.5 * np.sum((problem.y - problem.y.mean()) ** 2)
    chosen, ebic = path.best_s("ebic"), path.ebic
    rows = []
    for k, moved in enumerate(entries(path)):
        mark = " *" if path.s[k] == chosen else ""
        rows.append(
            [f"{path.s[k]}{mark}", f"{1 - path.losses[k] / spread:.3f}", f"{ebic[k]:.1f}", *moved]
        )
    count, columns = problem.X.shape
    title = (
        f"\n1. Real patients: the progress of diabetes of {count} of them, from {columns} "
        "measurements, squares and products\n"
    )
    text = table(["features", "R²", "EBIC", "enter", "leave"], rows, text=(0, 3, 4))
    return f"{title}\n{text}\n* chosen by EBIC"


def read_texts() -> Reading:
    """Find the words that tell docstrings of two packages apart."""
    problem = datasets.load_docstrings()
    assert problem.feature_names is not None
    rows = np.arange(problem.X.shape[0])
    learnt, held = rows % _HELD_OUT != 0, rows % _HELD_OUT == 0
    result = regiht.solve(
        problem.X[learnt], problem.y[learnt], TEXT_S, loss="logistic", method="best",
        ridge=TEXT_RIDGE, intercept=True, center=True, scale=True,
    )  # fmt: skip
    scores = problem.X[held] @ result.coef + result.intercept
    ranked = result.support[np.argsort(-np.abs(result.x[result.support]), kind="stable")]
    return Reading(
        [(problem.feature_names[j], float(result.coef[j])) for j in ranked],
        float(np.mean((scores > 0.0) == (problem.y[held] > 0.5))),
        *problem.X.shape,
    )


def describe_texts(reading: Reading) -> str:
    """Print the words with their coefficients."""
    rows = [
        [word, f"{coefficient:+.2f}", "signal" if coefficient > 0.0 else "stats"]
        for word, coefficient in reading.words
    ]
    title = (
        f"\n2. Real texts: {reading.texts} docstrings of scipy.stats and scipy.signal, told apart "
        f"by {len(rows)} of {reading.all_words} words\n"
    )
    text = table(["word", "log-odds for each", "speaks for"], rows, text=(0, 2))
    accuracy = f"{100 * reading.accuracy:.0f} % of the held-out texts are classified correctly."
    return f"{title}\n{text}\n{accuracy}"

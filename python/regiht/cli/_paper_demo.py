"""What `regiht demo --paper` shows: regularized IHT, plain IHT and the paper's numpy code.

1. Real patients: how their diabetes went on, from 64 features (needs scikit-learn).
2. Real texts: the words that tell docstrings of two packages apart.
3. A stand-in for the text collection rcv1 (sparse, logistic): the ten words that tell its two
   classes apart, from 47 236.
4. Sparse signals measured by random Gaussian vectors: which entries are not zero?
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import regiht
from regiht import datasets, reference
from regiht._solving.registry import MethodName
from regiht._text_table import table
from regiht.cli._console import Steps, say
from regiht.cli._real_data import show_real_data

# The best steps of the paper's experiments on text: the same move, as regularized IHT halves it.
STEPS: dict[MethodName, float] = {"iht": 8.0, "regiht": 16.0}
METHOD_NAMES = {"iht": "plain IHT", "regiht": "regularized IHT"}

T = TypeVar("T")


@dataclass(frozen=True)
class Size:
    """How much to do."""

    text_shape: tuple[int, int, int]
    text_iterations: int
    signals: int


FULL = Size(text_shape=(20_242, 47_236, 1_500_000), text_iterations=150, signals=20)
QUICK = Size(text_shape=(3_000, 8_000, 100_000), text_iterations=100, signals=4)

TEXT_S, TEXT_RIDGE = 10, 0.1
SIGNAL_ROWS, SIGNAL_COLS, SIGNAL_S, SIGNAL_ITERATIONS = 100, 800, 25, 240


@dataclass(frozen=True)
class Fit:
    """One run, ours or the listing's."""

    x: Any
    fun: float
    iterations: float
    gradients: float
    seconds: float


def show_paper(*, seed: int, quick: bool, picture: Path) -> None:
    """Run all parts, print a table each, and draw."""
    size = QUICK if quick else FULL
    with Steps(total=11) as steps:
        show_real_data(steps)
        text = text_part(size, seed, steps)
        signals = signals_part(size, seed, steps)
        answer = draw(text, signals[0], size, picture, steps)
    say(answer)


def text_part(size: Size, seed: int, steps: Steps) -> datasets.Problem:
    """Fit the stand-in for rcv1 and print its table."""
    steps.begin("making a stand-in for rcv1")
    problem = datasets.rcv1_like(*size.text_shape, seed=seed)
    design, ours_ready = timed(lambda: regiht.Design(problem.X, center=True, scale=True))
    matrix, theirs_ready = timed(lambda: reference.ImplicitStandardized(problem.X, True, True))
    objective = reference.LinearObjective(matrix, problem.y, "logistic", ridge=TEXT_RIDGE)
    fits = {}
    for method, factor in STEPS.items():
        options = {"step": factor / TEXT_S, "max_iter": size.text_iterations}
        steps.begin(f"numpy listing, {METHOD_NAMES[method]}")
        fits["listing", method] = listing(method, objective, TEXT_S, options)
        steps.begin(f"regiht, {METHOD_NAMES[method]}")
        fits["given", method] = text_solve(design, problem.y, method, **options)
        fits["chosen", method] = text_solve(
            design, problem.y, method, max_iter=size.text_iterations
        )
    steps.clear()
    print_text(problem, fits)
    say(
        f"Times are those of the iterations; preparing the matrix took {ours_ready:.2f} s, "
        f"for the listing {theirs_ready:.2f} s."
    )
    return problem


def print_text(problem: datasets.Problem, fits: dict[tuple[str, MethodName], Fit]) -> None:
    """Print a line for every fit, and how close they come to the listing's."""
    rows, cols = problem.X.shape
    say(f"\n3. Stand-in for rcv1: {rows} × {cols}, logistic, s = {TEXT_S}, one thread\n")
    header = ["", "value", "planted words", "iterations", "full gradients", "time", "× listing"]
    lines = []
    for (kind, method), fit in fits.items():
        cells = [f"{fit.fun:.2f}", f"{count_found(fit, problem)} of {TEXT_S}",
                 f"{fit.iterations:.0f}"]  # fmt: skip
        lines.append([label(kind, method), *cells, *costs(fit, fits["listing", method])])
    say(table(header, lines))
    say(f"\nLargest difference to the listing's x at the same step: {difference(fits):.0e}.")


def text_solve(design: regiht.Design, y: Any, method: MethodName, **options: Any) -> Fit:
    """Solve with the compiled code."""
    return ours(
        lambda: regiht.solve(
            design, y, TEXT_S, loss="logistic", ridge=TEXT_RIDGE, method=method, n_threads=1,
            **options,
        )
    )  # fmt: skip


def signals_part(size: Size, seed: int, steps: Steps) -> list[datasets.Problem]:
    """Recover sparse signals and print the table of their averages."""
    steps.begin("making sparse signals")
    problems = [
        datasets.recovery(SIGNAL_ROWS, SIGNAL_COLS, SIGNAL_S, seed=seed + k)
        for k in range(size.signals)
    ]
    fits: dict[tuple[str, MethodName], list[Fit]] = {}
    for method in STEPS:
        steps.begin(f"{len(problems)} signals, {METHOD_NAMES[method]}")
        for problem in problems:
            for kind, fit in signal_fits(problem, method).items():
                fits.setdefault((kind, method), []).append(fit)
    steps.clear()
    found = {
        key: [count_found(*pair) for pair in zip(runs, problems, strict=True)]
        for key, runs in fits.items()
    }
    print_signals(fits, found)
    return problems


def signal_fits(problem: datasets.Problem, method: MethodName) -> dict[str, Fit]:
    """Recover one signal by the listing and by the compiled code, with a step given and without."""
    options = {"step": STEPS[method] / SIGNAL_S, "max_iter": SIGNAL_ITERATIONS}
    objective = reference.LinearObjective(problem.X, problem.y)

    def solve(**how: Any) -> Fit:
        arguments = (problem.X, problem.y, SIGNAL_S)
        return ours(lambda: regiht.solve(*arguments, method=method, n_threads=1, **how))

    return {
        "listing": listing(method, objective, SIGNAL_S, options),
        "given": solve(**options),
        "chosen": solve(max_iter=SIGNAL_ITERATIONS),
    }


def print_signals(
    fits: dict[tuple[str, MethodName], list[Fit]], found: dict[tuple[str, MethodName], list[int]]
) -> None:
    """Print the averages, and in how many problems everything was found."""
    signals = len(found["chosen", "iht"])
    say(
        f"\n4. {signals} signals with {SIGNAL_S} nonzeros, {SIGNAL_ROWS} × {SIGNAL_COLS} Gaussian, "
        f"squared loss: averages\n"
    )
    header = ["", "value", f"found of {SIGNAL_S}", "all found", "iterations", "full gradients",
              "time", "× listing"]  # fmt: skip
    lines = []
    for (kind, method), runs in fits.items():
        fit, counts = average(runs), found[kind, method]
        lines.append([
            label(kind, method), f"{fit.fun:.1e}", f"{np.mean(counts):.1f}",
            f"{counts.count(SIGNAL_S)} of {signals}", f"{fit.iterations:.0f}",
            *costs(fit, average(fits["listing", method])),
        ])  # fmt: skip
    say(table(header, lines))
    complete = {method: found["chosen", method].count(SIGNAL_S) for method in STEPS}
    say(
        f"\nWith the step left to the solver, regularized IHT found all {SIGNAL_S} nonzeros in "
        f"{complete['regiht']} of {signals} signals, plain IHT in {complete['iht']}."
    )


def count_found(fit: Fit, problem: datasets.Problem) -> int:
    """Count the planted features that were selected."""
    assert problem.coef is not None
    return np.intersect1d(np.flatnonzero(fit.x), np.flatnonzero(problem.coef)).size


def listing(
    method: MethodName, objective: reference.LinearObjective, s: int, options: dict[str, Any]
) -> Fit:
    """Run the paper's numpy code, without the bookkeeping that it does not have."""
    solver: Callable[..., reference.ReferenceResult]
    solver = reference.iht if method == "iht" else reference.regularized_iht
    n = objective.A.shape[1]
    result, seconds = timed(lambda: solver(objective, n, s, history=False, **options))
    return Fit(result.x, result.fun, result.n_iter, result.n_iter, seconds)


def ours(solve: Callable[[], regiht.Result]) -> Fit:
    """Run and time a solve."""
    result, seconds = timed(solve)
    return Fit(result.x, result.fun, result.n_iter, result.n_gradients, seconds)


def timed(function: Callable[[], T]) -> tuple[T, float]:
    """Return what the function returns, and the seconds it took."""
    start = time.perf_counter()
    answer = function()
    return answer, time.perf_counter() - start


def average(fits: list[Fit]) -> Fit:
    """Return the means of what the table shows."""
    fields = ("fun", "iterations", "gradients", "seconds")
    means = {name: float(np.mean([getattr(fit, name) for fit in fits])) for name in fields}
    return Fit(x=None, **means)


def difference(fits: dict[tuple[str, MethodName], Fit]) -> float:
    """Return the largest difference of an entry to the listing's, over both methods."""
    return max(float(np.max(np.abs(fits["given", m].x - fits["listing", m].x))) for m in STEPS)


def label(kind: str, method: MethodName) -> str:
    """Name a line of a table."""
    step = f"step {STEPS[method]:.0f}/s"
    how = {
        "listing": f"numpy listing, {step}",
        "given": f"regiht, {step}",
        "chosen": "regiht, step chosen",
    }[kind]
    return f"{METHOD_NAMES[method]}: {how}"


def costs(fit: Fit, yardstick: Fit) -> list[str]:
    """Gradients, time, and how many times faster than the listing."""
    seconds = f"{fit.seconds:.2f} s" if fit.seconds >= 0.1 else f"{1e3 * fit.seconds:.2f} ms"
    ratio = yardstick.seconds / fit.seconds
    return [f"{fit.gradients:.1f}", seconds, f"{ratio:.3g}" if ratio < 100 else f"{ratio:.0f}"]


def draw(
    text: datasets.Problem, signal: datasets.Problem, size: Size, path: Path, steps: Steps
) -> str:
    """Save the picture, and say where it is or what it needs."""
    steps.begin("drawing")
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  (optional)
    except ImportError:
        return '\nNo picture without matplotlib: pip install "regiht[plot]" and run again.'
    from regiht.plotting import plot_convergence  # noqa: PLC0415

    figure = Figure(figsize=(11, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    design = regiht.Design(text.X, center=True, scale=True)
    text_runs = {
        METHOD_NAMES[method]: regiht.solve(
            design, text.y, TEXT_S, loss="logistic", ridge=TEXT_RIDGE, method=method,
            step=factor / TEXT_S, max_iter=size.text_iterations, history=True,
        )
        for method, factor in STEPS.items()
    }  # fmt: skip
    signal_runs = {
        METHOD_NAMES[method]: regiht.solve(
            signal.X, signal.y, SIGNAL_S, method=method, max_iter=SIGNAL_ITERATIONS, history=True
        )
        for method in STEPS
    }
    plot_convergence(text_runs, left).set_title(f"Stand-in for rcv1, s = {TEXT_S}, steps as given")
    plot_convergence(signal_runs, right).set_title(
        f"The first signal, s = {SIGNAL_S}, step chosen by the solver"
    )
    figure.savefig(path, dpi=130)
    return f"\nPicture: {path}"

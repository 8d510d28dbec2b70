"""Recovery of sparse signals from Gaussian measurements (figure 3, right)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import regiht
from regiht import datasets, reference
from regiht._solving.registry import MethodName
from regiht.reproduce import listing, pictures
from regiht.reproduce.outcome import (
    METHOD_NAMES,
    Finding,
    ListingCheck,
    Outcome,
    Steps,
    Table,
    column,
    judge,
)
from regiht.reproduce.sources import Sources

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "recovery"
TITLE = "Figure 3, right: recovery of sparse signals"
ALT = (
    "Left: mean normalised loss after 240 iterations against the number of nonzeros, with bands of "
    "one standard error, for IHT and regularized IHT. Right: their difference, with bands of three "
    "standard errors, also for runs twice as long with the same c."
)

METHODS: tuple[MethodName, ...] = ("iht", "regiht")
FACTOR = 1.2
# Columns have unit norm, so no step above this converges, regularized IHT's halved move included.
LARGEST_STEP = 4.0
# How many standard errors make a difference; two would be too few for a hundred comparisons.
SURE = 3.0
# A smaller part of f(0) is an exact fit.
NOTHING = 1e-8


@dataclass(frozen=True)
class Size:
    """How much to do; runs that are twice as long are made for `long_sparsities`."""

    rows: int
    cols: int
    sparsities: tuple[int, ...]
    long_sparsities: tuple[int, ...]
    repeats: int
    iterations: int
    check_sparsities: tuple[int, ...]


FULL = Size(100, 800, tuple(range(1, 101)), tuple(range(10, 101, 10)), 20, 240, (5, 25, 70))
QUICK = Size(100, 800, (5, 15, 25, 30, 40, 55, 70, 85, 100), (25, 70, 100), 6, 240, (25,))


def parameters(size: Size, sources: Sources) -> dict[str, Any]:
    """All that the result depends on."""
    del sources
    return {"size": asdict(size), "seeds": "1000·s + repeat"}


def count_steps(size: Size, sources: Sources) -> int:
    """For the progress bar."""
    del sources
    return len(size.sparsities) + 2


def run(size: Size, sources: Sources, steps: Steps) -> Outcome:
    """Solve all instances with all steps, and compare what the best step of each gives."""
    del sources
    values: Table = []
    seconds = 0.0
    for s in size.sparsities:
        steps.begin(f"s = {s}, {size.repeats} signals")
        rows, spent = listing.timed(_values, size, s)
        values += rows
        seconds += spent
    steps.begin("the matrix as the paper has it")
    raw = _diverging_share(size)
    steps.begin("numpy listing")
    difference, per_iteration = _compare_with_listing(size)
    iterations = sum(len(step_grid(s)) * size.iterations
                     * (2 if s not in size.long_sparsities else 6)
                     for s in size.sparsities) * size.repeats  # fmt: skip
    means = _means(values)
    check = ListingCheck(
        compared=(
            f"one signal each for s = {', '.join(map(str, size.check_sparsities))}, at full size: "
            "curves of both algorithms at their best steps"
        ),
        largest_difference=difference,
        sample=f"{2 * len(size.check_sparsities)} runs of {size.iterations} iterations",
        listing_seconds=per_iteration * iterations,
        our_seconds=seconds,
    )
    return Outcome(
        tables={"means": means, "values": values},
        findings=_findings(means),
        summary=_summary(means),
        listing=check,
        notes=[
            (
                "Columns are scaled to unit norm here, which the paper does not say. With the "
                f"entries as drawn, {100 * raw:.0f} % of all runs diverged "
                f"(s = {size.check_sparsities[0]}), as the smoothness is then about a hundred "
                "times larger than the steps allow for."
            ),
            f"All steps {FACTOR:g}^k/s up to {LARGEST_STEP:g} are tried for every signal.",
        ],
    )


def step_grid(s: int) -> list[float]:
    """1/s and on in factors of 1.2."""
    count = int(np.floor(np.log(LARGEST_STEP * s) / np.log(FACTOR))) + 1
    return [FACTOR**k / s for k in range(count)]


def make(size: Size, s: int, repeat: int, *, normalize: bool = True) -> datasets.Problem:
    """Draw the matrix and the signal of one repeat."""
    seed = 1000 * s + repeat
    return datasets.recovery(size.rows, size.cols, s, seed, normalize=normalize)


def _values(size: Size, s: int) -> Table:
    """Normalised loss at the best step for every repeat, algorithm and length."""
    lengths = (1, 2) if s in size.long_sparsities else (1,)
    rows = []
    for repeat in range(size.repeats):
        problem = make(size, s, repeat)
        design = regiht.Design(problem.X)
        zero = 0.5 * float(problem.y @ problem.y)
        for length in lengths:
            for method in METHODS:
                solves = regiht.solve_grid(
                    design, problem.y, s, step=step_grid(s), method=method,
                    weight_step=s / size.iterations, max_iter=length * size.iterations,
                )  # fmt: skip
                best = solves.best_index()
                rows.append({
                    "s": s, "repeat": repeat, "method": method, "length": length,
                    "step": step_grid(s)[best], "loss": float(solves[best].fun) / zero,
                })  # fmt: skip
    return rows


def _means(values: Table) -> Table:
    """Means and standard errors of both algorithms, and of their difference on the same signals."""
    rows = []
    for s, length in dict.fromkeys((row["s"], row["length"]) for row in values):
        losses: dict[str, Any] = {
            m: column(values, "loss", s=s, length=length, method=m) for m in METHODS
        }
        row: dict[str, Any] = {"s": s, "length": length}
        for name, sample in {**losses, "gain": losses["iht"] - losses["regiht"]}.items():
            row[name] = float(np.mean(sample))
            row[f"{name}_error"] = float(np.std(sample, ddof=1) / np.sqrt(len(sample)))
        rows.append(row)
    return rows


def _findings(means: Table) -> list[Finding]:
    sides = _sides(means, length=1)
    better, worse = sides["better"], sides["worse"]
    longer = _sides(means, length=2)
    best = max((row for row in means if row["length"] == 1), key=lambda row: row["gain"])
    return [
        Finding(
            "Regularized IHT is superior for s = 1 to 100.",
            f"Lower loss at {len(better)} sparsities ({_ranges(better)}), higher at {len(worse)} "
            f"({_ranges(worse)}), no clear difference at {len(sides['equal'])}. The largest gain "
            f"is {best['gain']:.4f} ± {best['gain_error']:.4f} of f(0), at s = {best['s']}. With "
            "twice as many iterations for both and the same c, which the paper does not do: lower "
            f"at s = {_ranges(longer['better'])}, higher at {_ranges(longer['worse'])}, no clear "
            f"difference at {_ranges(longer['equal'])}.",
            f"lower or higher means by more than {SURE:g} standard errors of the paired "
            "difference. reproduced: lower at some s and higher at none; partly: lower at some s",
            judge(reproduced=bool(better) and not worse, partly=bool(better)),
        )
    ]


def _sides(means: Table, length: int) -> dict[str, list[int]]:
    """Sparsities at which regularized IHT is better, worse or neither."""
    sides: dict[str, list[int]] = {"better": [], "worse": [], "equal": []}
    for row in means:
        if row["length"] == length:
            margin = max(SURE * row["gain_error"], NOTHING)
            side = "better" if row["gain"] > margin else "worse" if row["gain"] < -margin else ""
            sides[side or "equal"].append(row["s"])
    return sides


def _ranges(numbers: Iterable[int]) -> str:
    """Write 1, 2, 3, 7 as "1–3, 7"."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    text = ", ".join(str(p[0]) if len(p) == 1 else f"{p[0]}–{p[-1]}" for p in parts)
    return text or "none"


def _summary(means: Table) -> Table:
    shown = [row for row in means if row["s"] % 5 == 0]
    return [
        {
            "s": str(row["s"]),
            "iterations": "240" if row["length"] == 1 else "480, c kept",
            "IHT": f"{row['iht']:.5f}",
            "regularized IHT": f"{row['regiht']:.5f}",
            "difference": f"{row['gain']:+.5f} ± {row['gain_error']:.5f}",
        }
        for row in sorted(shown, key=lambda row: (row["length"], row["s"]))
    ]


def _diverging_share(size: Size) -> float:
    """Share of runs that diverge when columns are not scaled."""
    s = size.check_sparsities[0]
    problem = make(size, s, 0, normalize=False)
    statuses = [
        str(result.status)
        for method in METHODS
        for result in regiht.solve_grid(
            problem.X, problem.y, s, step=step_grid(s), method=method, max_iter=size.iterations
        )
    ]
    return statuses.count("diverged") / len(statuses)


def _compare_with_listing(size: Size) -> tuple[float, float]:
    """Largest relative difference of curves, and seconds of one iteration of the listing."""
    worst, seconds, runs = 0.0, 0.0, 0
    for s in size.check_sparsities:
        problem = make(size, s, 0)
        objective = reference.LinearObjective(problem.X, problem.y)
        for method in METHODS:
            tried = step_grid(s)
            solves = regiht.solve_grid(
                problem.X, problem.y, s, step=tried, method=method, max_iter=size.iterations
            )
            step = tried[solves.best_index()]
            options: dict[str, Any] = {"step": step, "max_iter": size.iterations}
            ours = regiht.solve(problem.X, problem.y, s, method=method, history=True, **options)
            difference, spent = listing.compare_run(ours, objective, method, s, **options)
            worst, seconds, runs = max(worst, difference), seconds + spent, runs + 1
    return worst, seconds / (runs * size.iterations)


def draw(figure: Figure, outcome: Outcome) -> None:
    """Means on the left, differences on the right."""
    left, right = figure.subplots(1, 2)
    means = outcome.tables["means"]
    sparsities = column(means, "s", length=1)
    for method in METHODS:
        mean, error = (column(means, name, length=1) for name in (method, f"{method}_error"))
        left.plot(sparsities, mean, label=METHOD_NAMES[method], **pictures.STYLES[method])
        left.fill_between(
            sparsities, mean - error, mean + error, alpha=0.25, linewidth=0,
            color=pictures.STYLES[method]["color"],
        )  # fmt: skip
    left.set(title="Loss after 240 iterations", xlabel="s", ylabel="f(x) / f(0)")
    right.axhline(0.0, color="0.5", linewidth=1)
    names = {1: "240 iterations", 2: "480 iterations, c kept"}
    for position, length in enumerate(names):
        chosen = column(means, "s", length=length)
        gain, error = (column(means, name, length=length) for name in ("gain", "gain_error"))
        look = pictures.style(position)
        right.plot(chosen, gain, label=names[length], marker="." if length == 2 else "", **look)
        right.fill_between(
            chosen, gain - SURE * error, gain + SURE * error, alpha=0.25, linewidth=0,
            color=look["color"],
        )  # fmt: skip
    right.set(
        title="Above zero, regularized IHT is better", xlabel="s",
        ylabel="f(x) / f(0), IHT minus regularized IHT",
    )  # fmt: skip
    pictures.finish(left)
    pictures.finish(right)

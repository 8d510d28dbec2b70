"""Figure 2: year over all sparsities, and the effect of the weight step c."""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from regiht.reproduce import listing, pictures
from regiht.reproduce.excess import METHODS, Task, power_steps, prepare, prepare_rows
from regiht.reproduce.outcome import (
    METHOD_NAMES,
    Finding,
    ListingCheck,
    Outcome,
    Steps,
    Table,
    column,
    find,
    judge,
)
from regiht.reproduce.sources import Sources

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "fig2"
TITLE = "Figure 2: sparsities and weight steps on year"
ALT = (
    "Left: excess loss of regularized IHT divided by that of IHT for every sparsity; below one is "
    "better. Right: excess loss over the iterations for several weight steps c, and for IHT."
)

# The right panel: s and the step times s, of regularized IHT and of the IHT with the same move.
C_SPARSITY, C_STEP, C_PLAIN_STEP = 11, 4.0, 2.0
# Excess losses that differ by less than this part are the same.
TIE = 1e-3


@dataclass(frozen=True)
class Size:
    """How much to do; c is a multiple of s/iterations, and its runs are `patience` times longer."""

    year_rows: int
    sparsities: tuple[int, ...]
    iterations: int
    steps: int
    multiples: tuple[float, ...]
    patience: int
    check_rows: int
    check_sparsities: tuple[int, ...]
    check_iterations: int
    sample_iterations: int


FULL = Size(
    year_rows=463_715, sparsities=tuple(range(1, 31)), iterations=800, steps=8,
    multiples=(0.25, 0.5, 1.0, 2.0, 8.0, 100.0), patience=8,
    check_rows=2_000, check_sparsities=(1, 5, 11, 30), check_iterations=200, sample_iterations=5,
)  # fmt: skip
QUICK = Size(
    year_rows=20_000, sparsities=tuple(range(1, 31)), iterations=800, steps=8,
    multiples=(0.25, 0.5, 1.0, 2.0, 8.0, 100.0), patience=8,
    check_rows=500, check_sparsities=(1, 11), check_iterations=100, sample_iterations=5,
)  # fmt: skip


def parameters(size: Size, sources: Sources) -> dict[str, Any]:
    """All that the result depends on."""
    return {"size": asdict(size), "data": [sources.year(size.year_rows).facts]}


def count_steps(size: Size, sources: Sources) -> int:
    """For the progress bar."""
    del size, sources
    return 6


def run(size: Size, sources: Sources, steps: Steps) -> Outcome:
    """Solve for all sparsities and steps, then for all weight steps."""
    source = sources.year(size.year_rows)
    steps.begin(f"{source.label}: data and dense optimum")
    task = prepare(source.load())
    ratios, seconds = _ratios(source.label, task, size, steps)
    steps.begin("weight steps")
    curves, more = listing.timed(_weight_step_curves, source.label, task, size)
    steps.begin(f"numpy listing on {size.check_rows} rows")
    small = prepare_rows(source.load(), size.check_rows)
    difference = _compare_with_listing(small, size)
    steps.begin("timing the listing")
    sample = listing.seconds_per_iteration(
        task.objective(), C_SPARSITY, 1.0 / C_SPARSITY, size.sample_iterations
    )
    runs = 2 * size.steps * len(size.sparsities)
    long_runs = size.patience * (len(size.multiples) + 1)
    check = ListingCheck(
        compared=(
            f"first {size.check_rows} rows, s = {', '.join(map(str, size.check_sparsities))}, "
            f"{size.check_iterations} iterations: final values of all steps that converge, and one "
            "curve for every weight step"
        ),
        largest_difference=difference,
        sample=f"{size.sample_iterations} iterations of each algorithm on all of the data",
        listing_seconds=sample * (runs + long_runs) * size.iterations,
        our_seconds=seconds + more,
    )
    return Outcome(
        tables={"ratios": ratios, "weight-steps": curves},
        findings=[
            _ratio_finding(ratios, stand_in=source.stand_in),
            _weight_step_finding(curves, stand_in=source.stand_in),
            _limit_finding(curves, stand_in=source.stand_in),
        ],
        summary=_summary(source.label, curves),
        listing=check,
        notes=[
            (
                f"Right: c = s/{size.iterations} times the multiple named. All runs are "
                f"{size.patience} times longer than that, so that slow schedules end too."
            ),
        ],
        stand_ins=source.stand_in,
    )


def _ratios(label: str, task: Task, size: Size, steps: Steps) -> tuple[Table, float]:
    """Best excess of both algorithms for every sparsity."""
    best: dict[str, dict[int, tuple[float, float]]] = {}
    seconds = 0.0
    for method in METHODS:
        steps.begin(f"{METHOD_NAMES[method]}: {len(size.sparsities)} sparsities")
        best[method] = {}
        for s in size.sparsities:
            tried = power_steps(s, size.steps)
            solves, spent = listing.timed(task.grid, method, s, tried, size.iterations)
            winner = solves.best_index()
            best[method][s] = (2.0**winner, float(task.excess(solves[winner].fun)))
            seconds += spent
    rows = [
        {
            "data": label, "s": s,
            "iht_step_times_s": best["iht"][s][0], "iht_excess": best["iht"][s][1],
            "regiht_step_times_s": best["regiht"][s][0], "regiht_excess": best["regiht"][s][1],
            "ratio": best["regiht"][s][1] / best["iht"][s][1],
        }
        for s in size.sparsities
    ]  # fmt: skip
    return rows, seconds


def _weight_step_curves(label: str, task: Task, size: Size) -> Table:
    """Curves for every multiple of c, and of IHT (multiple "IHT") with the same move."""
    s, iterations = C_SPARSITY, size.patience * size.iterations
    runs = {"IHT": task.solve("iht", s, step=C_PLAIN_STEP / s, max_iter=iterations)}
    for multiple in size.multiples:
        runs[f"{multiple:g}"] = task.solve(
            "regiht", s, step=C_STEP / s, max_iter=iterations,
            weight_step=multiple * s / size.iterations,
        )  # fmt: skip
    return [
        {
            "data": label, "multiple": name, "iteration": t, "fun": f,
            "excess": float(task.excess(f)),
        }
        for name, result in runs.items()
        for t, f in enumerate(listing.whole_curve(result, iterations), 1)
        if t <= 100 or t % 10 == 0 or t == iterations
    ]  # fmt: skip


def _ratio_finding(rows: Table, *, stand_in: bool) -> Finding:
    ratios, sparsities = column(rows, "ratio"), column(rows, "s")
    least = int(np.argmin(ratios))
    reduction = 1.0 - ratios[least]
    better = int(np.count_nonzero(ratios < 1.0 - TIE))
    worse = int(np.count_nonzero(ratios > 1.0 + TIE))
    return find(
        "year, s = 1 to 30: up to 40 % less excess loss than IHT.",
        f"At most {100 * reduction:.1f} % less (at s = {sparsities[least]}); less at {better} of "
        f"{len(rows)} sparsities, more at {worse} (up to {100 * (ratios.max() - 1):.1f} % more).",
        "reproduced: 35 % or more at some s, and less excess at more sparsities than not; partly: "
        "less at more sparsities than more",
        judge(reproduced=reduction >= 0.35 and better > len(rows) / 2, partly=better > worse),
        stand_in=stand_in,
    )


def _ends(curves: Table) -> dict[str, tuple[float, int]]:
    """Final excess, and the first iteration within 1 % of it, by multiple."""
    ends = {}
    for name in dict.fromkeys(row["multiple"] for row in curves):
        excess = column(curves, "excess", multiple=name)
        iterations = column(curves, "iteration", multiple=name)
        near = np.flatnonzero(np.abs(excess - excess[-1]) > 0.01 * abs(excess[-1]))
        arrived = 0 if near.size == 0 else min(int(near[-1]) + 1, len(excess) - 1)
        ends[name] = (float(excess[-1]), int(iterations[arrived]))
    return ends


def _weight_step_finding(curves: Table, *, stand_in: bool) -> Finding:
    ends = _ends(curves)
    names = sorted((name for name in ends if name != "IHT"), key=float)
    final = [ends[name][0] for name in names]
    arrival = [ends[name][1] for name in names]
    pairs = list(itertools.pairwise(final))
    no_worse = all(a <= b * (1.0 + TIE) for a, b in pairs)
    slower = all(a >= b for a, b in itertools.pairwise(arrival))
    listed = ", ".join(f"{name}: {ends[name][0]:.5f} after {ends[name][1]}" for name in names)
    return find(
        "A smaller c gives a lower error at the cost of more iterations.",
        f"Multiple of s/T, excess, iterations to come within 1 % of it: {listed}.",
        "reproduced: every smaller c ends at most as high and takes at least as long; partly: the "
        "smallest c ends lower than the largest and takes longer",
        judge(
            reproduced=no_worse and slower and final[0] < final[-1],
            partly=final[0] < final[-1] and arrival[0] > arrival[-1],
        ),
        stand_in=stand_in,
    )


def _limit_finding(curves: Table, *, stand_in: bool) -> Finding:
    ends = _ends(curves)
    largest = max((name for name in ends if name != "IHT"), key=float)
    gap = abs(ends[largest][0] / ends["IHT"][0] - 1.0)
    return find(
        "For large c regularized IHT becomes IHT.",
        f"At the largest multiple, {largest}, the excess is {ends[largest][0]:.5f}; of IHT with "
        f"the same move {ends['IHT'][0]:.5f}.",
        "reproduced: within 0.1 % of each other; partly: within 5 %",
        judge(reproduced=gap <= TIE, partly=gap <= 0.05),
        stand_in=stand_in,
    )


def _summary(label: str, curves: Table) -> Table:
    return [
        {
            "data": label,
            "c": "IHT" if name == "IHT" else f"{name}·s/T",
            "final excess loss": f"{excess:.5f}",
            "iterations to within 1 %": str(arrived),
        }
        for name, (excess, arrived) in _ends(curves).items()
    ]


def _compare_with_listing(task: Task, size: Size) -> float:
    """Largest relative difference to the listing."""
    objective, n = task.objective(), task.X.shape[1]
    worst = 0.0
    for s in size.check_sparsities:
        for method in METHODS:
            solves = task.grid(method, s, power_steps(s, size.steps), size.check_iterations)
            for step, result in zip(power_steps(s, size.steps), solves, strict=True):
                if result.success:
                    theirs = listing.SOLVERS[method](
                        objective, n, s, step=step, max_iter=size.check_iterations, history=False
                    )
                    worst = max(worst, listing.curve_difference([result.fun], [theirs.fun]))
    for multiple in size.multiples:
        options = {
            "step": C_STEP / C_SPARSITY, "max_iter": size.check_iterations,
            "weight_step": multiple * C_SPARSITY / size.check_iterations,
        }  # fmt: skip
        ours = task.solve("regiht", C_SPARSITY, **options)
        if ours.success:
            compared = listing.compare_run(ours, objective, "regiht", C_SPARSITY, **options)
            worst = max(worst, compared[0])
    return worst


def draw(figure: Figure, outcome: Outcome) -> None:
    """Ratios on the left, weight steps on the right."""
    mark = " (stand-in)" if outcome.stand_ins else ""
    left, right = figure.subplots(1, 2)
    rows = outcome.tables["ratios"]
    left.axhline(1.0, color="0.5", linewidth=1)
    left.plot(column(rows, "s"), column(rows, "ratio"), marker="o", **pictures.STYLES["regiht"])
    left.set(title=f"year{mark}", xlabel="s", ylabel="excess: regularized IHT / IHT")
    pictures.finish(left, legend=False)
    curves = outcome.tables["weight-steps"]
    for position, name in enumerate(dict.fromkeys(row["multiple"] for row in curves)):
        right.plot(
            column(curves, "iteration", multiple=name), column(curves, "excess", multiple=name),
            label="IHT" if name == "IHT" else f"c = {name}·s/T", **pictures.style(position),
        )  # fmt: skip
    right.set(
        title=f"year{mark}, s = {C_SPARSITY}, step {C_STEP:g}/s", xlabel="iteration",
        ylabel="(f(x) − f(x**)) / f(0)", xscale="log", yscale="log",
    )  # fmt: skip
    pictures.finish(right)

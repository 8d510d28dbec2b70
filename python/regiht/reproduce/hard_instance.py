"""The instance of the lower bound, on which IHT is stuck (figure 3, left)."""

from __future__ import annotations

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

NAME = "hard-instance"
TITLE = "Figure 3, left: the instance on which IHT is stuck"
ALT = (
    "Left: loss over the iterations from the bad start; IHT is a flat line and regularized IHT "
    "falls. Right: the decrease in percent for several sparsities s′."
)


@dataclass(frozen=True)
class Size:
    """How much to do; the curves are those of `sparsity`, the others are in the table."""

    kappa: int
    s: int
    delta: float
    sparsity: int
    sparsities: tuple[int, ...]
    iterations: int
    check_sparsities: tuple[int, ...]
    check_iterations: int


FULL = Size(20, 2, 1e-3, 440, (200, 300, 400, 440, 452, 480), 800, (200, 440), 400)
QUICK = Size(20, 2, 1e-3, 440, (200, 440, 480), 800, (440,), 100)


def parameters(size: Size, sources: Sources) -> dict[str, Any]:
    """All that the result depends on."""
    del sources
    return {"size": asdict(size)}


def count_steps(size: Size, sources: Sources) -> int:
    """For the progress bar."""
    del sources
    return len(size.sparsities) + 2


def run(size: Size, sources: Sources, steps: Steps) -> Outcome:
    """Solve from the bad start for several s′, and from where IHT gets away."""
    del sources
    curves: Table = []
    decreases: Table = []
    seconds = 0.0
    for sparsity in size.sparsities:
        steps.begin(f"s′ = {sparsity}")
        for method in ("iht", "regiht"):
            result, spent = listing.timed(_solve, size, sparsity, method)
            seconds += spent
            if sparsity == size.sparsity:
                curves += _curve_rows(size, method, result)
            decreases.append(_decrease_row(size, sparsity, method, result))
    steps.begin("where IHT escapes")
    escapes = _escapes(size)
    steps.begin("numpy listing")
    difference, one_run = _compare_with_listing(size)
    runs = 2 * len(size.sparsities) * size.iterations / size.check_iterations
    check = ListingCheck(
        compared=(
            f"the whole instance, s′ = {', '.join(map(str, size.check_sparsities))}, "
            f"{size.check_iterations} iterations: curves of both algorithms"
        ),
        largest_difference=difference,
        sample=f"one run of {size.check_iterations} iterations",
        listing_seconds=one_run * runs,
        our_seconds=seconds,
    )
    return Outcome(
        tables={"curves": curves, "decreases": decreases},
        findings=_findings(size, curves, decreases),
        summary=[*_summary(decreases), *escapes],
        listing=check,
        notes=[
            (
                "The paper gives neither δ nor s′. δ = 0 is no fixed point in floating point, as "
                f"exact ties are broken by rounding; {size.delta:g} is used."
            ),
            "That IHT is stuck depends on the start and the step: see the last rows of the table.",
        ],
    )


def make(size: Size, sparsity: int) -> datasets.HardInstance:
    """Build the instance with a bad start of so many entries."""
    return datasets.hard_instance(size.kappa, size.s, size.delta, sparsity)


def _solve(size: Size, sparsity: int, method: MethodName, **options: Any) -> regiht.Result:
    problem = make(size, sparsity)
    given: dict[str, Any] = {"x0": problem.x_bad, "step": 1.0 / problem.beta} | options
    return regiht.solve(
        problem.X, problem.y, sparsity, method=method, max_iter=size.iterations, history=True,
        **given,
    )  # fmt: skip


def _start_value(size: Size, sparsity: int) -> float:
    problem = make(size, sparsity)
    return regiht.solve(problem.X, problem.y, sparsity, x0=problem.x_bad, max_iter=0).fun


def _curve_rows(size: Size, method: str, result: regiht.Result) -> Table:
    values = [_start_value(size, size.sparsity), *listing.whole_curve(result, size.iterations)]
    return [{"method": method, "iteration": t, "fun": f} for t, f in enumerate(values)]


def _decrease_row(size: Size, sparsity: int, method: str, result: regiht.Result) -> dict[str, Any]:
    start = _start_value(size, sparsity)
    return {
        "sparsity": sparsity, "method": method, "start": start, "fun": result.fun,
        "decrease": 1.0 - result.fun / start, "status": str(result.status),
        "moved": float(np.max(np.abs(result.x - make(size, sparsity).x_bad))),
    }  # fmt: skip


def _findings(size: Size, curves: Table, decreases: Table) -> list[Finding]:
    plain = column(curves, "fun", method="iht")
    still = bool(np.all(plain == plain[0]))
    moved = column(decreases, "moved", method="iht")
    falls = column(decreases, "decrease", method="regiht")
    chosen = float(column(decreases, "decrease", method="regiht", sparsity=size.sparsity)[0])
    ratio = 1.0 / (1.0 - chosen)
    return [
        Finding(
            "From the bad start IHT never decreases the error.",
            f"s′ = {size.sparsity}: f = {plain[0]:.4g} at the start and {plain[-1]:.4g} after "
            f"{size.iterations} iterations; over all s′ no entry of x moved by more than "
            f"{moved.max():g}.",
            "reproduced: the loss never changes, and for every s′ the last iterate is the start, "
            "bit for bit; not reproduced otherwise",
            judge(reproduced=still and bool(np.all(moved == 0.0)), partly=False),
        ),
        Finding(
            "Regularized IHT reduces the loss by more than 70 %, almost by a factor of 5.",
            f"s′ = {size.sparsity}: {100 * chosen:.1f} %, a factor of {ratio:.2f}. Over all s′: "
            f"{100 * falls.min():.1f} to {100 * falls.max():.1f} %.",
            f"reproduced: more than 70 % for every s′, and a factor above 4.5 at s′ = "
            f"{size.sparsity}; partly: more than 70 % for some s′",
            judge(
                reproduced=bool(falls.min() > 0.7) and ratio > 4.5, partly=bool(falls.max() > 0.7)
            ),
        ),
    ]


def _summary(decreases: Table) -> Table:
    return [
        {
            "s′": str(row["sparsity"]), "algorithm": METHOD_NAMES[row["method"]],
            "start and step": "bad start, 1/β", "loss": f"{row['start']:.2f} → {row['fun']:.2f}",
            "decrease": f"{100 * row['decrease']:.1f} %",
        }
        for row in decreases
    ]  # fmt: skip


def _escapes(size: Size) -> Table:
    """Where plain IHT gets away: a step slightly larger, and a start at zero."""
    problem = make(size, size.sparsity)
    zero = np.zeros_like(problem.x_bad)
    tries: dict[str, dict[str, Any]] = {
        "bad start, 1.01/β": {"step": 1.01 / problem.beta},
        "x = 0, 1/β": {"x0": zero},
    }
    rows = []
    start = _start_value(size, size.sparsity)
    for name, options in tries.items():
        result = _solve(size, size.sparsity, "iht", **options)
        rows.append({
            "s′": str(size.sparsity), "algorithm": METHOD_NAMES["iht"], "start and step": name,
            "loss": f"{result.fun:.2f}", "decrease": f"{100 * (1 - result.fun / start):.1f} %",
        })  # fmt: skip
    return rows


def _compare_with_listing(size: Size) -> tuple[float, float]:
    """Largest relative difference of the curves, and seconds of one run of the listing."""
    worst, seconds, runs = 0.0, 0.0, 0
    for sparsity in size.check_sparsities:
        problem = make(size, sparsity)
        objective = reference.LinearObjective(problem.X, problem.y)
        for method in ("iht", "regiht"):
            options: dict[str, Any] = {
                "step": 1.0 / problem.beta, "max_iter": size.check_iterations, "x0": problem.x_bad,
            }  # fmt: skip
            ours = regiht.solve(
                problem.X, problem.y, sparsity, method=method, history=True, **options
            )
            difference, spent = listing.compare_run(ours, objective, method, sparsity, **options)
            worst, seconds, runs = max(worst, difference), seconds + spent, runs + 1
    return worst, seconds / runs


def draw(figure: Figure, outcome: Outcome) -> None:
    """Curves on the left, decreases on the right."""
    left, right = figure.subplots(1, 2)
    curves, decreases = outcome.tables["curves"], outcome.tables["decreases"]
    for method in ("iht", "regiht"):
        left.plot(
            column(curves, "iteration", method=method), column(curves, "fun", method=method),
            label=METHOD_NAMES[method], **pictures.STYLES[method],
        )  # fmt: skip
        right.plot(
            column(decreases, "sparsity", method=method),
            100 * column(decreases, "decrease", method=method),
            label=METHOD_NAMES[method], marker="o", **pictures.STYLES[method],
        )  # fmt: skip
    left.set(
        title="From the bad start, step 1/β", xlabel="iteration", ylabel="f(x)", ylim=(0, None)
    )
    right.axhspan(70, 80, color="0.5", alpha=0.15, label="the paper: 70 to 80 %")
    right.set(title="Decrease of the loss", xlabel="s′", ylabel="percent", ylim=(-5, 100))
    pictures.finish(left)
    pictures.finish(right, loc="center left")

"""How good the answers are: supports recovered, and objectives at exactly s.

    python bench/quality.py recovery                     # mean F1 of planted supports, 100 × 800
    python bench/quality.py recovery --s 20 --seeds 5
    python bench/quality.py values                       # every rival on the named problems
    python bench/quality.py values --problem recovery --problem riboflavin

Rivals that cannot be installed side by side are run by `run.py`, each where it is, and judged
together:

    python bench/run.py --rival adelie_path --problem reuters --out adelie.csv
    python bench/quality.py values --rival ours_best --problem reuters --records adelie.csv

The values do not depend on how busy the machine is. Times are processor times, which do so little.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import warnings
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import judge
import numpy as np
import problems
import record
import rivals
import run
from measure import print_table, ratio_text, seconds_text, timed, use_threads

import regiht
from regiht import datasets

OURS = "regiht, method best"
NAMED = (
    *("recovery-5", "recovery-10", "recovery", "recovery-30", "recovery-40", "riboflavin"),
    *("year-small", "rcv1-small", "year-like", "rcv1-like", "reuters", "farm_ads"),
)
# Who takes part in recovery, besides our own methods: all are made for squared loss.
RECOVERERS = ("sklearn_omp", "sklearn_lasso", "skglm_mcp", "abess_best_subset")
PACKAGES = ("scikit-learn", "abess", "skscope", "celer", "skglm", "adelie")
WITHIN = 1e-6  # of the best rival's value: no worse
CLOSE = 1e-2  # a rival that comes so near is one whose time counts


def recovery_problem(s: int, seed: int) -> problems.BenchProblem:
    made = datasets.recovery(s=s, seed=seed)
    return problems.BenchProblem(
        "recovery", made.X, made.y, made.loss, {s: 16.0}, 240, standardize=False,
        planted=np.flatnonzero(made.coef),
    )  # fmt: skip


def recoverers() -> Iterator[tuple[str, Any]]:
    """Names, and functions from a problem and s to columns and coefficients."""
    for method in regiht.methods():
        yield f"regiht, {method}", lambda p, s, m=method: ours(p, s, m)
    for file in RECOVERERS:
        adapter = rivals.load(file)
        if adapter is not None:
            yield adapter.name, adapter.solve


def ours(problem: problems.BenchProblem, s: int, method: str) -> tuple[Any, Any]:
    result = regiht.solve(problem.X, problem.y, s, method=method, n_threads=1)
    return result.support, result.x[result.support]


def f1(problem: problems.BenchProblem, s: int, solve: Any) -> float:
    support, coef = solve(problem, s)
    chosen = judge.cut(support, coef, s)
    return 2 * np.intersect1d(chosen, problem.planted).size / (len(chosen) + s)


def print_recovery(arguments: argparse.Namespace) -> None:
    warnings.simplefilter("ignore")  # rivals warn of their own convergence
    rows = []
    for name, solve in recoverers():
        solve(recovery_problem(5, 0), 5)  # compiles, for those that do
        cells, total = [], 0.0
        for s in arguments.s or (5, 10, 20, 30, 40):
            made = [recovery_problem(s, seed) for seed in range(arguments.seeds)]
            scores, seconds = timed(lambda m=made, s=s, f=solve: [f1(p, s, f) for p in m])
            cells.append(f"{np.mean(scores):.3f}")
            total += seconds
        rows.append([name, *cells, seconds_text(total / arguments.seeds / len(cells))])
        print(rows[-1], flush=True)
    header = [f"s = {s}" for s in arguments.s or (5, 10, 20, 30, 40)]
    print(f"\nmean F1 of the support over {arguments.seeds} seeds, 100 × 800 without noise\n")
    table = print_table(["", *header, "mean time"], rows)
    if arguments.record:
        record.save("recovery", table, PACKAGES)


def print_values(arguments: argparse.Namespace) -> None:
    arguments.problem = arguments.problem or [n for n in NAMED if n in problems.available()]
    groups: dict[tuple[str, int], list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        earlier = (each for file in arguments.records for each in read_records(file))
        for each in chain(run.records(arguments, Path(folder)), earlier):
            if each["problem"] in arguments.problem:
                print(run.line(each), flush=True)
                groups.setdefault((each["problem"], each["s"]), []).append(each)
    losses = [loss for (problem, s), group in groups.items()
              for loss in judge_group(problem, s, group)]  # fmt: skip
    if arguments.record:
        runs = [each for group in groups.values() for each in group]
        record.save("values", runs, PACKAGES)
    print(f"\nWorse than the best rival by more than {WITHIN:g}: {'; '.join(losses) or 'nowhere'}")


def read_records(file: Path) -> Iterator[dict[str, Any]]:
    """What `run.py` wrote."""
    numbers = ("value", "value_at_zero", "seconds_first", "seconds", "memory_mb")
    with file.open(newline="") as lines:
        for row in csv.DictReader(lines):
            known = {name: float(row[name]) for name in numbers if row[name]}
            yield (
                {name: row[name] for name in ("problem", "rival", "status")}
                | known
                | {"s": int(row["s"])}
            )


def judge_group(problem: str, s: int, records: list[dict[str, Any]]) -> list[str]:
    """Print a table of one problem at one s; say where we are behind."""
    usable = [r for r in records if "value" in r]
    mine = next((r for r in usable if r["rival"] == OURS), None)
    if mine is None:
        return [f"{problem}, s = {s}: {OURS} has no value"]
    best = min(r["value"] for r in usable)
    others = [r for r in usable if not r["rival"].startswith("regiht")]
    rows = []
    for each in sorted(usable, key=lambda r: r["value"]):
        excess = (each["value"] - best) / max(abs(best), 1e-12 * each["value_at_zero"])
        ratio = each["seconds"] / mine["seconds"]
        value, seconds = f"{each['value']:.9g}", seconds_text(each["seconds"])
        status = each["status"]
        rows.append([each["rival"], value, f"{excess:.2e}", seconds, ratio_text(ratio), status])
    print(f"\n### {problem}, s = {s}\n")
    print_table(["", "value", "over the best", "time", "time / ours", ""], rows)
    silent = [f"{r['rival']} ({r['status']})" for r in records if "value" not in r]
    print(f"\nwithout an answer: {', '.join(silent) or 'nobody'}\n", flush=True)
    if not others:
        return []
    least = min(r["value"] for r in others)
    slack = max(WITHIN * abs(least), 1e-12 * mine["value_at_zero"])
    near = [r for r in others if r["value"] <= best + CLOSE * abs(best) + slack]
    if near:
        fastest = min(near, key=lambda r: r["seconds"])
        ratio = ratio_text(fastest["seconds"] / mine["seconds"])
        print(f"fastest rival within {CLOSE:.0%} of the best: {fastest['rival']}, {ratio} × ours\n")
    else:
        print(f"no rival within {CLOSE:.0%} of the best\n")
    if mine["value"] <= least + slack:
        return []
    return [f"{problem}, s = {s}: {mine['value']:.9g} against {least:.9g}"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    recovery = commands.add_parser("recovery", help="F1 of planted supports")
    recovery.add_argument("--s", type=int, action="append")
    recovery.add_argument("--seeds", type=int, default=20)
    recovery.set_defaults(function=print_recovery)
    values = commands.add_parser("values", help="objectives at exactly s")
    values.add_argument("--problem", action="append", help=f"of {', '.join(problems.NAMES)}")
    values.add_argument("--rival", action="append", choices=rivals.ADAPTERS)
    values.add_argument("--s", type=int, action="append")
    values.add_argument("--time-limit", type=float, default=120.0, metavar="SECONDS")
    values.add_argument("--records", type=Path, action="append", default=[], metavar="CSV",
                        help="of runs that were made before, by run.py")  # fmt: skip
    values.set_defaults(function=print_values, quick=False)
    for command in (recovery, values):
        record.add_option(command)
    arguments = parser.parse_args()
    use_threads(1)
    arguments.function(arguments)


if __name__ == "__main__":
    main()

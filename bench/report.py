"""The results of bench/run.py as a markdown table and a picture.

python bench/report.py [bench/results/run.csv]
"""

from __future__ import annotations

import argparse
import csv
from itertools import groupby
from pathlib import Path
from typing import Any

from measure import seconds_text

RESULTS = Path(__file__).parent / "results"
# Okabe and Ito's colours, and marks for those who cannot tell them apart.
LOOKS = [
    ("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "v"), ("#E69F00", "D"),
    ("#56B4E9", "P"), ("#000000", "X"), ("#999999", "*"), ("#882255", "<"), ("#117733", ">"),
]  # fmt: skip
FLOOR = 1e-6

Record = dict[str, str]


def read(path: Path) -> dict[tuple[str, str], list[Record]]:
    """Records by problem and sparsity, in the order of the file."""
    with path.open(newline="") as file:
        records = list(csv.DictReader(file))
    return {key: list(group) for key, group in groupby(records, lambda r: (r["problem"], r["s"]))}


def excess(record: Record, group: list[Record]) -> float:
    """The part of the best possible gain over f(0) that this run missed."""
    best = min(float(r["value"]) for r in group if r["value"])
    gain = float(record["value_at_zero"]) - best
    return (float(record["value"]) - best) / gain if gain > 0 else 0.0


def table(groups: dict[tuple[str, str], list[Record]]) -> str:
    lines = []
    for (problem, s), group in groups.items():
        lines += ["", f"### {problem} ({group[0]['kind']}), s = {s}", ""]
        lines += ["| | value | gain missed | planted found | time | first call | memory |"]
        lines += ["|---|---|---|---|---|---|---|"]
        for r in group:
            cells = [r["rival"], r["status"], "", "", "", "", ""]
            if r["value"]:
                times = [seconds_text(float(r[name])) for name in ("seconds", "seconds_first")]
                note = "" if r["status"] == "ok" else f" ({r['status']})"
                cells[1:] = [f"{float(r['value']):.7g}{note}", f"{100 * excess(r, group):.3g} %",
                             r["planted"], *times, f"{float(r['memory_mb']):.0f} MB"]  # fmt: skip
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines[1:]) + "\n"


def draw(groups: dict[tuple[str, str], list[Record]], path: Path) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415  (optional)

    columns = min(3, len(groups))
    rows = -(-len(groups) // columns)
    figure = Figure(figsize=(5 * columns, 3.8 * rows + 0.8), layout="constrained")
    names = list(
        dict.fromkeys(r["rival"] for group in groups.values() for r in group if r["value"])
    )
    handles: dict[str, Any] = {}
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax, ((problem, s), group) in zip(axes, groups.items(), strict=False):
        for r in group:
            if r["value"]:
                color, mark = LOOKS[names.index(r["rival"]) % len(LOOKS)]
                height = max(excess(r, group), FLOOR)
                handles[r["rival"]] = ax.scatter(
                    float(r["seconds"]), height, color=color, marker=mark, s=60, label=r["rival"]
                )
        ax.set(xscale="log", yscale="log", title=f"{problem}, s = {s}",
               xlabel="seconds", ylabel=f"gain missed ({FLOOR:g}: at most)")  # fmt: skip
        ax.set_ylim(FLOOR / 2, 2)
        ax.grid(visible=True, alpha=0.3)
    for ax in axes[len(groups) :]:
        ax.set_axis_off()
    figure.suptitle("Lower left is better: the part of the best known gain over f(0) missed")
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=5)
    figure.savefig(path, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("csv", type=Path, nargs="?", default=RESULTS / "run.csv")
    arguments = parser.parse_args()
    if not arguments.csv.exists():
        raise SystemExit(f"{arguments.csv} is not there: run bench/run.py first")
    groups = read(arguments.csv)
    text = table(groups)
    print(text)
    arguments.csv.with_suffix(".md").write_text(text)
    try:
        draw(groups, arguments.csv.with_suffix(".png"))
    except ImportError:
        print('No picture without matplotlib: pip install "regiht[plot]"')
    print(f"written: {arguments.csv.with_suffix('.md')} and, if drawn, .png beside it")


if __name__ == "__main__":
    main()

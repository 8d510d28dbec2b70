"""The picture of the README: objective at exactly s against time, everybody on real data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# Okabe and Ito's colours, and marks for those who cannot tell them apart.
LOOKS = {
    "regiht, best": ("#D55E00", "*", "regiht"),
    "regiht, omp": ("#0072B2", "o", "forward selection (OMP)"),
    "abess": ("#009E73", "s", "abess, at s"),
    "abess, path": ("#56B4E9", "D", "abess, 1 to s"),
    "skglm": ("#CC79A7", "v", "ℓ₁ path (skglm)"),
    "liblinear l1": ("#E69F00", "^", "ℓ₁ (liblinear)"),
}
PANELS = {"table": "tables", "text": "text"}
TOP = 3.0  # what is further above the best stands at the edge


def why(kept: dict[str, Any], file: Path, metadata: dict[str, str]) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415  (optional)

    figure = Figure(figsize=(9.0, 4.2), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    for ax, (kind, title) in zip(axes, PANELS.items(), strict=True):
        results = [each for each in kept["figures"] if each["kind"] == kind]
        draw_panel(ax, results)
        names = dict.fromkeys(each["table"].split(",")[0].split(" (")[0] for each in results)
        ax.set_title(f"{title}: {', '.join(names)}", fontsize=9)
        ax.set_xlabel("processor seconds of a fit")
    axes[0].set_ylabel("objective at exactly s,\nabove the best that anybody found")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    figure.savefig(file, dpi=160, metadata=metadata)


def draw_panel(ax: Any, results: list[dict[str, Any]]) -> None:
    for who, (color, mark, label) in LOOKS.items():
        points = []
        for each in results:
            best = min(run["value"] for run in each["runs"] if "value" in run)
            points += [
                (run["seconds"], min(run["value"] / best, TOP))
                for run in each["runs"]
                if run["who"] == who and "value" in run
            ]
        if not points:
            continue
        seconds, ratios = zip(*points, strict=True)
        size = 150 if mark == "*" else 45
        ax.scatter(seconds, ratios, s=size, color=color, marker=mark, label=label, alpha=0.85,
                   edgecolor="white", linewidth=0.6, zorder=3, clip_on=False)  # fmt: skip
    ax.set(xscale="log", yscale="log", ylim=(0.95, TOP))
    ticks = {
        1.0: "best",
        1.1: "+10 %",
        1.25: "+25 %",
        1.5: "+50 %",
        2.0: "twice",
        TOP: "3× or more",
    }
    ax.set_yticks(list(ticks), list(ticks.values()), minor=False)
    ax.minorticks_off()
    ax.grid(visible=True, alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)

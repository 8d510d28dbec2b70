"""What pages show of each file of bench/results: a table, and where it came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import page_comparisons
import page_picture
import record
from measure import seconds_text
from page_text import source_text, table_text

Kept = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """A part of a page: which file it is made from, and how."""

    source: str
    write: Callable[[Kept], str]

    def text(self) -> str:
        if record.path(self.source).exists():
            return self.write(record.load(self.source))
        return f"`{COMMANDS[self.source]}` measures this and writes the table here."


@dataclass(frozen=True)
class Picture:
    source: str
    draw: Callable[[Kept, Path, dict[str, str]], None]


def as_printed(source: str, *columns: str, header: Sequence[str] = ()) -> Part:
    """The table that a script prints, or some of its columns under other names."""

    def write(kept: Kept) -> str:
        table = kept["figures"]
        chosen = [table["header"].index(column) for column in columns or table["header"]]
        names = header or [table["header"][k] for k in chosen]
        lines = [[row[k] for k in chosen] for row in table["rows"]]
        return f"{table_text(names, lines)}\n\n{source_text(kept)}"

    return Part(source, write)


def demonstration(kept: Kept) -> str:
    return f"```\n{kept['figures']['table']}\n```\n\n{source_text(kept)}"


def claims(kept: Kept) -> str:
    """A row for each claim of the paper, in the words of the report."""
    lines = [[each["claim"], each["measured"], each["verdict"]] for each in kept["figures"]]
    return f"{table_text(['claim', 'measured', 'verdict'], lines)}\n\n{source_text(kept)}"


def listing(kept: Kept) -> str:
    titles = {
        "rcv1-like": "stand-in for rcv1: 20 242 × 47 236 sparse, logistic",
        "reuters": "Reuters news (real): 11 305 × 16 979 sparse, logistic",
        "year-like": "stand-in for YearPredictionMSD: 463 715 × 90 dense, squared",
        "wide": "1000 × 100 000 dense Gaussian, squared",
        "recovery": "100 × 800 Gaussian, squared",
        "tiny": "20 × 50 Gaussian, squared",
    }
    header = kept["figures"]["header"]
    lines = []
    for cells in kept["figures"]["rows"]:
        row = dict(zip(header, cells, strict=True))
        mark = "" if row["numpy measured"] == "all" else " (estimated)"
        lines.append([
            titles.get(row["problem"], row["problem"]), f"{row['s']}, {row['iterations']}",
            row["gradients"], row["regiht"], row["× reference"] + mark,
            row["× paper's loop"] + mark,
        ])  # fmt: skip
    names = ["problem", "s, iterations", "full gradients", "time",
             "times as fast as the numpy listing", "as the paper's own loop"]  # fmt: skip
    return f"{table_text(names, lines)}\n\n{source_text(kept)}"


def disk(kept: Kept) -> str:
    found = kept["figures"]
    rows, cols = found["shape"]
    speeds = {
        kind: ", ".join(f"{each[kind]:.0f}" for each in found["passes"]) + " MB/s"
        for kind in ("disk", "cold")
    }
    lines = [
        ["the data", f"{rows} × {cols}, {found['gigabytes']:.3g} GB"],
        ["plain reads of the files, not in the page cache", speeds["disk"]],
        ["a cold pass over all columns (Aᵀv from the maps)", speeds["cold"]],
        *([fit_title(each), fit_text(each)] for each in found["fits"]),
    ]
    return f"{table_text(['', ''], lines)}\n\n{source_text(kept)}"


def large_text(kept: Kept) -> str:
    found = kept["figures"]
    rows, cols = found["shape"]
    lines = [
        [run["who"], f"{run['value']:.6g}" if "value" in run else run["status"],
         seconds_text(run["seconds"]) if "value" in run else "",
         f"{run['seconds'] / found['pass']:.0f}" if "value" in run else ""]
        for run in found["runs"]
    ]  # fmt: skip
    data = f"{rows} × {cols}, {found['entries']} entries"
    header = [data, "objective with 50 words, refitted", "time", "passes over the data"]
    return f"{table_text(header, lines)}\n\n{source_text(kept)}"


def fit_title(fit: Kept) -> str:
    limit = f"the process limited to {fit['limit_gigabytes']:g} GiB of its own"
    return f"`{fit['method']}`, logistic, s = 50, with intercept, {limit}"


def fit_text(fit: Kept) -> str:
    spent = f"{fit['seconds']:.3g} s, {fit['n_gradients']:.3g} full gradients"
    used = f"{fit['peak_own_megabytes']:.0f} MB used, {fit['read_gigabytes']:.3g} GB read"
    return f"{spent}, {used}, {fit['planted_found']} of 50 planted features found"


# What makes each file, as the pages want it.
COMMANDS = {
    "default": "python bench/default.py --record",
    "doubling": "python bench/doubling.py --record",
    "values": "python bench/quality.py values --record",
    "recovery": "python bench/quality.py recovery --record",
    "estimators": "python bench/estimators.py --splits 5 --methods best omp regiht --record",
    "listing": "python bench/listing.py --method regiht --record",
    "calls": "python bench/calls.py --record",
    "demo": "python bench/demo.py --record",
    "reproduce": "python bench/paper.py --record",
    "lowrank": "python bench/lowrank.py --record",
    "lowrank_recovery": "python bench/lowrank_recovery.py --parts 0.15 0.2 --record",
    "lowrank_table": "python bench/lowrank_table.py --case large jester --record",
    "lowrank_condition": "python bench/lowrank_condition.py --record",
    "lowrank_scale": "python bench/lowrank_scale.py --huge 50 --record",
    "lowrank_sweeps": "python bench/lowrank_scale.py --sweeps 50 --record",
    "cluster": "python bench/cluster.py --record",
    "cluster_delay": "python bench/cluster.py --small --delay 10 --record",
    "disk": "python bench/disk.py build/rows --methods regiht --iterations 100 --record",
    "disk_large": "python bench/disk.py build/more_rows --gigabytes 12 --methods regiht "
    "--iterations 100 --record",
    "conversion": "python bench/conversion.py build/text --record",
    "large_text": "python bench/large_text.py --record",
    "coverage_cpp": "python bench/coverage_cpp.py --record",
    "compile_cost": "python bench/compile_cost.py --record",
}

PARTS = {
    "why": Part("default", page_comparisons.why),
    "default": Part("default", page_comparisons.default),
    "doubling": as_printed("doubling"),
    "values": Part("values", page_comparisons.values),
    "gaps": Part("values", page_comparisons.gaps),
    "estimators": Part("estimators", page_comparisons.estimators),
    "demo": Part("demo", demonstration),
    "claims": Part("reproduce", claims),
    "listing": Part("listing", listing),
    "recovery": as_printed("recovery"),
    "calls": as_printed("calls", "call", "one thread", "speedup",
                        header=["call", "µs", "calls of two threads over those of one"]),
    "lowrank": as_printed("lowrank", "solver", "relative test error", "times ours"),
    "lowrank_recovery": as_printed("lowrank_recovery"),
    "lowrank_cases": as_printed("lowrank_table"),
    "lowrank_condition": as_printed("lowrank_condition"),
    "lowrank_scale": as_printed("lowrank_scale"),
    "lowrank_sweeps": as_printed("lowrank_sweeps"),
    "cluster": as_printed("cluster", "problem", "iterations", "rounds", "per iteration", "MB out",
                          "MB in"),
    "cluster_delay": as_printed("cluster_delay"),
    "disk": Part("disk", disk),
    "disk_large": Part("disk_large", disk),
    "conversion": as_printed("conversion"),
    "large_text": Part("large_text", large_text),
    "coverage_cpp": as_printed("coverage_cpp"),
    "compile_cost": as_printed("compile_cost"),
}  # fmt: skip
PICTURES = {"why": Picture("default", page_picture.why)}

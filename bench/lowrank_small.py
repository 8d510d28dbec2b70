"""Small problems: the default beside each single method, in value and in processor time.

    python bench/lowrank_small.py                       # 12 random problems of each kind
    python bench/lowrank_small.py --kind weighted --seeds 30
    python bench/lowrank_small.py --values FILE.json    # compare with the values in it, or write it

The rival of the default is whichever single method comes within one part in a million of its value
first. One thread, processor time, the shortest of the repeats.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import record
from lowrank_problems import SMALL_KINDS, small
from measure import best_of, print_table, ratio_text, seconds_text, use_threads

from regiht import lowrank

DEFAULT = "best"
SAME = 1e-6  # of the value
# Of f(0): a fit that is exact but for rounding.
EXACT = 1e-18


@dataclass(frozen=True)
class Compared:
    """One problem, solved by everybody."""

    name: str
    at_zero: float
    values: dict[str, float]
    seconds: dict[str, float]

    @property
    def ratio(self) -> float:
        """Time of the default over that of the quickest single method that is as good."""
        enough = self.values[DEFAULT] + self._tolerance(self.values[DEFAULT], SAME)
        others = [name for name in self.seconds if name != DEFAULT and self.values[name] <= enough]
        return self.seconds[DEFAULT] / min((self.seconds[name] for name in others), default=np.inf)

    @property
    def excess(self) -> bool:
        """Whether a single method is lower."""
        least = min(self.values.values())
        return self.values[DEFAULT] > least + self._tolerance(least, 1e-9)

    def against(self, before: float) -> int:
        """−1 if the default is lower than before, 1 if it is higher."""
        now = self.values[DEFAULT]
        if abs(now - before) <= self._tolerance(before, 1e-9):
            return 0
        return 1 if now > before else -1

    def _tolerance(self, value: float, part: float) -> float:
        return part * abs(value) + EXACT * self.at_zero


def compare(kind: str, seed: int, repeats: int, methods: list[str]) -> Compared:
    objective, rank = small(kind, seed)
    values, seconds = {}, {}
    for method in methods:
        found, seconds[method] = best_of(
            repeats,
            lambda m=method: lowrank.solve(objective, rank, method=m, n_threads=1),
            time.process_time,
        )
        values[method] = found.fun
    at_zero = objective.value(lowrank.Factors.zero(objective.shape))
    return Compared(f"{kind} {seed}", at_zero, values, seconds)


def row(kind: str, compared: list[Compared]) -> list[str]:
    ratios = [each.ratio for each in compared]
    default = [each.seconds[DEFAULT] for each in compared]
    return [
        kind,
        str(len(compared)),
        seconds_text(float(np.median(default))),
        seconds_text(max(default)),
        ratio_text(float(np.median(ratios))),
        ratio_text(max(ratios)),
        str(sum(each.excess for each in compared)),
    ]


def report_values(path: Path, compared: list[Compared]) -> None:
    """Write the values, or tell which of them are higher and lower than those in the file."""
    if not path.exists():
        found = {each.name: each.values[DEFAULT] for each in compared}
        path.write_text(json.dumps(found), encoding="utf-8")
        return
    before: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    signs = {each.name: each.against(before[each.name]) for each in compared}
    for sign, word in ((1, "higher"), (-1, "lower")):
        print(f"{word}: {', '.join(name for name, s in signs.items() if s == sign) or 'none'}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kind", choices=SMALL_KINDS, nargs="+", default=list(SMALL_KINDS))
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--only-default", action="store_true", help="for its values alone")
    parser.add_argument("--values", type=Path, help="values of the default to compare with")
    parser.add_argument("--each", action="store_true", help="print every problem")
    record.add_option(parser)
    arguments = parser.parse_args()
    use_threads(1)
    methods = [DEFAULT] if arguments.only_default else lowrank.methods()
    rows, everything = [], []
    for kind in arguments.kind:
        compared = [
            compare(kind, seed, arguments.repeats, methods) for seed in range(arguments.seeds)
        ]
        if arguments.each:
            for each in compared:
                times = {name: seconds_text(value) for name, value in each.seconds.items()}
                print(each.name, f"{each.ratio:.3g}", times, each.values, flush=True)
        everything += compared
        rows.append(row(kind, compared))
    header = [
        "objective",
        "problems",
        "default",
        "slowest",
        "times the quickest",
        "at most",
        "above",
    ]
    table = print_table(header, rows)
    if arguments.values is not None:
        report_values(arguments.values, everything)
    if arguments.record:
        record.save("lowrank_small", table)


if __name__ == "__main__":
    main()

"""Where the instructions of one run go, by function, whatever else the machine does.

    python bench/hotspots.py --problem recovery [--s N] [--method NAME] [--top N]

Runs the solve under `valgrind --tool=callgrind` in a process of its own, once with one run and once
with two more, and prints the difference by function: the matrix, the import and what is made once
for a Design are not in it. Valgrind has no AVX-512, so the code for AVX2 is what is counted. An
instruction is not a cycle: divisions and what waits for memory take more time than their share.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import problems
from measure import print_table
from scipy import sparse

import regiht

MORE_RUNS = 2
LINE = re.compile(r"^\s*([\d,]+) \(\s*[\d.]+%\)\s+(.*)$")
TEMPLATE = re.compile(r"<[^<>]*>")
LIBRARY = re.compile(r"^regiht::(v\d+_\d+::)?")


def run(arguments: argparse.Namespace, problem: problems.BenchProblem, runs: int) -> regiht.Result:
    """What is counted: the settings of listing.py, on one Design."""
    s = arguments.s or min(problem.factors)
    design = regiht.Design(problem.X, problem.standardize, problem.standardize)
    given = arguments.method in ("iht", "regiht")
    for _ in range(runs):
        result = regiht.solve(
            design, problem.y, s, loss=problem.loss, method=arguments.method, ridge=problem.ridge,
            step=problem.step(arguments.method, s) if given else None,
            max_iter=problem.max_iter, n_threads=1,
        )  # fmt: skip
    return result


def short(function: str) -> str:
    """The function's name without file, template arguments, parameters and library."""
    name = function.split(":", 1)[-1]
    while TEMPLATE.search(name):
        name = TEMPLATE.sub("", name)
    words = name.split("(")[0].split("[")[0].split()
    return LIBRARY.sub("", words[-1]) if words else function


def counts(arguments: argparse.Namespace, runs: int, file: Path) -> Counter[str]:
    """Instructions by function for so many runs, and of all under the empty name."""
    options = [
        f"--problem={arguments.problem}", f"--method={arguments.method}", f"--runs={runs}",
        *([f"--s={arguments.s}"] if arguments.s else []),
    ]  # fmt: skip
    subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", sys.executable, __file__,
         *options],
        check=True, capture_output=True, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    listing = subprocess.run(
        ["callgrind_annotate", "--threshold=100", str(file)], check=True, capture_output=True,
        text=True,
    ).stdout  # fmt: skip
    found: Counter[str] = Counter()
    for line in listing.splitlines():
        if match := LINE.match(line):
            name = "" if match[2] == "PROGRAM TOTALS" else short(match[2])
            found[name] += int(match[1].replace(",", ""))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problem", default="recovery", choices=problems.NAMES)
    parser.add_argument("--s", type=int)
    parser.add_argument("--method", default="regiht", choices=regiht.methods())
    parser.add_argument("--top", type=int, default=15, metavar="N", help="functions to show")
    parser.add_argument("--runs", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    problem = problems.load(arguments.problem)
    if arguments.runs:
        run(arguments, problem, arguments.runs)
        return
    if shutil.which("valgrind") is None:
        raise SystemExit("needs valgrind")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "callgrind.out"
        once = counts(arguments, 1, file)
        spent = counts(arguments, 1 + MORE_RUNS, file)
    spent.subtract(once)
    total = spent.pop("")
    result = run(arguments, problem, 1)
    print(f"{total / MORE_RUNS / 1e6:.2f} million instructions for each further run")
    print(f"{result.n_gradients:.1f} full gradients in the first")
    if sparse.issparse(problem.X):
        columns = problem.X.tocsc()[:, result.support]
        stored = columns.nnz / problem.X.nnz
        touched = np.unique(columns.indices).size / problem.X.shape[0]
        print(f"The last support has {stored:.1%} of the stored entries, in {touched:.1%} of rows")
    print()
    rows = [
        [name, f"{number / MORE_RUNS / 1e6:.2f}", f"{100 * number / total:.1f} %"]
        for name, number in spent.most_common(arguments.top)
    ]
    print_table(["function", "millions", "share"], rows)


if __name__ == "__main__":
    main()

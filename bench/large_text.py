"""Text of the size of all of rcv1, in memory: a fit beside one pass over it, and beside ℓ₁.

    python bench/large_text.py [--rows ROWS] [--time-limit SECONDS] [--record]

The fit is that of `SparseClassifier(50)`, in a process of its own, with one thread, in processor
time. The rival is liblinear's ℓ₁ with a bisection on its penalty until 50 words are left; what it
chose is judged by the same refit.
"""

from __future__ import annotations

import argparse

import default
import judge
import record
import rivals
from data_tables import Table
from limits import product_seconds
from measure import print_table, seconds_text, use_threads

import regiht
from regiht import datasets

COLUMNS, ENTRIES_OF_A_ROW, WORDS = 47_236, 74.6, 50


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=804_414)
    parser.add_argument("--time-limit", type=float, default=3600.0, help="of each, in seconds")
    record.add_option(parser)
    arguments = parser.parse_args()
    use_threads(1)
    made = datasets.rcv1_like(arguments.rows, COLUMNS, int(ENTRIES_OF_A_ROW * arguments.rows))
    table = Table("rcv1-like", made.X.tocsc(), made.y, "logistic", (WORDS,), "text")
    del made
    seconds = product_seconds(regiht.Design(table.X, center=True, scale=True), 1, 3)
    print(f"{table.title}, {table.X.nnz} entries: one pass takes {seconds_text(seconds)}")
    runs = []
    l1 = rivals.load("l1_logistic")
    for name, solve in [
        ("regiht, omp", lambda: default.ours(table, WORDS, "omp")),
        ("regiht, regiht", lambda: default.ours(table, WORDS, "regiht")),
        ("regiht, best", lambda: default.ours(table, WORDS, "best")),
        *([(l1.name, lambda: judge.cut(*l1.solve(table, WORDS), WORDS))] if l1 else []),
    ]:
        outcome = default.work_elsewhere(solve, 1, arguments.time_limit)
        if "support" in outcome:
            outcome["value"] = table.value(outcome.pop("support"))
        print(name, outcome, flush=True)
        runs.append({"who": name, **outcome})
    print_table(
        ["", "value", "time", "passes"],
        [[run["who"], f"{run['value']:.6g}", seconds_text(run["seconds"]),
          f"{run['seconds'] / seconds:.0f}"] for run in runs if "value" in run],
    )  # fmt: skip
    if arguments.record:
        figures = {"shape": table.X.shape, "entries": int(table.X.nnz), "pass": seconds}
        record.save("large_text", {**figures, "runs": runs}, ("scikit-learn",))


if __name__ == "__main__":
    main()

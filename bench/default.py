"""What a user waits for and gets: the default fit beside other methods and rivals.

    python bench/default.py                       # every table, values and processor times
    python bench/default.py --table mushrooms --table text
    python bench/default.py --record              # the picture and the table of the README

Each fit is that of `SparseClassifier` or `SparseRegressor`: columns centred and scaled, an
intercept, the default ridge. Rivals get the standardized columns; what everybody chose is judged by
the same refit. What a rival compiles is compiled before. Real tables and text come from
scikit-learn and from the folder that REGIHT_DATA names; rivals that are not installed are left out.
A process of its own for everybody, one thread, processor time, the shortest of the repeats.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import resource
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

import judge
import numpy as np
import record
import rivals
from data_tables import Table, tables
from measure import SHORT, best_of, mean_of, print_table, ratio_text, seconds_text, use_threads
from scipy import sparse

import regiht

METHODS = ("best", "omp", "regiht")
RIVALS = (
    "abess_best_subset",
    "abess_path",
    "skglm_mcp",
    "sklearn_omp",
    "l1_logistic",
    "sklearn_lasso",
)
PACKAGES = ("scikit-learn", "abess", "skglm")
SAME = 1e-3  # of the value: as good


def ours(table: Table, s: int, method: str) -> Any:
    """As the estimators do: by columns, centred and scaled, with an intercept."""
    X = table.X if sparse.issparse(table.X) else np.asfortranarray(table.X)
    return regiht.solve(
        X, table.y, s, method=method, loss=table.loss, ridge=table.ridge, intercept=True,
        center=True, scale=True, refit=True, n_threads=1,
    ).support  # fmt: skip


def contestants(table: Table) -> Iterator[tuple[str, Callable[[int], Any]]]:
    for method in METHODS:
        yield f"regiht, {method}", lambda s, m=method: ours(table, s, m)
    for file in RIVALS:
        adapter = rivals.load(file)
        if adapter is not None and adapter.accepts(table):
            yield adapter.name, lambda s, a=adapter: judge.cut(*a.solve(table, s), s)


def compile_rivals() -> None:
    """Let those that compile as they go do so, for every kind of table, before the processes."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 6))
    noisy = X[:, 0] + rng.standard_normal(40)
    adapters = [rivals.load(file) for file in RIVALS]
    for adapter in adapters:
        if adapter is None or not getattr(adapter, "compiles", False):
            continue
        for columns in (X, sparse.csc_matrix(X)):
            for loss, y in (("squared", noisy), ("logistic", (noisy > 0).astype(float))):
                adapter.solve(Table("small", columns, y, loss, (2,)), 2)


def work(answer: Connection, solve: Callable[[], Any], repeats: int, limit: float) -> None:
    def solve_in_time() -> Any:
        most = math.ceil(time.process_time() + limit)
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
        return solve()

    try:
        support, seconds = best_of(repeats, solve_in_time, time.process_time)
        if seconds < SHORT:  # a processor's clock may tick every few milliseconds only
            seconds = min(mean_of(SHORT, solve_in_time, time.process_time) for _ in range(repeats))
        answer.send({"support": support, "seconds": seconds})
    except Exception as error:  # whatever a rival raises
        answer.send({"status": f"{type(error).__name__}: {error}"})


def work_elsewhere(solve: Callable[[], Any], repeats: int, limit: float) -> dict[str, Any]:
    """Solve in a process that has the table already, and so many seconds of processor time."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(there, solve, repeats, limit))
    process.start()
    there.close()
    try:
        return here.recv()
    except EOFError:
        process.join()
        ended = process.exitcode == -signal.SIGXCPU
        return {"status": f"none in {limit:.0f} s" if ended else "ended without an answer"}
    finally:
        process.kill()
        process.join()


def compare(table: Table, s: int, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    records = []
    table.scaled, table.objective  # noqa: B018  (made before the clock starts)
    for name, solve in contestants(table):
        outcome = work_elsewhere(lambda f=solve: f(s), arguments.repeats, arguments.time_limit)
        if "support" in outcome:
            outcome["value"] = table.value(outcome.pop("support"))
        else:
            print(f"{name}: {outcome['status']}", flush=True)
        records.append({"who": name, **outcome})
    return records


def show(title: str, records: list[dict[str, Any]]) -> None:
    mine, omp = records[:2]
    usable = [r for r in records if "value" in r]
    rows = [
        [r["who"], f"{r['value']:.9g}", f"{r['value'] / mine['value'] - 1:.1e}",
         seconds_text(r["seconds"]), ratio_text(r["seconds"] / mine["seconds"])]
        for r in sorted(usable, key=lambda r: r["value"])
    ]  # fmt: skip
    print(f"\n### {title}\n")
    print_table(["", "value", "over best's", "time", "time / best's"], rows)
    print(f"\nbest / omp in time: {ratio_text(mine['seconds'] / omp['seconds'])}", flush=True)
    near = [
        r for r in usable
        if not r["who"].startswith("regiht") and r["value"] <= (1 + SAME) * mine["value"]
    ]  # fmt: skip
    if near:
        fastest = min(near, key=lambda r: r["seconds"])
        ratio = ratio_text(fastest["seconds"] / mine["seconds"])
        print(f"fastest rival as good: {fastest['who']}, {ratio} × our time", flush=True)


def summarize(results: list[dict[str, Any]]) -> None:
    ratios = [each["runs"][0]["seconds"] / each["runs"][1]["seconds"] for each in results]
    print(f"\nbest / omp in time: median {ratio_text(float(np.median(ratios)))}")
    slow = [
        f"{each['table']}, s = {each['s']}"
        for each in results
        if each["runs"][0]["seconds"] > max(0.1, 10 * each["runs"][1]["seconds"])
    ]
    print(f"more than ten times omp and than 0.1 s: {'; '.join(slow) or 'nowhere'}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--table", action="append", help="only tables whose name has this in it")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--time-limit", type=float, default=30.0, metavar="SECONDS",
                        help="of processor time, for each fit")  # fmt: skip
    record.add_option(parser)
    arguments = parser.parse_args()
    use_threads(1)
    warnings.simplefilter("ignore")  # rivals warn of their own convergence
    compile_rivals()
    results = []
    for make in tables():
        for table in make():
            name = f"{table.title}, {table.kind}"
            if arguments.table and not any(part in name for part in arguments.table):
                continue
            for s in table.sparsities:
                runs = compare(table, s, arguments)
                show(f"{table.title}, s = {s}", runs)
                results.append({"table": table.title, "kind": table.kind, "loss": table.loss,
                                "s": s, "runs": runs})  # fmt: skip
    summarize(results)
    if arguments.record:
        record.save("default", results, PACKAGES)


if __name__ == "__main__":
    main()

"""What a user waits for and gets: the default fit beside other methods and rivals, on tables.

    python bench/default.py                       # every table, values and processor times
    python bench/default.py --table mushroom --picture default.png

Each fit is that of `SparseClassifier` or `SparseRegressor`: columns centred and scaled, an
intercept, the default ridge. Rivals get the standardized columns; what everybody chose is judged by
the same refit. Real tables come from scikit-learn and from the folder that REGIHT_DATA names;
rivals that are not installed are left out. One thread, processor time, the shortest of the repeats.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import judge
import numpy as np
import problems
import rivals
from measure import best_of, print_table, ratio_text, seconds_text, use_threads

import regiht
from regiht import reference

METHODS = ("best", "omp", "regiht")
RIVALS = ("abess_best_subset", "skglm_mcp", "sklearn_omp", "l1_logistic", "sklearn_lasso")
RIDGE = {"logistic": 1e-4, "squared": 0.0}
SAME = 1e-3  # of the value: as good


@dataclass(frozen=True)
class Table:
    """Rows and columns with a target, and the numbers of features asked for."""

    name: str
    X: Any
    y: Any
    loss: str
    sparsities: tuple[int, ...]
    standardize: bool = True

    @property
    def ridge(self) -> float:
        return RIDGE[self.loss]

    @cached_property
    def scaled(self) -> Any:
        """What rivals get, who add an intercept of their own or are given a centred target."""
        centred = self.X - self.X.mean(axis=0)
        norms = np.sqrt((centred**2).sum(axis=0))
        return np.asfortranarray(centred / np.where(norms > 0, norms, 1.0))

    @cached_property
    def objective(self) -> reference.LinearObjective:
        """Without the intercept: for rivals who ask it where their penalty begins."""
        return reference.LinearObjective(self.scaled, self.y, self.loss, self.ridge)

    def value(self, support: Any) -> float:
        """The least objective on these columns, with an intercept: a column that has no penalty."""
        if self.loss == "squared":
            A = self.scaled[:, support]
            return float(0.5 * ((self.y - self.y.mean() - A @ self._least_squares(A)) ** 2).sum())
        return judge.refit_logistic(self.scaled[:, support], self.y, self.ridge)

    def _least_squares(self, A: Any) -> Any:
        return np.linalg.lstsq(A, self.y - self.y.mean(), rcond=None)[0]


def tables() -> Iterator[Callable[[], list[Table]]]:
    """Makers of tables: those whose data are not there make none."""
    yield mushroom
    yield digits
    yield breast_cancer
    yield gaussian
    yield adult


def mushroom() -> list[Table]:
    file = problems.DATA / "mushroom.npz"
    if not file.exists():
        return []
    with np.load(file) as arrays:
        X, y = arrays["X"].astype(float), (arrays["y"] > 0).astype(float)
    return [Table("mushroom", X, y, "logistic", (3, 5, 10))]


def digits() -> list[Table]:
    from sklearn.datasets import load_digits  # noqa: PLC0415

    data = load_digits()
    return [
        Table(f"digits, {k}", data.data, (data.target == k).astype(float), "logistic", (5, 20))
        for k in (1, 3, 8)
    ]


def breast_cancer() -> list[Table]:
    from sklearn.datasets import load_breast_cancer  # noqa: PLC0415

    data = load_breast_cancer()
    return [Table("breast cancer", data.data, data.target.astype(float), "logistic", (2, 3, 5, 10))]


def gaussian() -> list[Table]:
    made = []
    for rows in (19_000, 21_000, 100_000):
        rng = np.random.default_rng(0)
        X = rng.standard_normal((rows, 50))
        z = X[:, :20] @ (0.5 * rng.standard_normal(20))
        y = (rng.random(rows) < 1 / (1 + np.exp(-z))).astype(float)
        made.append(Table(f"{rows} × 50", X, y, "logistic", (20,)))
    rng = np.random.default_rng(1)
    X = rng.standard_normal((20_000, 300))
    y = X[:, :20] @ rng.standard_normal(20) + rng.standard_normal(20_000)
    return [*made, Table("20000 × 300", X, y, "squared", (20,))]


def adult() -> list[Table]:
    if "a9a" not in problems.available():
        return []
    problem = problems.load("a9a")
    X = problem.X.toarray()
    return [Table("a9a", X, (problem.y > 0).astype(float), "logistic", (10,))]


def ours(table: Table, s: int, method: str) -> Any:
    """As the estimators do: by columns, centred and scaled, with an intercept."""
    X = np.asfortranarray(table.X)
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


def compare(table: Table, s: int, repeats: int) -> list[dict[str, Any]]:
    records = []
    for name, solve in contestants(table):
        try:
            support, seconds = best_of(repeats, lambda f=solve: f(s), time.process_time)
        except Exception as error:  # whatever a rival raises
            if not records:
                raise
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
            continue
        value = table.value(support)
        records.append({"who": name, "value": value, "seconds": seconds})
    mine, omp = records[0], records[1]
    rows = [
        [r["who"], f"{r['value']:.9g}", f"{r['value'] / mine['value'] - 1:.1e}",
         seconds_text(r["seconds"]), ratio_text(r["seconds"] / mine["seconds"])]
        for r in sorted(records, key=lambda r: r["value"])
    ]  # fmt: skip
    print(f"\n### {table.name}, s = {s}\n")
    print_table(["", "value", "over best's", "time", "time / best's"], rows)
    print(f"\nbest / omp in time: {ratio_text(mine['seconds'] / omp['seconds'])}", flush=True)
    near = [r for r in records[3:] if r["value"] <= (1 + SAME) * mine["value"]]
    if near:
        fastest = min(near, key=lambda r: r["seconds"])
        ratio = ratio_text(fastest["seconds"] / mine["seconds"])
        print(f"fastest rival as good: {fastest['who']}, {ratio} × our time", flush=True)
    return records


def draw(results: dict[str, list[dict[str, Any]]], file: Path) -> None:
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(7.0, 4.5), layout="constrained")
    names = list(dict.fromkeys(r["who"] for records in results.values() for r in records))
    for number, name in enumerate(names):
        points = [
            (r["seconds"], r["value"] / min(o["value"] for o in records))
            for records in results.values()
            for r in records
            if r["who"] == name
        ]
        axes.loglog(*zip(*points, strict=True), "os^vDP*X"[number % 8], label=name, alpha=0.8)
    axes.set_xlabel("processor seconds")
    axes.set_ylabel("objective / the best anybody found")
    axes.legend(frameon=False)
    figure.savefig(file, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--table", action="append", help="only tables whose name has this in it")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--picture", type=Path, metavar="PNG")
    arguments = parser.parse_args()
    use_threads(1)
    warnings.simplefilter("ignore")  # rivals warn of their own convergence
    results = {}
    for make in tables():
        for table in make():
            if arguments.table and not any(part in table.name for part in arguments.table):
                continue
            for s in table.sparsities:
                results[f"{table.name}, s = {s}"] = compare(table, s, arguments.repeats)
    ratios = [records[0]["seconds"] / records[1]["seconds"] for records in results.values()]
    print(f"\nbest / omp in time: median {ratio_text(float(np.median(ratios)))}")
    slow = [
        name for name, records in results.items()
        if records[0]["seconds"] > max(0.1, 10 * records[1]["seconds"])
    ]  # fmt: skip
    print(f"more than ten times omp and than 0.1 s: {'; '.join(slow) or 'nowhere'}")
    if arguments.picture:
        draw(results, arguments.picture)


if __name__ == "__main__":
    main()

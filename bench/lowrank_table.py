"""The cases that users of low rank met, in one run: processor seconds, wall time, errors.

python bench/lowrank_table.py               # all but the largest
python bench/lowrank_table.py --case large  # one of them
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import lowrank_problems
import lowrank_rivals
import numpy as np
import record
from measure import print_table

from regiht import lowrank

RIDGES = (0.0, 0.1, 0.3, 1.0, 3.0)
RANKS = (1, 2, 3, 4, 6, 8)


def measured(run):
    """What a call returns, its processor seconds and its wall seconds."""
    processor, wall = time.process_time(), time.monotonic()
    answer = run()
    return answer, time.process_time() - processor, time.monotonic() - wall


def seconds(processor, wall):
    return f"{processor:.2f} ({wall:.2f})"


def completion(problem):
    return lowrank.Completion(problem.rows, problem.cols, problem.values, problem.shape)


def medium():
    problem = lowrank_problems.planted((2000, 1500), rank=8, part=0.1)
    for method in ("best", "regularized-iht", "alternating"):
        found, processor, wall = measured(
            lambda m=method: lowrank.solve(completion(problem), 8, method=m, n_threads=1)
        )
        error = problem.error(found.U * found.s, found.V)
        yield [f"2000 × 1500, rank 8, {method}", f"error {error:.4f}", seconds(processor, wall)]


def weighted():
    rng = np.random.default_rng(0)
    M = rng.standard_normal((24, 2)) @ rng.standard_normal((2, 20))
    M += 0.1 * rng.standard_normal(M.shape)
    objective = lowrank.Weighted(M, np.where(rng.random(M.shape) < 0.5, 1.0, 30.0))
    for rank in (2, 4):
        for method in ("best", "regularized-iht", "local-search", "regularized-local-search"):
            found, processor, wall = measured(
                lambda r=rank, m=method: lowrank.solve(objective, r, method=m)
            )
            yield [
                f"weighted 24 × 20, rank {rank}, {method}",
                f"f = {found.fun:.4g}",
                seconds(processor, wall),
            ]


def measurements():
    rng = np.random.default_rng(0)
    M = rng.standard_normal((12, 2)) @ rng.standard_normal((2, 10))
    C = rng.standard_normal((200, 12, 10))
    objective = lowrank.Measurements(C, np.tensordot(C, M, 2))
    found, processor, wall = measured(lambda: lowrank.solve(objective, 2))
    error = np.linalg.norm(found.matrix() - M) / np.linalg.norm(M)
    yield ["200 measurements of 12 × 10", f"error {error:.1e}", seconds(processor, wall)]


def large():
    problem = lowrank_problems.large(20_000, 10_000, 2_000_000)
    for threads in (1, 2):
        found, processor, wall = measured(
            lambda t=threads: lowrank.solve(completion(problem), 10, n_threads=t)
        )
        error = problem.error(found.U * found.s, found.V)
        name = f"20 000 × 10 000, 2 M entries, {threads} threads"
        yield [name, f"error {error:.5f}", seconds(processor, wall)]
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield ["the same, most memory with the data", f"{most:.0f} MB", ""]
    rival = lowrank_rivals.load("numba_als")
    if rival is None:
        return
    rival.complete(lowrank_problems.planted((60, 50), 3), 10)  # compiles
    for sweeps in (5, 7, 9):
        rival.SWEEPS = sweeps
        (left, right), processor, wall = measured(lambda: rival.complete(problem, 10))
        error = f"error {problem.error(left, right):.5f}"
        yield [f"the same, {rival.name}, {sweeps} sweeps", error, seconds(processor, wall)]


def blas():
    """In processes of their own, since the threads of BLAS are set when it is loaded."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import lowrank_table, lowrank_problems, time\n"
        "p = lowrank_problems.planted((1500, 1200), rank=8, part=0.1)\n"
        "f, cpu, wall = lowrank_table.measured(lambda: lowrank_table.lowrank.solve(\n"
        "    lowrank_table.completion(p), 8, method='regularized-iht'))\n"
        "print(f.fun.hex(), cpu, wall)\n"
    )
    for setting in ("", "1"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": setting}
        if not setting:
            del environment["OPENBLAS_NUM_THREADS"]
        folder = str(Path(__file__).resolve().parent)
        out = subprocess.run(
            [sys.executable, "-c", code, folder], env=environment, check=True,
            capture_output=True, text=True,
        ).stdout.split()  # fmt: skip
        name = f"1500 × 1200, OPENBLAS_NUM_THREADS={setting or 'unset'}"
        yield [name, f"f = {out[0]}", seconds(float(out[1]), float(out[2]))]


def no_signal():
    rng = np.random.default_rng(0)
    rows, cols = rng.integers(0, 4000, 200_000), rng.integers(0, 3000, 200_000)
    shape = (4000, 3000)
    noise = lowrank.Completion(rows, cols, rng.standard_normal(rows.size), shape)
    left, right = rng.standard_normal((4000, 8)), rng.standard_normal((3000, 8))
    signal = np.einsum("ij,ij->i", left[rows], right[cols])
    for name, objective in (
        ("noise alone", noise),
        ("a planted matrix", lowrank.Completion(rows, cols, signal, shape)),
    ):
        _, processor, wall = measured(
            lambda o=objective: lowrank.solve(
                o, 8, method="regularized-iht", max_iter=1, refine=0, n_threads=1
            )
        )
        yield [f"first step, {name}", "", seconds(processor, wall)]


def jester():
    data = lowrank_problems.jester()
    if data is None:
        yield ["Jester", "jester.npz is not in REGIHT_DATA", ""]
        return
    rows, cols, values, shape = data
    shuffled = np.random.default_rng(0).permutation(values.size)
    test, fit = np.split(shuffled, [round(0.1 * values.size)])
    for name, options in (
        ("6 ranks × 5 ridges", {"ridges": RIDGES}),
        ("6 ranks × 5 factor penalties", {"factor_penalties": (0, 20, 50, 100, 200)}),
    ):
        model = lowrank.LowRankCompletionCV(RANKS, n_threads=1, **options)
        _, processor, wall = measured(lambda m=model: m.fit((rows[fit], cols[fit], values[fit])))
        guess = model.predict(np.column_stack([rows[test], cols[test]]))
        error = np.sqrt(np.mean((guess - values[test]) ** 2))
        chosen = f"rank {model.rank_}, {max(model.ridge_, model.factor_penalty_):g}"
        yield [f"Jester, CV over {name}", f"RMSE {error:.4f} ({chosen})", seconds(processor, wall)]
    yield from new_rows(rows, cols, values, shape)


def new_rows(rows, cols, values, shape, hidden=1000):
    """Rows that were not fitted, from a few of their ratings; judged by all their other ones."""
    rng = np.random.default_rng(0)
    is_new = np.isin(np.arange(shape[0]), rng.permutation(shape[0])[:hidden])
    number = np.where(is_new, np.cumsum(is_new) - 1, np.cumsum(~is_new) - 1)
    new = is_new[rows]
    model = lowrank.LowRankCompletionCV(RANKS, ridges=RIDGES, n_threads=1)
    model.fit((number[rows[~new]], cols[~new], values[~new]))
    order = np.lexsort((rng.random(new.sum()), number[rows[new]]))
    i, j, v = number[rows[new]][order], cols[new][order], values[new][order]
    place = np.arange(i.size) - np.searchsorted(i, i)
    for given in (5, 10, 30):
        known = place < given
        X = np.full((hidden, shape[1]), np.nan)
        X[i[known], j[known]] = v[known]
        guess = model.complete(X)[i[~known], j[~known]]
        error = np.sqrt(np.mean((guess - v[~known]) ** 2))
        rest = v[known] - model.mean_ - model.column_effects_[j[known]]
        effect = np.bincount(i[known], rest, hidden) / (np.bincount(i[known], minlength=hidden) + 1)
        means = model.mean_ + model.column_effects_[j[~known]] + effect[i[~known]]
        plain = np.sqrt(np.mean((means - v[~known]) ** 2))
        yield [f"Jester, new rows with {given} ratings", f"RMSE {error:.3f}; means {plain:.3f}", ""]


CASES = {
    case.__name__: case for case in (medium, weighted, measurements, blas, no_signal, large, jester)
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--case", choices=list(CASES), nargs="+", default=list(CASES))
    record.add_option(parser)
    arguments = parser.parse_args()
    rows = [row for name in arguments.case for row in CASES[name]()]
    table = print_table(["case", "found", "processor seconds (wall)"], rows)
    if arguments.record:
        record.save("lowrank_table", table, ("numba",))


if __name__ == "__main__":
    main()

"""How near the full product Aᵀv and the low-rank sweep come to the speed of memory.

    python bench/limits.py [--small] [--repeats N]

The yardstick is a copy of 400 MB, counted as the bytes read and the bytes written. A product is
counted as the bytes that it must read once: the values, the row indices and the offsets of the
columns, and the vector. All matrices are larger than the caches, except with --small. A sweep is
counted as what it must read of the entries (28 bytes: numbers and values by rows and by columns)
and of the factors, read and written; its arithmetic grows with the square of the rank.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from lowrank_problems import large
from measure import best_of, print_table, ratio_text, seconds_text, use_threads
from problems import load
from scipy import sparse

import regiht
from regiht import lowrank


def copy_bandwidth(threads: int, repeats: int) -> float:
    """Bytes per second read and written by plain copies, one in every thread."""
    size = 50_000_000 // threads
    pairs = [(np.ones(size), np.zeros(size)) for _ in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        _, seconds = best_of(
            repeats, lambda: list(pool.map(lambda pair: np.copyto(pair[1], pair[0]), pairs))
        )
    return 2 * 8 * size * threads / seconds


def long_columns(rows: int, nnz: int) -> Any:
    """As many stored entries in fewer and longer columns: what the ends of columns cost."""
    length = min(1500, rows)
    rng = np.random.default_rng(2)
    columns = [np.sort(rng.choice(rows, length, replace=False)) for _ in range(nnz // length)]
    indptr = np.arange(len(columns) + 1) * length
    values = rng.standard_normal(indptr[-1])
    indices = np.concatenate(columns).astype(np.int32)
    return sparse.csc_matrix((values, indices, indptr.astype(np.int32)), (rows, len(columns)))


def matrices(small: bool) -> Iterator[tuple[str, Any, bool]]:
    """Name, matrix, and whether it is standardized."""
    rng = np.random.default_rng(0)
    rows, cols = (300, 2_000) if small else (2_000, 25_000)
    dense = rng.standard_normal((rows, cols))
    yield "dense row-major float64", dense, False
    yield "dense row-major float32", dense.astype(np.float32), False
    yield "dense column-major float64", np.asfortranarray(dense), False
    yield "dense column-major float64, standardized", np.asfortranarray(dense), True
    yield "dense column-major float32", np.asfortranarray(dense, dtype=np.float32), False
    del dense
    X = load("rcv1-small" if small else "rcv1-like").X.tocsc()
    yield "CSC float64, rcv1-like", X, False
    yield "CSC float64, rcv1-like, standardized", X, True
    yield "CSC float32, rcv1-like", X.astype(np.float32), False
    yield "CSC float64, columns of 1500 entries", long_columns(X.shape[0], X.nnz), False
    wide = sparse.csc_matrix((X.data, X.indices, X.indptr), shape=X.shape)
    wide.indices, wide.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    yield "CSC float64 int64, rcv1-like", wide, False
    yield "CSR float64, rcv1-like, as-is", X.tocsr(), False


def bytes_to_read(X: Any) -> int:
    matrix = X.nbytes if isinstance(X, np.ndarray) else 0
    if sparse.issparse(X):
        matrix = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    return matrix + 8 * X.shape[0]


def product_seconds(design: regiht.Design, threads: int, repeats: int) -> float:
    os.environ["REGIHT_NUM_THREADS"] = str(threads)
    v = np.random.default_rng(1).standard_normal(design.shape[0])
    _, seconds = best_of(repeats, lambda: design.rmatvec(v))
    return seconds


def sweep_cells(rank: int, small: bool, bandwidth: dict[int, float], repeats: int) -> list[str]:
    """One sweep over both factors of a completion, with one and with two threads."""
    problem = large(2_000, 1_000, 50_000) if small else large(40_000, 20_000, 4_000_000)
    objective = lowrank.Completion(problem.rows, problem.cols, problem.values, problem.shape)
    start = lowrank.solve(objective, rank, method="alternating", max_iter=1)
    A = lowrank.Factors(start.U, start.s, start.V)
    count = 28 * objective.observations + 2 * 8 * rank * sum(objective.shape)
    cells, seconds = [], {}
    for threads in (1, 2):
        _, seconds[threads] = best_of(repeats, lambda n=threads: objective.refined(A, n))
        speed = count / seconds[threads]
        cells += [seconds_text(seconds[threads]), f"{speed / 1e9:.2f}",
                  f"{100 * speed / bandwidth[threads]:.0f} %"]  # fmt: skip
    return [f"rank {rank}", f"{count / 1e6:.0f}", *cells, ratio_text(seconds[1] / seconds[2])]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="a quick look, in the caches")
    parser.add_argument("--repeats", type=int, default=7, help="the shortest time counts")
    arguments = parser.parse_args()
    use_threads(1)
    bandwidth = {threads: copy_bandwidth(threads, 3 * arguments.repeats) for threads in (1, 2)}
    for threads, speed in bandwidth.items():
        print(f"copy, {threads} thread(s): {speed / 1e9:.1f} GB/s read and written")
    rows = []
    for name, X, standardized in matrices(arguments.small):
        design = regiht.Design(X, center=standardized, scale=standardized, layout="as-is")
        cells, seconds = [], {}
        for threads in (1, 2):
            seconds[threads] = product_seconds(design, threads, arguments.repeats)
            speed = bytes_to_read(X) / seconds[threads]
            cells += [seconds_text(seconds[threads]), f"{speed / 1e9:.1f}",
                      f"{100 * speed / bandwidth[threads]:.0f} %"]  # fmt: skip
        size = f"{bytes_to_read(X) / 1e6:.0f}"
        rows.append([name, size, *cells, ratio_text(seconds[1] / seconds[2])])
    header = ["MB", "1 thread", "GB/s", "of copy", "2 threads", "GB/s", "of copy", "2 over 1"]
    print_table(["Aᵀv", *header], rows)
    print()
    sweeps = [
        sweep_cells(rank, arguments.small, bandwidth, arguments.repeats) for rank in (1, 5, 10, 20)
    ]
    print_table(["low-rank sweep", *header], sweeps)


if __name__ == "__main__":
    main()

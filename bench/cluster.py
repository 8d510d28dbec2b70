"""Rounds, bytes and time of fits on blocks, for 1, 2 and 4 worker processes on this machine.

    python bench/cluster.py [--small] [--delay MS]

Rounds and bytes are the same on every machine and in every run. Times are those of this machine,
where client, scheduler and workers share the cores: what is left of them after the solve in this
process is what Dask costs. With ``--delay`` workers are near, then so many milliseconds away, one
way, and the difference is compared with the model of docs/scale.md.
"""

from __future__ import annotations

import argparse
import itertools
import time
from typing import Any

import dask
import distributed
import numpy as np
import record
from cluster_delay import delayed_cluster
from measure import print_table, seconds_text

import regiht
import regiht.distributed
from regiht import datasets

BLOCKS = 8

# Messages of Dask, there and back, until blocks are loaded, prepared and found.
LOADING = 6


def problems(small: bool) -> dict[str, tuple[Any, Any, dict[str, Any]]]:
    year = datasets.year_like(20_000 if small else 463_715)
    rcv1 = datasets.rcv1_like(3_000, 8_000, 100_000) if small else datasets.rcv1_like()
    squared = {"s": 11, "center": True, "scale": True, "intercept": True}
    logistic = {"s": 10, "center": True, "scale": True, "loss": "logistic", "ridge": 0.1}
    return {
        "year, regiht": (year.X, year.y, squared | {"method": "regiht"}),
        "year, best": (year.X, year.y, squared | {"method": "best"}),
        "rcv1, regiht": (rcv1.X, rcv1.y, logistic | {"method": "regiht"}),
        "rcv1, omp": (rcv1.X, rcv1.y, logistic | {"method": "omp"}),
        "rcv1, best": (rcv1.X, rcv1.y, logistic | {"method": "best"}),
        "rcv1, best, intercept": (
            rcv1.X, rcv1.y, logistic | {"method": "best", "intercept": True}
        ),
    }  # fmt: skip


def cut(array: Any) -> list[Any]:
    bounds = np.linspace(0, array.shape[0], BLOCKS + 1).astype(int)
    return [array[a:b] for a, b in itertools.pairwise(bounds)]


def timed(function: Any, *arguments: Any, **options: Any) -> tuple[Any, float]:
    start = time.perf_counter()
    return function(*arguments, **options), time.perf_counter() - start


def fit(X: Any, y: Any, client: Any, options: dict[str, Any]) -> tuple[Any, float]:
    """Fit on the workers; loading the blocks there is not what is measured."""
    parts = [dask.delayed(each) for each in cut(X)]
    parts = client.persist(parts)
    distributed.wait(parts)
    return timed(regiht.distributed.solve, parts, cut(np.asarray(y, float)), client=client,
                 **options)  # fmt: skip


def compare(small: bool) -> dict[str, Any]:
    found, rows = {}, {}
    loaded = problems(small)
    for name, (X, y, options) in loaded.items():
        whole, seconds = timed(regiht.solve, X, y, n_threads=1, **options)
        here, local = timed(regiht.distributed.solve, cut(X), cut(np.asarray(y, float)), **options)
        assert here.support.tolist() == whole.support.tolist()
        spent = here.communication
        rows[name] = [
            name, str(here.n_iter), str(spent.rounds), f"{spent.rounds / here.n_iter:.2f}",
            f"{spent.bytes_out / 1e6:.2f}", f"{spent.bytes_in / 1e6:.2f}",
            seconds_text(seconds), seconds_text(local),
        ]  # fmt: skip
        found[name] = here
    for workers in (1, 2, 4):
        with (
            distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=":0", memory_limit=0
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            for name, (X, y, options) in loaded.items():
                there, seconds = fit(X, y, client, options)
                assert there.x.tobytes() == found[name].x.tobytes(), "bits differ"
                rows[name].append(seconds_text(seconds))
    head = ["problem", "iterations", "rounds", "per iteration", "MB out", "MB in", "solve",
            "blocks here", "1 worker", "2", "4"]  # fmt: skip
    return print_table(head, list(rows.values()))


def compare_with_model(small: bool, delay: float) -> dict[str, Any]:
    """The same fits with workers near and away: every round takes there and back."""
    names = ("year, regiht", "rcv1, omp", "rcv1, best")
    loaded = problems(small)
    seconds: dict[float, list[float]] = {}
    for away in (0.0, delay):
        with delayed_cluster(2, away) as client:
            fit(*loaded[names[0]][:2], client, loaded[names[0]][2])  # workers import what they need
            found = [
                min((fit(X, y, client, options) for _ in range(3)), key=lambda each: each[1])
                for X, y, options in map(loaded.get, names)
            ]
        seconds[away] = [each[1] for each in found]
    rows = []
    for name, near, far, (result, _) in zip(
        names, seconds[0.0], seconds[delay], found, strict=True
    ):
        rounds = result.communication.rounds + LOADING
        predicted = near + rounds * 2 * delay
        rows.append([name, str(result.communication.rounds), seconds_text(near),
                     seconds_text(predicted), seconds_text(far),
                     f"{far / predicted - 1:+.0%}"])  # fmt: skip
    return print_table(["problem", "rounds", "near", "predicted", "away", "off by"], rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="smaller relatives of the problems")
    parser.add_argument("--delay", type=float, default=0.0, help="milliseconds, one way")
    record.add_option(parser)
    arguments = parser.parse_args()
    if arguments.delay:
        name, table = "cluster_delay", compare_with_model(arguments.small, arguments.delay / 1e3)
    else:
        name, table = "cluster", compare(arguments.small)
    if arguments.record:
        record.save(name, table, ("dask", "distributed"))

"""Blocks on worker processes: the same bits wherever they are, and whoever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import types

import numpy as np
import pytest

import regiht
import regiht.distributed

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

S = 4
LOGISTIC = {"loss": "logistic", "ridge": 0.1, "intercept": True, "scale": True, "max_iter": 12}
SQUARED = {"ridge": 0.1, "center": True, "scale": True, "max_iter": 100}


def delayed(blocks):
    return [dask.delayed(each) for each in blocks]


def bits(result):
    return result.x.tobytes(), result.fun, result.intercept, result.n_iter, result.communication


def kill(client, count, at):
    """A callback that kills so many workers at an iteration."""
    pids = list(client.run(os.getpid).values())[:count]

    def callback(iteration):
        if iteration.number == at:
            for pid in pids:
                os.kill(pid, signal.SIGKILL)

    return callback


def test_the_bits_are_the_same_for_any_number_of_workers(make, cut, workers, client):
    settings = [LOGISTIC, SQUARED]
    problems = [make(each.get("loss", "squared"), is_sparse=True) for each in settings]
    here = [
        bits(regiht.distributed.solve(cut(X), cut(y), S, **each))
        for (X, y), each in zip(problems, settings, strict=True)
    ]
    for count in (2, 1, 4):
        workers(count)
        there = [
            bits(
                regiht.distributed.solve(delayed(cut(X)), delayed(cut(y)), S, client=client, **each)
            )
            for (X, y), each in zip(problems, settings, strict=True)
        ]
        assert there == here


@pytest.mark.parametrize("at", [1, 6])
def test_a_worker_that_is_killed_changes_no_bit(make, cut, client, at):
    X, y = make("logistic")
    here = regiht.distributed.solve(cut(X), cut(y), S, **LOGISTIC)
    there = regiht.distributed.solve(
        delayed(cut(X)), delayed(cut(y)), S, **LOGISTIC, callback=kill(client, 1, at)
    )
    assert bits(there) == bits(here)


def test_all_workers_but_one_may_be_killed(make, cut, workers, client):
    X, y = make("logistic")
    workers(3)
    here = regiht.distributed.solve(cut(X), cut(y), S, **LOGISTIC)
    there = regiht.distributed.solve(
        delayed(cut(X)), delayed(cut(y)), S, **LOGISTIC, callback=kill(client, 2, 2)
    )
    assert bits(there) == bits(here)


def test_a_worker_may_join_during_a_fit(make, cut, cluster, client):  # noqa: ARG001
    X, y = make("logistic")
    here = regiht.distributed.solve(cut(X), cut(y), S, **LOGISTIC)
    there = regiht.distributed.solve(
        delayed(cut(X)), delayed(cut(y)), S, **LOGISTIC,
        callback=lambda iteration: iteration.number == 2 and cluster.scale(3) and False,
    )  # fmt: skip
    assert bits(there) == bits(here)


def test_blocks_that_cannot_be_had_again_are_an_error_and_no_hang(make, cut, client):
    X, y = make("logistic")
    scattered = [dask.delayed(each) for each in client.scatter(cut(X), broadcast=False)]
    with pytest.raises(regiht.distributed.LostBlocksError, match="cannot be loaded again"):
        regiht.distributed.solve(
            scattered, delayed(cut(y)), S, **LOGISTIC, callback=kill(client, 2, 3)
        )


def test_a_cluster_without_workers_is_an_error_and_no_hang(make, cut, workers, client, monkeypatch):
    monkeypatch.setattr("regiht.distributed.dask_blocks._LOOK_AFTER", 0.2)
    monkeypatch.setattr("regiht.distributed.dask_blocks.PATIENCE", 1.0)
    X, y = make("logistic")
    workers(0)
    with pytest.raises(regiht.distributed.LostBlocksError, match="no worker for 1 seconds"):
        regiht.distributed.solve(delayed(cut(X)), delayed(cut(y)), S, client=client)


def test_a_bad_block_is_an_error_that_names_it(make, cut, client):
    X, y = make("logistic")
    X[200, 3] = np.nan
    with pytest.raises(regiht.InvalidArgumentError, match="block 2: X must not contain NaN"):
        regiht.distributed.solve(delayed(cut(X)), delayed(cut(y)), S, client=client)


def test_the_time_limit_ends_a_fit(make, cut, client):
    X, y = make("logistic")
    result = regiht.distributed.solve(
        delayed(cut(X)), delayed(cut(y)), S, loss="logistic", max_iter=10**6, step=1e-6,
        time_limit=2.0, client=client,
    )  # fmt: skip
    assert result.status == "time_limit"
    assert result.n_iter > 0


def loaded_when(exists, blocks):
    """Blocks that are there as soon as a file exists; workers cannot import this module."""

    def wait_for(block):
        import time  # noqa: PLC0415  (on a worker)

        for _ in range(600):
            if exists.exists():
                break
            time.sleep(0.1)
        return block

    return [dask.delayed(wait_for)(each) for each in blocks]


FITS = {
    "solve": lambda X, y, **options: regiht.distributed.solve(X, y, S, **options),
    "path": lambda X, y, **options: regiht.distributed.path(X, y, S, **options),
    "fit": lambda X, y, time_limit, client: regiht.distributed.fit(
        regiht.SparseRegressor(S, time_limit=time_limit), X, y, client=client
    ),
    "fit with cross-validation": lambda X, y, time_limit, client: regiht.distributed.fit(
        regiht.SparseRegressorCV([1, 2], time_limit=time_limit), X, y, client=client
    ),
}


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
def test_the_time_limit_did_not_bound_the_loading_of_blocks(make, cut, client, fit, tmp_path):
    X, y = make("squared")
    there = tmp_path / "there"
    with pytest.raises(TimeoutError, match="time_limit passed before all blocks of X were loaded"):
        fit(loaded_when(there, cut(X)), delayed(cut(y)), time_limit=0.2, client=client)
    there.touch()  # the workers still wait for it
    assert fit(delayed(cut(X)), delayed(cut(y)), time_limit=60.0, client=client)


def test_the_time_of_loading_counts_against_the_limit(make, cut, client, tmp_path):
    X, y = make("logistic")
    there = tmp_path / "there"
    release = threading.Timer(1.5, there.touch)
    release.start()
    seen = []
    result = regiht.distributed.solve(
        loaded_when(there, cut(X)), delayed(cut(y)), S, loss="logistic", max_iter=10**6, step=1e-6,
        time_limit=3.0, client=client, callback=lambda _: seen.append(time.monotonic()),
    )  # fmt: skip
    assert result.status == "time_limit"
    assert seen[-1] - seen[0] < 2.5


def test_ctrl_c_ends_a_fit_and_leaves_the_client_usable(make, cut, client):
    X, y = make("logistic")
    parts = delayed(cut(X)), delayed(cut(y))
    begun = threading.Event()

    def press():
        begun.wait(60)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        regiht.distributed.solve(
            *parts, S, loss="logistic", max_iter=10**6, step=1e-6, client=client,
            callback=lambda _: begun.set(),
        )  # fmt: skip
    assert regiht.distributed.solve(*parts, S, client=client).support.size == S


SCRIPT = """
import dask, numpy as np, os, regiht.distributed
from distributed import Client, LocalCluster

if __name__ == "__main__":
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
    client = Client(cluster)
    X = np.random.default_rng(0).normal(size=(100, 20))
    y = (X[:, 3] > 0).astype(float)
    parts = [dask.delayed(X[:50]), dask.delayed(X[50:])], [y[:50], y[50:]]
    print(*client.run(os.getpid).values(), flush=True)
    regiht.distributed.solve(*parts, 2, loss="logistic", max_iter=10**8, step=1e-6)
"""


@pytest.mark.slow
def test_a_client_that_is_killed_leaves_no_worker_behind(tmp_path):
    script = tmp_path / "fit.py"
    script.write_text(textwrap.dedent(SCRIPT))
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        pids = [int(pid) for pid in process.stdout.readline().split()]
        time.sleep(2)
        process.kill()
    assert len(pids) == 2
    deadline = time.monotonic() + 90
    while any(is_running(pid) for pid in pids):
        assert time.monotonic() < deadline, "workers outlive their client"
        time.sleep(0.2)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
        return file.read().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("when", ["while blocks are loaded", "in a fit"])
def test_a_fit_hung_when_all_workers_died_at_once_and_came_back(make, cut, client, when):
    def slowly(block):  # workers may not find the functions of this module
        time.sleep(0.5)
        return block

    X, y = make("logistic")
    here = regiht.distributed.solve(cut(X), cut(y), S, **LOGISTIC)
    callback = kill(client, 2, 3)
    if when == "while blocks are loaded":
        threading.Timer(0.4, callback, [types.SimpleNamespace(number=3)]).start()
        callback = None
    blocks = [dask.delayed(slowly)(each) for each in cut(X)]
    there = regiht.distributed.solve(blocks, delayed(cut(y)), S, **LOGISTIC, callback=callback)
    assert there.x.tobytes() == here.x.tobytes()
    assert (there.fun, there.n_iter) == (here.fun, here.n_iter)


def test_a_block_that_kills_its_worker_is_an_error_and_no_hang(make, cut, client):
    X, y = make("logistic")
    blocks = [dask.delayed(os._exit)(1), *cut(X)[1:]]
    with pytest.raises(regiht.distributed.LostBlocksError, match="died repeatedly"):
        regiht.distributed.solve(blocks, delayed(cut(y)), S, client=client)

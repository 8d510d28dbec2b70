"""Every rival on every problem: the value of what it chose, its time and its memory, as a CSV file.

    python bench/run.py --quick                               # small problems, a few minutes
    python bench/run.py --problem rcv1-like --rival ours --rival skglm_mcp
    python bench/report.py                                    # afterwards: a table and a picture

Each run is a process of its own on one thread. Its time is the processor time of `solve` in the
adapter, which other programs on the machine change little: for regiht, preparing the matrix
included; rivals get theirs standardized beforehand, which is not counted. The first call may
compile; the shortest of later calls, or of their means, is given beside it. Memory is the peak of
the process during the first call over what it held before. The gap is that to a lower bound on all
models of s columns, where the problem has a ridge; F1 that of the columns planted, where some are.
Rivals that are not installed, and runs that take longer than the limit of processor time, leave a
line that says so.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import json
import math
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import judge
import numpy as np
import problems
import rivals
from measure import SHORT, mean_of, seconds_text, timed

import regiht

RESULTS = Path(__file__).parent / "results"
FIELDS = ("problem", "kind", "s", "rival", "status", "value", "value_at_zero", "columns", "planted",
          "f1", "gap", "seconds_first", "seconds", "memory_mb")  # fmt: skip
WAITING = 6  # times the time limit on a busy machine
STATUS = Path("/proc/self/status")
QUICK = ("rcv1-small", "year-small", "recovery", "tiny")


def forget_peak() -> int:
    """What this process holds now, from where its peak counts; outside Linux the peak so far."""
    if not STATUS.exists():
        return peak_bytes()
    Path("/proc/self/clear_refs").write_text("5")
    return status_bytes("VmRSS")


def peak_bytes() -> int:
    """The most that this process has held; on Linux since `forget_peak`."""
    if STATUS.exists():
        return status_bytes("VmHWM")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def status_bytes(field: str) -> int:
    (line,) = [line for line in STATUS.read_text().splitlines() if line.startswith(field)]
    return 1024 * int(line.split()[1])


def work(problem_file: str, rival: str, s: int, time_limit: float) -> dict[str, Any]:
    """One run, in this process, which is ended after so many seconds of processor time."""
    limit = math.ceil(time_limit)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 10))
    with Path(problem_file).open("rb") as file:
        problem = pickle.load(file)
    adapter = rivals.load(rival)
    if adapter.module is not None:
        importlib.import_module(adapter.module)
        problem.scaled  # noqa: B018  (made before the clock starts)
    problem.objective  # noqa: B018
    warnings.simplefilter("ignore")  # rivals warn of their own convergence
    held = forget_peak()
    clock = time.process_time
    (support, coef), first = timed(lambda: adapter.solve(problem, s), clock)
    memory = max(0, peak_bytes() - held)
    room = clock() + 1.2 * first < time_limit
    again = timed(lambda: adapter.solve(problem, s), clock)[1] if room else first
    shortest = min(first, again)
    if shortest < SHORT:  # a processor's clock may tick every few milliseconds only
        shortest = min(mean_of(SHORT, lambda: adapter.solve(problem, s), clock) for _ in range(3))
    chosen = judge.cut(support, coef, s)
    known = problem.planted is not None
    hits = np.intersect1d(chosen, problem.planted).size if known else 0
    return {
        "status": "ok" if len(support) >= s else f"only {len(support)} columns",
        "value": judge.refit_value(problem, chosen),
        "value_at_zero": problem.objective.value(np.zeros(problem.X.shape[1])),
        "columns": len(support),
        "planted": int(hits) if known else "",
        "f1": 2 * hits / (len(chosen) + len(problem.planted)) if known else "",
        "seconds_first": first,
        "seconds": shortest,
        "memory_mb": memory / 1e6,
    }


def work_elsewhere(problem_file: Path, rival: str, s: int, time_limit: float) -> dict[str, Any]:
    """One run, in a process of its own."""
    variables = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
                 "REGIHT_NUM_THREADS")  # fmt: skip
    command = [sys.executable, __file__, "--worker", str(problem_file), rival, str(s)]
    command.append(str(time_limit))
    environment = os.environ | dict.fromkeys(variables, "1")
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=WAITING * time_limit,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"status": f"none in {time_limit:.0f} s"}
    if done.returncode == -signal.SIGXCPU:
        return {"status": f"none in {time_limit:.0f} s"}
    if done.returncode != 0:
        return {"status": "failed: " + (done.stderr.strip().splitlines() or ["no message"])[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def lower_bound(problem: Any, s: int) -> float | None:
    """What no model of s columns can beat, by our certificate, which needs a ridge."""
    return regiht.solve(
        problem.X, problem.y, s, method="omp", loss=problem.loss, ridge=problem.ridge,
        center=problem.standardize, scale=problem.standardize, certify=True,
    ).lower_bound  # fmt: skip


def records(arguments: argparse.Namespace, folder: Path) -> Any:
    """All runs, one after the other."""
    for name in arguments.problem or (QUICK if arguments.quick else problems.available()):
        problem = problems.load(name)
        problem_file = folder / "problem"
        with problem_file.open("wb") as file:
            pickle.dump(problem, file)
        for s in arguments.s or problem.factors:
            bound = lower_bound(problem, s)
            for rival in arguments.rival or rivals.ADAPTERS:
                adapter = rivals.load(rival)
                if adapter is None:
                    outcome = {"status": "not installed"}
                elif not adapter.accepts(problem):
                    outcome = {"status": "does not take it"}
                else:
                    outcome = work_elsewhere(problem_file, rival, s, arguments.time_limit)
                if bound is not None and "value" in outcome:
                    outcome["gap"] = (outcome["value"] - bound) / abs(outcome["value"])
                called = rival if adapter is None else adapter.name
                yield {"problem": name, "kind": problem.kind, "s": s, "rival": called, **outcome}


def line(record: dict[str, Any]) -> str:
    text = f"{record['problem']:<11} s = {record['s']:<4} {record['rival']:<24} {record['status']}"
    if "value" not in record:
        return text
    return (
        f"{text}, value {record['value']:.6g}, {seconds_text(record['seconds'])}, "
        f"{record['memory_mb']:.0f} MB"
    )


def main() -> None:
    if sys.argv[1:2] == ["--worker"]:
        problem_file, rival, s, time_limit = sys.argv[2:]
        print(json.dumps(work(problem_file, rival, int(s), float(time_limit))))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problem", action="append", help=f"of {', '.join(problems.NAMES)}")
    parser.add_argument("--rival", action="append", choices=rivals.ADAPTERS)
    parser.add_argument("--s", type=int, action="append")
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(QUICK)}")
    parser.add_argument("--time-limit", type=float, default=120.0, metavar="SECONDS",
                        help="of processor time, for all that one process does")  # fmt: skip
    parser.add_argument("--out", type=Path, default=RESULTS / "run.csv")
    arguments = parser.parse_args()
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    with arguments.out.open("w", newline="") as file, tempfile.TemporaryDirectory() as folder:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for record in records(arguments, Path(folder)):
            writer.writerow(record)
            file.flush()
            print(line(record), flush=True)
    print(f"written: {arguments.out}")


if __name__ == "__main__":
    main()

"""Fits without end from several threads, with everything that can disturb them; nothing may break.

    python bench/soak.py [--seconds 600] [--threads 8] [--seed 0]

Random sizes, storages, losses, methods, constraints and limits; callbacks that raise or stop;
cancellations and forks in between. Every answer is checked in a second way: its value against
numpy, its support against s, its bits against a repetition. The resident memory is compared between
a tenth of the way and the end. It ends with an error if anything was wrong.
"""

from __future__ import annotations

import argparse
import collections
import os
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import regiht
from regiht import reference


class StopError(Exception):
    """Raised by callbacks on purpose."""


def make_problem(rng: np.random.Generator) -> dict[str, Any]:
    """A call of `solve`, small enough to be made many times a second."""
    rows, cols = int(rng.integers(1, 60)), int(rng.integers(1, 60))
    X = np.round(rng.normal(size=(rows, cols)), int(rng.integers(0, 6)))
    X *= rng.random(cols) < 0.9
    loss = str(rng.choice(list(reference.LOSSES)))
    scores = X @ (rng.normal(size=cols) * (rng.random(cols) < 0.2)) + rng.normal(size=rows)
    y = {"logistic": scores > 0, "squared-hinge": scores > 0, "poisson": np.floor(np.abs(scores))}
    kind = int(rng.integers(4))
    storage = [np.asarray, np.asfortranarray, sparse.csr_array, sparse.csc_array][kind]
    options: dict[str, Any] = {
        "loss": loss, "ridge": float(rng.choice([0.01, 0.1, 1.0])),
        "method": str(rng.choice([m for m in regiht.methods() if m != "arht"])),
        "max_iter": int(rng.integers(1, 60)), "refit": bool(rng.random() < 0.3),
        "n_threads": int(rng.integers(1, 4)),
    }  # fmt: skip
    if rng.random() < 0.2:
        options["polish"] = "swap"
    dtype = np.float32 if rng.random() < 0.3 else np.float64
    return {
        "X": storage(X.astype(dtype)), "y": y.get(loss, scores).astype(float),
        "s": int(rng.integers(1, cols + 1)), **options,
    }  # fmt: skip


def check(call: dict[str, Any], result: regiht.Result) -> None:
    """Raise where the answer is not what it says it is."""
    X = call["X"].toarray() if sparse.issparse(call["X"]) else call["X"]
    objective = reference.LinearObjective(
        X.astype(float), call["y"], loss=call["loss"], ridge=call["ridge"]
    )
    if np.count_nonzero(result.coef) > call["s"]:
        raise AssertionError(f"{np.count_nonzero(result.coef)} features where {call['s']} may be")
    if result.status.value != "diverged":
        np.testing.assert_allclose(result.fun, objective.value(result.coef), rtol=1e-8, atol=1e-9)
    at_zero = objective.value(np.zeros(X.shape[1]))
    if result.success and result.fun > at_zero * (1 + 1e-9) + 1e-9:
        raise AssertionError(f"{result.fun} is above {at_zero}, the value of no feature at all")


def disturbed(call: dict[str, Any], rng: np.random.Generator, counts: collections.Counter) -> None:
    """A solve that something ends before its time."""
    how = rng.choice(["raise", "stop", "limit"])
    counts[str(how)] += 1
    when = int(rng.integers(1, 6))

    def watch(iteration: Any) -> bool:
        if iteration.number >= when and how == "raise":
            raise StopError
        return bool(iteration.number >= when and how == "stop")

    limit = 1e-4 if how == "limit" else None
    try:
        result = regiht.solve(**call, callback=watch, time_limit=limit)
    except StopError:
        return
    check(call, result)


def fork_and_solve(call: dict[str, Any]) -> None:
    child = os.fork()
    if child == 0:
        try:
            regiht.solve(**call)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise AssertionError(f"a forked child ended with {status}")


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def work(
    seed: int, number: int, deadline: float, counts: collections.Counter, failed: list[str]
) -> None:
    rng = np.random.default_rng([seed, number])
    while time.monotonic() < deadline and not failed:
        call = make_problem(rng)
        try:
            chance = rng.random()
            if chance < 0.2:
                disturbed(call, rng, counts)
            elif chance < 0.202 and hasattr(os, "fork"):
                counts["fork"] += 1
                fork_and_solve(call)
            else:
                result = regiht.solve(**call)
                check(call, result)
                if chance > 0.9:
                    counts["again"] += 1
                    np.testing.assert_array_equal(regiht.solve(**call).coef, result.coef)
            counts["fits"] += 1
        except Exception as error:  # whatever it is, it is what we look for
            small = {name: value for name, value in call.items() if name not in ("X", "y")}
            failed.append(f"{type(error).__name__}: {error}\n{small} of {call['X'].shape}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    counts: collections.Counter = collections.Counter()
    failed: list[str] = []
    begin = time.monotonic()
    deadline = begin + arguments.seconds
    threads = [
        threading.Thread(target=work, args=(arguments.seed, k, deadline, counts, failed))
        for k in range(arguments.threads)
    ]
    for each in threads:
        each.start()
    time.sleep(arguments.seconds / 10)
    early = resident_megabytes()
    for each in threads:
        each.join()
    late = resident_megabytes()
    counted = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    print(f"{counted} in {time.monotonic() - begin:.0f} s from {arguments.threads} threads")
    print(f"resident memory: {early:.0f} MB after a tenth of the time, {late:.0f} MB at the end")
    if failed:
        raise SystemExit("\n".join(failed))


if __name__ == "__main__":
    main()

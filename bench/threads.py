"""Two Python threads that each solve, against one: close to 1 means that nothing holds them up.

    python bench/threads.py [--problem NAME] [--repeats N]

Every solve runs on one thread of its own. The machine needs two idle cores for the ratio to mean
anything; `two processes` is what the machine itself allows and shows whether it had them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from measure import print_table, ratio_text, seconds_text, timed, use_threads
from problems import load

import regiht


def make_work(name: str, calls: int = 0) -> tuple[Any, int]:
    """A function that solves so many times; by default as often as makes it last."""
    problem = load(name)
    design = regiht.Design(problem.X, center=problem.standardize, scale=problem.standardize)
    s = min(problem.factors)

    def task() -> regiht.Result:
        return regiht.solve(
            design, problem.y, s, loss=problem.loss, ridge=problem.ridge,
            step=problem.step("regiht", s), max_iter=problem.max_iter, n_threads=1,
        )  # fmt: skip

    seconds = min(timed(task)[1] for _ in range(3))
    calls = calls or max(1, int(0.3 / seconds))

    def work() -> None:
        for _ in range(calls):
            task()

    return work, calls


def serve(name: str, calls: int, start: Any, done: Any) -> None:
    """A process that works whenever it is told to."""
    work, _ = make_work(name, calls)
    done.wait()
    while True:
        start.wait()
        work()
        done.wait()


def two_threads(pool: ThreadPoolExecutor, work: Any) -> None:
    barrier = threading.Barrier(2)

    def begin() -> None:
        barrier.wait()
        work()

    for future in [pool.submit(begin), pool.submit(begin)]:
        future.result()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problem", action="append")
    parser.add_argument("--repeats", type=int, default=7, help="the shortest time counts")
    arguments = parser.parse_args()
    use_threads(1)
    rows = []
    for name in arguments.problem or ("rcv1-like", "recovery", "tiny"):
        work, calls = make_work(name)
        context = multiprocessing.get_context("spawn")
        start, done = context.Barrier(3), context.Barrier(3)
        others = [
            context.Process(target=serve, args=(name, calls, start, done), daemon=True)
            for _ in range(2)
        ]
        for process in others:
            process.start()
        done.wait()
        one, threads, processes = [], [], []
        with ThreadPoolExecutor(2) as pool:
            for _ in range(arguments.repeats):  # taking turns, so that all meet the same load
                one.append(timed(work)[1])
                threads.append(timed(lambda w=work, p=pool: two_threads(p, w))[1])
                processes.append(timed(lambda s=start, d=done: (s.wait(), d.wait()))[1])
        for process in others:
            process.terminate()
        times = [min(one), min(threads), min(processes)]
        ratios = [ratio_text(seconds / min(one)) for seconds in times[1:]]
        rows.append([name, *map(seconds_text, times), *ratios])
    header = ["problem", "one thread", "two threads", "two processes", "threads / one",
              "processes / one"]  # fmt: skip
    print_table(header, rows)


if __name__ == "__main__":
    main()

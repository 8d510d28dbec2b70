"""Put known faults into the C++ sources, one at a time, and see that the tests notice each.

    python tests/mutation/run.py [--only NAME ...] [--test FILE ...] [--jobs N] [--list]

faults.toml lists the faults: a text of the sources and what it becomes, and the test that must fail
then. For each the sources are copied and the copy gets the fault. Of a fault in the headers or in
the library a file of cpp/tests is compiled against the copy, alone, and run; of one in the bindings
the Python module, and Python tests are run with it. A fault that crashes, or loops until the time
limit, is caught, too. Without a fault the same tests must pass. Needs clang++ (or what $CXX names),
the headers of Eigen, and doctest; for the bindings pybind11 and what the Python tests need.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from compiler import CompileError
from cpp_workshop import CppWorkshop
from extension_workshop import ExtensionWorkshop
from faults import Fault, problems_of, read_faults

Workshop = CppWorkshop | ExtensionWorkshop


def run(faults: list[Fault], jobs: int) -> bool:
    """Print what becomes of each; whether all are caught and the tests pass without any."""
    of_core = [fault for fault in faults if not fault.is_in_bindings]
    of_bindings = [fault for fault in faults if fault.is_in_bindings]
    judged = run_in(CppWorkshop, of_core, jobs) + run_in(ExtensionWorkshop, of_bindings, jobs)
    caught = sum(1 for fault, fine in judged if fault and fine)
    print(f"{caught} of {len(faults)} faults caught")
    return all(fine for _, fine in judged)


def run_in(kind: type[Workshop], faults: list[Fault], jobs: int) -> list[tuple[Fault | None, bool]]:
    """Each fault, and None for each test without one, with whether the test says what it should."""
    if not faults:
        return []
    work = [(test, fault) for test in sorted({fault.test for fault in faults})
            for fault in [None, *(f for f in faults if f.test == test)]]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        workshop = kind(Path(folder))
        good = list(pool.map(lambda item: judge(workshop, *item), work))
    return [(fault, fine) for (_, fault), fine in zip(work, good, strict=True)]


def judge(workshop: Workshop, test: str, fault: Fault | None) -> bool:
    """Print what the test says, and whether that is right."""
    try:
        found = workshop.outcome(test, fault)
    except CompileError as error:
        found = f"did not compile\n{error}"
    if fault is None:
        print(f"{test}: {found} without a fault", flush=True)
        return found == "passes"
    word = {"fails": "caught", "passes": "SURVIVED"}.get(found, found)
    print(f"{test}: {fault.name} ({fault.kind}): {word}", flush=True)
    return found in ("fails", "time limit")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="faults with these names")
    parser.add_argument("--test", nargs="+", metavar="FILE", help="faults for these test files")
    parser.add_argument("--jobs", type=int, default=1, help="compilers at a time")
    parser.add_argument("--list", action="store_true", help="check and print the list only")
    arguments = parser.parse_args()
    faults = read_faults()
    if problems := problems_of(faults):
        raise SystemExit("\n".join(problems))
    if arguments.only:
        if unknown := set(arguments.only) - {fault.name for fault in faults}:
            raise SystemExit(f"no such fault: {', '.join(sorted(unknown))}")
        faults = [fault for fault in faults if fault.name in arguments.only]
    if arguments.test:
        faults = [fault for fault in faults if fault.test in arguments.test]
    if arguments.list:
        for fault in faults:
            print(f"{fault.name}: {fault.kind}, in {fault.file}, for {fault.test}")
    elif not run(faults, arguments.jobs):
        sys.exit(1)


if __name__ == "__main__":
    main()

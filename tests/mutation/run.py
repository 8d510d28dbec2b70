"""Put known faults into the core, one at a time, and see that the tests notice each.

    python tests/mutation/run.py [--only NAME ...] [--test FILE ...] [--jobs N] [--list]

faults.toml lists the faults: a text of the sources and what it becomes, and the file of cpp/tests
that must fail then. For each the headers are copied, the copy gets the fault, and that test file
alone is compiled against the copy and run. A fault that loops until the time limit is caught, too.
Without a fault the same test file must pass. Needs clang++ (or what $CXX names), doctest and the
headers of Eigen.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

HERE = Path(__file__).resolve().parent
CPP = HERE.parents[1] / "cpp"
TESTS = CPP / "tests"
SOURCES = ("include", "library")  # folders of cpp that a fault may be in
FLAGS = ("-std=c++17", "-O0", "-pthread", "-ffp-contract=off", '-DREGIHT_VERSION="0"')
COMMON = ("doctest/doctest.h", "Eigen/Core", "Eigen/Cholesky", "Eigen/Eigenvalues", "Eigen/QR",
          "Eigen/SVD")  # fmt: skip
TIME_LIMIT = 60.0  # seconds of one run of a test file, far more than any needs


@dataclass(frozen=True)
class Fault:
    """One text of one source file, what it becomes, and the test file that must notice."""

    name: str
    kind: str
    file: str
    text: str
    becomes: str
    test: str

    def put_into(self, folder: Path) -> None:
        path = folder / self.file
        source = path.read_text()
        path.write_text(source.replace(self.text, self.becomes))

    def problem(self) -> str | None:
        """Why the list is wrong about this fault, if it is."""
        if not (TESTS / self.test).exists():
            return f"{self.name}: there is no {self.test}"
        if self.test.startswith("library/") and not self.file.startswith("library/"):
            return f"{self.name}: tests of the library are for faults in its source files"
        found = (CPP / self.file).read_text().count(self.text)
        return None if found == 1 else f"{self.name}: its text is {found} times in {self.file}"


def read_faults() -> list[Fault]:
    listed = tomllib.loads((HERE / "faults.toml").read_text())["fault"]
    return [Fault(**entry) for entry in listed]


def problems_of(faults: list[Fault]) -> list[str]:
    """What is wrong with the list itself."""
    twice = [name for name, count in Counter(fault.name for fault in faults).items() if count > 1]
    found = [f"{name}: two faults of this name" for name in twice]
    return found + [problem for fault in faults if (problem := fault.problem())]


def find_eigen() -> Path:
    """Where Eigen's headers are: in the environment (cmeel-eigen) or installed by the system."""
    places = [
        Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "include" / "eigen3",
        Path("/usr/include/eigen3"),
        Path("/usr/local/include/eigen3"),
    ]
    for place in places:
        if (place / "Eigen" / "Core").exists():
            return place
    raise SystemExit("Eigen's headers were not found: pip install cmeel-eigen==3.4.1")


class Workshop:
    """Compiles and runs single test files against copies of the sources, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._compiler = os.environ.get("CXX", "clang++")
        if shutil.which(self._compiler) is None:
            raise SystemExit(f"{self._compiler} was not found: $CXX names another compiler")
        self._flags = [*FLAGS, "-isystem", str(find_eigen())]
        self._with_common: list[str] = []
        self._prepare_common()
        self._main = self._compile(TESTS / "main.cpp", CPP, folder / "main.o")
        self._lock = Lock()
        self._library = lru_cache(maxsize=None)(self._compile_library)

    def _prepare_common(self) -> None:
        """What all test files include and no fault is in is read by the compiler only once."""
        header = self._folder / "common.hpp"
        header.write_text("".join(f"#include <{name}>\n" for name in COMMON))
        compiled = header.with_suffix(".hpp.gch")
        self._run_compiler("-x", "c++-header", str(header), "-o", str(compiled))
        self._with_common = ["-include", str(header)]

    def _run_compiler(self, *arguments: str) -> None:
        command = [self._compiler, *self._flags, *arguments]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise CompileError(done.stderr)

    def _compile(self, source: Path, root: Path, target: Path) -> Path:
        """Compile against the sources in `root`, which may hold a fault."""
        folders = (root / "include", root, CPP, TESTS)
        # The file that defines doctest's main must be the first to include it.
        common = [] if source.name == "main.cpp" else self._with_common
        self._run_compiler(
            *common, *(f"-I{folder}" for folder in folders), "-c", str(source), "-o", str(target)
        )
        return target

    def _compile_library(self, test: str) -> dict[str, Path]:
        """A test of the compiled library and the library itself, by source file."""
        sources = [TESTS / test, *(CPP / "library").glob("*.cpp"), *(CPP / "fuzz").glob("*.cpp")]
        sources.remove(CPP / "fuzz" / "main.cpp")
        return {
            str(source.relative_to(CPP)): self._compile(
                source, CPP, self._folder / f"{source.parent.name}_{source.stem}.o"
            )
            for source in sources
        }

    def outcome(self, test: str, fault: Fault | None) -> str:
        """Whether the test file passes with this fault, or without any."""
        with tempfile.TemporaryDirectory(dir=self._folder) as place:
            folder, root = Path(place), CPP
            if fault is not None:
                root = folder
                for name in SOURCES:
                    shutil.copytree(CPP / name, folder / name)
                fault.put_into(folder)
            try:
                return self._build_and_run(test, fault, root, folder)
            except CompileError as error:
                return f"did not compile\n{error}"

    def _build_and_run(self, test: str, fault: Fault | None, root: Path, folder: Path) -> str:
        program = folder / "test"
        objects = self._objects(test, fault, root, folder)
        self._run_compiler(str(self._main), *map(str, objects), "-o", str(program))
        try:
            done = subprocess.run([program, "--abort-after=1"], check=False, capture_output=True,
                                  cwd=folder, timeout=TIME_LIMIT)  # fmt: skip
        except subprocess.TimeoutExpired:
            return "time limit"
        return "passes" if done.returncode == 0 else "fails"

    def _objects(self, test: str, fault: Fault | None, root: Path, folder: Path) -> list[Path]:
        """The test file and what it is linked with; only what can have the fault is compiled."""
        if not test.startswith("library/"):
            return [self._compile(TESTS / test, root, folder / "test.o")]
        with self._lock:
            objects = dict(self._library(test))
        if fault is not None:
            objects[fault.file] = self._compile(root / fault.file, root, folder / "fault.o")
        return list(objects.values())


class CompileError(Exception):
    """What the compiler said."""


def run(faults: list[Fault], jobs: int) -> bool:
    """Print what becomes of each; whether all are caught."""
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        tests = sorted({fault.test for fault in faults})
        work = [(test, fault) for test in tests
                for fault in [None, *(f for f in faults if f.test == test)]]  # fmt: skip

        def judge(item: tuple[str, Fault | None]) -> bool:
            test, fault = item
            found = workshop.outcome(test, fault)
            if fault is None:
                print(f"{test}: {found} without a fault", flush=True)
                return found == "passes"
            word = {"fails": "caught", "passes": "SURVIVED"}.get(found, found)
            print(f"{test}: {fault.name} ({fault.kind}): {word}", flush=True)
            return found in ("fails", "time limit")

        with ThreadPoolExecutor(jobs) as pool:
            good = list(pool.map(judge, work))
    caught = sum(1 for (_, fault), fine in zip(work, good, strict=True) if fault and fine)
    print(f"{caught} of {len(faults)} faults caught")
    return all(good)


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

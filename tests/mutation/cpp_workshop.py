"""Compiles and runs single files of cpp/tests against sources that may hold a fault."""

from __future__ import annotations

import shutil
import tempfile
from functools import lru_cache
from pathlib import Path
from threading import Lock

from compiler import Compiler, exit_code
from faults import CPP, Fault

TESTS = CPP / "tests"
SOURCES = ("include", "library")  # folders of cpp that a fault may be in
COMMON = ("doctest/doctest.h", "Eigen/Core", "Eigen/Cholesky", "Eigen/Eigenvalues", "Eigen/QR",
          "Eigen/SVD")  # fmt: skip
TIME_LIMIT = 60.0  # seconds of one run of a test file, far more than any needs


class CppWorkshop:
    """For faults of the headers and of the library; works in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._compiler = Compiler()
        self._common = self._compiler.precompile(COMMON, folder / "common.hpp")
        self._main = self._compile(TESTS / "main.cpp", CPP, folder / "main.o")
        self._lock = Lock()
        self._unchanged = lru_cache(maxsize=None)(self._compile_unchanged)

    def outcome(self, test: str, fault: Fault | None) -> str:
        """Whether the test file passes with this fault, or without any."""
        with tempfile.TemporaryDirectory(dir=self._folder) as place:
            folder, root = Path(place), CPP
            if fault is not None:
                root = folder
                for name in SOURCES:
                    shutil.copytree(CPP / name, folder / name)
                fault.put_into(folder)
            program = folder / "test"
            objects = self._objects(test, fault, root, folder)
            self._compiler.run(self._main, *objects, "-o", program)
            code = exit_code([program, "--abort-after=1"], folder, TIME_LIMIT)
        return "time limit" if code is None else "passes" if code == 0 else "fails"

    def _compile(self, source: Path, root: Path, target: Path) -> Path:
        """Compile against the sources in `root`, which may hold a fault."""
        folders = (root / "include", root, CPP, TESTS)
        # The file that defines doctest's main must be the first to include it.
        common = [] if source.name == "main.cpp" else self._common
        includes = [f"-I{folder}" for folder in folders]
        self._compiler.run(*common, *includes, "-c", source, "-o", target)
        return target

    def _compile_unchanged(self, source: Path) -> Path:
        name = "_".join(source.relative_to(CPP).with_suffix(".o").parts)
        return self._compile(source, CPP, self._folder / name)

    def _objects(self, test: str, fault: Fault | None, root: Path, folder: Path) -> list[Path]:
        """The test file and what it is linked with; only what can have the fault is compiled."""
        if not test.startswith("library/"):
            return [self._compile(TESTS / test, root, folder / "test.o")]
        sources = [TESTS / test, *(CPP / "library").glob("*.cpp"), *(CPP / "fuzz").glob("*.cpp")]
        sources.remove(CPP / "fuzz" / "main.cpp")
        with self._lock:
            objects = {source: self._unchanged(source) for source in sources}
        if fault is not None:
            changed = self._compile(root / fault.file, root, folder / "fault.o")
            objects[CPP / fault.file] = changed
        return list(objects.values())

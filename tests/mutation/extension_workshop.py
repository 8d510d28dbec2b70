"""Runs Python tests with a compiled module whose bindings may hold a fault."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path

from compiler import Compiler, exit_code
from faults import CPP, HERE, ROOT, Fault

CORE = ("library/solvers.cpp", "library/models.cpp", "library/designs.cpp")
COMMON = ("pybind11/numpy.h", "pybind11/pybind11.h", "Eigen/Core", "Eigen/Cholesky",
          "Eigen/Eigenvalues", "Eigen/QR", "Eigen/SVD")  # fmt: skip
TIME_LIMIT = 120.0  # seconds of one run of pytest
NOTHING_RAN = (4, 5)  # exit codes of pytest: a test file cannot be read, or has no such test


class ExtensionWorkshop:
    """For faults of the bindings; works in a folder of its own.

    The solvers are compiled once, optimized. For each fault the files of the bindings that read the
    changed one are compiled, and all are linked.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._compiler = Compiler(
            "-fPIC", "-fvisibility=hidden", f"-I{CPP / 'include'}", f"-I{CPP}",
            "-isystem", sysconfig.get_path("include"), "-isystem", find_pybind11(),
        )  # fmt: skip
        self._core = [folder / f"{Path(name).stem}.o" for name in CORE]
        for name, target in zip(CORE, self._core, strict=True):
            self._compiler.run("-O1", "-c", CPP / name, "-o", target)
        self._common = self._compiler.precompile(COMMON, folder / "common.hpp")
        self._sources = sorted(path.name for path in (CPP / "bindings").glob("*.cpp"))
        for name in self._sources:
            self._compile(CPP / "bindings" / name, folder / f"{name}.o")
        self._check_import()

    def outcome(self, test: str, fault: Fault | None) -> str:
        """Whether the tests pass with this fault, or without any."""
        with tempfile.TemporaryDirectory(dir=self._folder) as place:
            folder = Path(place)
            self._link(fault, folder)
            options = ("-x", "-q", "-p", "no:cacheprovider")
            command = [sys.executable, "-m", "pytest", *options, str(ROOT / test)]
            code = exit_code(command, folder, TIME_LIMIT, environment_with(folder))
        if code in NOTHING_RAN:
            return "nothing ran"
        return "time limit" if code is None else "passes" if code == 0 else "fails"

    def _compile(self, source: Path, target: Path) -> Path:
        """Compile one file of the bindings and write down what it reads."""
        self._compiler.run(*self._common, "-MMD", "-c", source, "-o", target)
        return target

    def _link(self, fault: Fault | None, folder: Path) -> None:
        """Put the module into the folder, compiled anew where it can have the fault."""
        objects = {name: self._folder / f"{name}.o" for name in self._sources}
        if fault is not None:
            shutil.copytree(CPP / "bindings", folder / "bindings")
            fault.put_into(folder)
            for name in self._sources:
                if str(CPP / fault.file) in objects[name].with_suffix(".d").read_text():
                    source = folder / "bindings" / name
                    objects[name] = self._compile(source, folder / f"{name}.o")
        module = folder / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
        self._compiler.run("-shared", *self._core, *objects.values(), "-o", module)

    def _check_import(self) -> None:
        """See that Python imports the module that is made here and no installed one."""
        self._link(None, self._folder)
        command = [sys.executable, "-c", "import regiht._core as m; print(m.__file__)"]
        environment = environment_with(self._folder)
        said = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        if Path(said.stdout.strip()).parent != self._folder:
            raise SystemExit(f"another module was imported: {said.stdout}")


def find_pybind11() -> str:
    found = find_spec("pybind11")
    if found is None or found.origin is None:
        raise SystemExit('pybind11 was not found: pip install "pybind11>=3"')
    return str(Path(found.origin).parent / "include")


def environment_with(folder: Path) -> dict[str, str]:
    """The environment in which Python imports the compiled module that is in the folder."""
    paths = [str(HERE / "import_hook"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths),
            "REGIHT_EXTENSION_FOLDER": str(folder)}  # fmt: skip

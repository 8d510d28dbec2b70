"""What an installation carries for C++ projects and type checkers, and what importing it costs."""

import importlib.metadata
import importlib.resources
import re
import subprocess
import sys
from pathlib import Path

import pytest

import regiht

INCLUDE = Path(regiht.get_include())


def test_include_directory_holds_our_headers_and_those_of_eigen():
    assert (INCLUDE / "regiht" / "regiht.hpp").is_file()
    assert (INCLUDE / "regiht.h").is_file()
    assert (INCLUDE / "Eigen" / "Core").is_file()
    for folder in ("design", "loss", "projection", "solver"):
        assert list((INCLUDE / "regiht" / folder).glob("*.hpp"))


def test_headers_are_free_of_python():
    headers = list((INCLUDE / "regiht").rglob("*"))
    assert len(headers) > 20
    for header in headers:
        if header.is_file():
            text = header.read_text(encoding="utf-8")
            assert "pybind11" not in text, header
            assert "Python.h" not in text, header


def test_every_header_that_ours_include_is_installed():
    for header in (INCLUDE / "regiht").rglob("*.hpp"):
        for line in header.read_text(encoding="utf-8").splitlines():
            if line.startswith(('#include "', "#include <Eigen/")):
                name = line.split()[1].strip('"<>')
                assert (INCLUDE / name).is_file(), f"{header} includes {name}"


def test_licence_of_eigen_lies_beside_its_headers():
    assert list((INCLUDE / "Eigen").glob("COPYING*"))


def test_cmake_directory_holds_the_package():
    folder = Path(regiht.get_cmake_dir())
    assert (folder / "regihtConfig.cmake").is_file()
    assert (folder / "regihtConfigVersion.cmake").is_file()
    assert "regiht::regiht" in (folder / "regihtTargets.cmake").read_text(encoding="utf-8")


def test_the_version_of_the_headers_is_that_of_the_package():
    text = (INCLUDE / "regiht" / "version.hpp").read_text(encoding="utf-8")
    numbers = re.findall(r"#define REGIHT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text)
    assert ".".join(numbers) == importlib.metadata.version("regiht")


def test_types_are_shipped():
    files = importlib.resources.files(regiht)
    assert files.joinpath("py.typed").is_file()
    assert files.joinpath("_core.pyi").is_file()


def modules_after(statement):
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stdout.split()}


@pytest.mark.parametrize(
    "statement",
    ["import regiht", "import regiht; regiht.solve([[1.0, 2.0], [3.0, 5.0]], [1.0, 2.0], 1)"],
)
def test_import_pulls_no_optional_package(statement):
    loaded = modules_after(statement)
    assert "regiht" in loaded
    slow_or_optional = {"sklearn", "matplotlib", "pandas", "dask", "distributed", "joblib", "scipy"}
    assert not loaded & slow_or_optional


def test_public_names():
    promised = {
        "Design", "Result", "Status", "InvalidArgumentError", "solve", "minimize", "losses",
        "methods", "show_versions", "get_include", "get_cmake_dir", "datasets", "reference",
    }  # fmt: skip
    assert promised <= set(regiht.__all__)
    for name in regiht.__all__:
        assert getattr(regiht, name) is not None
    assert sorted(regiht.__all__) == list(regiht.__all__)
    assert {"iht", "regiht"} <= set(regiht.methods())
    assert {"squared", "logistic"} <= set(regiht.losses())


def test_version_is_that_of_the_installed_distribution():
    assert regiht.__version__ == importlib.metadata.version("regiht")

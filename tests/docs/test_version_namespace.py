"""Every C++ name carries the version of its header, so that two versions link into one program."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HEADERS = Path(__file__).resolve().parents[2] / "cpp" / "include" / "regiht"
OPENED = re.compile(r"^namespace regiht\b.*$", re.MULTILINE)
VERSIONED = "namespace regiht { inline namespace REGIHT_ABI {"

# Each part asks a function that the linker may take from the other, if it has the same name there.
PART = """
#include <regiht/status.hpp>
const char* {name}() {{ return regiht::describe(regiht::Status::stopped).message.data(); }}
"""
PROGRAM = """
#include <cstdio>
const char* older();
const char* newer();
int main() { std::printf("%s\\n%s\\n", older(), newer()); }
"""


def test_every_namespace_of_the_headers_is_the_versioned_one():
    headers = list(HEADERS.rglob("*.hpp"))
    assert len(headers) > 80
    for header in headers:
        for line in OPENED.findall(header.read_text(encoding="utf-8")):
            assert line.startswith(VERSIONED), header


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_two_versions_of_the_headers_in_one_program_keep_apart(tmp_path):
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("neither g++ nor clang++ is on the PATH")
    future = tmp_path / "future"
    shutil.copytree(HEADERS, future / "regiht")
    replace(future / "regiht" / "version.hpp", "VERSION_MINOR ", "VERSION_MINOR 9")
    replace(future / "regiht" / "status.hpp", "The callback asked to stop.", "It was asked to.")

    objects = []
    for name, folder in {"older": HEADERS.parent, "newer": future}.items():
        source = tmp_path / f"{name}.cpp"
        source.write_text(PART.format(name=name), encoding="utf-8")
        objects.append(tmp_path / f"{name}.o")
        command = [compiler, "-std=c++17", f"-I{folder}", "-c", source, "-o", objects[-1]]
        subprocess.run(command, check=True)
    main = tmp_path / "main.cpp"
    main.write_text(PROGRAM, encoding="utf-8")
    program = tmp_path / "program"
    subprocess.run([compiler, main, *objects, "-o", program], check=True)

    said = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert said.splitlines() == ["The callback asked to stop.", "It was asked to."]

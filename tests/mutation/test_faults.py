"""The kept list of faults fits the sources; to put all of them in takes long."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from regiht import _core

RUN = Path(__file__).parent / "run.py"


def run(*arguments: str) -> str:
    command = [sys.executable, str(RUN), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_fault_of_the_list_can_be_made():
    listed = run("--list")
    assert len(listed.splitlines()) >= 110
    for folder, least in (("include", 80), ("library", 12), ("bindings", 12)):
        assert listed.count(f"in {folder}/") >= least


def test_the_module_with_a_fault_is_imported_whatever_is_installed(tmp_path):
    installed = Path(_core.__file__)
    shutil.copy(installed, tmp_path)
    hook = {"PYTHONPATH": str(RUN.parent / "import_hook"), "REGIHT_EXTENSION_FOLDER": str(tmp_path)}
    code = "import regiht; print(regiht._core.__file__, regiht.__file__, sep='\\n')"
    command = [sys.executable, "-c", code]
    said = subprocess.run(command, check=True, capture_output=True, text=True,
                          env={**os.environ, **hook})  # fmt: skip
    module, package = said.stdout.splitlines()
    assert Path(module) == tmp_path / installed.name
    assert Path(package) == RUN.parents[2] / "python" / "regiht" / "__init__.py"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("clang++") is None, reason="needs clang++")
def test_some_faults_are_noticed():
    names = ["kernel-sum-forgets-a-lane", "pool-skips-the-first-task", "jobs-lose-the-exception"]
    assert "3 of 3 faults caught" in run("--only", *names)

"""The kept list of faults fits the sources; to put all of them in takes long."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parent / "run.py"


def run(*arguments: str) -> str:
    command = [sys.executable, str(RUN), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_fault_of_the_list_can_be_made():
    assert len(run("--list").splitlines()) >= 60


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("clang++") is None, reason="needs clang++")
def test_some_faults_are_noticed():
    names = ["kernel-sum-forgets-a-lane", "pool-skips-the-first-task", "jobs-lose-the-exception"]
    assert "3 of 3 faults caught" in run("--only", *names)

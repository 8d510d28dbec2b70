"""Interpreters beside the main one."""

import subprocess
import sys

import pytest

SCRIPT = """
import _xxsubinterpreters as interpreters
import sys

interpreters.run_string(
    interpreters.create(), f"import sys; sys.path[:] = {sys.path!r}; import regiht._core"
)
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module has another name")
def test_an_import_in_a_subinterpreter_hung():
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "ImportError" in run.stderr
    assert "subinterpreter" in run.stderr

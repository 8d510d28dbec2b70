"""What tests of the command line share."""

import subprocess
import sys

import pytest


@pytest.fixture
def run_without_reader():
    """Run the command with standard output a pipe whose reader has gone; it must end quietly."""
    if sys.platform == "win32":
        pytest.skip("no SIGPIPE semantics")

    def run(*arguments, cwd):
        main = f"regiht.cli.main({list(arguments)})"
        process = subprocess.Popen(
            [sys.executable, "-c", f"import sys, regiht.cli; sys.stdin.read(); sys.exit({main})"],
            cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        process.stdout.close()
        process.stdin.close()  # only now it begins
        assert process.stderr.read() == b""
        assert process.wait() == 0
        process.stderr.close()

    return run

"""Every promise of the page names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROWS = [
    line
    for line in (ROOT / "docs" / "promises.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| **")
]


def test_promises_are_found():
    assert len(ROWS) > 12


def test_every_promise_names_a_test_that_is_there():
    for row in ROWS:
        proof = row.split(" | ")[1]
        paths = re.findall(r"(?:tests|cpp|examples)/[\w/.]+", proof)
        assert paths or "nox -s" in proof, row
        for path in paths:
            assert (ROOT / path).exists(), f"{path}: {row}"


def test_every_nox_session_of_the_promises_is_there():
    sessions = set(re.findall(r'nox -s "?(\w+)', "\n".join(ROWS)))
    noxfile = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    assert sessions
    for session in sessions:
        assert f"def {session}(" in noxfile

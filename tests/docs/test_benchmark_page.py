"""The adapter that the page on the public benchmark shows is one that the benchmark takes."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "l0_benchmark.md"


@pytest.fixture
def bench(monkeypatch):
    """The modules of the benchmark, which are scripts beside one another."""
    if not PAGE.exists():
        pytest.skip("a source distribution has no docs")
    monkeypatch.syspath_prepend(ROOT / "bench")
    for name in ("judge", "problems"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("problems"), importlib.import_module("judge")


def test_the_adapter_of_the_page_chooses_columns(bench):
    problems, judge = bench
    block = re.compile(r'^```\n(""".*?)^```', re.MULTILINE | re.DOTALL)
    (code,) = block.findall(PAGE.read_text(encoding="utf-8"))
    adapter: dict[str, object] = {}
    exec(code, adapter)
    assert {"name", "package", "module", "accepts", "solve"} <= adapter.keys()
    problem = problems.load("tiny")
    assert adapter["accepts"](problem)
    support, coef = adapter["solve"](problem, 3)
    products = np.abs(problem.scaled.T @ problem.y)
    np.testing.assert_array_equal(np.sort(support), np.sort(np.argsort(-products)[:3]))
    chosen = judge.cut(support, coef, 3)
    assert judge.refit_value(problem, chosen) <= problem.objective.value(np.zeros(50))


def test_the_page_describes_every_column_that_run_writes(bench):
    del bench
    text = (ROOT / "bench" / "run.py").read_text(encoding="utf-8")
    fields = re.findall(r'"(\w+)"', re.search(r"FIELDS = \((.*?)\)", text, re.DOTALL)[1])
    page = PAGE.read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", page))
    assert set(fields) - {"problem", "kind", "s", "rival"} <= named

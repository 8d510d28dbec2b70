"""What pages say was measured is in a file that a script of bench/ wrote."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULTS = sorted((ROOT / "bench" / "results").glob("*.json"))
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
# Durations, sizes and ratios: what only a measurement can tell, but for the phrases below.
FIGURE = re.compile(
    r"\d[\d.]*\s?(?:µs|ms|s|seconds|minutes?|hours?|[kMG]i?B(?:/s)?|%|per cent|times|th of the)"
    r"(?![\w′])"
)
NOT_MEASURED = (
    # numbers of features, in s
    "the 2s entries", "2s of the largest", "refits on 3s columns", "to 2s + 8", "with 1.5s + 8",
    "after 4s/c iterations", "its 4s/c iterations",
    # constants of the algorithms, of statistics and of the code
    "256 times its size", "1.35 times", "1.48 times", "½, 2 and 4 times", "grows by 10 %",
    "shrinks by 0.9 times", "ask for 448 times", "interval of 95 %",
    "estimate, and 95 % means 95 %", "by less than 1 %", "otherwise: less than 1 %",
    "has less than 1 %",
    # what a problem or a simulation is
    "30 % seen", "back by 10 ms",
    # how the rules of the benchmark are set
    "within 1 %",
)  # fmt: skip
# Paragraphs that say of themselves that they are computed and not measured.
COMPUTED = ("Only computed, never run:",)

pytestmark = pytest.mark.skipif(not RESULTS, reason="a source distribution has no results")


@pytest.fixture
def pages(monkeypatch):
    """The module that writes the pages; the scripts of bench/ lie beside one another."""
    monkeypatch.syspath_prepend(ROOT / "bench")
    for name in ("pages", "page_parts", "page_comparisons", "page_picture", "page_text", "record"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("pages")


def test_measured_parts_are_what_the_results_say(pages):
    found = 0
    for page in pages.pages():
        text = page.read_text(encoding="utf-8")
        found += len(pages.PART.findall(text))
        assert pages.written(text) == text, f"{page.name}: run `python bench/pages.py`"
    assert found > 10


def test_an_altered_figure_is_seen(pages):
    text = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    (part,) = [found[0] for found in pages.PART.finditer(text)]
    figure = re.search(r"\d+\.\d", part)[0]
    altered = text.replace(part, part.replace(figure, "0.01"))
    assert pages.written(altered) == text


def test_every_part_is_shown_and_every_result_has_a_part_and_a_command(pages):
    parts = importlib.import_module("page_parts")
    named = {
        name
        for page in pages.pages()
        for _, name, _ in pages.PART.findall(page.read_text(encoding="utf-8"))
    }
    assert named == set(parts.PARTS)
    sources = {part.source for part in parts.PARTS.values()}
    assert {path.stem for path in RESULTS} <= sources == set(parts.COMMANDS)
    for command in parts.COMMANDS.values():
        assert (ROOT / command.split()[1]).is_file()
        assert command.endswith("--record")


def test_pictures_show_the_figures_that_are_kept(pages):
    parts = importlib.import_module("page_parts")
    for name, picture in parts.PICTURES.items():
        drawn = pages.digest_of_picture(pages.PICTURES / f"{name}.png")
        assert drawn == pages.digest(picture.source), f"{name}: run `python bench/pages.py`"


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_results_say_how_they_came_about(path):
    kept = json.loads(path.read_text(encoding="utf-8"))
    script = kept["command"].split()[1]
    assert (ROOT / script).is_file()
    assert {"Python", "regiht", "numpy"} <= kept["versions"].keys()
    assert kept["machine"]
    assert kept["figures"]


def test_no_figure_is_given_outside_of_the_measured_parts(pages):
    unknown = []
    for page in pages.pages():
        text = page.read_text(encoding="utf-8")
        for pattern in (pages.PART, FENCE, CODE):
            text = pattern.sub("", text)
        for phrase in NOT_MEASURED:
            text = text.replace(phrase, "")
        for line in text.splitlines():
            if not line.startswith(COMPUTED):
                unknown += [f"{page.name}: …{line[max(0, m.start() - 40) : m.end() + 20]}…"
                            for m in FIGURE.finditer(line)]  # fmt: skip
    assert not unknown, "measured? then record it: bench/record.py"

"""The headers include each other as the page says: by role, downwards, without a cycle."""

from __future__ import annotations

import re
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "cpp" / "include" / "regiht"
PAGE = ROOT / "CONTRIBUTING.md"
INCLUDE = re.compile(r'^#include "regiht/(.+)\.hpp"', re.MULTILINE)
OUTSIDE = {"Eigen"}
WITHOUT_NAMESPACE = {"version", "kernels/dispatch"}

Graph = dict[str, set[str]]


def room(header: str) -> str:
    """The folder of a header; one at the top is a room of its own."""
    return header.rpartition("/")[0] or header


def includes(folder: Path) -> Graph:
    """By header, named without its ending, the headers that it includes."""
    return {
        path.relative_to(folder).with_suffix("").as_posix(): set(
            INCLUDE.findall(path.read_text(encoding="utf-8"))
        )
        for path in folder.rglob("*.hpp")
    }


def rooms(headers: Graph) -> Graph:
    graph: Graph = defaultdict(set)
    for header, included in headers.items():
        graph[room(header)] |= {room(other) for other in included} - {room(header)}
    return graph


def arrows(page: str) -> Graph:
    """What the page names: chains `a, b → c → d`, several on a line if semicolons part them."""
    block = re.search(r"^## Include graph$.*?^```\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert block is not None
    graph: Graph = defaultdict(set)
    for chain in re.split(r"[;\n]", block[1].strip()):
        steps = [{name.strip() for name in step.split(",")} for step in chain.split("→")]
        for sources, targets in pairwise(steps):
            for source in sources:
                graph[source] |= targets - OUTSIDE
    return graph


def reached(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def problems(headers: Graph, page: str) -> list[str]:
    """All that is wrong, one line each."""
    graph, named, found = rooms(headers), arrows(page), []
    for each, what in ((graph, "the headers"), (named, "the page")):
        try:
            TopologicalSorter(each).prepare()
        except CycleError as error:
            found.append(f"a cycle in {what}: {' → '.join(error.args[1])}")
    for source, targets in graph.items():
        found += [f"not named: {source} → {to}" for to in targets - reached(named, source)]
    for source, targets in named.items():
        found += [f"no such include: {source} → {to}" for to in targets - graph.get(source, set())]
    for header in headers:
        if header.startswith("solver/"):
            rest = {room(other).split("/")[0] for other in reached(headers, header)}
            found += [f"{header} reaches {to}" for to in rest & {"design", "model", "screening"}]
        if header not in WITHOUT_NAMESPACE and "version" not in reached(headers, header):
            found.append(f"{header} has no version")
    top = [header for header in headers if "/" not in header]
    if len(top) > 8:
        found.append(f"{len(top)} headers at the top")
    return found


@pytest.fixture
def page() -> str:
    if not PAGE.exists():
        pytest.skip("a source distribution has no CONTRIBUTING.md")
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture
def headers() -> Graph:
    return includes(HEADERS)


def test_the_headers_include_each_other_as_the_page_says(headers, page):
    assert len(headers) > 80
    assert problems(headers, page) == []


def test_the_page_fits_in_twelve_lines(page):
    block = page[page.index("## Include graph") :].split("```")[1]
    assert len(block.strip().splitlines()) <= 12


@pytest.mark.parametrize(
    ("header", "included", "complaint"),
    [
        ("screening/screen", "model/linear_model", "a cycle in the headers"),
        ("design/design", "model/settings", "a cycle in the headers"),
        ("loss/loss", "design/design", "not named: loss → design"),
        ("projection/projection", "kernels/vector", "not named: projection → kernels"),
        ("solver/step/step_size", "design/design", "solver/step/step_size reaches design"),
        ("observer", "screening/screen", "solver/run/tracker reaches screening"),
        ("a", "types", "9 headers at the top"),
        ("a", "types", "b has no version"),
    ],
)
def test_what_the_page_does_not_allow_is_found(headers, page, header, included, complaint):
    headers = {**headers, "b": set()} if header == "a" else headers
    changed = {**headers, header: headers.get(header, set()) | {included}}
    assert any(each.startswith(complaint) for each in problems(changed, page))


def test_an_arrow_that_no_header_follows_is_found(headers, page):
    changed = page.replace(
        "objective, options → types\n", "objective, options → types\nobjective → status\n"
    )
    assert changed != page
    assert problems(headers, changed) == ["no such include: objective → status"]

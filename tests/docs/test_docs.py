"""Every Python snippet of the README and the documentation runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("README.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("bench/README.md")])
WITH_PYTHON = [page for page in PAGES if "```python" in page.read_text(encoding="utf-8")]
SNIPPET = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_snippets_run_in_order(page, tmp_path, monkeypatch):
    text = page.read_text(encoding="utf-8")
    snippets = list(SNIPPET.finditer(text))
    code_of_all = "".join(snippet[1] for snippet in snippets)
    if "sklearn" in code_of_all or "regiht.Sparse" in code_of_all:
        pytest.importorskip("sklearn", minversion="1.6")
    if "pandas" in code_of_all:
        pytest.importorskip("pandas")
    if "plot" in code_of_all:
        pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for snippet in snippets:
        # Blank lines in front keep the line numbers of the page in a traceback.
        code = "\n" * text.count("\n", 0, snippet.start(1)) + snippet[1]
        exec(compile(code, str(page), "exec"), namespace)
    if "plt" in namespace or "ax" in namespace:
        import matplotlib.pyplot as plt  # noqa: PLC0415

        plt.close("all")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_cpp_names_of_the_embedding_page_exist():
    page = ROOT / "docs" / "embedding.md"
    if not page.exists():
        pytest.skip("a source distribution has no docs")
    rows = [
        line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")
    ]
    names = {name for row in rows for name in re.findall(r"`(\w+)", row.split("|")[1])}
    headers = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "cpp/include").rglob("*.hpp"))
    assert {"LinearModel", "make_loss"} <= names
    assert not [name for name in names if not re.search(rf"\b{name}\b", headers)]


def test_the_pages_are_found():
    if not (ROOT / "docs").exists():
        pytest.skip("a source distribution has no docs")
    assert {"README.md", "docs/guide.md"} <= {name_of(page) for page in PAGES}

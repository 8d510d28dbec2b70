"""Every Python snippet of the README and the documentation runs, and prints what stands below."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import numpy as np
import pytest

import regiht

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([
    *ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/api/*.md"),
    *ROOT.glob("bench/README.md"),
])  # fmt: skip
# The snippet of CONTRIBUTING reads a file that the reader has.
WITH_PYTHON = [
    page
    for page in PAGES
    if "```python" in page.read_text(encoding="utf-8") and page.name != "CONTRIBUTING.md"
]
# What a snippet prints may follow it as a block of text.
SNIPPET = re.compile(r"^```python\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]*))?\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_snippets_run_in_order_and_print_what_the_page_says(page, tmp_path, monkeypatch, capsys):
    text = page.read_text(encoding="utf-8")
    snippets = list(SNIPPET.finditer(text))
    code_of_all = "".join(snippet[1] for snippet in snippets)
    if "sklearn" in code_of_all or "regiht.Sparse" in code_of_all:
        pytest.importorskip("sklearn", minversion="1.6")
    if "onnx" in code_of_all:
        pytest.importorskip("skl2onnx")
    if "dask" in code_of_all:
        pytest.importorskip("dask.array")
    if "pandas" in code_of_all or "as_frame" in code_of_all:
        pytest.importorskip("pandas")
    if "plot" in code_of_all:
        pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for snippet in snippets:
        # Blank lines in front keep the line numbers of the page in a traceback.
        code = "\n" * text.count("\n", 0, snippet.start(1)) + snippet[1]
        capsys.readouterr()
        exec(compile(code, str(page), "exec"), namespace)
        if snippet[2] is not None:
            assert capsys.readouterr().out == snippet[2]
    if "plt" in namespace or "ax" in namespace:
        import matplotlib.pyplot as plt  # noqa: PLC0415

        plt.close("all")


# What `pip install ".[sklearn,plot]"` does not bring, as if it were not there.
WITHOUT_THE_OTHERS = """
import importlib.abc, sys


class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in {"dask", "h5py", "onnxruntime", "pandas", "polars", "pyarrow", "skl2onnx"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())
"""


def test_the_readme_needs_no_more_than_it_installs():
    pytest.importorskip("sklearn", minversion="1.6")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert 'pip install ".[sklearn,plot]" &&' in text
    code, printed = SNIPPET.search(text).groups()
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_OTHERS + code],
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (printed, "")


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_pages_that_use_pandas_say_how_to_install_it(page):
    text = page.read_text(encoding="utf-8")
    code = "".join(snippet[1] for snippet in SNIPPET.finditer(text))
    if "pandas" in code or "as_frame" in code:
        assert re.search(r"pip install [^`]*pandas", text)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for file, heading in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        target = page.parent / file if file else page
        assert target.exists(), file
        if heading:
            assert heading in anchors(target), f"{file}#{heading}"


def anchors(page):
    """The names of the headings of a page, as GitHub and the site make them."""
    headings = HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


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


def test_the_snippet_on_low_rank_is_part_of_the_program_that_is_run():
    page = ROOT / "docs" / "embedding.md"
    if not page.exists():
        pytest.skip("a source distribution has no docs")
    section = page.read_text(encoding="utf-8").split("\n## Low rank\n")[1]
    snippet = re.findall(r"```cpp\n(.*?)```", section, re.DOTALL)[0]
    include, body = snippet.split("\n\n", 1)
    program = (ROOT / "examples/cpp/low_rank.cpp").read_text(encoding="utf-8")
    assert include in program
    assert indent(body, "  ") in program


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_the_snippets_on_own_objectives_are_parts_of_programs_that_are_run(language):
    page = ROOT / "docs" / "embedding.md"
    if not page.exists():
        pytest.skip("a source distribution has no docs")
    section = page.read_text(encoding="utf-8").split("\n## Your own objective\n")[1]
    snippet = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)[0]
    name = {"c": "own_function.c", "cpp": "own_objective.cpp"}[language]
    assert indent(snippet, "  ") in (ROOT / "examples/c" / name).read_text(encoding="utf-8")


def test_the_pages_are_found():
    if not (ROOT / "docs").exists():
        pytest.skip("a source distribution has no docs")
    assert {"README.md", "docs/guide.md"} <= {name_of(page) for page in PAGES}


def test_pages_that_messages_name_exist():
    source = " ".join(
        re.sub(r'"\s+f?"', "", path.read_text(encoding="utf-8"))
        for path in (ROOT / "python").rglob("*.py")
    )
    named = set(re.findall(r"the page “([^”]+)”", source))
    titles = {page.read_text(encoding="utf-8").splitlines()[0].lstrip("# ") for page in PAGES}
    if not (ROOT / "docs").exists():
        pytest.skip("a source distribution has no docs")
    assert {"Effort and limits", "Choosing s"} <= named <= titles


def test_what_can_go_wrong_names_the_page_that_explains_it():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 20))
    y = X[:, 3] - X[:, 7]
    copies = np.column_stack([X[:, 3], X[:, 3], X[:, 7]])
    apart = regiht.solve(X, (X[:, 3] > 0).astype(int), 1, loss="logistic", refit=True)
    wide = rng.standard_normal((300, 400))
    messages = {
        "Guide": regiht.solve(X, y, 3, step=1e6).message,
        "Methods": regiht.solve(copies, y, 3, method="omp", keep=[0, 1, 2]).message,
        "Standardization and ridge": apart.message,
        "Effort and limits": regiht.solve(wide, wide[:, 1], 9, time_limit=1e-9).message,
        "Certificates": regiht.solve(X, y, 3, certify=True).message,
    }
    for page, message in messages.items():
        assert f"See the page “{page}”." in message


@pytest.mark.parametrize(
    ("missing", "module", "page"),
    [
        ("sklearn", "regiht.estimators", "Five minutes with scikit-learn"),
        ("skl2onnx", "regiht.onnx", "Deployment: JSON and ONNX"),
        ("dask", "regiht.distributed.dask_inputs", "Large data"),
    ],
)
def test_what_is_not_installed_names_the_page_that_explains_it(missing, module, page):
    code = f"import sys; sys.modules[{missing!r}] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError")
    assert "pip install" in last
    assert f"See the page “{page}”." in last

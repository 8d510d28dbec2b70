"""The site as readers see it: no dead link, no error of a script, and a search that finds.

The site is built once, without running the gallery; `REGIHT_SITE` names one that is built already.
"""

from __future__ import annotations

import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOOKED_AT = (
    "index.html", "tour.html", "choosing_s.html", "theory.html", "gallery/index.html",
    "gallery/text_words.html", "api/index.html", "_autosummary/regiht.solve.html",
)  # fmt: skip
WIDTHS = (1280, 400)

pytestmark = [
    *([] if "REGIHT_SITE" in os.environ else [pytest.mark.slow]),  # building takes a minute
    pytest.mark.skipif(not (ROOT / "docs" / "conf.py").exists(), reason="there are no docs here"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built site."""
    if given := os.environ.get("REGIHT_SITE"):
        return (ROOT / given).resolve()
    for needed in (
        "sphinx",
        "furo",
        "myst_parser",
        "latex2mathml",
        "numpydoc",
        "sphinx_copybutton",
    ):
        pytest.importorskip(needed, reason="the site needs the dependency group `docs`")
    pytest.importorskip("sphinx_gallery", reason="the site needs the dependency group `docs`")
    work = tmp_path_factory.mktemp("site")
    # A copy, as extensions write beside the sources.
    for folder in ("docs", "examples"):
        shutil.copytree(
            ROOT / folder, work / folder,
            ignore=shutil.ignore_patterns("_build", "_autosummary", "gallery"),
        )  # fmt: skip
    for page in ROOT.glob("*.md"):
        shutil.copy(page, work)
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-D", "plot_gallery=0"]
    done = subprocess.run(
        [*command, work / "docs", work / "html"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return work / "html"


class Page(HTMLParser):
    """The places that a page leads to and has."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.names: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.names |= {found[key] for key in ("id", "name") if found.get(key)}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        is_loaded = tag in ("img", "script", "link", "source", "iframe")
        if is_loaded and found.get("rel") not in ("canonical", "search", "next", "prev", "index"):
            self.loads += [found[key] for key in ("src", "href") if found.get(key)]


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


def test_no_link_inside_the_site_is_dead(site, pages):
    assert len(pages) > 100
    places = set(site.rglob("*"))
    dead = []
    for path, page in pages.items():
        for link in set(page.links):
            place, name = urldefrag(link)
            if ":" in place.split("/")[0] or place.startswith("//"):
                continue
            target = Path(os.path.normpath(path.parent / unquote(place))) if place else path
            target = target if target.suffix else target / "index.html"
            is_dead = target not in places or (
                name and target in pages and unquote(name) not in pages[target].names
            )
            if is_dead:
                dead.append(f"{path.relative_to(site)}: {link}")
    assert not dead


def test_pages_load_nothing_from_elsewhere(pages):
    outside = {
        load for page in pages.values() for load in page.loads if load.startswith(("http", "//"))
    }
    assert not outside


def test_names_of_cpp_do_not_lead_to_python(site, pages):
    def names(page):
        return {name for link in pages[site / page].links if (name := urldefrag(link)[1])}

    assert {"regiht.solve", "regiht.Design"} <= names("guide.html")
    led = {name for name in names("embedding.html") if name.startswith("regiht.")}
    assert led == {"regiht.solve"}  # written so, as its options are those of C++ too


def test_formulas_are_in_the_page(site):
    text = (site / "theory.html").read_text(encoding="utf-8")
    formulas = re.findall(r"<math.*?</math>", text, re.DOTALL)
    assert len(formulas) > 5
    for formula in formulas:
        assert "".join(ET.fromstring(formula).itertext()).strip()


@pytest.fixture(scope="module")
def address(site):
    """The site, served."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="looking at the site needs playwright, of the group `docs`"
    )
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("there is no chromium: on Debian `apt install chromium`")
    with (
        playwright.sync_playwright() as driver,
        driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"]) as found,
    ):
        yield found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_the_screen_and_have_no_errors(scheme, site, address, browser):
    for width in WIDTHS:
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        complaints: list[str] = []
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)  # noqa: B023
        page.on("pageerror", lambda error: complaints.append(str(error)))  # noqa: B023
        page.on("requestfailed", lambda request: complaints.append(request.url))  # noqa: B023
        for name in LOOKED_AT:
            assert (site / name).exists()
            page.goto(f"{address}/{name}", wait_until="networkidle")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            background = page.evaluate("getComputedStyle(document.body).backgroundColor")
            light = sum(int(part) for part in background[4:-1].split(",")[:3]) > 3 * 128
            assert light == (scheme == "light"), name
        page.close()
        assert not complaints


def test_search_finds_ridge(address, browser):
    page = browser.new_page()
    page.goto(f"{address}/search.html?q=ridge")
    page.wait_for_selector("ul.search li a")
    found = page.eval_on_selector_all("ul.search li > a", "links => links.map(a => a.textContent)")
    page.close()
    assert any("Standardization and ridge" in title for title in found)

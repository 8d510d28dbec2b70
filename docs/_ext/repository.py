"""The pages are plain Markdown that can be read in the repository; here they become a site.

Links to files outside `docs` lead to the page that shows the file, or else to the repository.
The sidebar is `navigation` of conf.py, so that no page holds a directive that only Sphinx knows.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

LINK = re.compile(r"(\]\()((?!https?://|#|mailto:)[^)#\s]+)(#[^)\s]*)?(\))")


def destination(app, page: str, target: str) -> str:
    """Where a link of `page`, both relative to the repository, leads on the site."""
    config = app.config
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    if path in config.repository_pages:
        return f"/{config.repository_pages[path]}.md"
    folder, file = posixpath.split(path)
    name, ending = posixpath.splitext(file)
    if path == config.gallery_folder:
        return "/gallery/index.rst"
    if folder == config.gallery_folder and ending == ".py" and name not in config.not_in_gallery:
        return f"/gallery/{name}.rst"
    if path.startswith("docs/"):
        return f"/{path.removeprefix('docs/')}"
    kind = "tree" if (Path(app.srcdir).parent / path).is_dir() else "blob"
    return f"{config.repository}/{kind}/main/{path}"


def read(app, name: str, source: list[str]) -> None:
    """Put the file of the repository in the place of its page, lead links on, add the sidebar."""
    root = Path(app.srcdir).parent
    files = {page: file for file, page in app.config.repository_pages.items()}
    page = files.get(name, f"docs/{name}.md")
    if not (root / page).exists():  # made by an extension
        return
    text = (root / page).read_text(encoding="utf-8") if name in files else source[0]
    text = LINK.sub(lambda m: f"{m[1]}{destination(app, page, m[2])}{m[3] or ''}{m[4]}", text)
    source[0] = text + sidebar(app) if name == app.config.root_doc else text


def sidebar(app) -> str:
    """One hidden table of contents for each caption."""
    made = {"gallery/index"}
    blocks = []
    for caption, pages in app.config.navigation.items():
        there = [p for p in pages if p in made or (Path(app.srcdir) / f"{p}.md").exists()]
        lines = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else [])]
        blocks.append("\n".join([*lines, "", *there, "```"]))
    return "\n\n" + "\n\n".join(blocks) + "\n"


def setup(app):
    for name in ("navigation", "repository_pages"):
        app.add_config_value(name, {}, "env", dict)
    app.add_config_value("repository", "", "env", str)
    app.add_config_value("gallery_folder", "", "env", str)
    app.add_config_value("not_in_gallery", [], "env", list)
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

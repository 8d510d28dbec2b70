"""Write what was measured into the pages: tables and pictures from bench/results.

    python bench/pages.py                     # tables and pictures anew, from the files
    python bench/pages.py --again default     # measure first

On a page, a part between `<!-- measured: NAME -->` and `<!-- end -->` is written by this script. A
test holds the pages to it, so figures are changed by measuring, not by hand. What NAME shows is in
`page_parts.py`.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import page_parts
import record

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "_static"
PART = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> Iterator[Path]:
    """The pages that a reader sees."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").glob("*.md"))


def written(text: str) -> str:
    """A page with its measured parts as the files say, or with the command that makes the file."""
    return PART.sub(lambda m: f"{m[1]}{page_parts.PARTS[m[2]].text().strip()}\n{m[3]}", text)


def digest(source: str) -> str:
    """What a picture carries to tell which figures it shows, and who drew it."""
    drawn_by = Path(page_parts.page_picture.__file__)
    return hashlib.sha256(record.path(source).read_bytes() + drawn_by.read_bytes()).hexdigest()


def digest_of_picture(picture: Path) -> str | None:
    """The digest in a PNG file, from its own text chunk."""
    found = re.search(rb"tEXtSource\0([0-9a-f]{64})", picture.read_bytes())
    return found[1].decode() if found else None


def refresh() -> None:
    """Bring pages and pictures up to date."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        new = written(text)
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(f"written: {page.relative_to(ROOT)}")
    for name, picture in page_parts.PICTURES.items():
        file = PICTURES / f"{name}.png"
        if not record.path(picture.source).exists():
            continue
        wanted = digest(picture.source)
        if not file.exists() or digest_of_picture(file) != wanted:
            picture.draw(record.load(picture.source), file, {"Source": wanted})
            print(f"drawn: {file.relative_to(ROOT)}")


def measure_again(name: str) -> None:
    """Run the command that makes a file, with this interpreter."""
    _, *command = page_parts.COMMANDS[name].split()
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = sorted(page_parts.COMMANDS)
    parser.add_argument("--again", nargs="*", default=[], choices=names, metavar="NAME",
                        help=f"measure anew: {', '.join(names)}")  # fmt: skip
    for name in parser.parse_args().again:
        measure_again(name)
    refresh()


if __name__ == "__main__":
    main()

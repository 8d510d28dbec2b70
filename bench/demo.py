"""What `regiht demo` prints and draws, for the README and the start page of the site.

python bench/demo.py --record
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import record

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "_static" / "demo.png"


def shrink(drawn: Path, kept: Path) -> None:
    """Keep a picture with as few colours as it has."""
    from PIL import Image  # noqa: PLC0415  (comes with matplotlib)

    with Image.open(drawn) as picture:
        picture.convert("RGB").quantize(64).save(kept, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    record.add_option(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "regiht", "demo", "--out", folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        print(done.stdout)
        if arguments.record:
            shrink(Path(folder) / "regiht-demo.png", PICTURE)
    if arguments.record:
        lines = done.stdout.splitlines()
        first = next(k for k, line in enumerate(lines) if line.split()[:1] == ["loss"])
        table = "\n".join(lines[first : first + 4])
        record.save("demo", {"table": table}, ("scikit-learn", "matplotlib"))


if __name__ == "__main__":
    main()

"""The paper's claims by `regiht reproduce` at full size, for the page that tells what came of it.

    python bench/paper.py --record

A run that was stopped goes on where it was: results are in build/report. Real text is taken from
the folder that REGIHT_DATA names.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import problems
import record

from regiht import reproduce

REPORT = Path(__file__).resolve().parents[1] / "build" / "report"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    record.add_option(parser)
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "regiht", "reproduce", "--out", str(REPORT)]
    reuters = problems.DATA / "reuters.npz"
    if reuters.exists():
        command += ["--reuters", str(reuters)]
    subprocess.run(command, check=True)
    found = []
    for name in reproduce.MODULES:
        kept = json.loads((REPORT / f"{name}.json").read_text(encoding="utf-8"))
        for finding in kept["findings"]:
            print(f"{name}: {finding['claim']}: {finding['verdict']}")
            told = {key: finding[key] for key in ("claim", "measured", "verdict")}
            found.append({"experiment": name, **told})
    if arguments.record:
        record.save("reproduce", found, ("matplotlib",))


if __name__ == "__main__":
    main()

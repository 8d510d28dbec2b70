"""Imports the package from the checkout and its extension from a folder, whatever is installed.

Python reads this file when it starts, if the folder it is in is on PYTHONPATH; so do the programs
that tests start. An editable installation puts a finder of its own before the path.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

EXTENSION_FOLDER = os.environ["REGIHT_EXTENSION_FOLDER"]
PACKAGE_FOLDER = str(Path(__file__).resolve().parents[3] / "python")


class CheckoutFinder:
    """Answers for regiht alone."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name == "regiht._core":
            return PathFinder.find_spec(name, [EXTENSION_FOLDER], target)
        if name.partition(".")[0] == "regiht":
            return PathFinder.find_spec(name, path or [PACKAGE_FOLDER], target)
        return None


sys.meta_path.insert(0, CheckoutFinder)

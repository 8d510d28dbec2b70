"""Checks of paths."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from regiht._inputs.checks.errors import InvalidArgumentError


def check_path(name: str, path: Any) -> Path:
    """Return what is a path, whether there is a file or not."""
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidArgumentError(f"{name} must be a str or a path; got {path!r}.")
    text = os.fspath(path)
    if not isinstance(text, str) or "\0" in text:
        raise InvalidArgumentError(f"{name} must be a path of text without NUL; got {path!r}.")
    return Path(text)

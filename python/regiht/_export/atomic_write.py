"""Files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file beside the one asked for, which it then replaces.

    Whatever goes wrong before that, an old file stays as it is and nothing new is left behind. A
    link is followed, and the permissions of an old file are kept.
    """
    path = path.resolve()
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    try:
        with aside.open("xb") as file:
            if path.exists():
                aside.chmod(stat.S_IMODE(path.stat().st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    if os.name == "posix":
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the new name survive a loss of power, on file systems that can promise it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)

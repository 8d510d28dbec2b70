"""A directory that is there as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from regiht._export.atomic_write import sync_folder
from regiht._inputs.checks import InvalidArgumentError, check_path


def absolute(path: str | os.PathLike[str]) -> Path:
    """Return the whole path; of a link, that of the link itself."""
    return Path(os.path.abspath(check_path("path", path)))  # noqa: PTH100


def new_path(path: str | os.PathLike[str]) -> Path:
    """Where a new directory is to be; refused if there is something, or no folder to put it in."""
    target = absolute(path)
    if os.path.lexists(target):
        raise InvalidArgumentError(f"{path} exists already: remove it, or choose another name.")
    if not target.parent.is_dir():
        raise InvalidArgumentError(f"there is no folder {target.parent}.")
    return target


def aside_of(target: Path) -> Path:
    """Where it is made, on the same file system."""
    return target.with_name(f".{target.name}.part")


def put_in_place(finished: Path, target: Path) -> None:
    """Give a finished directory its name."""
    if os.path.lexists(target):  # a rename would replace an empty one
        raise InvalidArgumentError(f"{target} exists already: remove it, or choose another name.")
    finished.rename(target)
    if os.name == "posix":
        sync_folder(target.parent)

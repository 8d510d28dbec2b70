"""Shards: directories with the rows of one matrix, each of which is opened where it is needed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regiht._export.atomic_write import write_atomically
from regiht._inputs.checks import InvalidArgumentError, check_flag, check_path
from regiht._inputs.checks.stored_matrices import HEADER, StoredHeader, check_stored_header
from regiht._inputs.checks.stored_shards import (
    ShardsHeader,
    StoredShard,
    check_alike,
    check_shards_header,
    shard_name,
)
from regiht.dataset._open import Dataset, open_dataset, read_header, read_header_text


@dataclass(frozen=True)
class Shard:
    """A directory with some rows: where it is, and what its header says.

    Another process, on another machine, can open it.
    """

    path: Path
    header: StoredHeader

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.header.shape[0]

    def open(self, *, verify: bool = True) -> Dataset:
        """Map it into memory, if it is the one that was looked at."""
        found = open_dataset(self.path, verify=verify)
        if found.header != self.header:
            raise InvalidArgumentError(
                f"{self.path} has changed since it was opened, or is another directory on this "
                "machine."
            )
        return found


def open_shards(path: str | os.PathLike[str], *, verify: bool = True) -> list[Dataset]:
    """Open all shards of a directory that was written with ``shards=``; nothing large is read.

    Parameters
    ----------
    path : str or path
    verify : bool
        Also read all files once, as in `open`.

    Returns
    -------
    list of Dataset
        In the order of their rows; pass the ``path`` of one to `regiht.Design.open` or to an
        estimator.

    Raises
    ------
    InvalidArgumentError
        If the directory has no shards, or one of them is missing, damaged or from elsewhere.

    See Also
    --------
    open : Opens a directory with a single matrix.
    regiht.distributed.fit : Fits to all shards.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import dataset
    >>> dataset.write("parts", np.eye(5), shards=2)
    >>> [shard.shape for shard in dataset.open_shards("parts")]
    [(2, 5), (3, 5)]
    """
    verify = check_flag("verify", verify)
    return [shard.open(verify=verify) for shard in read_shards(path)]


def read_shards(path: str | os.PathLike[str]) -> list[Shard]:
    """Read the headers of a directory of shards."""
    folder = _absolute(path)
    listed = check_shards_header(read_header_text(folder), str(folder))
    found = []
    for each in listed.shards:
        place = folder / each.name
        text = read_header_text(place)
        if hashlib.sha256(text).hexdigest() != each.sha256:
            raise InvalidArgumentError(
                f"{folder} cannot be opened: {each.name} is not the shard that was written there."
            )
        found.append(Shard(place, check_stored_header(text, str(place))))
    return found


def shards_at(paths: Sequence[str | os.PathLike[str]]) -> list[Shard]:
    """Read the headers of directories that hold one matrix each; refuse unlike ones."""
    found = [Shard(place, read_header(place)) for place in map(_absolute, paths)]
    check_alike({str(shard.path): shard.header for shard in found})
    return found


def write_shards_header(folder: Path, count: int) -> None:
    """Say that a folder holds shards, all of which are there."""
    texts = [read_header_text(folder / shard_name(k)) for k in range(count)]
    shapes = [check_stored_header(text, str(folder)).shape for text in texts]
    listed = [
        StoredShard(shard_name(k), shapes[k][0], hashlib.sha256(texts[k]).hexdigest())
        for k in range(count)
    ]
    header = ShardsHeader(shapes[0][1], listed)
    write_atomically(folder / HEADER, header.text().encode())


def _absolute(path: str | os.PathLike[str]) -> Path:
    """The same path for workers elsewhere; links are left to them."""
    return Path(os.path.abspath(check_path("path", path)))  # noqa: PTH100

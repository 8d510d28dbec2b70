"""Reading all of a directory once: checksums, the order of the entries, finite values."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from regiht import _core
from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.checks import stored_matrices as stored
from regiht._inputs.column_blocks import column_blocks
from regiht.dataset._arrays import checksum

_PIECE_ENTRIES = 1 << 20

# Directories that were read in this process, by what tells that they are still the same.
_verified: set[tuple[Any, ...]] = set()

# What is wrong with the entries of the columns from one to another, if anything is.
Fault = Callable[[int, int, NDArray[Any]], str | None]


def verify_once(folder: Path, header: stored.StoredHeader, arrays: dict[str, NDArray[Any]]) -> None:
    """Refuse what is not as it was written, unless this process has looked before."""
    state = _state(folder, header)
    if state in _verified:
        return
    offsets, rows = arrays[stored.OFFSETS], header.shape[0]

    def disorder(first: int, last: int, indices: NDArray[Any]) -> str | None:
        local = offsets[first : last + 1] - offsets[first]
        good = _core.inspect_structure(indices, local, last - first, rows) == "sorted"
        return None if good else f"the rows of columns {first} to {last - 1} are not in order"

    def not_finite(first: int, last: int, values: NDArray[Any]) -> str | None:
        good = _core.all_finite(values)
        return None if good else f"columns {first} to {last - 1} hold NaN or infinity"

    large: dict[str, Fault] = {stored.INDICES: disorder, stored.VALUES: not_finite}
    for name in header.files.keys() - {f"{each}.npy" for each in large}:
        _compare(name, header, checksum(folder / name))
    with ThreadPoolExecutor(len(large)) as pool:
        jobs = [
            pool.submit(_verify_entries, folder, name, header, arrays, fault)
            for name, fault in large.items()
        ]
        for job in jobs:
            job.result()
    if _state(folder, header) == state:
        _verified.add(state)


def _verify_entries(
    folder: Path,
    name: str,
    header: stored.StoredHeader,
    arrays: dict[str, NDArray[Any]],
    fault: Fault,
) -> None:
    """Take the checksum of an array over all entries, and look at its pieces on the way."""
    array, offsets = arrays[name], arrays[stored.OFFSETS]
    file_name = f"{name}.npy"
    with (folder / file_name).open("rb") as file:
        found = hashlib.sha256(file.read(header.files[file_name].bytes - array.nbytes))
    wrong = None
    for first, last in column_blocks(offsets, _PIECE_ENTRIES):
        piece = array[offsets[first] : offsets[last]]
        found.update(piece.data)
        wrong = wrong or fault(first, last, piece)
    _compare(file_name, header, found.hexdigest())
    if wrong is not None:
        raise InvalidArgumentError(wrong)


def _compare(name: str, header: stored.StoredHeader, found: str) -> None:
    if found != header.files[name].sha256:
        raise InvalidArgumentError(
            f"{name} has changed since it was written (its checksum differs); convert the data "
            "again"
        )


def _state(folder: Path, header: stored.StoredHeader) -> tuple[Any, ...]:
    facts = [(folder / name).stat() for name in sorted(header.files)]
    return tuple((each.st_dev, each.st_ino, each.st_size, each.st_mtime_ns) for each in facts)

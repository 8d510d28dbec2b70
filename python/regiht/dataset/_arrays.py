"""One array in one ``.npy`` file: written piece by piece, read as a memory map."""

from __future__ import annotations

import hashlib
import mmap
import os
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.checks.stored_matrices import StoredFile
from regiht._inputs.npz import read_array_header

_PIECE_BYTES = 1 << 22


class ArrayWriter:
    """Appends to an array whose length is known before, and takes the checksum on the way.

    With ``done`` it goes on with a file that has so many entries, and drops what came after them;
    `checksum` tells whether these are the ones that were written.
    """

    def __init__(self, path: Path, dtype: Any, length: int, done: int = 0) -> None:
        self._dtype = np.dtype(dtype)
        self._length = length
        self._done = done
        header = _header(self._dtype, length)
        self._hash = hashlib.sha256(header)
        if done == 0:
            self._file: BinaryIO = path.open("wb")
            self._file.write(header)
            return
        self._file = path.open("r+b")
        self._file.truncate(len(header) + done * self._dtype.itemsize)
        self._file.seek(len(header))
        while piece := self._file.read(_PIECE_BYTES):
            self._hash.update(piece)

    def append(self, array: NDArray[Any]) -> None:
        """Write more entries."""
        content = np.ascontiguousarray(array, self._dtype).data
        self._hash.update(content)
        self._file.write(content)
        self._done += array.size

    def checksum(self) -> str:
        """The checksum of what the file has so far, once that is handed to the system."""
        self._file.flush()
        return self._hash.hexdigest()

    def finish(self) -> StoredFile:
        """Close the file, and say what it must have from now on."""
        assert self._done == self._length
        self._file.flush()
        os.fsync(self._file.fileno())
        size = self._file.tell()
        self.close()
        return StoredFile(size, self._hash.hexdigest())

    def close(self) -> None:
        """Close the file, finished or not."""
        self._file.close()


def _header(dtype: np.dtype[Any], length: int) -> bytes:
    stream = BytesIO()
    facts = {"descr": dtype.str, "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_1_0(stream, facts)
    return stream.getvalue()


def map_array(path: Path, dtype: str, length: int) -> NDArray[Any]:
    """Map a file as a read-only array, if it is one of this type and length; nothing is read."""
    with path.open("rb") as file:
        found, _, shape, offset = read_array_header(file, path.name)
        if found != np.dtype(dtype) or shape != (length,):
            raise InvalidArgumentError(
                f"{path.name} holds {found} of shape {shape}, not {length} of {dtype}"
            )
        size = offset + length * found.itemsize
        if os.fstat(file.fileno()).st_size != size:
            raise InvalidArgumentError(f"{path.name} does not have {size} bytes")
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.frombuffer(memory, found, length, offset)


def checksum(path: Path) -> str:
    """Take the checksum of a file, in little memory."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            found.update(piece)
    return found.hexdigest()

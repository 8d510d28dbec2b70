"""Arrays of npz files; what a file claims is checked before memory is taken for it."""

from __future__ import annotations

import math
import re
import struct
import sys
import zlib
from pathlib import Path
from typing import Any, BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import InvalidArgumentError

# As numpy writes it; numbers, booleans and text only.
_HEADER = re.compile(
    rb"\{\s*'descr':\s*'([<>|=][biufUS]\d{1,18})',\s*'fortran_order':\s*(True|False),"
    rb"\s*'shape':\s*\(((?:\d{1,18}(?:,\s*|\s*(?=\))))*)\),?\s*\}\s*"
)
_LONGEST_HEADER = 10_000
_MOST_DIMENSIONS = 32

# What zipfile and numpy raise if bytes are not what they should be.
_DAMAGE = (
    BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, TypeError,
    NotImplementedError, OverflowError, RuntimeError,
)  # fmt: skip


def read_npz(path: Path, most_times: int) -> dict[str, NDArray[Any]]:
    """Read all arrays of a file.

    InvalidArgumentError says what is wrong with it, and is raised before any array is read if
    they would together take more than ``most_times`` the bytes of the file.
    """
    with path.open("rb") as file:
        size = path.stat().st_size
        try:
            with ZipFile(file) as archive:
                members = archive.infolist()
                _check_members(members, size * most_times)
                return {m.filename.removesuffix(".npy"): _array(archive, m) for m in members}
        except InvalidArgumentError:
            raise
        except _DAMAGE as error:
            raise InvalidArgumentError(f"it is damaged or not an npz file ({error})") from None


def _check_members(members: list[ZipInfo], most: int) -> None:
    names = [member.filename for member in members]
    if len(set(names)) < len(names) or not all(name.endswith(".npy") for name in names):
        raise InvalidArgumentError("it must hold arrays with different names, and nothing else")
    if any(member.compress_type not in {ZIP_STORED, ZIP_DEFLATED} for member in members):
        raise InvalidArgumentError("numpy does not use its compression")
    total = sum(member.file_size for member in members)
    if total > most:
        raise InvalidArgumentError(f"it would take {total} bytes; its size allows for {most}")


def _array(archive: ZipFile, member: ZipInfo) -> NDArray[Any]:
    with archive.open(member) as opened:
        stream = cast(BinaryIO, opened)
        dtype, order, shape, offset = read_array_header(stream, member.filename)
        expected, left = math.prod(shape) * dtype.itemsize, member.file_size - offset
        # Entries of no bytes would be free of charge.
        if expected != left or (dtype.itemsize == 0 and math.prod(shape) > 1):
            raise InvalidArgumentError(
                f"{member.filename} claims {expected} bytes of numbers and has {left}"
            )
        memory = bytearray(left)
        filled = 0
        while count := stream.readinto(memoryview(memory)[filled:]):  # type: ignore[attr-defined]
            filled += count
        if filled < left:
            raise InvalidArgumentError(f"{member.filename} ends early")
    if dtype.kind == "U" and memory:
        codes = np.frombuffer(memory, np.dtype(np.uint32).newbyteorder(dtype.byteorder))
        # numpy would only see it when the text is used, as an internal error of Python.
        if codes.max() > sys.maxunicode:
            raise InvalidArgumentError(f"{member.filename} has characters that do not exist")
    return np.ndarray(shape, dtype, memory, order=order)


def read_array_header(
    stream: BinaryIO, name: str
) -> tuple[np.dtype[Any], Any, tuple[int, ...], int]:
    """Read type, order and shape of an array of numpy, and how many bytes said so."""
    start = stream.read(8)
    width = {b"\x93NUMPY\x01\x00": 2, b"\x93NUMPY\x02\x00": 4, b"\x93NUMPY\x03\x00": 4}.get(start)
    if width is None:
        raise InvalidArgumentError(f"{name} is no array of numpy")
    length = int.from_bytes(stream.read(width), "little")
    text = stream.read(min(length, _LONGEST_HEADER + 1))
    match = _HEADER.fullmatch(text)
    if match is None or len(text) != length:
        raise InvalidArgumentError(f"{name} holds neither numbers nor text")
    shape = tuple(int(side) for side in match[3].split(b",") if side.strip())
    if len(shape) > _MOST_DIMENSIONS:
        raise InvalidArgumentError(f"{name} has {len(shape)} dimensions")
    order = "F" if match[2] == b"True" else "C"
    return np.dtype(match[1].decode()), order, shape, len(start) + width + length

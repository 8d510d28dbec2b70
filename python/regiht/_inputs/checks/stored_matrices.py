"""The header of a matrix in a directory; what it claims is checked before anything is read."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, NoReturn

from regiht._inputs.checks.errors import InvalidArgumentError

FORMAT_VERSION = 1
BINSPARSE_VERSION = "0.1"

# The names that Binsparse has for the three arrays of compressed columns.
VALUES, INDICES, OFFSETS = "values", "indices_1", "pointers_to_1"
MEANS, NORMS, CENTRED_NORMS, TARGET = "means", "norms", "centred_norms", "y"
HEADER, NAMES = "header.json", "feature_names.json"

# Under which name a header has what we add, for one matrix and for shards.
MATRIX, SHARDS = "regiht", "regiht_shards"

_FLOATS = ("float32", "float64")
_INTEGERS = ("int32", "int64")
_TARGETS = ("float64", "int64", "int32", "bool")
_REQUIRED = (VALUES, INDICES, OFFSETS, MEANS, NORMS, CENTRED_NORMS)
_LARGEST_SIDE = 2**62


@dataclass(frozen=True)
class StoredFile:
    """What a file must have: so many bytes, and this checksum."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class StoredHeader:
    """What ``header.json`` says.

    ``classes`` are the labels that the numbers in y stand for, ``columns_from`` is where LIBSVM
    text began to count its columns.
    """

    shape: tuple[int, int]
    entries: int
    dtypes: dict[str, str]
    files: dict[str, StoredFile]
    classes: list[str] | None = None
    target: str | None = None
    columns_from: int | None = None

    def lengths(self) -> dict[str, int]:
        """How many numbers each array holds."""
        rows, cols = self.shape
        every = {
            VALUES: self.entries, INDICES: self.entries, OFFSETS: cols + 1,
            MEANS: cols, NORMS: cols, CENTRED_NORMS: cols, TARGET: rows,
        }  # fmt: skip
        return {name: every[name] for name in self.dtypes}

    def text(self) -> str:
        """The JSON text, with a checksum of its own."""
        content: dict[str, Any] = {
            "binsparse": {
                "version": BINSPARSE_VERSION,
                "format": "CSC",
                "shape": list(self.shape),
                "number_of_stored_values": self.entries,
                "data_types": {name: self.dtypes[name] for name in (OFFSETS, INDICES, VALUES)},
            },
            MATRIX: {
                "version": FORMAT_VERSION,
                "data_types": self.dtypes,
                "files": {name: vars(file) for name, file in self.files.items()},
                "classes": self.classes,
                "target": self.target,
                "columns_from": self.columns_from,
            },
        }
        content["sha256"] = content_checksum(content)
        return json.dumps(content, indent=1, ensure_ascii=False)


def check_own_json(
    text: bytes, place: str, kind: str, version: int, other: tuple[str, str]
) -> dict[str, Any]:
    """Read a header that holds what we wrote under the name of its kind, up to this version.

    ``other`` is the other kind, and what to say of a directory that is of it.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        refuse_directory(place, "header.json is not JSON text")
    if isinstance(content, dict) and other[0] in content:
        refuse_directory(place, other[1])
    if not isinstance(content, dict) or not isinstance(content.get(kind), dict):
        refuse_directory(place, "header.json was not written by regiht")
    found = content[kind].get("version")
    if type(found) is int and found > version:
        refuse_directory(
            place, f"it has format {found} and this regiht reads up to {version}; update"
        )
    claimed = content.pop("sha256", None)
    if claimed != content_checksum(content):
        refuse_directory(place, "header.json was changed after it was written")
    if found != version:
        refuse_directory(place, "header.json has no version")
    return content


def check_stored_header(text: bytes, place: str) -> StoredHeader:
    """Read a header; InvalidArgumentError says why a directory is none of ours, or damaged."""
    shards = "it holds shards: give it to regiht.distributed, or a single one of them here"
    content = check_own_json(text, place, MATRIX, FORMAT_VERSION, (SHARDS, shards))
    own, matrix = content[MATRIX], content.get("binsparse")
    if not isinstance(matrix, dict):
        refuse_directory(place, "header.json has no matrix")
    if matrix.get("format") != "CSC":
        refuse_directory(place, f"the format of the matrix is {matrix.get('format')!r}, not 'CSC'")
    header = StoredHeader(
        shape=_shape(matrix.get("shape"), place),
        entries=check_count(matrix.get("number_of_stored_values"), place),
        dtypes=_dtypes(own.get("data_types"), place),
        files=_files(own.get("files"), place),
        classes=_labels(own.get("classes"), place),
        target=own.get("target"),
        columns_from=own.get("columns_from"),
    )
    if header.target is not None and not isinstance(header.target, str):
        refuse_directory(place, "the name of the target is not text")
    if header.columns_from not in {None, 0, 1}:
        refuse_directory(place, "columns are counted neither from 0 nor from 1")
    wanted = {f"{name}.npy" for name in header.dtypes}
    if header.files.keys() - {NAMES} != wanted:
        refuse_directory(place, "the list of its files is not the one of its arrays")
    return header


def content_checksum(content: Any) -> str:
    """Take the checksum of what a header says, however it is laid out."""
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def _shape(sides: Any, place: str) -> tuple[int, int]:
    if not isinstance(sides, list) or len(sides) != 2:
        refuse_directory(place, "the shape of the matrix is not a pair of numbers")
    rows, cols = (check_count(side, place) for side in sides)
    if 0 in {rows, cols}:
        refuse_directory(place, "the matrix has no rows or no columns")
    return rows, cols


def check_count(number: Any, place: str) -> int:
    """Check for a whole number that is not too large to be true."""
    if type(number) is not int or not 0 <= number < _LARGEST_SIDE:
        refuse_directory(place, f"{number!r} is not a number of rows, columns or entries")
    return number


def _dtypes(listed: Any, place: str) -> dict[str, str]:
    allowed = dict.fromkeys((MEANS, NORMS, CENTRED_NORMS), ("float64",)) | {
        VALUES: _FLOATS, INDICES: _INTEGERS, OFFSETS: _INTEGERS, TARGET: _TARGETS,
    }  # fmt: skip
    if not isinstance(listed, dict) or not set(_REQUIRED) <= listed.keys() <= allowed.keys():
        refuse_directory(place, "the types of its arrays are not listed")
    for name, dtype in listed.items():
        if dtype not in allowed[name]:
            refuse_directory(place, f"{name} cannot have the type {dtype!r}")
    if listed[INDICES] != listed[OFFSETS]:
        refuse_directory(place, "indices and offsets must have the same type")
    return dict(listed)


def _files(listed: Any, place: str) -> dict[str, StoredFile]:
    if not isinstance(listed, dict):
        refuse_directory(place, "its files are not listed")
    found = {}
    for name, facts in listed.items():
        if not isinstance(facts, dict) or facts.keys() != {"bytes", "sha256"}:
            refuse_directory(place, f"size and checksum of {name} are not listed")
        found[name] = StoredFile(check_count(facts["bytes"], place), str(facts["sha256"]))
    return found


def _labels(listed: Any, place: str) -> list[str] | None:
    if listed is None:
        return None
    if not isinstance(listed, list) or not all(isinstance(label, str) for label in listed):
        refuse_directory(place, "its classes are not a list of texts")
    return listed


def refuse_directory(place: str, reason: str) -> NoReturn:
    """Say why a directory cannot be opened."""
    raise InvalidArgumentError(f"{place} cannot be opened: {reason}.")

"""The header of a directory of shards, and what its shards must have in common."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from regiht._inputs.checks.errors import InvalidArgumentError
from regiht._inputs.checks.scalars import check_integer
from regiht._inputs.checks.stored_matrices import (
    MATRIX,
    NAMES,
    SHARDS,
    StoredHeader,
    check_count,
    check_own_json,
    content_checksum,
    refuse_directory,
)

FORMAT_VERSION = 1

_MOST = 10**5  # so that their names have five digits


@dataclass(frozen=True)
class StoredShard:
    """One shard: its folder, its rows, and the checksum of its own header."""

    name: str
    rows: int
    sha256: str


@dataclass(frozen=True)
class ShardsHeader:
    """What ``header.json`` of a directory of shards says."""

    columns: int
    shards: list[StoredShard]

    def text(self) -> str:
        """The JSON text, with a checksum of its own."""
        own = {
            "version": FORMAT_VERSION,
            "number": len(self.shards),
            "columns": self.columns,
            "shards": [asdict(shard) for shard in self.shards],
        }
        content = {SHARDS: own}
        return json.dumps(content | {"sha256": content_checksum(content)}, indent=1)


def check_shards_header(text: bytes, place: str) -> ShardsHeader:
    """Read a header; InvalidArgumentError says why a directory holds no shards."""
    matrix = (
        "it holds one matrix and no shards; regiht.solve and the estimators take it, "
        "regiht.distributed a list of such directories"
    )
    content = check_own_json(text, place, SHARDS, FORMAT_VERSION, (MATRIX, matrix))
    own = content[SHARDS]
    shards = _shards(own.get("shards"), place)
    if own.get("number") != len(shards) or not shards:
        refuse_directory(place, "header.json does not list its shards")
    return ShardsHeader(check_count(own.get("columns"), place), shards)


def _shards(listed: Any, place: str) -> list[StoredShard]:
    if not isinstance(listed, list):
        refuse_directory(place, "its shards are not listed")
    found = []
    for number, facts in enumerate(listed):
        if not isinstance(facts, dict) or facts.keys() != {"name", "rows", "sha256"}:
            refuse_directory(place, f"name, rows and checksum of shard {number} are not listed")
        if facts["name"] != shard_name(number):  # a name may not lead out of the directory
            refuse_directory(place, f"shard {number} has the name {facts['name']!r}")
        rows = check_count(facts["rows"], place)
        found.append(StoredShard(facts["name"], rows, str(facts["sha256"])))
    return found


def check_shards(shards: int | None) -> int | None:
    """Check the number of shards to write."""
    return None if shards is None else check_integer("shards", shards, 1, _MOST)


def shard_name(number: int) -> str:
    """The folder of a shard."""
    return f"{number:05d}"


def check_alike(headers: Mapping[str, StoredHeader]) -> None:
    """Check that matrices, by their places, have the same columns, in number and in name."""
    first_place, first = next(iter(headers.items()))
    for place, header in headers.items():
        if header.shape[1] != first.shape[1]:
            raise InvalidArgumentError(
                f"all shards must have the same columns: {first_place} has {first.shape[1]} of "
                f"them and {place} has {header.shape[1]}."
            )
        if header.files.get(NAMES) != first.files.get(NAMES):
            raise InvalidArgumentError(
                f"all shards must have the same columns: their names in {place} are not those in "
                f"{first_place}."
            )

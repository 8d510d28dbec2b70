"""Shards on disk as blocks of rows, each opened where it is solved."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.checks.stored_matrices import TARGET
from regiht.dataset._open import feature_names
from regiht.dataset._shards import Shard, read_shards, shards_at


def shards_of(X: Any) -> list[Shard] | None:
    """The shards of a directory, or those of a list of paths; None if X is something else."""
    try:
        if _is_path(X):
            return read_shards(X)
        if isinstance(X, list | tuple) and X and all(map(_is_path, X)):
            return shards_at(X)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"X: {error}") from None
    if isinstance(X, list | tuple) and any(map(_is_path, X)):
        raise InvalidArgumentError("X must be a list of paths or one of blocks of rows, not both.")
    return None


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike)


def names_of(shards: Sequence[Shard]) -> list[str] | None:
    """The names of the columns, which all shards share."""
    return feature_names(shards[0].path, shards[0].header)


def check_own_targets(shards: Sequence[Shard]) -> None:
    """Refuse shards that do not bring y along, or labels here and numbers there."""
    first = shards[0]
    for shard in shards:
        if TARGET not in shard.header.dtypes:
            raise InvalidArgumentError(f"y must be given: {shard.path} has no targets.")
        if (shard.header.classes is None) != (first.header.classes is None):
            raise InvalidArgumentError(
                "y must hold labels in all shards or numbers in all: of "
                f"{first.path} and {shard.path} one has labels, the other numbers."
            )

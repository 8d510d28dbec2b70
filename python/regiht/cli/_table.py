"""What the command line reads from a file, and what it asks for."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.cells import as_number
from regiht._inputs.checks import InvalidArgumentError
from regiht.cli._encoding import Encoding, Preparation

# As an array, all labels take the room of the longest.
_LONGEST_LABEL = 256


@dataclass(frozen=True)
class Table:
    """A matrix of features, perhaps with targets and names.

    LIBSVM text has numbers for names, and ``columns_from`` says whether these begin at 0 or 1.
    ``preparation`` says how features were made of text and of empty cells.
    """

    X: Any
    y: NDArray[Any] | None
    feature_names: list[str] | None
    columns_from: int | None = None
    preparation: Preparation = field(default_factory=Preparation)

    def named(self) -> list[str]:
        """Names of all columns, made up if there are none."""
        return self.feature_names or [f"x{j}" for j in range(self.X.shape[1])]


@dataclass(frozen=True)
class Asked:
    """What to take out of a file."""

    target: str | None
    labelled: bool
    is_read: Callable[[str], bool]
    columns_from: int | None
    encoding: Encoding = field(default_factory=Encoding)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Ask for the closest of some names; nothing if none is close."""
    close = difflib.get_close_matches(name, list(names), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def target_place(path: Path, names: Sequence[str], asked: Asked) -> int | None:
    """Where the target stands among the columns, if it is there. Names that count occur once."""
    seen: set[str] = set()
    for name in names:
        if name in seen and (asked.is_read(name) or name == asked.target):
            raise InvalidArgumentError(f"{path} has two columns called {name!r}; rename one.")
        seen.add(name)
    if asked.target is None:
        return len(names) - 1 if asked.labelled else None
    if asked.target in names:
        return list(names).index(asked.target)
    if not asked.labelled:
        return None
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    hint = did_you_mean(asked.target, names)
    raise InvalidArgumentError(f"{path} has no column {asked.target!r}; it has {shown}.{hint}")


def as_target(path: Path, values: Sequence[Any] | NDArray[Any]) -> NDArray[Any]:
    """Numbers where all entries are numbers, text otherwise."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        return values
    labels = [str(value) for value in values]
    try:
        return np.array([as_number(label) for label in labels])
    except ValueError:
        longest = max(labels, key=len)
    if len(longest) > _LONGEST_LABEL:
        raise InvalidArgumentError(
            f"{path}: a target begins with {longest[:20]!r} and has {len(longest)} characters; "
            f"labels have at most {_LONGEST_LABEL}."
        )
    return np.array(labels)

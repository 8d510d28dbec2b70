"""Columns of text as columns of zeros and ones, and something for cells that are empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from regiht._inputs.checks import FloatArray, InvalidArgumentError

_MISSING = {"", "na", "n/a", "nan", "null"}

# More are names or numbers of the rows rather than kinds of them.
_MOST_LEVELS = 256

IMPUTATIONS: dict[str, Callable[[FloatArray], Any]] = {"mean": np.mean, "median": np.median}

# Numbers, NaN where there is none; or text.
Column = FloatArray | list[str]


@dataclass(frozen=True)
class Preparation:
    """How the features of a model come from the columns of a file.

    ``levels`` are those of each column of text that are a feature, which is called ``column=level``
    and is 1 in their rows, 0 in others. ``fill`` is what stands for an empty cell of a column.
    """

    levels: dict[str, list[str]] = field(default_factory=dict)
    fill: dict[str, float | str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.levels or self.fill)

    def plain(self) -> dict[str, Any]:
        """Return it in a form that model files hold."""
        return {"levels": self.levels, "fill": self.fill}

    def source(self, feature: str) -> str:
        """Return the column that a feature is made of."""
        sources = {f"{name}={level}": name for name, each in self.levels.items() for level in each}
        return sources.get(feature, feature)


@dataclass(frozen=True)
class Encoding:
    """What to do with text and empty cells: choose by the data, or as for a model before."""

    one_hot: bool = False
    impute: str | None = None
    fitted: Preparation | None = None


def is_missing(cell: str) -> bool:
    """Whether there is nothing in a cell."""
    return cell.strip().lower() in _MISSING


def encode(
    path: Path, columns: Mapping[str, Column], encoding: Encoding
) -> tuple[FloatArray, list[str], Preparation]:
    """Make a matrix, whose numbers may be NaN, of numbers and text; text must have been asked for.

    At a prediction a level that the model has not seen is none of its own.
    """
    features: list[tuple[str, FloatArray]] = []
    preparation = Preparation()
    for name, column in columns.items():
        if not isinstance(column, list):
            features.append((name, column))
            continue
        cells = _filled(path, name, column, encoding, preparation)
        levels = _levels(path, name, cells, encoding)
        preparation.levels[name] = levels
        features += [(f"{name}={level}", np.equal(cells, level).astype(float)) for level in levels]
    names = [name for name, _ in features]
    for name, count in Counter(names).items():
        if count > 1:
            raise InvalidArgumentError(
                f"{path}: two features are called {name!r}; rename a column."
            )
    X = np.column_stack([values for _, values in features]) if features else np.empty((0, 0))
    return X, names, preparation


def fill_numbers(
    path: Path, X: FloatArray, names: Sequence[str], encoding: Encoding, preparation: Preparation
) -> FloatArray:
    """Put a number where there is none, if that was asked for; what it was is kept."""
    empty = np.isnan(X)
    if not empty.any() and not encoding.impute:
        return X
    X = X.copy()
    for j, name in enumerate(names):
        if encoding.impute:
            if empty[:, j].all():
                raise InvalidArgumentError(f"{path}: column {name!r} is empty; exclude it.")
            number = float(IMPUTATIONS[encoding.impute](X[~empty[:, j], j]))
            preparation.fill[name] = number
        elif encoding.fitted is not None and name in encoding.fitted.fill:
            number = float(encoding.fitted.fill[name])
        else:
            continue
        X[empty[:, j], j] = number
    return X


def refuse_text(place: str, columns: Sequence[str]) -> None:
    """Name all columns of text, and what can be done about them."""
    listed = ", ".join(repr(name) for name in columns)
    raise InvalidArgumentError(
        f"{place}. Features must be numbers, and there is text in {listed}: encode it with "
        "--one-hot, or leave columns out with --exclude."
    )


def _filled(
    path: Path, name: str, cells: list[str], encoding: Encoding, preparation: Preparation
) -> list[str]:
    """Put the most common text where there is none, if that was asked for."""
    present = [cell for cell in cells if not is_missing(cell)]
    if encoding.impute and present:
        counts = Counter(present)
        preparation.fill[name] = min(counts, key=lambda cell: (-counts[cell], cell))
    if len(present) == len(cells):
        return cells
    fill = (encoding.fitted or preparation).fill.get(name)
    if fill is None:
        row = next(k for k, cell in enumerate(cells) if is_missing(cell))
        raise InvalidArgumentError(
            f"{path}: sample {row + 1} has nothing in column {name!r}; --impute fills it in, "
            "--exclude leaves the column out."
        )
    return [str(fill) if is_missing(cell) else cell for cell in cells]


def _levels(path: Path, name: str, cells: list[str], encoding: Encoding) -> list[str]:
    if encoding.fitted is not None:
        return encoding.fitted.levels[name]
    levels = sorted(set(cells))
    if len(levels) > _MOST_LEVELS:
        raise InvalidArgumentError(
            f"{path}: column {name!r} has {len(levels)} different texts, more than {_MOST_LEVELS}; "
            "leave it out with --exclude."
        )
    # Of two, one tells all.
    return levels[1:] if len(levels) == 2 else levels

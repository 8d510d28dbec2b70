"""Reading CSV files: all rows of one width; numbers, and text where that is asked for."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from regiht._inputs.cells import as_number, is_number
from regiht._inputs.checks import InvalidArgumentError
from regiht.cli._encoding import Column, Encoding, encode, is_missing, refuse_text
from regiht.cli._table import Asked, Table, as_target, target_place

_OTHER_SEPARATORS = (";", "\t")


def read_csv(path: Path, asked: Asked) -> Table:
    """Read a file whose first line may hold names; else they are x0, x1 and so on."""
    try:
        if asked.encoding.fitted is None or not asked.encoding.fitted.levels:
            with _opened(path, asked) as lines:
                table = _read_numbers(lines)
            if table is not None:
                return table
        with _opened(path, asked) as lines:
            return _read_mixed(lines)
    except (csv.Error, UnicodeDecodeError) as error:
        raise InvalidArgumentError(f"{path} is not a CSV file: {error}.") from None


@dataclass(frozen=True)
class _Lines:
    """The rows of a file, and which of its columns are what."""

    path: Path
    reader: Any
    rows: Iterable[list[str]]
    names: list[str]
    target: int | None
    needed: list[int]
    encoding: Encoding

    def place(self) -> str:
        """Where the reader is."""
        return f"{self.path}, line {self.reader.line_num}"

    def __iter__(self) -> Iterator[list[str]]:
        """Rows that are not empty, all of the same width."""
        count = 0
        for row in self.rows:
            if row and len(row) != len(self.names):
                raise InvalidArgumentError(
                    f"{self.place()}: there are {len(row)} cells instead of {len(self.names)}."
                )
            if row:
                count += 1
                yield row
        if count == 0:
            raise InvalidArgumentError(f"{self.path} has no rows.")

    def columns(self) -> list[int]:
        """Return all columns but the target."""
        return [j for j in range(len(self.names)) if j != self.target]


@contextmanager
def _opened(path: Path, asked: Asked) -> Iterator[_Lines]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file)
        header: list[str] = next(reader, [])
        if not header:
            raise InvalidArgumentError(f"{path} is empty.")
        separators = [each for each in _OTHER_SEPARATORS if each in header[0]]
        if len(header) == 1 and separators:
            raise InvalidArgumentError(
                f"{path} has its cells separated by {separators[0]!r}; commas are wanted."
            )
        has_names = not any(is_number(cell) for cell in header)
        names = header if has_names else [f"x{j}" for j in range(len(header))]
        rows = reader if has_names else chain([header], reader)
        target = target_place(path, names, asked)
        needed = [j for j, name in enumerate(names) if j != target and asked.is_read(name)]
        yield _Lines(path, reader, rows, names, target, needed, asked.encoding)


def _read_numbers(lines: _Lines) -> Table | None:
    """Read a table of nothing but numbers; None if it is none."""
    numbers, targets, count = array("d"), [], 0
    for row in lines:
        try:
            numbers.extend([as_number(row[j]) for j in lines.needed])
        except ValueError:
            return None
        if lines.target is not None:
            targets.append(row[lines.target])
        count += 1
    columns = lines.columns()
    X = np.zeros((count, len(columns)))
    X[:, np.searchsorted(columns, lines.needed)] = np.frombuffer(numbers).reshape(count, -1)
    y = None if lines.target is None else as_target(lines.path, targets)
    return Table(X, y, [lines.names[j] for j in columns])


def _read_mixed(lines: _Lines) -> Table:
    """Read a table of numbers, text and empty cells, as far as these were asked for."""
    cells: dict[int, list[str]] = {j: [] for j in lines.needed}
    targets, odd, count = [], _FirstCells({}, {}), 0
    for row in lines:
        count += 1
        for j in lines.needed:
            cells[j].append(row[j])
            if is_missing(row[j]):
                odd.empty.setdefault(j, lines.place())
            elif not is_number(row[j]):
                odd.text.setdefault(j, f"{lines.place()}: {row[j]!r}")
        if lines.target is not None:
            targets.append(row[lines.target])
    text = _text_columns(lines, odd)
    columns: dict[str, Column] = {}
    for j in lines.columns():
        columns[lines.names[j]] = (
            np.zeros(count) if j not in cells
            else cells[j] if j in text
            else np.array([np.nan if is_missing(cell) else as_number(cell) for cell in cells[j]])
        )  # fmt: skip
    X, names, preparation = encode(lines.path, columns, lines.encoding)
    y = None if lines.target is None else as_target(lines.path, targets)
    return Table(X, y, names, preparation=preparation)


@dataclass(frozen=True)
class _FirstCells:
    """Where each column has its first text, and its first empty cell."""

    text: dict[int, str]
    empty: dict[int, str]


def _text_columns(lines: _Lines, odd: _FirstCells) -> Sequence[int]:
    """Columns to encode; those that should hold numbers and do not are refused."""
    encoding, names = lines.encoding, lines.names
    if encoding.fitted is not None:
        text = [j for j in lines.needed if names[j] in encoding.fitted.levels]
        fills = [j for j in lines.needed if names[j] in encoding.fitted.fill]
    else:
        text = sorted(odd.text) if encoding.one_hot else []
        fills = lines.needed if encoding.impute else []
    wrong = [j for j in sorted(odd.text) if j not in text]
    if wrong:
        first = f"{odd.text[wrong[0]]} in column {names[wrong[0]]!r} is not a number"
        if encoding.fitted is not None:
            raise InvalidArgumentError(f"{first}, as it was when the model was fitted.")
        refuse_text(first, [names[j] for j in wrong])
    for j, place in odd.empty.items():
        if j not in fills:
            raise InvalidArgumentError(
                f"{place}: column {names[j]!r} is empty; --impute fills it in when a model is "
                "fitted, --exclude leaves the column out."
            )
    return text

"""Reading CSV files: all rows of one width, numbers in the columns that are needed."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from regiht._inputs.checks import InvalidArgumentError
from regiht.cli._table import Asked, Table, as_number, as_target, is_number, target_place


def read_csv(path: Path, asked: Asked) -> Table:
    """Read a file whose first line may hold names; else they are x0, x1 and so on."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return _read(path, csv.reader(file), asked)
    except (csv.Error, UnicodeDecodeError) as error:
        raise InvalidArgumentError(f"{path} is no CSV file: {error}.") from None


def _read(path: Path, lines: Any, asked: Asked) -> Table:
    header: list[str] = next(lines, [])
    if not header:
        raise InvalidArgumentError(f"{path} is empty.")
    has_names = not any(is_number(cell) for cell in header)
    names = header if has_names else [f"x{j}" for j in range(len(header))]
    place = target_place(path, names, asked)
    columns = [j for j in range(len(names)) if j != place]
    read = [k for k, j in enumerate(columns) if asked.is_read(names[j])]
    needed = [columns[k] for k in read]
    numbers, targets, count = array("d"), [], 0
    for row in _rows(path, lines if has_names else chain([header], lines), lines, len(names)):
        try:
            numbers.extend([as_number(row[j]) for j in needed])
        except ValueError:
            _refuse_cell(f"{path}, line {lines.line_num}", names, needed, row)
        if place is not None:
            targets.append(row[place])
        count += 1
    if count == 0:
        raise InvalidArgumentError(f"{path} has no rows.")
    X = np.zeros((count, len(columns)))
    X[:, read] = np.frombuffer(numbers).reshape(count, len(read))
    y = None if place is None else as_target(path, targets)
    return Table(X, y, [names[j] for j in columns])


def _rows(path: Path, rows: Iterable[list[str]], lines: Any, width: int) -> Iterable[list[str]]:
    """Rows that are not empty, all of the same width."""
    for row in rows:
        if row and len(row) != width:
            raise InvalidArgumentError(
                f"{path}, line {lines.line_num}: there are {len(row)} cells instead of {width}."
            )
        if row:
            yield row


def _refuse_cell(
    where: str, names: Sequence[str], needed: Sequence[int], row: list[str]
) -> NoReturn:
    """Say which is the first cell that should be a number and is none."""
    at = next(j for j in needed if not is_number(row[j]))
    if not row[at].strip():
        raise InvalidArgumentError(
            f"{where}: column {names[at]!r} is empty; fill in what is missing first."
        )
    raise InvalidArgumentError(
        f"{where}: {row[at]!r} in column {names[at]!r} is not a number; features must be numbers, "
        "unless they are excluded."
    )

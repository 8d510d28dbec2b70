"""Tables of numbers with a column of targets: CSV text and Parquet."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from regiht._inputs import checks as check
from regiht._inputs.cells import as_number, is_number
from regiht.dataset._rows import RowChunk, RowSource, dense_chunk
from regiht.dataset._sources.libsvm import bytes_consumed
from regiht.datasets.libsvm import damage_as_os_error, open_text

_CELLS = 1 << 20


class _Table(RowSource):
    """A table whose columns are known; a position is the number of rows before it."""

    def __init__(self, path: Path, names: Sequence[str], target: str | None) -> None:
        self._path = path
        if len(set(names)) < len(names):
            twice = next(name for name in names if list(names).count(name) > 1)
            self._refuse(f"it has two columns called {twice!r}; rename one")
        if target is not None and target not in names:
            close = difflib.get_close_matches(target, names, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            self._refuse(f"it has no column {target!r}{hint}")
        if len(names) < 2:
            self._refuse("it needs a column of features and one of targets")
        self._place = len(names) - 1 if target is None else list(names).index(target)
        self.target = names[self._place]
        self.feature_names = [name for name in names if name != self.target]
        self.shape = (None, len(self.feature_names))
        self._rows_at_once = max(1, _CELLS // len(names))

    def _refuse(self, reason: str) -> NoReturn:
        raise check.InvalidArgumentError(f"{self._path} cannot be read: {reason}.")


class CsvSource(_Table):
    """CSV text, whose first line may hold names; plain or compressed."""

    def __init__(self, path: Path, target: str | None) -> None:
        self._path = path
        with _opened(path) as (rows, _), self._as_text():
            header = next(rows, [])
        if not header:
            raise check.InvalidArgumentError(f"{path} is empty.")
        self._has_names = not any(is_number(cell) for cell in header)
        names = header if self._has_names else [f"x{j}" for j in range(len(header))]
        super().__init__(path, names, target)
        self._width = len(names)

    def chunks(self, position: Any) -> Iterator[RowChunk]:
        """Parse some rows at a time; those before the position are read and left out."""
        size = max(self._path.stat().st_size, 1)
        done = position or 0
        with _opened(self._path) as (every, consumed), self._as_text():
            filled = (row for row in islice(every, self._has_names, None) if row)
            rows = islice(filled, done, None)
            while first := next(rows, None):
                held = list(chain([first], islice(rows, self._rows_at_once - 1)))
                cells, y = self._numbers(held, done)
                done += len(held)
                share = min(1.0, consumed() / size)
                yield dense_chunk(cells, y, done, share)

    @contextmanager
    def _as_text(self) -> Iterator[None]:
        try:
            yield
        except (csv.Error, UnicodeDecodeError) as error:
            self._refuse(f"it is not CSV text in UTF-8 ({error})")

    def _numbers(
        self, rows: list[list[str]], before: int
    ) -> tuple[NDArray[np.float64], NDArray[Any]]:
        cells = np.empty((len(rows), self._width - 1))
        labels = []
        for i, row in enumerate(rows):
            if len(row) != self._width:
                self._refuse(f"row {before + i + 1} has {len(row)} cells instead of {self._width}")
            labels.append(row.pop(self._place))
            if not labels[-1].strip():
                self._refuse(f"row {before + i + 1} has nothing in column {self.target!r}")
            try:
                cells[i] = [as_number(cell) for cell in row]
            except ValueError:
                self._refuse_cell(before + i, row)
        if not np.isfinite(cells).all():
            i = int(np.argmin(np.isfinite(cells).all(axis=1)))
            self._refuse_cell(before + i, rows[i])
        return cells, np.array(labels)

    def _refuse_cell(self, row: int, cells: list[str]) -> NoReturn:
        j = next(j for j, cell in enumerate(cells) if not _is_finite(cell))
        assert self.feature_names is not None
        self._refuse(
            f"row {row + 1} has {cells[j]!r} in column {self.feature_names[j]!r}, which is no "
            "finite number; encode text and fill in empty cells before"
        )


class ParquetSource(_Table):
    """A Parquet file of numbers."""

    def __init__(self, path: Path, target: str | None) -> None:
        try:
            from pyarrow import parquet  # noqa: PLC0415  (optional)
        except ImportError as error:
            raise ImportError(
                'Parquet files need pyarrow: pip install "regiht[files]". '
                "See the page “Large data”."
            ) from error
        try:
            self._file = parquet.ParquetFile(path)
        except ValueError as error:  # what pyarrow raises is one
            raise check.InvalidArgumentError(f"{path} is not a Parquet file: {error}.") from None
        super().__init__(path, self._file.schema_arrow.names, target)

    def chunks(self, position: Any) -> Iterator[RowChunk]:
        """Take batches of rows; those before the position are read and left out."""
        skip, done = position or 0, 0
        total = max(self._file.metadata.num_rows, 1)
        for batch in self._file.iter_batches(self._rows_at_once):
            done += batch.num_rows
            if done <= skip:
                continue
            rows = batch.slice(max(0, batch.num_rows - (done - skip)))
            if rows.column(self._place).null_count:
                self._refuse(f"column {self.target!r} has cells that are empty")
            y = check.check_labels(rows.column(self._place).to_numpy(zero_copy_only=False))
            names = cast(list[str], self.feature_names)
            cells = np.column_stack([self._column(rows, name) for name in names])
            yield dense_chunk(cells, y, done, done / total)

    def _column(self, rows: Any, name: str) -> NDArray[np.float64]:
        values = rows.column(rows.schema.get_field_index(name)).to_numpy(zero_copy_only=False)
        if values.dtype.kind not in "fiub":
            self._refuse(f"column {name!r} holds no numbers; encode text before")
        numbers: NDArray[np.float64] = values.astype(np.float64)
        if not np.isfinite(numbers).all():
            self._refuse(f"column {name!r} has cells that are empty or not finite; fill them in")
        return numbers


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Iterator[list[str]], Callable[[], int]]]:
    """The rows of a file, and how many of its bytes were read."""
    with open_text(path) as stream, damage_as_os_error(path):
        buffered: Any = stream if hasattr(stream, "read1") else BufferedReader(cast(Any, stream))
        with TextIOWrapper(buffered, encoding="utf-8-sig", newline="") as text:
            yield csv.reader(text), lambda: bytes_consumed(stream)


def _is_finite(cell: str) -> bool:
    return is_number(cell) and bool(np.isfinite(as_number(cell)))

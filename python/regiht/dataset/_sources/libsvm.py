"""LIBSVM text, plain or compressed, in pieces that are parsed side by side."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import numpy as np

from regiht import _core
from regiht._inputs import checks as check
from regiht.dataset._rows import RowChunk, RowSource
from regiht.datasets.libsvm import damage_as_os_error, open_text

_PIECE_BYTES = 1 << 22
_LONGEST_LINE = 1 << 28  # lines are read as a whole
_THREADS = 2
_LINE = re.compile(r"line (\d+)")


class LibsvmSource(RowSource):
    """Lines of ``label column:value …``; a position is the bytes and lines before it."""

    numbers_from_text = True

    def __init__(self, path: Path, dtype: Any, n_features: int | None = None) -> None:
        self._path = path
        wide = np.dtype(dtype) == np.float64
        self._reader = _core.LibsvmReader if wide else _core.LibsvmReaderFloat32
        self.shape = (None, n_features)

    def chunks(self, position: Any) -> Iterator[RowChunk]:
        """Parse pieces of whole lines, some ahead of the one that is handed out."""
        begin, lines = (0, 0) if position is None else position
        size = max(self._path.stat().st_size, 1)
        waiting: deque[tuple[Future[RowChunk], float]] = deque()
        with (
            open_text(self._path) as stream,
            damage_as_os_error(self._path),
            ThreadPoolExecutor(_THREADS) as pool,
        ):
            _skip(stream, begin)
            for text in whole_lines(stream):
                begin += sum(map(len, text))
                before, lines = lines, lines + sum(part.count(b"\n") for part in text)
                share = min(1.0, bytes_consumed(stream) / size)
                parsed = pool.submit(self._parse, text, before, [begin, lines])
                waiting.append((parsed, share))
                if len(waiting) > _THREADS:
                    yield _with_share(*waiting.popleft())
            while waiting:
                yield _with_share(*waiting.popleft())

    def _parse(self, text: list[bytes], lines: int, position: list[int]) -> RowChunk:
        """Parse whole lines that come after so many others, up to a position."""
        reader = self._reader()
        try:
            for part in text:
                reader.feed(part)
            rows = reader.finish()
        except ValueError as error:
            message = _LINE.sub(lambda found: f"line {int(found[1]) + lines}", str(error), count=1)
            raise check.InvalidArgumentError(f"{os.fspath(self._path)}, {message}") from None
        return RowChunk(
            rows["columns"], rows["values"], rows["offsets"], rows["labels"], position=position
        )


def _with_share(future: Future[RowChunk], share: float) -> RowChunk:
    chunk = future.result()
    return RowChunk(
        chunk.columns, chunk.values, chunk.offsets, chunk.y, position=chunk.position, done=share
    )


def whole_lines(stream: IO[bytes]) -> Iterator[list[bytes]]:
    """Yield the text in pieces that end with a line, each in parts that follow each other."""
    rest: list[bytes] = []
    while piece := stream.read(_PIECE_BYTES):
        end = piece.rfind(b"\n") + 1
        if end == 0:
            rest.append(piece)
            if len(rest) * _PIECE_BYTES > _LONGEST_LINE:
                raise check.InvalidArgumentError(
                    f"a line has more than {_LONGEST_LINE} bytes; is it text?"
                )
            continue
        yield [*rest, piece[:end]]
        rest = [piece[end:]]
    if any(rest):
        yield rest


def _skip(stream: IO[bytes], count: int) -> None:
    """Go on from a byte of the text: at once where it is not compressed."""
    if stream.seekable():
        stream.seek(count)


def bytes_consumed(stream: Any) -> int:
    """How many bytes of the file were read, compressed or not."""
    file = getattr(stream, "fileobj", None) or getattr(stream, "_fp", None) or stream
    return int(file.tell())

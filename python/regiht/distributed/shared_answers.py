"""Answers of blocks that several fits, one after another, need only once."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from regiht._inputs.checks import IndexArray
from regiht.distributed import row_block
from regiht.distributed.blocks import Blocks
from regiht.distributed.communication import payload
from regiht.distributed.ordered_sum import Answer, Combine, add

# Bytes that remembered answers may take.
_ROOM = 1 << 29


class SharedAnswers(Blocks):
    """Blocks that are not asked again what is known already.

    What a block answers depends on the question alone, so the bits of a fit are those of one that
    asks by itself. Fits of several numbers of features share what they ask at their common start,
    and columns of the Gram matrix one by one. ``communication`` counts all questions, as if none
    were known: by it ``"best"`` decides what it can afford, whatever was asked before. What was
    really sent is counted by the blocks behind.
    """

    def __init__(self, blocks: Blocks) -> None:
        super().__init__()
        self._blocks = blocks
        self._known: dict[bytes, Any] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._blocks)

    def derive(self, function: Callable[..., Any], *arguments: Any) -> Blocks:
        """Make new blocks, of which nothing is known."""
        return self._blocks.derive(function, *arguments)

    def select(self, numbers: Sequence[int]) -> Blocks:
        """Take some of the blocks, of whose sums nothing is known."""
        return self._blocks.select(numbers)

    def _ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any]:
        return self._blocks.map(function, *arguments)

    def _ask_sum(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], combine: Combine
    ) -> Any:
        if function is row_block.gram_columns:
            return self._gram_columns(*arguments)
        key = _key(function, *arguments)
        answer = self._known.pop(key, None)
        if answer is None:
            answer = self._blocks.sum(function, *arguments, combine=combine)
            self._bytes += payload(answer)
        self._known[key] = answer  # at the end, for what was needed last goes last
        self._make_room()
        return answer

    def _gram_columns(self, columns: IndexArray) -> Answer:
        keys = [_key(row_block.gram_columns, j) for j in columns.tolist()]
        missing = np.array([key not in self._known for key in keys])
        if missing.any():
            fetched = self._blocks.sum(row_block.gram_columns, columns[missing], combine=add)
            for k, row in zip(np.flatnonzero(missing), fetched["gram"], strict=True):
                self._known[keys[k]] = row.copy()
                self._bytes += row.nbytes
        rows = [self._known.pop(key) for key in keys]
        self._known.update(zip(keys, rows, strict=True))
        self._make_room()
        return {"gram": np.stack(rows)}

    def _make_room(self) -> None:
        while self._bytes > _ROOM and self._known:
            self._bytes -= payload(self._known.pop(next(iter(self._known))))


def _key(function: Callable[..., Any], *arguments: Any) -> bytes:
    """Equal for equal questions alone."""
    return hashlib.sha256(pickle.dumps((function.__qualname__, arguments))).digest()

"""Compressed columns, some at a time: what is made of them stays small."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def column_blocks(offsets: NDArray[Any], entries: int) -> Iterator[tuple[int, int]]:
    """Cut the columns into ranges of at most so many entries, or of a single column."""
    cols, first = offsets.size - 1, 0
    while first < cols:
        until = min(int(offsets[first]) + entries, int(offsets[-1]))
        end = int(np.searchsorted(offsets, offsets.dtype.type(until), side="right")) - 1
        last = min(max(end, first + 1), cols)
        yield first, last
        first = last


def columns_of(X: Any, first: int, last: int) -> Any:
    """Some columns of a CSC matrix, which borrow its memory."""
    here = slice(int(X.indptr[first]), int(X.indptr[last]))
    block = type(X)((X.shape[0], last - first), dtype=X.dtype)
    block.data, block.indices = X.data[here], X.indices[here]
    block.indptr = X.indptr[first : last + 1] - X.indptr[first]
    return block

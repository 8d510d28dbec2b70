"""Several results in an order, as a sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from regiht._solving.result import Result


class Results(Sequence[Result]):
    """What paths, tables and sets of models have in common: one result after another."""

    def __init__(self, results: list[Result]) -> None:
        self._results = results

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, index: Any) -> Any:
        return self._results[index]

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

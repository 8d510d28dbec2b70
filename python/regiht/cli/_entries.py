"""Which features each model of a path takes up and gives up."""

from __future__ import annotations

from regiht._solving.path import SparsePath


def entries(path: SparsePath) -> list[tuple[str, str]]:
    """Name, for each model, the features that the one before it has not, and those it has not."""
    before: set[int] = set()
    listed = []
    for support in path.supports:
        now = set(support.tolist())
        listed.append((_names(path, now - before), _names(path, before - now)))
        before = now
    return listed


def _names(path: SparsePath, columns: set[int]) -> str:
    return ", ".join(path.feature_names[j] for j in sorted(columns))

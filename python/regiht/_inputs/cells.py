"""Cells of tables of text."""

from __future__ import annotations


def as_number(cell: str) -> float:
    """Read a number; ``1_000`` is one in Python only."""
    if "_" in cell:
        raise ValueError(cell)
    return float(cell)


def is_number(cell: str) -> bool:
    """Whether `as_number` can read it."""
    try:
        as_number(cell)
    except ValueError:
        return False
    return True

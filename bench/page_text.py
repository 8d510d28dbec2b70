"""How figures are set on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def table_text(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def source_text(kept: dict[str, Any]) -> str:
    """The command, the machine and the versions that gave the figures."""
    versions = ", ".join(f"{name} {number}" for name, number in kept["versions"].items())
    return f"`{kept['command']}`: {kept['machine']}; {versions}."


def value_text(value: float) -> str:
    """A value of an objective, with the digits in which solvers differ."""
    if abs(value) < 1e-20:
        return "0"
    if abs(value) >= 1e4:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.1f}" if abs(value) >= 100 else f"{value:.4g}"


def short_time(seconds: float) -> str:
    """A duration with two digits, in one piece."""
    unit, factor = ("s", 1.0) if seconds >= 0.1 else ("ms", 1e3)
    size = seconds * factor
    number = f"{size:.0f}" if size >= 10 else f"{size:.2g}"
    return f"{number}\u00a0{unit}"

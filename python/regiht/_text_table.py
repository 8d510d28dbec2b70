"""Tables and counts as plain text."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def counted(number: int, noun: str) -> str:
    """A number of things, one or several."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], text: Collection[int] = (0,)
) -> str:
    """Align the cells: columns of text to the left, numbers to the right."""
    lines = [header, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k in text else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )

"""Names of features that fit beside an axis."""

_LONGEST = 32


def short_name(name: str) -> str:
    """Cut a long name."""
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"

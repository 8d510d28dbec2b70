"""Collections whose data is elsewhere, told from data in memory."""

from __future__ import annotations

from typing import Any


def is_dask(value: Any) -> bool:
    """Whether something is a collection of Dask; which is not imported for that."""
    return callable(getattr(value, "__dask_graph__", None))

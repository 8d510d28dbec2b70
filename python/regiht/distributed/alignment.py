"""Arrays that come out of messages, where they may lie at any address."""

from __future__ import annotations

from typing import Any

import numpy as np


def aligned(value: Any) -> Any:
    """Copy an array that the core could not read; all else as it is."""
    if isinstance(value, np.ndarray) and not value.flags.aligned:
        return value.copy(order="K")
    return value


class Aligned:
    """A dataclass whose arrays can be read after it has travelled."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: aligned(value) for name, value in state.items()})

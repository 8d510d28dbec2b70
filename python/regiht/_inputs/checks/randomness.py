"""Where random numbers come from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regiht._inputs.checks.errors import InvalidArgumentError

Rng = int | Sequence[int] | np.random.SeedSequence | np.random.Generator | None


def check_rng(rng: Rng) -> np.random.Generator:
    """Return the generator given, or a new one from a seed; None: another in every call."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise InvalidArgumentError(
            f"rng must be a seed of at least 0, a numpy Generator or None; got {rng!r}."
        ) from None

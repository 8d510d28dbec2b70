"""Where random numbers come from: ``rng`` of SPEC 7, and ``seed``, its older name here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regiht._inputs.checks.errors import InvalidArgumentError
from regiht._inputs.checks.scalars import check_integer

Rng = int | Sequence[int] | np.random.SeedSequence | np.random.Generator | None


def check_rng(rng: Rng, seed: Rng = None) -> np.random.Generator:
    """Return the generator given, or a new one from a seed; None: another in every call.

    A ``seed`` that is not None takes the place of ``rng``, which must then be 0, its default.
    """
    name, given = _given(rng, seed)
    try:
        return np.random.default_rng(given)
    except (TypeError, ValueError):
        raise InvalidArgumentError(
            f"{name} must be a seed of at least 0, a numpy Generator or None; got {given!r}."
        ) from None


def check_seed(rng: Rng, seed: Rng = None) -> int:
    """Return the seed given, or one that the generator draws, for code that takes only numbers."""
    name, given = _given(rng, seed)
    if isinstance(given, (int, np.integer)):
        return check_integer(name, given, 0, 2**64 - 1)
    return int(check_rng(rng, seed).integers(2**63))


def _given(rng: Rng, seed: Rng) -> tuple[str, Rng]:
    """Tell which of the two names was used."""
    if seed is None:
        return "rng", rng
    if type(rng) is not int or rng != 0:
        raise InvalidArgumentError("seed is another name of rng; give one of them.")
    return "seed", seed

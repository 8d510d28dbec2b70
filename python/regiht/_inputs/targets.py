"""Which of the two exact ways an intercept takes: out of the targets, or chosen by the core."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regiht import _core
from regiht._inputs.checks import FloatArray, check_intercept_exists
from regiht._inputs.design import Design


class Targets(NamedTuple):
    """Targets, one row each, ready for the core.

    Attributes
    ----------
    values : array
        What the core is to fit.
    offsets : list of float
        What to add to the predictions for each target.
    intercept : bool
        Whether the core is to choose an intercept.
    """

    values: FloatArray
    offsets: list[float]
    intercept: bool


def prepare_targets(
    targets: FloatArray,
    design: Design,
    *,
    loss: _core.Loss,
    sample_weight: FloatArray | None,
    intercept: bool,
) -> Targets:
    """Take the mean out of the targets where that is exact, else leave the intercept to the core.

    For a quadratic loss on centred columns the best intercept is the mean, whatever x is. For all
    else the core minimises over it at every x.
    """
    zeros = [0.0] * len(targets)
    if not intercept:
        return Targets(targets, zeros, intercept=False)
    for target in targets:
        check_intercept_exists(target, loss, sample_weight)
    if loss.is_quadratic and sample_weight is None and design.has_plain_means:
        with np.errstate(over="ignore"):  # the objective is not finite then, which is told
            means = targets.mean(axis=1)
        return Targets(targets - means[:, None], means.tolist(), intercept=False)
    return Targets(targets, zeros, intercept=True)


def prepare_target(
    target: FloatArray,
    design: Design,
    *,
    loss: _core.Loss,
    sample_weight: FloatArray | None,
    intercept: bool,
) -> tuple[FloatArray, float, bool]:
    """Prepare one target: its values, its offset, and whether the core chooses an intercept."""
    if not intercept:
        return target, 0.0, False
    values, offsets, chosen = prepare_targets(
        target[None, :], design, loss=loss, sample_weight=sample_weight, intercept=True
    )
    return values[0], offsets[0], chosen

"""Information criteria: how much a smaller loss is worth a feature more."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError
from regiht._solving.registry import LOSSES

# Minus twice the logarithm of the likelihood that belongs to a loss, up to a constant, from the
# summed loss and the number of samples.
_DEVIANCES: dict[str, Callable[[FloatArray, float], FloatArray]] = {
    "exact": lambda loss, n: 2.0 * loss,
    "unknown-variance": lambda loss, n: n * np.log(2.0 * np.maximum(loss, 0.0) / n),
}


def _log_supports(k: IndexArray, p: int) -> FloatArray:
    """Logarithm of the number of ways to select k of p features."""
    return np.array([math.lgamma(p + 1) - math.lgamma(j + 1) - math.lgamma(p - j + 1) for j in k])


# What k selected features cost, given n samples and p features to select from.
PENALTIES: dict[str, Callable[[IndexArray, float, int], NDArray[np.floating]]] = {
    "aic": lambda k, n, p: 2.0 * k,
    "bic": lambda k, n, p: k * math.log(n),
    "ebic": lambda k, n, p: k * math.log(n) + 2.0 * _log_supports(k, p),
    "gic": lambda k, n, p: k * math.log(p) * math.log(max(math.log(n), 1.0)),
}


def has_criteria(loss: str) -> bool:
    """Whether the loss belongs to a likelihood."""
    return LOSSES[loss].likelihood != "none"


def leaves_enough(selected: IndexArray, samples: float) -> NDArray[np.bool_]:
    """Whether models of so many features leave as many samples as they and an intercept take.

    Beyond, a deviance tells of the number of features more than of the data, and several models of
    a size may fit equally well.
    """
    return 2.0 * (selected + 1.0) <= samples


def criterion(
    name: str, *, loss: str, values: FloatArray, selected: IndexArray, samples: float, columns: int
) -> FloatArray:
    """Evaluate a criterion for models with these summed losses and numbers of features.

    Infinite for models that do not leave enough samples, which no criterion is to choose.
    """
    if not has_criteria(loss):
        raise InvalidArgumentError(
            f"loss={loss!r} has no likelihood, so {name} is not defined for it; choose the "
            "number of features by cross-validation."
        )
    with np.errstate(divide="ignore"):  # an exact fit has an infinite likelihood
        deviance = _DEVIANCES[LOSSES[loss].likelihood](values, samples)
    values = deviance + PENALTIES[name](selected, samples, columns)
    return np.where(leaves_enough(selected, samples), values, np.inf)

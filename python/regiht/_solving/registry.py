"""What each method and each loss can do: the tables of the compiled core, by name."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from types import MappingProxyType
from typing import Literal, cast

from regiht import _core

# For type checkers, which cannot look into the tables; a test compares them.
RegressionLoss = Literal["squared", "poisson", "huber"]
ClassificationLoss = Literal["logistic", "squared-hinge"]
LossName = Literal[RegressionLoss, ClassificationLoss]
MethodName = Literal[
    "iht", "regiht", "omp", "ompr", "arht", "htp", "cosamp", "gradient", "lasso", "best"
]
Polish = Literal["swap"]
Effort = Literal["quick", "default", "thorough"]

LOSSES: Mapping[str, _core.Loss] = MappingProxyType({each.name: each for each in _core.losses()})
METHODS: Mapping[str, _core.Method] = MappingProxyType(
    {each.name: each for each in _core.methods()}
)
POLISHES = ("swap",)
# What multiplies the work that a portfolio may do.
EFFORTS: Mapping[str, float] = MappingProxyType({"quick": 0.0, "default": 1.0, "thorough": inf})

CLASSIFICATION_LOSSES = tuple(name for name, loss in LOSSES.items() if loss.targets == "binary")
REGRESSION_LOSSES = tuple(name for name in LOSSES if name not in CLASSIFICATION_LOSSES)


def losses() -> list[LossName]:
    """List the names that ``solve(loss=…)`` takes.

    Returns
    -------
    list of str
        The losses of classifiers are for targets of 0 and 1.

    See Also
    --------
    methods : The ways to minimise them.

    Examples
    --------
    >>> import regiht
    >>> regiht.losses()
    ['squared', 'logistic', 'poisson', 'huber', 'squared-hinge']
    """
    return cast(list[LossName], list(LOSSES))


def methods() -> list[MethodName]:
    """List the names that ``solve(method=…)`` takes.

    Returns
    -------
    list of str
        The page on methods describes each and its cost.

    See Also
    --------
    losses : What they minimise.

    Examples
    --------
    >>> import regiht
    >>> "best" in regiht.methods()
    True
    """
    return cast(list[MethodName], list(METHODS))


def methods_with(fact: str) -> list[str]:
    """Names of the methods of which a fact of the table holds, such as ``"knows_groups"``."""
    return [name for name, method in METHODS.items() if getattr(method, fact)]

"""A design matrix with its target."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._solving.registry import LossName

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """A design matrix with its target.

    Attributes
    ----------
    X : dense array or scipy sparse matrix of shape (rows, cols)
    y : array of shape (rows,)
    loss : str
        The loss the target is meant for.
    name : str
    coef : array of shape (cols,) or None
        The coefficients the target was made from, in the coordinates of `X`.
    description : str
    feature_names : list of str or None
        Of the columns, for real data.

    See Also
    --------
    recovery, load_diabetes : Two of the functions that return one.

    Examples
    --------
    >>> from regiht import datasets
    >>> problem = datasets.tiny()
    >>> problem.X.shape, problem.loss, int((problem.coef != 0).sum())
    ((20, 50), 'squared', 3)
    """

    X: Any
    y: Vector
    loss: LossName
    name: str
    coef: Vector | None
    description: str
    feature_names: list[str] | None = field(default=None, kw_only=True)

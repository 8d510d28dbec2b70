"""Hard thresholding: of entries or groups, with kept and positive ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def hard_threshold(
    x: Vector,
    s: int,
    keep: Sequence[int] = (),
    *,
    positive: bool = False,
    groups: Any = None,
) -> Vector:
    """Keep the `s` entries of largest magnitude and set the others to zero.

    Parameters
    ----------
    x : array of shape (n,)
    s : int
        Number of entries to keep; 0 gives the zero vector.
    keep : sequence of int
        Indices that always stay. They count towards `s`.
    positive : bool
        Set negative entries to zero first: the nearest vector with neither more than `s` entries
        nor one below zero.
    groups : sequence of n labels, optional
        Keep the `s` groups of largest Euclidean norm instead; a kept index keeps its group.

    Returns
    -------
    array of shape (n,)
        A new array. Of equal magnitudes, the lowest index stays, or the group whose first column
        comes first. NaN counts as infinitely large,
        so that a diverged iterate stays visible.

    See Also
    --------
    iht : Uses it in every step.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import reference
    >>> reference.hard_threshold(np.array([3.0, -5.0, 1.0]), 2).tolist()
    [3.0, -5.0, 0.0]
    """
    if positive:
        x = np.where(x < 0, 0.0, x)
    if groups is not None:
        group = number_groups(groups)
        norms = np.sqrt(np.bincount(group, weights=x**2))
        kept_groups = np.unique(group[np.asarray(keep, dtype=np.intp)])
        chosen = hard_threshold(norms, s, kept_groups.tolist()) != 0
        chosen[kept_groups] = True
        return np.where(chosen[group], x, 0.0)
    kept = np.unique(np.asarray(keep, dtype=np.intp))
    if kept.size and (kept[0] < 0 or kept[-1] >= len(x)):
        raise ValueError(f"keep must hold indices from 0 to {len(x) - 1}")
    if s < kept.size:
        raise ValueError(f"s must be at least the number of kept features, {kept.size}; got {s}")
    magnitude = np.abs(x)
    magnitude[np.isnan(magnitude)] = np.inf
    magnitude[kept] = -1.0
    free = min(s, len(x)) - kept.size
    result = np.zeros(len(x))
    result[kept] = x[kept]
    if free > 0:
        # A partition and one scan give what a stable sort would, in linear time.
        smallest_kept = np.partition(magnitude, len(x) - free)[len(x) - free]
        above = np.flatnonzero(magnitude > smallest_kept)
        tied = np.flatnonzero(magnitude == smallest_kept)[: free - above.size]
        result[above] = x[above]
        result[tied] = x[tied]
    return result


def number_groups(labels: Any) -> NDArray[np.intp]:
    """Number the groups in the order of their first columns; return the number of each column.

    Parameters
    ----------
    labels : sequence of labels
        One for each column.

    Returns
    -------
    array of int

    See Also
    --------
    hard_threshold : Keeps whole groups.

    Examples
    --------
    >>> from regiht import reference
    >>> reference.number_groups(["b", "a", "b"]).tolist()
    [0, 1, 0]
    """
    _, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def grouped_squares(x: Vector, groups: Any) -> Vector:
    """x^2, or for every entry the sum of x^2 over its group."""
    if groups is None:
        return x**2
    group = number_groups(groups)
    sums = np.zeros(len(x))
    np.add.at(sums, group, x**2)
    return sums[group]

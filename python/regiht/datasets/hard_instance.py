"""The instance of the paper on which plain IHT is stuck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from regiht.datasets.problem import Problem, Vector


@dataclass(frozen=True)
class HardInstance(Problem):
    """A `Problem` with the data of the paper's lower bound; `coef` is its sparse solution x*.

    Attributes
    ----------
    x_bad : array of shape (cols,)
        The start that plain IHT with step 1/`beta` never leaves.
    beta : float
        Smoothness of the objective, whose strong convexity is 1.
    blocks : tuple of three slices
        The index sets I_1, I_2 and I_3.

    See Also
    --------
    hard_instance : Returns it.

    Examples
    --------
    >>> from regiht import datasets
    >>> instance = datasets.hard_instance(kappa=4, s=1, sparsity=9)
    >>> instance.x_bad.size == instance.x_star.size
    True
    """

    coef: Vector
    x_bad: Vector
    beta: float
    blocks: tuple[slice, slice, slice]

    @property
    def x_star(self) -> Vector:
        """The paper's name of `coef`."""
        return self.coef


def hard_instance(
    kappa: int = 20, s: int = 2, delta: float = 1e-3, sparsity: int = 440, dense: bool = False
) -> HardInstance:
    """Build the instance on which plain IHT is stuck (lower bound in the paper's appendix).

    Parameters
    ----------
    kappa : int
        Condition number. The matrix is diagonal with s (kappa^2 + kappa + 1) columns.
    s : int
        Number of nonzeros of the good solution x*.
    delta : float
        Breaks ties; the paper wants it positive and small. At 0 rounding decides them.
    sparsity : int
        Number of nonzeros of the bad start, the paper's s' (at most 0.6 s kappa^2 there).
    dense : bool
        Return a dense matrix instead of a CSC one.

    Returns
    -------
    HardInstance

    Raises
    ------
    ValueError
        If ``delta`` or ``sparsity`` is outside its range.

    See Also
    --------
    recovery : Problems on which plain IHT is not stuck.

    Examples
    --------
    >>> from regiht import datasets
    >>> datasets.hard_instance(kappa=4, s=1, sparsity=9).X.shape
    (21, 21)
    """
    if not 0 <= delta < 0.25:
        raise ValueError(f"delta must be at least 0 and below 0.25; got {delta}")
    if not 0 <= sparsity <= s * kappa**2:
        raise ValueError(f"sparsity must be from 0 to s kappa^2 = {s * kappa**2}; got {sparsity}")
    n = s * (kappa**2 + kappa + 1)
    blocks = slice(0, s), slice(s, s * (kappa + 1)), slice(s * (kappa + 1), n)
    first, second, third = blocks
    diagonal, b, x_star, x_bad = np.ones(n), np.ones(n), np.zeros(n), np.zeros(n)
    diagonal[second] = np.sqrt(kappa)
    b[first] = kappa * np.sqrt(1 - 4 * delta)
    b[second] = np.sqrt(kappa) * np.sqrt(1 - 2 * delta)
    x_star[first] = b[first]
    x_bad[third.start : third.start + sparsity] = 1.0
    return HardInstance(
        X=np.diag(diagonal) if dense else sparse.diags(diagonal, format="csc"),
        y=b,
        loss="squared",
        name="hard-instance",
        coef=x_star,
        description=f"Lower bound for IHT: diagonal, n = {n}, condition number {kappa}.",
        x_bad=x_bad,
        beta=float(kappa),
        blocks=blocks,
    )

"""The parameters of the paper's theorem, and an estimate of the condition number they need."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import Rng
from regiht._inputs.design import Design, as_design

__all__ = [
    "Parameters",
    "RestrictedCurvature",
    "parameters",
    "restricted_condition",
    "restricted_curvature",
]


@dataclass(frozen=True)
class Parameters:
    """The parameters of the theorem: sparsity s′, iterations T, weight step c, and η.

    `options` has them in the form that `regiht.solve` takes, whose ``step`` is 2η.

    Attributes
    ----------
    s_prime, T : int
    c, eta : float

    See Also
    --------
    parameters : Computes them.

    Examples
    --------
    >>> from regiht import theory
    >>> chosen = theory.parameters(beta=2.0, alpha=1.0, s=1, epsilon=0.1, initial_gap=10.0)
    >>> chosen.options()["s"], chosen.options()["step"]
    (448, 0.5)
    """

    s_prime: int
    T: int
    c: float
    eta: float

    def options(self) -> dict[str, Any]:
        """Keywords for `regiht.solve` or `regiht.minimize` to run Algorithm 1 with them."""
        return {
            "s": self.s_prime, "max_iter": self.T, "weight_step": self.c,
            "step": 2.0 * self.eta, "method": "regiht", "safeguard": True,
        }  # fmt: skip


def parameters(beta: float, alpha: float, s: int, epsilon: float, initial_gap: float) -> Parameters:
    """Compute parameters with which regularized IHT provably gets within epsilon of f(x*).

    With κ = beta/alpha: s′ = (128κ + 192)s, T = 64(κ + 1)·log(initial_gap/epsilon), both rounded
    up, c = s′/(4T) and η = 1/(2·beta). The paper's lemma says (128κ + 2)s; its proof of the theorem
    needs 32(4κ + 6)s, which is the one used here.

    Parameters
    ----------
    beta, alpha : float
        Restricted smoothness and strong convexity of f, on vectors with s′ + s nonzeros.
    s : int
        Nonzeros of the solution x* to compare with.
    epsilon : float
        The accuracy: f(x) ≤ f(x*) + epsilon.
    initial_gap : float
        f(x⁰) + (beta/2)‖x⁰‖² − f(x*) or more, where x⁰ is the start; f(0) − f(x*) from zero.

    Returns
    -------
    chosen : Parameters

    Raises
    ------
    InvalidArgumentError
        If a number is outside its range.

    See Also
    --------
    restricted_condition : An estimate of beta/alpha from below.

    Notes
    -----
    These are worst-case constants. In practice far smaller s′ and T suffice, with c = s/T.

    Examples
    --------
    >>> from regiht import theory
    >>> theory.parameters(beta=2.0, alpha=1.0, s=1, epsilon=0.1, initial_gap=10.0).s_prime
    448
    """
    beta = check.check_real("beta", beta, least=0.0, strict=True)
    alpha = check.check_real("alpha", alpha, least=0.0, strict=True)
    if alpha > beta:
        raise check.InvalidArgumentError(
            f"alpha must not be greater than beta, {beta:g}; got {alpha:g}."
        )
    s = check.check_integer("s", s, 1)
    epsilon = check.check_real("epsilon", epsilon, least=0.0, strict=True)
    initial_gap = check.check_real("initial_gap", initial_gap, least=0.0, strict=True)
    kappa = beta / alpha
    sparsity, iterations = (128 * kappa + 192) * s, 64 * (kappa + 1)
    iterations *= max(0.0, math.log(initial_gap) - math.log(epsilon))
    if not math.isfinite(sparsity) or not math.isfinite(iterations):
        raise check.InvalidArgumentError("beta/alpha is too large to compute with.")
    s_prime, T = math.ceil(sparsity), max(1, math.ceil(iterations))
    return Parameters(s_prime, T, s_prime / (4 * T), 1 / (2 * beta))


@dataclass(frozen=True)
class RestrictedCurvature:
    """The largest and the smallest curvature found on sparse vectors.

    The true largest curvature is at least `beta`, the true smallest at most `alpha`.

    Attributes
    ----------
    beta, alpha : float

    See Also
    --------
    restricted_curvature : Computes it.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import theory
    >>> found = theory.restricted_curvature(np.diag([1.0, 2.0, 3.0]), 1)
    >>> round(found.beta, 6), round(found.alpha, 6)
    (9.0, 1.0)
    """

    beta: float
    alpha: float

    @property
    def condition(self) -> float:
        """beta/alpha; infinite if alpha is zero."""
        return self.beta / self.alpha if self.alpha > 0.0 else math.inf


def restricted_condition(
    design: Any,
    s: int,
    *,
    ridge: float = 0.0,
    n_supports: int = 30,
    rng: Rng = 0,
    seed: Rng = None,
) -> float:
    """Estimate the restricted condition number of ½‖Ax − b‖² + (ridge/2)‖x‖² from below.

    The true number is the largest eigenvalue of AᵀA + ridge·I on any s columns, over the smallest
    on any s columns. Finding it is as hard as the problem itself. This function examines some
    supports: **the true condition number is at least the result**, and possibly much larger. The
    result can thus show that a theorem's condition fails, but never that it holds.

    Parameters
    ----------
    design : array, scipy sparse matrix or Design
        Zero columns are left out, because no method selects them.
    s : int
        Nonzeros of the vectors. The theorem needs s′ + s.
    ridge : float
        For a loss other than squared, curvatures are at most its largest second derivative times
        these, and have no general lower limit except the ridge.
    n_supports : int
        Number of random supports to examine, besides greedily built ones that stretch vectors
        (starting from the longest column, adding the one closest to the leading direction) and
        ones that shrink them (from several starts, adding the one closest to the span so far).
    rng : int, numpy Generator or None
        The same seed gives the same supports; None: new ones in every call.
    seed : int, optional
        The older name of ``rng``.

    Returns
    -------
    float
        Infinite if there are dependent columns and no ridge.

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed.

    See Also
    --------
    restricted_curvature : The two curvatures whose ratio this is.
    parameters : The theorem's parameters for such a condition number.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import theory
    >>> round(theory.restricted_condition(np.diag([1.0, 2.0, 3.0]), 1), 6)
    9.0
    """
    return restricted_curvature(
        design, s, ridge=ridge, n_supports=n_supports, rng=check.check_rng(rng, seed)
    ).condition


def restricted_curvature(
    design: Any,
    s: int,
    *,
    ridge: float = 0.0,
    n_supports: int = 30,
    rng: Rng = 0,
    seed: Rng = None,
) -> RestrictedCurvature:
    """Estimate the two curvatures whose ratio is `restricted_condition`; see there for details.

    Parameters
    ----------
    design, s, ridge, n_supports, rng, seed
        As in `restricted_condition`.

    Returns
    -------
    RestrictedCurvature

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed.

    See Also
    --------
    restricted_condition : Their ratio.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import theory
    >>> round(theory.restricted_curvature(np.diag([1.0, 2.0, 3.0]), 2).beta, 6)
    9.0
    """
    design = as_design(design, center=False, scale=False)
    s = check.check_integer("s", s, 1, design.shape[1])
    ridge = check.check_real("ridge", ridge, least=0.0)
    n_supports = check.check_integer("n_supports", n_supports, 0)
    columns = _Columns(design)
    usable = np.flatnonzero(columns.squares > 0.0)
    if usable.size == 0:
        raise check.InvalidArgumentError("design must have a column that is not zero.")
    size = min(s, usable.size)
    draws = check.check_rng(rng, seed)
    by_length = usable[np.argsort(columns.squares[usable], kind="stable")]
    supports = [draws.choice(usable, size, replace=False) for _ in range(n_supports)]
    supports.append(columns.stretched(by_length[-1], size))
    starts = {int(by_length[0]), int(by_length[-1]), *map(int, draws.choice(usable, _STARTS))}
    supports += [columns.dependent(start, size) for start in sorted(starts)]
    extremes = np.array([columns.extreme_eigenvalues(support) for support in supports])
    return RestrictedCurvature(
        float(extremes[:, 1].max()) + ridge, float(extremes[:, 0].min()) + ridge
    )


_STARTS = 5


class _Columns:
    """Single columns of a design, and supports built of them."""

    def __init__(self, design: Design) -> None:
        self._core = design._core
        self.squares = self._core.column_norms() ** 2

    def column(self, j: int) -> check.FloatArray:
        unit = np.zeros(self._core.cols)
        unit[j] = 1.0
        return self._core.apply(unit)

    def extreme_eigenvalues(self, support: check.IndexArray) -> tuple[float, float]:
        """Of the Gram matrix; a smallest one that is rounding only counts as zero."""
        support = np.sort(support)
        gram = np.array(
            [self._core.apply_transpose_columns(support, self.column(j)) for j in support]
        )
        eigenvalues = np.linalg.eigvalsh((gram + gram.T) / 2)
        smallest, largest = float(eigenvalues[0]), float(eigenvalues[-1])
        rounding = 8 * len(support) * np.finfo(float).eps * largest
        return (smallest if smallest > rounding else 0.0), largest

    def stretched(self, start: int, size: int) -> check.IndexArray:
        """Add the column that is closest to the leading direction, until there are enough."""
        chosen, basis = [start], [self.column(start)]
        while len(chosen) < size:
            A = np.column_stack(basis)
            leading = A @ np.linalg.eigh(A.T @ A)[1][:, -1]
            closeness = np.abs(self._core.apply_transpose(leading))
            closeness[chosen] = -1.0
            chosen.append(int(np.argmax(closeness)))
            basis.append(self.column(chosen[-1]))
        return np.array(chosen)

    def dependent(self, start: int, size: int) -> check.IndexArray:
        """Add the column that is closest to the span of those before, until there are enough."""
        chosen, basis = [start], np.empty((self._core.rows, 0))
        left = np.where(self.squares > 0.0, self.squares, np.inf)  # squared distances to the span
        while len(chosen) < size:
            new = self.column(chosen[-1])
            for _ in range(2):  # twice, so that rounding leaves it orthogonal
                new = new - basis @ (basis.T @ new)
            length = np.linalg.norm(new)
            if length**2 > 1e-14 * self.squares[chosen[-1]]:
                new /= length
                basis = np.column_stack([basis, new])
                left -= self._core.apply_transpose(new) ** 2
            left[chosen] = np.inf
            chosen.append(int(np.argmin(left)))
        return np.array(chosen)

"""The paper in plain numpy, written to be read.

Everything here favours clarity over speed: it is the oracle that the tests compare the compiled
solvers with, and the yardstick of the benchmarks. All arithmetic is float64; float32 and integer
inputs are promoted once, when an objective is built.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Elementwise = Callable[[Vector, Vector], Vector]


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
    """Number the groups in the order of their first columns; return the number of each column."""
    _, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


@dataclass(frozen=True)
class Loss:
    """A loss per sample, as functions of the prediction and the target.

    `derivative` and `curvature` are the first and second derivative in the prediction (at a kink,
    one of the one-sided values); `max_curvature` bounds the second.
    """

    value: Elementwise
    derivative: Elementwise
    curvature: Elementwise
    max_curvature: float


def _sigmoid(z: Vector) -> Vector:
    decay = np.exp(-np.abs(z))  # never overflows
    return np.where(z >= 0, 1.0, decay) / (1.0 + decay)


def _logistic_value(z: Vector, b: Vector) -> Vector:
    # log(1 + e^z) = max(z, 0) + log(1 + e^-|z|); folding -b z in leaves nothing to cancel.
    return np.where(z >= 0, (1.0 - b) * z, -b * z) + np.log1p(np.exp(-np.abs(z)))


def _exp(z: Vector) -> Vector:
    with np.errstate(over="ignore"):  # infinity is the right answer there
        return np.exp(z)


HUBER_DELTA = 1.35


def _huber_value(z: Vector, b: Vector) -> Vector:
    size = np.abs(z - b)
    linear = HUBER_DELTA * size - 0.5 * HUBER_DELTA**2
    return np.where(size <= HUBER_DELTA, 0.5 * size**2, linear)


def _hinge(z: Vector, b: Vector) -> Vector:
    return np.maximum(0.0, 1.0 - (2.0 * b - 1.0) * z)


LOSSES: dict[str, Loss] = {
    "squared": Loss(
        value=lambda z, b: 0.5 * (z - b) ** 2,
        derivative=lambda z, b: z - b,
        curvature=lambda z, _: np.ones_like(z),
        max_curvature=1.0,
    ),
    "logistic": Loss(
        value=_logistic_value,
        derivative=lambda z, b: _sigmoid(z) - b,
        curvature=lambda z, _: _sigmoid(z) * _sigmoid(-z),
        max_curvature=0.25,
    ),
    "poisson": Loss(
        value=lambda z, b: _exp(z) - b * z,
        derivative=lambda z, b: _exp(z) - b,
        curvature=lambda z, _: _exp(z),
        max_curvature=np.inf,
    ),
    "huber": Loss(
        value=_huber_value,
        derivative=lambda z, b: np.clip(z - b, -HUBER_DELTA, HUBER_DELTA),
        curvature=lambda z, b: (np.abs(z - b) <= HUBER_DELTA).astype(np.float64),
        max_curvature=1.0,
    ),
    "squared-hinge": Loss(
        value=lambda z, b: 0.5 * _hinge(z, b) ** 2,
        derivative=lambda z, b: -(2.0 * b - 1.0) * _hinge(z, b),
        curvature=lambda z, b: (_hinge(z, b) > 0).astype(np.float64),
        max_curvature=1.0,
    ),
}
"""Losses by name. Targets of "logistic" and "squared-hinge" are 0 or 1."""


def _promote(A: Any) -> Any:
    """Dense or scipy sparse matrix in float64; no copy if it already is."""
    if hasattr(A, "tocsc"):
        return A.astype(np.float64, copy=False)
    return np.asarray(A, dtype=np.float64)


def _inverse_norms(squared_norms: Vector, vanishes: NDArray[np.bool_]) -> Vector:
    usable = (squared_norms > 0) & ~vanishes
    return np.where(usable, 1.0 / np.sqrt(np.where(usable, squared_norms, 1.0)), 0.0)


def standardize(X: Any, center: bool, scale: bool) -> tuple[Vector, Vector, Vector]:
    """Return the explicit dense A' = (A - 1 mu^T) D, the means mu and the diagonal of D.

    `center` subtracts column means; `scale` then divides by the column's Euclidean norm. A column
    that is constant when centring (its maximum equals its minimum), or zero when only scaling, has
    scale 0 and becomes a zero column.
    """
    A = np.array(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    means, scales = np.zeros(A.shape[1]), np.ones(A.shape[1])
    largest, smallest = A.max(axis=0), A.min(axis=0)
    vanishes = (largest == 0) & (smallest == 0)
    if center:
        vanishes = largest == smallest
        # A rounded mean would leave dust in a constant column.
        means = np.where(vanishes, largest, A.mean(axis=0))
        A -= means
        scales[vanishes] = 0.0
    if scale:
        scales = _inverse_norms(np.sum(A**2, axis=0), vanishes)
    A *= scales
    return A, means, scales


class ImplicitStandardized:
    """The matrix of `standardize` as an operator that never densifies a sparse `X`.

    Supports `A @ x` and `A.T @ v` for vectors; `means` and `scales` are those of `standardize`.
    """

    def __init__(self, X: Any, center: bool, scale: bool) -> None:
        self.X = _promote(X)
        self.X_transposed = self.X.T
        self.shape: tuple[int, int] = self.X.shape
        if hasattr(self.X, "tocsc"):
            self.means, self.scales = _sparse_means_and_scales(self.X, center, scale)
        else:
            _, self.means, self.scales = standardize(self.X, center, scale)

    def __matmul__(self, x: Vector) -> Vector:
        scaled = self.scales * x
        product: Vector = self.X @ scaled - self.means @ scaled
        return product

    @property
    def T(self) -> _Transposed:
        """The transposed operator."""
        return _Transposed(self)


@dataclass(frozen=True)
class _Transposed:
    matrix: ImplicitStandardized

    def __matmul__(self, v: Vector) -> Vector:
        A = self.matrix
        product: Vector = A.scales * (A.X_transposed @ v - A.means * v.sum())
        return product


def _sparse_means_and_scales(X: Any, center: bool, scale: bool) -> tuple[Vector, Vector]:
    rows, cols = X.shape
    csc = X.tocsc(copy=True)
    csc.sum_duplicates()
    # scipy's maximum and minimum take the entries that are not stored into account.
    largest, smallest = csc.max(axis=0).toarray().ravel(), csc.min(axis=0).toarray().ravel()
    means, scales = np.zeros(cols), np.ones(cols)
    vanishes = (largest == 0) & (smallest == 0)
    if center:
        vanishes = largest == smallest
        means = np.where(vanishes, largest, X.T @ np.ones(rows) / rows)
        scales[vanishes] = 0.0
    if scale:
        counts = np.diff(csc.indptr)
        column = np.repeat(np.arange(cols), counts)
        # Squared deviations, entries that are not stored included; sum(a^2) - m mu^2 would cancel.
        squared_norms = (rows - counts) * means**2
        np.add.at(squared_norms, column, (csc.data - means[column]) ** 2)
        scales = _inverse_norms(squared_norms, vanishes)
    return means, scales


class Objective(Protocol):
    """A convex function that a solver can ask for its value and gradient."""

    def value(self, x: Vector) -> float:
        """f(x)."""

    def gradient(self, x: Vector) -> Vector:
        """Whole gradient of f at x."""


class LinearObjective:
    """Sum of losses of a linear model: sum_i weight_i loss((A x)_i, y_i) + (ridge/2) ||x||^2.

    Parameters
    ----------
    A : dense array, scipy sparse matrix or ImplicitStandardized
        float32 and integer values are promoted to float64 once, here.
    y : array of shape (rows,)
    loss : str or Loss
        A name in `LOSSES`, or a loss of one's own.
    ridge : float
    sample_weight : array of shape (rows,), optional
    """

    def __init__(
        self,
        A: Any,
        y: Any,
        loss: str | Loss = "squared",
        ridge: float = 0.0,
        sample_weight: Any = None,
    ) -> None:
        self.A = A if isinstance(A, ImplicitStandardized) else _promote(A)
        self.A_transposed = self.A.T
        self.y: Vector = np.asarray(y, dtype=np.float64)
        self.loss = LOSSES[loss] if isinstance(loss, str) else loss
        self.ridge = ridge
        self.sample_weight: Vector = (
            np.ones(len(self.y))
            if sample_weight is None
            else np.asarray(sample_weight, dtype=np.float64)
        )

    def value(self, x: Vector) -> float:
        """Objective value: a sum over samples, not a mean."""
        losses = self.loss.value(self.A @ x, self.y)
        return float(self.sample_weight @ losses + 0.5 * self.ridge * (x @ x))

    def gradient(self, x: Vector) -> Vector:
        """A^T (weights * loss') + ridge x."""
        slope = self.sample_weight * self.loss.derivative(self.A @ x, self.y)
        gradient: Vector = self.A_transposed @ slope + self.ridge * x
        return gradient


def _squares(x: Vector, groups: Any) -> Vector:
    """x^2, or for every entry the sum of x^2 over its group."""
    if groups is None:
        return x**2
    group = number_groups(groups)
    sums = np.zeros(len(x))
    np.add.at(sums, group, x**2)
    return sums[group]


@dataclass(frozen=True)
class ReferenceResult:
    """What a reference solver returns.

    `history_fun[t-1]` is f(x^t), and `history_regularized_fun[t-1]` is
    f(x^t) + sum(w^t (x^t)^2) / (2 step), for t = 1..T. Plain IHT has weights of zero.
    """

    x: Vector
    weights: Vector
    fun: float
    n_iter: int
    history_fun: Vector
    history_regularized_fun: Vector


def iht(
    objective: Objective,
    n: int,
    s: int,
    *,
    step: float,
    max_iter: int,
    x0: Vector | None = None,
    keep: Sequence[int] = (),
    positive: bool = False,
    groups: Any = None,
    history: bool = True,
) -> ReferenceResult:
    """Run iterative hard thresholding, the paper's listing `IHT`, without early stop.

    Parameters
    ----------
    objective : Objective
    n, s : int
        Number of features, and how many of them may be nonzero.
    step : float
        1/beta, the listing's eta.
    max_iter : int
    x0 : array of shape (n,), optional
        Start; zeros if not given. It is hard-thresholded first: the paper's start is s-sparse.
    keep : sequence of int
        Features that always survive the threshold.
    positive : bool
        No entry below zero.
    groups : sequence of n labels, optional
        Features that enter and leave together; `s` then counts groups.
    history : bool
        Evaluate f after each iteration. The listing doesn't, so timings should turn it off.
    """
    allowed = partial(hard_threshold, s=s, keep=keep, positive=positive, groups=groups)
    x = np.zeros(n) if x0 is None else allowed(np.asarray(x0, dtype=np.float64))
    values = []
    for _ in range(max_iter):
        x_new = x - step * objective.gradient(x)
        x_new = allowed(x_new)
        x = x_new
        if history:
            values.append(objective.value(x))
    return ReferenceResult(
        x, np.zeros(n), objective.value(x), max_iter, np.array(values), np.array(values)
    )


def regularized_iht(
    objective: Objective,
    n: int,
    s: int,
    *,
    step: float,
    max_iter: int,
    weight_step: float | str | None = None,
    round_threshold: float = 0.5,
    x0: Vector | None = None,
    w0: Vector | None = None,
    safeguard: bool = False,
    keep: Sequence[int] = (),
    positive: bool = False,
    groups: Any = None,
    history: bool = True,
    tol: float | None = None,
) -> ReferenceResult:
    """Run regularized IHT, the paper's listing `RegIHT`, without early stop unless `tol` is given.

    Parameters
    ----------
    objective, n, s, max_iter, x0, keep, positive, groups, history
        As in `iht`.
    step : float
        1/beta, the listing's eta: the move is half of it, which is Algorithm 1's 1/(2 beta).
    weight_step : float or "adaptive", optional
        The paper's c. Default s/max_iter, or s/(4 max_iter) with `safeguard`. Adaptive: see
        `regularized_iht_in_rounds`.
    round_threshold : float
        Weights at most this large become zero (strictly below it with `safeguard`).
    w0 : array of shape (n,), optional
        Starting weights; ones if not given.
    safeguard : bool
        Algorithm 1 to the letter: also keep x^t if the regularized value would rise.
    tol : float, optional
        Stop when the weights and the support have stayed and x has changed by at most tol ||x||.
    """
    if isinstance(weight_step, str):
        return regularized_iht_in_rounds(
            objective, n, s, step=step, max_iter=max_iter, round_threshold=round_threshold, x0=x0,
            w0=w0, safeguard=safeguard, keep=keep, positive=positive, groups=groups,
            history=history, tol=tol or 1e-6,
        )  # fmt: skip
    if weight_step is None:
        weight_step = s / max(max_iter, 1) / (4 if safeguard else 1)

    def regularized_value(x: Vector, w: Vector) -> float:
        return objective.value(x) + float(np.sum(w * x**2)) / (2 * step)

    allowed = partial(hard_threshold, s=s, keep=keep, positive=positive, groups=groups)
    x = np.zeros(n) if x0 is None else allowed(np.asarray(x0, dtype=np.float64))
    w = np.ones(n) if w0 is None else np.array(w0, dtype=np.float64)
    values, regularized_values = [], []
    iterations = 0
    settled = False
    while iterations < max_iter and not settled:
        iterations += 1
        x_new = (1 - 0.5 * w) * x - 0.5 * step * objective.gradient(x)
        x_new = allowed(x_new)
        w_old = w
        reg = np.sum(w * x**2)
        if reg != 0:
            w = w * (1 - weight_step * w * _squares(x, groups) / reg)
            # The listing rounds with <=, Algorithm 1 with <.
            w[w < round_threshold if safeguard else w <= round_threshold] = 0
        if safeguard and regularized_value(x_new, w) > regularized_value(x, w):
            x_new = x
        if tol is not None:
            stays = np.array_equal(w, w_old) and np.array_equal(x_new != 0, x != 0)
            settled = stays and bool(np.linalg.norm(x_new - x) <= tol * np.linalg.norm(x_new))
        x = x_new
        if history:
            values.append(objective.value(x))
            regularized_values.append(regularized_value(x, w))
    return ReferenceResult(
        x, w, objective.value(x), iterations, np.array(values), np.array(regularized_values)
    )


def regularized_iht_in_rounds(
    objective: Objective,
    n: int,
    s: int,
    *,
    max_iter: int,
    x0: Vector | None = None,
    w0: Vector | None = None,
    tol: float = 1e-6,
    **options: Any,
) -> ReferenceResult:
    """Run `regularized_iht` with c = s/100, s/200, s/400, … from the same start; keep the best.

    A round ends when it settles as `tol` says, or after 4 s/c iterations. The rounds end when
    c <= s/800 and two in a row did not improve on the best by a ten-thousandth of f(0) - best, or
    at c = s/6400. If the best round did not settle, it is then continued. `max_iter` caps the
    iterations of all rounds together. The other parameters are those of `regularized_iht`.
    """
    rounds: list[ReferenceResult] = []

    def left() -> int:
        return max_iter - sum(r.n_iter for r in rounds)

    def play(length: int, most: int, x0: Vector | None, w0: Vector | None) -> ReferenceResult:
        where: dict[str, Any] = {"x0": x0, "w0": w0, "max_iter": min(most, left()), "tol": tol}
        rounds.append(regularized_iht(objective, n, s, weight_step=s / length, **where, **options))
        return rounds[-1]

    value_at_zero = objective.value(np.zeros(n))
    length, idle = 100, 0
    best, best_length = play(length, 4 * length, x0, w0), length
    while length < 6400 and not (length >= 800 and idle >= 2) and left() > 0:
        length *= 2
        result = play(length, 4 * length, x0, w0)
        idle = 0 if result.fun < best.fun - 1e-4 * (value_at_zero - best.fun) else idle + 1
        if result.fun < best.fun:
            best, best_length = result, length
    if best.n_iter == 4 * best_length and left() > 0:
        best = min(best, play(best_length, max_iter, best.x, best.weights), key=lambda r: r.fun)
    return ReferenceResult(
        best.x,
        best.weights,
        best.fun,
        sum(r.n_iter for r in rounds),
        np.concatenate([r.history_fun for r in rounds]),
        np.concatenate([r.history_regularized_fun for r in rounds]),
    )

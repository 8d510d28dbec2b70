"""IHT and regularized IHT as the paper lists them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from regiht.reference.objective import Objective
from regiht.reference.thresholding import Vector, grouped_squares, hard_threshold


@dataclass(frozen=True)
class ReferenceResult:
    """What a reference solver returns.

    `history_fun[t-1]` is f(x^t), and `history_regularized_fun[t-1]` is
    f(x^t) + sum(w^t (x^t)^2) / (2 step), for t = 1..T. Plain IHT has weights of zero.

    Attributes
    ----------
    x, weights : arrays of shape (n,)
    fun : float
    n_iter : int
    history_fun, history_regularized_fun : arrays of shape (n_iter,)

    See Also
    --------
    iht, regularized_iht : Return it.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import reference
    >>> objective = reference.LinearObjective(np.eye(2), np.array([3.0, 1.0]))
    >>> result = reference.iht(objective, 2, 1, step=1.0, max_iter=3)
    >>> float(result.fun), result.n_iter
    (0.5, 3)
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

    Returns
    -------
    ReferenceResult

    See Also
    --------
    regularized_iht : With adaptive weights.
    regiht.solve : The compiled form.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import reference
    >>> objective = reference.LinearObjective(np.eye(3), np.array([3.0, 1.0, -2.0]))
    >>> reference.iht(objective, 3, 2, step=1.0, max_iter=5).x.tolist()
    [3.0, 0.0, -2.0]
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

    Returns
    -------
    ReferenceResult

    See Also
    --------
    iht : Without weights.
    regularized_iht_in_rounds : With ever slower weights.
    regiht.solve : The compiled form.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import reference
    >>> objective = reference.LinearObjective(np.eye(3), np.array([3.0, 1.0, -2.0]))
    >>> reference.regularized_iht(objective, 3, 2, step=1.0, max_iter=200).x.round(4).tolist()
    [3.0, 0.0, -2.0]
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
            w = w * (1 - weight_step * w * grouped_squares(x, groups) / reg)
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
    iterations of all rounds together.

    Parameters
    ----------
    objective, n, s, max_iter, x0, w0, tol, **options
        As in `regularized_iht`.

    Returns
    -------
    ReferenceResult

    See Also
    --------
    regularized_iht : One round.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import reference
    >>> objective = reference.LinearObjective(np.eye(3), np.array([3.0, 1.0, -2.0]))
    >>> found = reference.regularized_iht_in_rounds(objective, 3, 2, step=1.0, max_iter=5000)
    >>> found.x.round(4).tolist()
    [3.0, 0.0, -2.0]
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

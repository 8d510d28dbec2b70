"""``minimize``, for objectives of the user."""

from __future__ import annotations

from typing import Literal

from numpy.typing import ArrayLike

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import Rng
from regiht._solving.linear import Callback, reporting
from regiht._solving.options import options_from
from regiht._solving.progress import Progress
from regiht._solving.registry import Effort, MethodName, Polish
from regiht._solving.result import Result
from regiht._solving.solve import WeightStep
from regiht.objective import Objective


def minimize(
    objective: Objective,
    n: int,
    s: int,
    *,
    method: MethodName = "regiht",
    step: float | None = None,
    weight_step: WeightStep = None,
    max_iter: int | Literal["auto"] = "auto",
    tol: float = 0.0,
    round_threshold: float = 0.5,
    x0: ArrayLike | None = None,
    w0: ArrayLike | None = None,
    safeguard: bool = False,
    refit: bool = False,
    polish: Polish | None = None,
    effort: Effort = "default",
    target_value: float | None = None,
    rng: Rng = 0,
    seed: Rng = None,
    keep: ArrayLike | None = None,
    positive: bool = False,
    groups: check.Groups | None = None,
    history: bool = False,
    callback: Callback | None = None,
    progress: bool | Progress = False,
    time_limit: float | None = None,
) -> Result:
    """Minimise a convex function over vectors with at most s nonzeros.

    Parameters that are not listed are those of `solve`.

    Parameters
    ----------
    objective : Objective
        An object with ``value(x)`` and ``gradient(x)``. x is a float64 array of shape (n,); value
        returns a number and gradient an array of that shape, computed by numpy, an autodiff
        library or anything else. `regiht.objective.CompleteObjective` lists the optional methods,
        such as second derivatives. Exceptions of its methods pass through.
    n : int
        Number of variables.
    s : int
        Number of nonzeros allowed, 1 to n.

    Returns
    -------
    Result
        With ``coef`` equal to ``x``, and ``intercept`` from the objective if it offers one.

    Raises
    ------
    InvalidArgumentError
        If an argument is wrong, or the objective returns a wrong type or shape.

    See Also
    --------
    Objective : What a function must have.
    solve : For linear models.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> class Distance:
    ...     def value(self, x):
    ...         return 0.5 * np.sum((x - np.arange(50)) ** 2)
    ...
    ...     def gradient(self, x):
    ...         return x - np.arange(50)
    >>> regiht.minimize(Distance(), n=50, s=3).support.tolist()
    [47, 48, 49]
    """
    n = check.check_integer("n", n, 1)
    options = options_from(
        n, method=method, step=step, weight_step=weight_step, max_iter=max_iter, tol=tol,
        round_threshold=round_threshold, x0=x0, w0=w0, safeguard=safeguard, refit=refit,
        polish=polish, effort=effort, target_value=target_value, seed=check.check_seed(rng, seed),
        keep=keep, positive=positive, groups=check.check_groups(groups, n), history=history,
        time_limit=time_limit,
    )  # fmt: skip
    with reporting(callback, progress, options) as bar:
        raw = _core.solve_objective(
            objective=check.CheckedObjective(objective, n),
            dimension=n,
            method=method,
            options=options.core(s),
            callback=callback,
            progress=bar.update,
            time_limit=options.time_limit,
        )
    return Result.of_core(raw)

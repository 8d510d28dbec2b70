"""``solve_grid`` and ``solve_batch``: many solves on one matrix."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import Rng
from regiht._inputs.design import Design, as_design
from regiht._inputs.groups import grouping, kept_columns, starting_point
from regiht._solving.linear import run_many
from regiht._solving.options import options_from
from regiht._solving.progress import Progress
from regiht._solving.registry import Effort, LossName, MethodName, Polish
from regiht._solving.solve import WeightStep
from regiht._solving.table import SolveTable


def solve_grid(
    X: ArrayLike | Design | Any,
    y: ArrayLike | None,
    s: int | Sequence[int],
    *,
    step: float | Sequence[float | None] | None = None,
    weight_step: WeightStep | Sequence[WeightStep] = None,
    loss: LossName = "squared",
    method: MethodName = "regiht",
    ridge: float = 0.0,
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
    screening: bool = True,
    sample_weight: ArrayLike | None = None,
    keep: ArrayLike | check.Columns | None = None,
    positive: bool = False,
    groups: check.Groups | None = None,
    intercept: bool = False,
    center: bool = False,
    scale: bool = False,
    history: bool = False,
    progress: bool | Progress = False,
    time_limit: float | None = None,
    n_threads: int | None = None,
) -> SolveTable:
    """Solve for every combination of s, step and weight_step.

    The solves share the design, its norms and its Gram matrix, and run in parallel, each in one
    thread, with the GIL released. Each gives the answer of `solve`, to the last bit.

    Parameters that are not listed are those of `solve`. Entries have no ``weights``: one vector
    per solve would take more memory than everything else.

    Parameters
    ----------
    s, step, weight_step
        One value or a sequence of values each; None means the same as for `solve`.
    time_limit : float, optional
        Seconds for the whole grid.
    n_threads : int, optional
        Solves at a time.

    Returns
    -------
    SolveTable
        In the order of ``itertools.product(s, step, weight_step)``.

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed.

    See Also
    --------
    solve : For one setting.
    solve_batch : One setting, many targets.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> grid = regiht.solve_grid(X, 3 * X[:, 4] - 2 * X[:, 17], s=range(1, 4))
    >>> grid.table["n_nonzero"].tolist()
    [1, 2, 3]
    """
    design = as_design(X, center, scale)
    combinations = list(
        product(_listed("s", s), _listed("step", step), _listed("weight_step", weight_step))
    )
    start = starting_point(x0, design)
    options = options_from(
        design.shape[1], loss=loss, method=method, ridge=ridge, max_iter=max_iter, tol=tol,
        round_threshold=round_threshold, x0=start, w0=w0, safeguard=safeguard, refit=refit,
        polish=polish, effort=effort, target_value=target_value,
        seed=check.check_seed(rng, seed), screening=screening, keep=kept_columns(keep, design),
        positive=positive, groups=grouping(groups, design), intercept=intercept, history=history,
        time_limit=time_limit, n_threads=n_threads,
    )  # fmt: skip
    runs = [
        options.changed(step=each_step, weight_step=each_weight_step).core(each_s)
        for each_s, each_step, each_weight_step in combinations
    ]
    weights = check.check_sample_weight(sample_weight, design.shape[0])
    target = check.check_target(design.y if y is None else y, design.shape[0], options.loss)
    results = run_many(design, target[None, :], runs, options, weights, progress)
    columns = np.array([[_shown(value) for value in row] for row in combinations], float)
    asked = {
        "s": columns[:, 0].astype(np.int64),
        "step": columns[:, 1],
        "weight_step": columns[:, 2],
    }
    return SolveTable(asked, results)


def solve_batch(
    X: ArrayLike | Design | Any,
    Y: ArrayLike,
    s: int,
    *,
    loss: LossName = "squared",
    method: MethodName = "regiht",
    ridge: float = 0.0,
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
    screening: bool = True,
    sample_weight: ArrayLike | None = None,
    keep: ArrayLike | check.Columns | None = None,
    positive: bool = False,
    groups: check.Groups | None = None,
    intercept: bool = False,
    center: bool = False,
    scale: bool = False,
    history: bool = False,
    progress: bool | Progress = False,
    time_limit: float | None = None,
    n_threads: int | None = None,
) -> SolveTable:
    """Solve for many targets on the same matrix, each with its own support.

    Parameters that are not listed are those of `solve`. Entries have no ``weights``.

    Parameters
    ----------
    Y : array of shape (rows, targets)
        One column for every target.
    time_limit : float, optional
        Seconds for the whole batch.
    n_threads : int, optional
        Solves at a time.

    Returns
    -------
    SolveTable
        One entry for every column of Y.

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed.

    See Also
    --------
    solve : For one target.
    solve_grid : One target, many settings.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> Y = np.column_stack([X[:, 3] - X[:, 8], X[:, 7] + 2 * X[:, 20]])
    >>> [result.support.tolist() for result in regiht.solve_batch(X, Y, 2)]
    [[3, 8], [7, 20]]
    """
    design = as_design(X, center, scale)
    start = starting_point(x0, design)
    options = options_from(
        design.shape[1], loss=loss, method=method, ridge=ridge, step=step, weight_step=weight_step,
        max_iter=max_iter, tol=tol, round_threshold=round_threshold, x0=start, w0=w0,
        safeguard=safeguard, refit=refit, polish=polish, effort=effort, target_value=target_value,
        seed=check.check_seed(rng, seed), screening=screening, keep=kept_columns(keep, design),
        positive=positive, groups=grouping(groups, design), intercept=intercept, history=history,
        time_limit=time_limit, n_threads=n_threads,
    )  # fmt: skip
    weights = check.check_sample_weight(sample_weight, design.shape[0])
    targets = check.check_targets(Y, design.shape[0], options.loss)
    results = run_many(design, targets, [options.core(s)], options, weights, progress)
    return SolveTable({"target": np.arange(len(results))}, results)


def _shown(value: Any) -> Any:
    """What the table shows for a value that was asked for."""
    if value is None:
        return np.nan
    return -1.0 if isinstance(value, str) else value


def _listed(name: str, values: Any) -> list[Any]:
    """One value or several, as a list."""
    if values is None or np.ndim(values) == 0:
        return [values]
    listed = list(values)
    if not listed:
        raise check.InvalidArgumentError(f"{name} must not be an empty list.")
    return listed

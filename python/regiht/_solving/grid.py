"""Many solves on one matrix: ``solve_grid`` over options, ``solve_batch`` over targets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.design import Design, as_design
from regiht._inputs.groups import grouping
from regiht._inputs.targets import prepare_targets
from regiht._solving.progress import Progress, ProgressBar
from regiht._solving.result import Result
from regiht._solving.solve import (
    LOSSES,
    METHODS,
    check_time_limit,
    make_options,
    make_result,
)
from regiht._solving.table import SolveTable


def solve_grid(
    X: ArrayLike | Design | Any,
    y: ArrayLike,
    s: int | Sequence[int],
    *,
    step: float | Sequence[float | None] | None = None,
    weight_step: float | str | Sequence[float | str | None] | None = None,
    loss: str = "squared",
    method: str = "regiht",
    ridge: float = 0.0,
    max_iter: int | str = "auto",
    tol: float = 0.0,
    round_threshold: float = 0.5,
    x0: ArrayLike | None = None,
    w0: ArrayLike | None = None,
    safeguard: bool = False,
    refit: bool = False,
    polish: str | None = None,
    target_value: float | None = None,
    seed: int = 0,
    screening: bool = True,
    sample_weight: ArrayLike | None = None,
    keep: ArrayLike | None = None,
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
    thread, with the GIL released. Each gives what `solve` gives, to the last bit.

    Parameters
    ----------
    s, step, weight_step
        One value or a sequence of values each; None means what it means to `solve`.
    time_limit : float, optional
        Seconds for the whole grid.
    n_threads : int, optional
        Solves at a time.

    The other parameters are those of `solve`. Entries have no ``weights``: a vector for every
    solve would outgrow all the rest.

    Returns
    -------
    SolveTable
        In the order of ``itertools.product(s, step, weight_step)``.
    """
    design = as_design(X, center, scale)
    check.check_choice("method", method, METHODS)
    combinations = list(product(_listed("s", s), _listed("step", step),
                                _listed("weight_step", weight_step)))  # fmt: skip
    numbers = grouping(groups, design)
    options = [
        make_options(
            design.shape[1],
            each_s,
            step=each_step,
            weight_step=each_weight_step,
            max_iter=max_iter,
            tol=tol,
            round_threshold=round_threshold,
            x0=x0,
            w0=w0,
            safeguard=safeguard,
            keep=keep,
            history=history,
            refit=refit,
            polish=polish,
            target_value=target_value,
            seed=seed,
            method=method,
            positive=positive,
            groups=numbers,
        )
        for each_s, each_step, each_weight_step in combinations
    ]
    check.check_choice("loss", loss, LOSSES)
    target = check.check_target(y, design.shape[0], loss)
    results = _solve_many(
        design, target[None, :], options, loss=loss, method=method, ridge=ridge,
        sample_weight=sample_weight, intercept=intercept, screening=screening, progress=progress,
        time_limit=time_limit, n_threads=n_threads,
    )  # fmt: skip
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
    loss: str = "squared",
    method: str = "regiht",
    ridge: float = 0.0,
    step: float | None = None,
    weight_step: float | str | None = None,
    max_iter: int | str = "auto",
    tol: float = 0.0,
    round_threshold: float = 0.5,
    x0: ArrayLike | None = None,
    w0: ArrayLike | None = None,
    safeguard: bool = False,
    refit: bool = False,
    polish: str | None = None,
    target_value: float | None = None,
    seed: int = 0,
    screening: bool = True,
    sample_weight: ArrayLike | None = None,
    keep: ArrayLike | None = None,
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
    """Solve for many targets on the same matrix, each with a support of its own.

    Parameters
    ----------
    Y : array of shape (rows, targets)
        One column for every target.
    time_limit : float, optional
        Seconds for the whole batch.
    n_threads : int, optional
        Solves at a time.

    The other parameters are those of `solve`. Entries have no ``weights``.

    Returns
    -------
    SolveTable
        One entry for every column of Y.
    """
    design = as_design(X, center, scale)
    check.check_choice("method", method, METHODS)
    options = make_options(
        design.shape[1], s, step=step, weight_step=weight_step, max_iter=max_iter, tol=tol,
        round_threshold=round_threshold, x0=x0, w0=w0, safeguard=safeguard, keep=keep,
        history=history, refit=refit, polish=polish, target_value=target_value, seed=seed,
        method=method, positive=positive, groups=grouping(groups, design),
    )  # fmt: skip
    check.check_choice("loss", loss, LOSSES)
    targets = check.check_targets(Y, design.shape[0], loss)
    results = _solve_many(
        design, targets, [options], loss=loss, method=method, ridge=ridge,
        sample_weight=sample_weight, intercept=intercept, screening=screening, progress=progress,
        time_limit=time_limit, n_threads=n_threads,
    )  # fmt: skip
    return SolveTable({"target": np.arange(len(results))}, results)


def _solve_many(
    design: Design,
    targets: check.FloatArray,
    options: list[_core.Options],
    *,
    loss: str,
    method: str,
    ridge: float,
    sample_weight: ArrayLike | None,
    intercept: bool,
    screening: bool,
    progress: bool | Progress,
    time_limit: float | None,
    n_threads: int | None,
) -> list[Result]:
    count = len(targets) * len(options)
    weights = check.check_sample_weight(sample_weight, design.shape[0])
    prepared = prepare_targets(
        targets, design, loss=loss, sample_weight=weights,
        intercept=check.check_flag("intercept", intercept),
    )  # fmt: skip
    with ProgressBar(count, shown=check.check_progress(progress)) as bar:
        raw = _core.solve_many(
            design=design._core,
            loss=loss,
            targets=prepared.values,
            method=method,
            options=options,
            ridge=check.check_real("ridge", ridge, least=0.0),
            sample_weight=weights,
            intercept=prepared.intercept,
            screening=check.check_flag("screening", screening),
            n_threads=check.check_threads(n_threads),
            progress=bar.update,
            time_limit=check_time_limit(time_limit),
        )
    return [
        make_result(each, design, prepared.offsets[job // len(options)])
        for job, each in enumerate(raw)
    ]


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

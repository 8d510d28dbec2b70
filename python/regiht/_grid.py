"""Many solves on one matrix: ``solve_grid`` over options, ``solve_batch`` over targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regiht import _core
from regiht import _validation as check
from regiht._design import Design, as_design
from regiht._intercept import prepare_targets
from regiht._progress import ProgressBar
from regiht._result import Result
from regiht._solve import (
    LOSSES,
    METHODS,
    check_time_limit,
    make_options,
    make_result,
)


class SolveTable(Sequence[Result]):
    """The results of many solves: a sequence of `Result`, and a table of them.

    Attributes
    ----------
    table : numpy structured array
        One row for every solve. ``s``, ``step`` and ``weight_step`` are what was asked for (NaN for
        None, −1 for an adaptive weight step), or ``target`` for a batch; ``fun``, ``n_nonzero``,
        ``n_iter``, ``n_gradients``, ``status`` and ``success`` what came of it.
    """

    def __init__(self, asked: dict[str, NDArray[Any]], results: list[Result]) -> None:
        columns = asked | {
            "fun": np.array([r.fun for r in results]),
            "n_nonzero": np.array([r.support.size for r in results]),
            "n_iter": np.array([r.n_iter for r in results]),
            "n_gradients": np.array([r.n_gradients for r in results]),
            "status": np.array([r.status.value for r in results]),
            "success": np.array([r.success for r in results]),
        }
        self._results = results
        self.table: NDArray[Any] = np.empty(
            len(results), dtype=[(name, column.dtype) for name, column in columns.items()]
        )
        for name, column in columns.items():
            self.table[name] = column

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, index: Any) -> Any:
        return self._results[index]

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    @property
    def coef(self) -> Any:
        """The coefficients of all solves, one row each, as a scipy CSR array."""
        from scipy import sparse  # noqa: PLC0415  (slow to import, seldom needed)

        return sparse.vstack([sparse.csr_array(r.coef[None, :]) for r in self], format="csr")

    def best(self, s: int | None = None) -> Result:
        """Return the solve with the lowest objective, of all or of those with this s."""
        return self._results[self.best_index(s)]

    def best_index(self, s: int | None = None) -> int:
        """Row of the solve with the lowest objective, of all or of those with this s."""
        rows = np.arange(len(self))
        if s is not None:
            asked = self.table["s"] if "s" in (self.table.dtype.names or ()) else rows[:0]
            rows = np.flatnonzero(asked == s)
            if rows.size == 0:
                raise check.InvalidArgumentError(f"s={s!r} is not in the grid.")
        values = self.table["fun"][rows]
        return int(rows[np.argmin(np.where(np.isnan(values), np.inf, values))])

    def best_per_s(self) -> NDArray[Any]:
        """Rows of the table with the lowest objective for each s, in ascending order of s."""
        if "s" not in (self.table.dtype.names or ()):
            raise check.InvalidArgumentError("best_per_s needs a grid; a batch has only one s.")
        return self.table[[self.best_index(int(s)) for s in np.unique(self.table["s"])]]

    def to_pandas(self) -> Any:
        """Return the table as a pandas DataFrame."""
        try:
            import pandas as pd  # noqa: PLC0415  (optional)
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas") from error
        return pd.DataFrame({name: self.table[name] for name in self.table.dtype.names or ()})

    def __repr__(self) -> str:
        return f"<SolveTable of {len(self)} solves, best fun = {self.best().fun:.6g}>"


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
    intercept: bool = False,
    center: bool = False,
    scale: bool = False,
    history: bool = False,
    progress: bool = False,
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
    combinations = list(product(_listed("s", s), _listed("step", step),
                                _listed("weight_step", weight_step)))  # fmt: skip
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
    intercept: bool = False,
    center: bool = False,
    scale: bool = False,
    history: bool = False,
    progress: bool = False,
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
    options = make_options(
        design.shape[1], s, step=step, weight_step=weight_step, max_iter=max_iter, tol=tol,
        round_threshold=round_threshold, x0=x0, w0=w0, safeguard=safeguard, keep=keep,
        history=history, refit=refit, polish=polish, target_value=target_value, seed=seed,
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
    progress: bool,
    time_limit: float | None,
    n_threads: int | None,
) -> list[Result]:
    count = len(targets) * len(options)
    weights = check.check_sample_weight(sample_weight, design.shape[0])
    prepared = prepare_targets(
        targets, design, loss=loss, sample_weight=weights,
        intercept=check.check_flag("intercept", intercept),
    )  # fmt: skip
    with ProgressBar(count, shown=check.check_flag("progress", progress)) as bar:
        raw = _core.solve_many(
            design=design._core,
            loss=loss,
            targets=prepared.values,
            method=check.check_choice("method", method, METHODS),
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

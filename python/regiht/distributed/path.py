"""``sparse_path`` for blocks of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from regiht._inputs import checks as check
from regiht._inputs.checks import Columns, Groups
from regiht._solving import defaults
from regiht._solving.deadline import Deadline
from regiht._solving.described_data import number_columns
from regiht._solving.registry import Effort, LossName, MethodName
from regiht._solving.sparse_path import path_options, path_sparsities
from regiht.distributed import row_block
from regiht.distributed.inputs import block_design
from regiht.distributed.model import BlockModel, largest_sparsity, smallest_sparsity
from regiht.distributed.path_labels import path_targets
from regiht.distributed.path_result import DistributedPath


def path(
    X: Any,
    y: Any = None,
    max_nonzeros: int = 20,
    *,
    s: Sequence[int] | None = None,
    loss: LossName | None = None,
    method: MethodName = defaults.METHOD,
    effort: Effort = "default",
    fit_intercept: bool = True,
    standardize: bool = True,
    ridge: float | None = None,
    sample_weight: Any = None,
    keep: Columns | None = None,
    exclude: Columns | None = None,
    positive: bool = False,
    groups: Groups | None = None,
    feature_names: Sequence[str] | None = None,
    max_iter: int | Literal["auto"] = "auto",
    tol: float = 0.0,
    time_limit: float | None = None,
    options: Mapping[str, Any] | None = None,
    progress: bool = False,
    client: Any = None,
) -> DistributedPath:
    """Fit models with 1, 2, … max_nonzeros features to blocks of rows.

    The models are those of `regiht.sparse_path` on all rows together, up to rounding. Blocks are
    loaded and standardized once, and models share the columns of the Gram matrix and the first
    steps. With ``method="omp"`` one run gives all models. Each has the same bits as alone.

    Parameters that are not listed are those of `regiht.sparse_path`, which calls this for Dask
    collections.

    Parameters
    ----------
    X, y, sample_weight, time_limit, client
        As in `regiht.distributed.solve`; y may hold two labels.

    Returns
    -------
    DistributedPath
        A `regiht.SparsePath` with ``communication``, the rounds and bytes that it took.

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed, or is not available on blocks.
    LostBlocksError
        If blocks were lost that cannot be computed again.
    TimeoutError
        If ``time_limit`` passed before the workers had loaded all blocks.

    See Also
    --------
    regiht.sparse_path : For a matrix in memory.
    fit : Fits estimators, also those with cross-validation.

    Examples
    --------
    >>> import numpy as np, regiht.distributed
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 30))
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=100)
    >>> path = regiht.distributed.path([X[:60], X[60:]], [y[:60], y[60:]], 6)
    >>> path.best("ebic").support.tolist()
    [4, 17]
    """
    scale = check.check_flag("standardize", standardize)
    intercept = check.check_flag("fit_intercept", fit_intercept)
    deadline = Deadline(check.check_time_limit(time_limit))
    design = block_design(X, y, sample_weight, client, deadline)
    rows, cols = design.shape
    column_names = design.feature_names
    columns = number_columns(
        cols, column_names if feature_names is None else feature_names, keep, exclude, groups
    )
    loss, rule, classes = path_targets(design.blocks, loss)
    ridge = defaults.ridge_of(loss) if ridge is None else ridge
    settings = {
        "loss": loss, "method": method, "effort": effort, "ridge": ridge, "max_iter": max_iter,
        "tol": tol, "keep": columns.kept, "positive": positive, "groups": columns.groups,
        "intercept": intercept, "time_limit": time_limit,
    }  # fmt: skip
    checked = path_options(cols, settings, options)
    design = replace(design, feature_names=columns.given).standardized(
        center=intercept, scale=scale, weighted=True, exclude=columns.excluded
    )
    checked = design.separated(checked)
    kept = smallest_sparsity(checked)
    sparsities = path_sparsities(max_nonzeros, s, kept, largest_sparsity(design, checked))
    limited = replace(checked, time_limit=deadline.left())
    model = BlockModel.of(design, rule, limited).sharing()
    results = model.fit_path(sparsities.tolist(), progress)
    null = None if kept else model.null()
    total = design.blocks.sum(row_block.total_weight)["total"]
    return DistributedPath(
        sparsities, results, options=checked, standardized=scale, rows=rows,
        feature_names=columns.names, n_samples=total, null=null, classes=classes,
        column_names=column_names, communication=design.blocks.communication,
        parameters={
            "loss": loss, "method": method, "effort": effort, "fit_intercept": fit_intercept,
            "ridge": ridge, "standardize": standardize, "keep": keep, "exclude": exclude,
            "positive": positive, "groups": groups, "max_iter": max_iter, "tol": tol,
            "time_limit": time_limit, "options": options,
        },
    )  # fmt: skip

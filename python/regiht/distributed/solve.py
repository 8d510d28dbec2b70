"""``solve`` for linear models on blocks of rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import Rng
from regiht._solving.deadline import Deadline
from regiht._solving.linear import Callback
from regiht._solving.options import options_from
from regiht._solving.progress import Progress
from regiht._solving.registry import Effort, LossName, MethodName, Polish
from regiht._solving.solve import WeightStep
from regiht.distributed.communication import Communication
from regiht.distributed.inputs import block_design
from regiht.distributed.model import BlockModel
from regiht.distributed.result import DistributedResult
from regiht.distributed.targets import TargetRule


def solve(
    X: Any,
    y: Any = None,
    s: int | None = None,
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
    sample_weight: Any = None,
    keep: ArrayLike | check.Columns | None = None,
    positive: bool = False,
    groups: check.Groups | None = None,
    intercept: bool = False,
    center: bool = False,
    scale: bool = False,
    history: bool = False,
    callback: Callback | None = None,
    progress: bool | Progress = False,
    time_limit: float | None = None,
    certify: bool = False,
    client: Any = None,
) -> DistributedResult:
    """Fit a linear model with at most s features to blocks of rows, on a cluster or locally.

    The answer is that of `regiht.solve` on all rows together, up to rounding, and the same to the
    last bit for any number of workers. Parameters that are not listed are those of `regiht.solve`.

    Parameters
    ----------
    X : dask array, dask dataframe, list of delayed blocks, list of blocks, or path
        Blocks of rows. Blocks of a dask array may be dense or scipy sparse, and their numbers of
        rows may be unknown. Blocks of a list are arrays, sparse matrices or data frames, in
        memory or delayed. A path is that of a directory of shards, as ``regiht convert --shards``
        makes it; a list of paths of converted directories works too. Shards are opened where they
        are solved: the path must lead to the same files there.
    y : dask array or series, or list
        Targets, in blocks of the same rows. Dask arrays are cut like X, if possible, and arrays in
        memory if the numbers of rows are known. Shards have their own and need none.
    s : int
        The largest number of features.
    sample_weight : dask array or series, or list, optional
    certify : bool
        As in `regiht.solve`, in at most 300 full gradients and about as many rounds beside.
    time_limit : float, optional
        As in `regiht.solve`, from the call on: what loading takes is gone. The answer may come a
        round later.
    client : distributed.Client, optional
        Where to compute. By default the current Dask client, if there is one; otherwise blocks are
        loaded into this process.

    Returns
    -------
    DistributedResult
        A `regiht.Result` with ``communication``, the rounds and bytes that it took.

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
    fit : The same for estimators.
    regiht.solve : For a matrix in memory.

    Examples
    --------
    >>> import numpy as np, regiht.distributed
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> y = 3 * X[:, 4] - 2 * X[:, 17]
    >>> result = regiht.distributed.solve([X[:60], X[60:]], [y[:60], y[60:]], 2)
    >>> result.support.tolist()
    [4, 17]
    """
    if s is None:
        raise check.InvalidArgumentError("s must be given: the number of features allowed.")
    center, scale = check.check_flag("center", center), check.check_flag("scale", scale)
    deadline = Deadline(check.check_time_limit(time_limit))
    design = block_design(X, y, sample_weight, client, deadline)
    design = design.standardized(
        center=center, scale=scale, shift=check.check_flag("intercept", intercept)
    )
    names, cols = design.feature_names, design.shape[1]
    options = options_from(
        cols, loss=loss, method=method, ridge=ridge, step=step, weight_step=weight_step,
        max_iter=max_iter, tol=tol, round_threshold=round_threshold, x0=x0, w0=w0,
        safeguard=safeguard, refit=refit, polish=polish, effort=effort, target_value=target_value,
        seed=check.check_seed(rng, seed), screening=screening,
        keep=check.column_numbers("keep", keep, cols, names),
        positive=positive, groups=check.check_groups(groups, cols, names), intercept=intercept,
        history=history, time_limit=time_limit, certify=certify,
    )  # fmt: skip
    options = design.separated(options)
    options.core(s)  # before anything is sent
    model = BlockModel.of(design, TargetRule(), options)
    options = replace(options, time_limit=deadline.left())
    return model.fit(s, options, callback, progress, Communication())

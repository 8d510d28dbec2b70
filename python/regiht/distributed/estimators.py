"""Estimators fitted to blocks of rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from regiht._inputs import checks as check
from regiht._inputs.checks import InvalidArgumentError
from regiht._solving.deadline import Deadline
from regiht._solving.prepared_model import unscaled
from regiht._solving.result import Result
from regiht._solving.shared_time import SharedTime
from regiht.distributed.communication import Communication
from regiht.distributed.estimator_data import EstimatorData, estimator_data
from regiht.distributed.inputs import block_design
from regiht.distributed.model import BlockModel, largest_sparsity

Model = TypeVar("Model")


def fit(
    estimator: Model, X: Any, y: Any = None, sample_weight: Any = None, *, client: Any = None
) -> Model:
    """Fit a sparse regressor or classifier, or its CV version, to blocks of rows.

    ``estimator.fit(X, y)`` does the same for Dask collections on the current client. Fitted
    attributes are numbers and numpy arrays in this process; ``communication_`` counts rounds and
    bytes.

    The CV versions use the same folds as for the same rows in memory. Rows outside a fold get the
    weight zero in their block, and no block is copied. The client holds y and the row numbers of
    the folds.

    Parameters
    ----------
    estimator : SparseRegressor, SparseClassifier, SparseRegressorCV or SparseClassifierCV
        For those with cross-validation ``scoring`` is the name of a score that is a sum over rows:
        ``"r2"``, ``"neg_mean_squared_error"``, ``"neg_root_mean_squared_error"``,
        ``"neg_mean_absolute_error"``, and with Poisson loss ``"neg_mean_poisson_deviance"``; for
        classes ``"accuracy"``, ``"balanced_accuracy"``, and with probabilities ``"neg_log_loss"``.
    X, y, sample_weight, client
        As in `regiht.distributed.solve`.

    Returns
    -------
    estimator
        Fitted.

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
    solve : The same without an estimator.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> y = X[:, 4] - X[:, 17]
    >>> model = regiht.SparseRegressor(2)
    >>> regiht.distributed.fit(model, [X[:60], X[60:]], [y[:60], y[60:]]).support_.tolist()
    [4, 17]
    """
    return fit_blocks(estimator, X, y, sample_weight, client, {})


def fit_blocks(
    estimator: Model, X: Any, y: Any, sample_weight: Any, client: Any, params: dict[str, Any]
) -> Model:
    """Fit; ``params`` are for the splitter and the scorer of cross-validation."""
    # Estimators import this module, when they meet a collection.
    from regiht import estimators as known  # noqa: PLC0415

    model: Any = estimator
    client = getattr(model, "client", None) if client is None else client
    kind = getattr(model, "_local", type(model))
    chooses = kind in {known.SparseClassifierCV, known.SparseRegressorCV}
    if not chooses and kind not in {known.SparseClassifier, known.SparseRegressor}:
        raise InvalidArgumentError(
            "only SparseRegressor, SparseClassifier and their CV versions can be fitted to blocks "
            f"of rows; got {type(model).__name__}."
        )
    if chooses:
        from regiht.distributed.cross_validation import choose, score_of  # noqa: PLC0415

        score = score_of(model)
    else:
        sparsity = check.check_integer("n_nonzero_coefs", model.n_nonzero_coefs, 1)
    deadline = Deadline(check.check_time_limit(model.time_limit))
    data = estimator_data(model, block_design(X, y, sample_weight, client, deadline))
    if chooses:
        choose(model, data, score, params, deadline, weighted=sample_weight is not None)
        sparsity = model.n_nonzero_coefs_
    results = _fit_each(model, data, sparsity, deadline)
    model._take(results)
    model.communication_ = data.given.blocks.communication
    model._warn_of_failures(results)
    return estimator


def _fit_each(model: Any, data: EstimatorData, sparsity: int, deadline: Deadline) -> list[Result]:
    """Fit one model for every rule; the first has the rounds before it."""
    design, options = data.standardized(data.design, data.options)
    s = min(sparsity, largest_sparsity(design, options))
    callback = (model.options or {}).get("callback")
    since: Communication | None = Communication()
    results: list[Result] = []
    time = SharedTime(deadline.left(), len(data.rules))
    for rule in data.rules:
        limited = replace(options, time_limit=time.next())
        prepared = BlockModel.of(design, rule, limited)
        if s == 0:
            results.append(prepared.null())
            continue
        found = prepared.fit(s, limited, callback, model._shows_progress(), since)
        results.append(unscaled(found, rule.factor))
        since = None
    return results

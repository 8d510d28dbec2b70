"""``sparse_path``: fits for every number of features up to some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import Columns, Groups, IndexArray
from regiht._inputs.collections import is_dask
from regiht._inputs.stored_rows import StoredRows, as_matrix
from regiht._solving import defaults
from regiht._solving.described_data import describe_columns, loss_for, target_of
from regiht._solving.options import Options, check_further, options_from
from regiht._solving.path import SparsePath
from regiht._solving.prepared_model import prepare_model
from regiht._solving.registry import Effort, LossName, MethodName

# What only single fits can do.
_NOT_OF_A_PATH = {"callback", "certify"}


def sparse_path(
    X: ArrayLike | Any,
    y: ArrayLike | None,
    max_nonzeros: int = 20,
    *,
    s: Sequence[int] | None = None,
    loss: LossName | None = None,
    method: MethodName = defaults.METHOD,
    effort: Effort = "default",
    fit_intercept: bool = True,
    standardize: bool = True,
    ridge: float | None = None,
    sample_weight: ArrayLike | None = None,
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
    n_threads: int | None = None,
) -> SparsePath:
    """Fit models with 1, 2, … max_nonzeros features.

    Each model is the one that the estimators find for that s alone, with their default method,
    ridge and effort. It does not depend on which other s are fitted, with one exception: more than
    six share the effort of six, so that a long path with ``method="best"`` takes less time than
    that many fits. The models are solved in parallel on one shared matrix; with ``method="omp"``
    one run gives all of them.

    Parameters that are not listed are those of `regiht.solve_grid`.

    Parameters
    ----------
    X : array, scipy sparse matrix, data frame, Design or directory of shape (rows, cols)
        The columns of a data frame name the features. A directory is one that
        `regiht.dataset.write` made. A Dask collection is passed to `regiht.distributed.path` on
        the current client.
    y : array of shape (rows,)
        Targets as for `regiht.solve`, or two labels, such as "yes" and "no"; None if X is a
        directory that holds the targets.
    max_nonzeros : int
        The largest number of features, cut to the number of columns that can be selected.
    loss : str, optional
        By default ``"squared"``, and ``"logistic"`` if y holds text or categories.
    method : str
        ``"best"`` finds the best features. ``"omp"`` takes little more time for the whole path
        than for its largest model alone.
    ridge : float, optional
        As in `regiht.solve`. By default that of the estimators: 0.0001 for classification, which
        keeps coefficients finite if the classes can be separated, and 0 for regression.
    s : list of int, optional
        Only these numbers of features, instead of all up to ``max_nonzeros``. 0 is the model
        without features, which is otherwise `SparsePath.null`.
    fit_intercept, standardize, keep, exclude, positive, groups, options
        As in `SparseRegressor`.
    feature_names : list of str, optional
        Names of the columns, for tables and plots.

    Returns
    -------
    SparsePath

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed.

    See Also
    --------
    SparsePath : What it returns.
    SparseRegressorCV, SparseClassifierCV : Choose the number of features by held-out scores.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 30))
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=100)
    >>> path = regiht.sparse_path(X, y, max_nonzeros=6)
    >>> path.best("ebic").support.tolist()
    [4, 17]
    >>> path.estimator("ebic").predict(X).shape
    (100,)
    """
    if is_dask(X):
        from regiht.distributed.path import path  # noqa: PLC0415  (needs dask)

        if n_threads is not None:
            raise check.InvalidArgumentError(
                "n_threads is not for a Dask collection: its workers have their own threads."
            )
        return path(
            X, y, max_nonzeros, s=s, loss=loss, method=method, effort=effort,
            fit_intercept=fit_intercept, standardize=standardize, ridge=ridge,
            sample_weight=sample_weight, keep=keep, exclude=exclude, positive=positive,
            groups=groups, feature_names=feature_names, max_iter=max_iter, tol=tol,
            time_limit=time_limit, options=options, progress=progress,
        )  # fmt: skip
    X = as_matrix(X)
    column_names = X.feature_names if isinstance(X, StoredRows) else check.string_columns(X)
    if isinstance(X, StoredRows) and y is None:
        y = X.y
    columns = describe_columns(X, feature_names, keep, exclude, groups)
    rows, cols = check.matrix_shape(X)
    loss = loss_for(y, loss)
    ridge = defaults.ridge_of(loss) if ridge is None else ridge
    settings = {
        "loss": loss, "method": method, "effort": effort, "ridge": ridge, "max_iter": max_iter,
        "tol": tol, "keep": columns.kept, "positive": positive, "groups": columns.groups,
        "intercept": check.check_flag("fit_intercept", fit_intercept), "time_limit": time_limit,
        "n_threads": n_threads,
    }  # fmt: skip
    problem = prepare_model(
        X, path_options(cols, settings, options), standardize=standardize,
        exclude=columns.excluded, weights=check.check_sample_weight(sample_weight, rows),
        progress=progress, feature_names=columns.given,
    )  # fmt: skip
    sparsities = path_sparsities(
        max_nonzeros, s, problem.smallest_sparsity(), problem.largest_sparsity()
    )
    target, classes = target_of(y, rows, problem.options.loss)
    results = [each[0] for each in problem.fit_path(target[None, :], sparsities.tolist())]
    null = None if problem.smallest_sparsity() else problem.null(target)
    return SparsePath(
        sparsities, results, options=problem.options, standardized=problem.standardized, rows=rows,
        feature_names=columns.names,
        n_samples=float(rows if problem.weights is None else problem.weights.sum()),
        null=null, classes=classes, column_names=column_names,
        parameters={
            "loss": loss, "method": method, "effort": effort, "fit_intercept": fit_intercept,
            "ridge": ridge, "standardize": standardize, "keep": keep, "exclude": exclude,
            "positive": positive, "groups": groups, "max_iter": max_iter, "tol": tol,
            "time_limit": time_limit, "options": options,
        },
    )  # fmt: skip


def path_options(cols: int, settings: dict[str, Any], options: Mapping[str, Any] | None) -> Options:
    """Check the options of a path: its parameters, and further ones in a dict."""
    further = check_further(options, settings.keys())
    if further.keys() & _NOT_OF_A_PATH:
        raise check.InvalidArgumentError(
            f"options of a path must not have {', '.join(sorted(further.keys() & _NOT_OF_A_PATH))}:"
            " use solve for the chosen number of features."
        )
    return options_from(cols, **{"refit": True} | settings | further)


def path_sparsities(max_nonzeros: int, s: Sequence[int] | None, kept: int, most: int) -> IndexArray:
    """Numbers of features to fit, of which so many are kept and no more can be selected."""
    least = max(1, kept)
    if s is None:
        asked = check.check_integer("max_nonzeros", max_nonzeros, least)
        return np.arange(least, min(asked, most) + 1)
    listed = [
        0 if kept == 0 and type(each) is int and each == 0
        else check.check_integer("s", each, least, most)
        for each in s
    ]  # fmt: skip
    if not listed:
        raise check.InvalidArgumentError("s must not be an empty list.")
    return np.unique(listed)

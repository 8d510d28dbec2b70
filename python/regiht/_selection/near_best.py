"""``near_best``: search for the models that are nearly as good as the best one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import Columns, FloatArray, Groups
from regiht._inputs.stored_rows import refuse_stored
from regiht._selection.enumeration import Supports, enumerate_models, everything
from regiht._selection.model_set import NearBest
from regiht._solving import defaults
from regiht._solving.described_data import describe_columns, loss_for, target_of
from regiht._solving.options import Options, check_further, options_from
from regiht._solving.prepared_model import PreparedModel, prepare_model
from regiht._solving.registry import LossName, MethodName
from regiht._solving.result import Result


def near_best(
    X: ArrayLike | Any,
    y: ArrayLike,
    s: int,
    within: float = 0.01,
    *,
    loss: LossName | None = None,
    method: MethodName = defaults.METHOD,
    fit_intercept: bool = True,
    standardize: bool = True,
    ridge: float | None = None,
    sample_weight: ArrayLike | None = None,
    keep: Columns | None = None,
    exclude: Columns | None = None,
    positive: bool = False,
    groups: Groups | None = None,
    feature_names: Sequence[str] | None = None,
    max_models: int = 100,
    time_limit: float | None = None,
    options: Mapping[str, Any] | None = None,
    n_threads: int | None = None,
) -> NearBest:
    """Find the models with at most s features that are nearly as good as the best.

    When columns resemble one another, many models fit almost equally well, and which of them is
    best is chance. The set of all of them shows which features are needed, and which can replace
    which.

    Models are listed in ascending order of their objective. Each is the best of those that leave
    out some feature of an earlier one, found by its own search (Lawler's partition). If every
    search finds the best, none is missing; `method="best"` nearly always does, but proves nothing.

    Parameters that are not listed are those of `regiht.solve`.

    Parameters
    ----------
    X : array, scipy sparse matrix or data frame of shape (rows, cols)
        The columns of a data frame name the features.
    y : array of shape (rows,)
        Targets as for `regiht.solve`, or two labels, such as "yes" and "no".
    s : int
        The largest number of features, or of groups.
    within : float
        How much the objective, a sum of losses over the rows, may be above the best, as a share of
        it. For squared loss 0.01 is one per cent of the residual sum of squares.
    loss : str, optional
        By default ``"squared"``, and ``"logistic"`` if y holds text or categories.
    method : str
        The method that finds each model.
    ridge : float, optional
        As in `regiht.solve`; by default that of the estimators, as in `sparse_path`.
    fit_intercept, standardize, keep, exclude, positive, options
        As in `SparseRegressor`.
    groups : labels, mapping or list of lists, optional
        As in `SparseRegressor`; models are compared by their groups.
    feature_names : list of str, optional
        Names of the columns, for tables and plots.
    max_models : int
        Stop at this number of models.
    time_limit : float, optional
        Seconds after which to stop with the models found so far.
    n_threads : int, optional
        Number of parallel searches. The answer is the same for any number.

    Returns
    -------
    NearBest

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed.

    See Also
    --------
    NearBest : What it returns.
    stability_selection : Which features other samples would have selected.
    Alternative : Runners-up of a single solve, without further searches.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 20))
    >>> X[:, 7] = X[:, 4] + 0.02 * rng.normal(size=100)  # a near copy
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=100)
    >>> models = regiht.near_best(X, y, 2, within=0.02)
    >>> [support.tolist() for support in models.supports]
    [[4, 17], [7, 17]]
    >>> models.substitutes()[0][:2]
    ('x4', 'x7')
    """
    refuse_stored(X, "near_best")
    within = check.check_real("within", within, least=0.0)
    most = check.check_integer("max_models", max_models, 1)
    limit = check.check_time_limit(time_limit)
    columns = describe_columns(X, feature_names, keep, exclude, groups)
    rows, cols = check.matrix_shape(X)
    loss = loss_for(y, loss)
    settings = {
        "loss": loss, "method": method, "positive": positive, "keep": columns.kept,
        "ridge": defaults.ridge_of(loss) if ridge is None else ridge, "groups": columns.groups,
        "intercept": check.check_flag("fit_intercept", fit_intercept), "n_threads": 1,
        "time_limit": limit,
    }  # fmt: skip
    further = check_further(options, settings.keys())
    checked = options_from(cols, **{"refit": True} | settings | further)
    searched = _Searched(
        X, target_of(y, rows, checked.loss)[0],
        check.check_integer("s", s, 1, check.count_groups(columns.groups, np.arange(cols))),
        checked, check.check_flag("standardize", standardize),
        check.check_sample_weight(sample_weight, rows),
    )  # fmt: skip
    allowed = everything(columns.kept, columns.excluded)
    model = searched.prepared(allowed, limit)
    searched = searched._replace(s=model.limited(searched.s))
    numbers = np.arange(cols) if model.options.groups is None else model.options.groups
    found = enumerate_models(
        searched.best_of, allowed, numbers, within=within, most=most, time_limit=limit,
        threads=check.check_threads(n_threads),
    )  # fmt: skip
    return NearBest(
        found.results, within=within, complete=found.complete, feature_names=columns.names,
        groups=numbers,
    )  # fmt: skip


class _Searched(NamedTuple):
    """The data, and how to search for the best model of some supports."""

    X: Any
    y: FloatArray
    s: int
    options: Options
    standardize: bool
    weights: FloatArray | None

    def best_of(self, supports: Supports, time_limit: float | None) -> Result | None:
        """Find the best model with some columns and without others; None if too few are left."""
        if supports.excluded.size == self.options.n:
            return None
        model = self.prepared(supports, time_limit)
        if model.largest_sparsity() < self.s:
            return None
        return model.fit(self.y[None, :], self.s)[0]

    def prepared(self, supports: Supports, time_limit: float | None) -> PreparedModel:
        """The matrix without the columns that are left out."""
        options = self.options.changed(
            keep=supports.kept if supports.kept.size else None, time_limit=time_limit
        )
        return prepare_model(
            self.X, options, standardize=self.standardize,
            exclude=supports.excluded if supports.excluded.size else None, weights=self.weights,
        )  # fmt: skip

"""``near_best``: the models that are nearly as good as the best one, as a set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import Columns, FloatArray, IndexArray, keep_and_exclude
from regiht._inputs.stored_rows import refuse_stored
from regiht._selection.enumeration import Supports, enumerate_models, everything
from regiht._solving import defaults
from regiht._solving.options import Options, check_further, options_from
from regiht._solving.prepared_model import PreparedModel, prepare_model
from regiht._solving.registry import LossName, MethodName
from regiht._solving.result import Result
from regiht._solving.results import Results


class Substitute(NamedTuple):
    """A feature that can stand for another one.

    ``excess`` is how much the objective is above the best, as a share, in the best of the models
    that have the substitute where a better one, otherwise the same, has the feature.
    """

    feature: str
    substitute: str
    excess: float


class NearBest(Results):
    """Models nearly as good as the best: a sequence of `Result`, the best first.

    Attributes
    ----------
    within : float
        How much the objective may be above the best, as a share of it.
    complete : bool
        Whether the search came to its end: not cut by ``time_limit`` or ``max_models``. No proof
        that nothing is missing, as each model is the best that a search has found.
    feature_names : list of str
        Of all columns of X.

    See Also
    --------
    near_best : Makes it.
    plotting.plot_near_best : A picture of it.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 20))
    >>> X[:, 7] = X[:, 4] + 0.02 * rng.normal(size=100)  # a near copy
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=100)
    >>> models = regiht.near_best(X, y, 2, within=0.02)
    >>> len(models), models.always.tolist(), models.complete
    (2, [17], True)
    """

    def __init__(
        self, results: list[Result], *, within: float, complete: bool, feature_names: list[str]
    ) -> None:
        super().__init__(results)
        self.within = within
        self.complete = complete
        self.feature_names = feature_names

    @property
    def supports(self) -> list[IndexArray]:
        """The features of each model: the columns with coefficients that are not zero."""
        return [np.flatnonzero(r.x) for r in self]

    @property
    def fun(self) -> FloatArray:
        """The objective of each model."""
        return np.array([r.fun for r in self])

    @property
    def excess(self) -> FloatArray:
        """How much the objective of each model is above the best, as a share of it."""
        values = self.fun
        scale = abs(float(values[0])) or 1.0
        shares: FloatArray = (values - values[0]) / scale
        return shares

    @property
    def features(self) -> IndexArray:
        """The columns that any of the models uses, those of most models first."""
        used, counts = np.unique(np.concatenate(self.supports), return_counts=True)
        # Among equals those of better models first.
        rank = {j: k for k, each in reversed(list(enumerate(self.supports))) for j in each.tolist()}
        ranks = np.array([rank[j] for j in used.tolist()], dtype=np.int64)
        ordered: IndexArray = used[np.lexsort((used, ranks, -counts))]
        return ordered

    @property
    def always(self) -> IndexArray:
        """The columns that all of the models use, in ascending order."""
        used, counts = np.unique(np.concatenate(self.supports), return_counts=True)
        common: IndexArray = used[counts == len(self)]
        return common

    def substitutes(self) -> list[Substitute]:
        """List what can stand for each feature of the best model, the cheapest first.

        One feature can stand for another if two of the models differ in just these, and the better
        one has the other.
        """
        lowest: dict[tuple[int, int], float] = {}
        best = set(self.supports[0].tolist())
        sets, excess = [set(each.tolist()) for each in self.supports], self.excess.tolist()
        for k, better in enumerate(sets):
            for other, price in zip(sets[k + 1 :], excess[k + 1 :], strict=True):
                if len(better - other) == len(other - better) == 1 and better - other <= best:
                    pair = min(better - other), min(other - better)
                    lowest[pair] = min(lowest.get(pair, np.inf), price)
        order = {j: k for k, j in enumerate(self.features.tolist())}
        ranked = sorted(lowest.items(), key=lambda each: (order[each[0][0]], each[1]))
        names = self.feature_names
        return [Substitute(names[i], names[j], price) for (i, j), price in ranked]

    def to_pandas(self) -> Any:
        """Return a table as a pandas DataFrame: one row for each model, a column for each feature.

        Entries are coefficients for X as given; those of features that a model does not use are
        zero.
        """
        try:
            import pandas as pd  # noqa: PLC0415  (optional)
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas") from error
        table: dict[str, Any] = {"fun": self.fun, "excess": self.excess}
        table["intercept"] = [r.intercept for r in self]
        for j in self.features:
            table[self.feature_names[j]] = [float(r.coef[j]) for r in self]
        return pd.DataFrame(table)

    def plot(self, ax: Any = None) -> Any:
        """Draw which model uses which feature; needs matplotlib."""
        from regiht.plotting import plot_near_best  # noqa: PLC0415  (matplotlib is optional)

        return plot_near_best(self, ax=ax)

    def __repr__(self) -> str:
        more = "" if self.complete else ", and perhaps more"
        return (
            f"<NearBest of {len(self)} models{more}, within {100 * self.within:g} % of the best: "
            f"{self.features.size} features, {self.always.size} in all of them>"
        )


def near_best(
    X: ArrayLike | Any,
    y: ArrayLike,
    s: int,
    within: float = 0.01,
    *,
    loss: LossName = "squared",
    method: MethodName = defaults.METHOD,
    fit_intercept: bool = True,
    standardize: bool = True,
    ridge: float = 0.0,
    sample_weight: ArrayLike | None = None,
    keep: Columns | None = None,
    exclude: Columns | None = None,
    positive: bool = False,
    feature_names: Sequence[str] | None = None,
    max_models: int = 100,
    time_limit: float | None = None,
    options: Mapping[str, Any] | None = None,
    n_threads: int | None = None,
) -> NearBest:
    """Find the models of at most s features that are nearly as good as the best.

    Where columns resemble one another, many models fit almost equally well, and which of them is
    best is chance. The set of them tells which features are needed, and which can stand for which.

    Models are listed in ascending order of their objective: each is the best of those that leave
    out some feature of an earlier one, by a search of its own (Lawler's partition). If every search
    finds the best, none is missing; `method="best"` nearly always does, and proves nothing.

    Parameters that are not listed are those of `regiht.solve`.

    Parameters
    ----------
    X : array, scipy sparse matrix or data frame of shape (rows, cols)
        The columns of a data frame give the names of the features.
    y : array of shape (rows,)
        Targets as `regiht.solve` takes them.
    s : int
        The number of features allowed.
    within : float
        How much the objective, a sum of losses over the rows, may be above the best, as a share of
        it. For squared loss 0.01 is one per cent of the residual sum of squares.
    method : str
        What finds each model.
    fit_intercept, standardize, keep, exclude, positive, options
        As in `SparseRegressor`.
    feature_names : list of str, optional
        Names of the columns, for tables and pictures.
    max_models : int
        End with so many models.
    time_limit : float, optional
        Seconds after which to end with what was found.
    n_threads : int, optional
        Searches at a time. The answer is the same for any number.

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
    Alternative : Runners-up of a single solve, without a search of their own.

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
    if feature_names is None and hasattr(X, "columns"):
        feature_names = [str(name) for name in X.columns]
    rows, cols = check.matrix_shape(X)
    names = [f"x{j}" for j in range(cols)] if feature_names is None else list(feature_names)
    if len(names) != cols:
        raise check.InvalidArgumentError(
            f"feature_names must name every column of X ({cols}); got {len(names)}."
        )
    kept, excluded = keep_and_exclude(keep, exclude, feature_names)
    settings = {
        "loss": loss, "method": method, "ridge": ridge, "positive": positive, "keep": kept,
        "intercept": check.check_flag("fit_intercept", fit_intercept), "n_threads": 1,
        "time_limit": limit, "groups": None,
    }  # fmt: skip
    further = check_further(options, settings.keys())
    checked = options_from(cols, **{"refit": True} | settings | further)
    searched = _Searched(
        X, check.check_target(y, rows, checked.loss), check.check_integer("s", s, 1, cols),
        checked, check.check_flag("standardize", standardize),
        check.check_sample_weight(sample_weight, rows),
    )  # fmt: skip
    allowed = everything(kept, excluded)
    searched = searched._replace(s=searched.prepared(allowed, limit).limited(searched.s))
    found = enumerate_models(
        searched.best_of, allowed, within=within, most=most, time_limit=limit,
        threads=check.check_threads(n_threads),
    )  # fmt: skip
    return NearBest(found.results, within=within, complete=found.complete, feature_names=names)


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

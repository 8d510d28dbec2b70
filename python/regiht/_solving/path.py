"""``sparse_path``: models for every number of features up to some, and criteria to choose by."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regiht._inputs import checks as check
from regiht._inputs.checks import (
    Columns,
    FloatArray,
    Groups,
    IndexArray,
    check_groups,
    keep_and_exclude,
)
from regiht._inputs.stored_rows import StoredRows, as_matrix
from regiht._solving import defaults
from regiht._solving.criteria import PENALTIES, criterion, has_criteria, leaves_enough
from regiht._solving.options import check_further, options_from
from regiht._solving.prepared_model import PreparedModel, prepare_model
from regiht._solving.registry import Effort, LossName, MethodName
from regiht._solving.result import Result
from regiht._solving.results import Results

# What only single fits can do.
_NOT_OF_A_PATH = {"callback", "certify"}


class SparsePath(Results):
    """Models of 1, 2, … features: a sequence of `Result`, and arrays over all of them.

    Attributes
    ----------
    s : array of int
        The number of features allowed.
    feature_names : list of str
        Of all columns of X.
    n_samples : float
        Number of rows, or the sum of the sample weights.
    loss : str
    classes : array of two labels, or None
        What the targets 0 and 1 stand for, if the loss is one for classes.
    null : Result or None
        The model of no features, intercept only; None where some are kept. Criteria choose it too.

    See Also
    --------
    sparse_path : Makes it.
    plotting.plot_path : A picture of it.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 30))
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=100)
    >>> path = regiht.sparse_path(X, y, max_nonzeros=4)
    >>> path.best_s("ebic"), [support.tolist() for support in path.supports[:2]]
    (2, [[4], [4, 17]])
    """

    def __init__(
        self,
        s: IndexArray,
        results: list[Result],
        *,
        problem: PreparedModel,
        feature_names: list[str],
        n_samples: float,
        null: Result | None,
        classes: NDArray[Any] | None,
        parameters: Mapping[str, Any],
        column_names: Sequence[str] | None,
    ) -> None:
        self.s = s
        self.feature_names = feature_names
        self.n_samples = n_samples
        self.loss: str = problem.options.loss.name
        self._ridge: float = problem.options.ridge
        self._is_standardized = problem.standardized
        self._rows = problem.design.shape[0]
        self.null = null
        self.classes = classes
        self._parameters = parameters
        self._column_names = column_names
        super().__init__(results)

    def at(self, s: int) -> Result:
        """Return the model with s features allowed; ``null`` is that with 0."""
        path = self.with_null()
        places = np.flatnonzero(path.s == s)
        if places.size == 0:
            raise check.InvalidArgumentError(
                f"s={s!r} is not on the path, which has {path.s[0]} to {path.s[-1]}."
            )
        return path._results[int(places[0])]

    def with_null(self) -> SparsePath:
        """Return the path with ``null`` as its first model, where there is one."""
        if self.null is None or self.s[0] == 0:
            return self
        longer = copy(self)
        longer.s = np.concatenate([[0], self.s])
        longer._results = [self.null, *self._results]
        return longer

    @property
    def coef(self) -> Any:
        """Coefficients for X as given, one row for each s, as a scipy CSR array."""
        from scipy import sparse  # noqa: PLC0415  (slow to import)

        return sparse.vstack([sparse.csr_array(r.coef[None, :]) for r in self], format="csr")

    @property
    def intercept(self) -> FloatArray:
        """The intercept for each s."""
        return np.array([r.intercept for r in self])

    @property
    def supports(self) -> list[IndexArray]:
        """The selected columns for each s."""
        return [r.support for r in self]

    @property
    def n_nonzero(self) -> IndexArray:
        """The number of selected columns for each s."""
        return np.array([r.support.size for r in self], dtype=np.int64)

    @property
    def losses(self) -> FloatArray:
        """The summed loss for each s, without the ridge term."""
        penalties = [0.5 * self._ridge * float(r.x @ r.x) for r in self]
        return np.array([r.fun for r in self]) - penalties

    @property
    def aic(self) -> FloatArray:
        """Akaike's criterion: deviance + 2k."""
        return self.criterion("aic")

    @property
    def bic(self) -> FloatArray:
        """Schwarz's criterion: deviance + k log n."""
        return self.criterion("bic")

    @property
    def ebic(self) -> FloatArray:
        """The extended BIC: BIC + 2 log(p choose k), with all p columns of X."""
        return self.criterion("ebic")

    @property
    def gic(self) -> FloatArray:
        """The generalized criterion: deviance + k log(p) log(log n), with all p columns of X."""
        return self.criterion("gic")

    def criterion(self, name: str) -> FloatArray:
        """Evaluate ``"aic"``, ``"bic"``, ``"ebic"`` or ``"gic"`` for each s.

        Infinite for models whose features and intercept take more than half of the samples.
        """
        check.check_choice("criterion", name, tuple(PENALTIES))
        return criterion(
            name,
            loss=self.loss,
            values=self.losses,
            selected=self.n_nonzero,
            samples=self.n_samples,
            columns=len(self.feature_names),
        )

    def best(self, criterion: str = "ebic") -> Result:
        """Return the model with the lowest criterion, the one of fewest features among equals.

        The model of no features, ``null``, is among them. A criterion that falls up to the last
        model that leaves enough samples is warned of: it tells of overfitting.

        A `Result` holds numbers; ``estimator`` gives the same model as one that predicts.
        """
        s, result = self._choice(criterion)
        enough = leaves_enough(self.n_nonzero, self.n_samples)
        if s > 0 and not enough.all() and enough.any() and s == self.s[enough][-1]:
            warnings.warn(
                f"{criterion} still falls at {s} features, the most that leave half of the "
                f"{self.n_samples:g} samples to judge them by; larger models were not considered. "
                "Use a stricter criterion, or cross-validation. See the page “Choosing s”.",
                stacklevel=2,
            )
        return result

    def best_s(self, criterion: str = "ebic") -> int:
        """Return the number of features that the criterion chooses; 0 for ``null``."""
        return self._choice(criterion)[0]

    def estimator(self, criterion: str = "ebic", *, s: int | None = None) -> Any:
        """Return a model as a fitted estimator: it predicts, explains itself and can be saved.

        Parameters
        ----------
        criterion : str
            What chooses the number of features.
        s : int, optional
            Take the model of this number instead.

        Returns
        -------
        SparseRegressor or SparseClassifier
            Fitted: nothing is solved again. Its parameters are those of the path.
        """
        from regiht._export.fitted import fitted_estimator  # noqa: PLC0415  (above this)

        if s is None:
            result = self.best(criterion)
            s = self.best_s(criterion)
        else:
            result = self.at(s)
        return fitted_estimator(
            result, s, parameters=self._parameters, classes=self.classes,
            column_names=self._column_names,
        )  # fmt: skip

    def _choice(self, criterion: str) -> tuple[int, Result]:
        path = self.with_null()
        chosen = int(np.argmin(path.criterion(criterion)))
        return int(path.s[chosen]), path._results[chosen]

    @property
    def is_standardized(self) -> bool:
        """Whether the columns were scaled to unit norm for the fits."""
        return self._is_standardized

    def standardized_coef(self) -> FloatArray:
        """Coefficients times the standard deviation of their columns, one row for each s.

        If the columns were not standardized, the coefficients as they are.
        """
        if not self._is_standardized:
            return np.stack([r.coef for r in self])
        scaled: FloatArray = np.stack([r.x for r in self]) / np.sqrt(self._rows)
        return scaled

    def to_pandas(self) -> Any:
        """Return a table with one row for each s as a pandas DataFrame."""
        try:
            import pandas as pd  # noqa: PLC0415  (optional)
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas") from error
        columns: dict[str, Any] = {"s": self.s, "n_nonzero": self.n_nonzero, "loss": self.losses}
        if has_criteria(self.loss):
            columns |= {name: self.criterion(name) for name in PENALTIES}
        columns["status"] = [r.status.value for r in self]
        columns["features"] = [[self.feature_names[j] for j in each] for each in self.supports]
        return pd.DataFrame(columns)

    def plot(self, ax: Any = None, *, criterion: str | None = "ebic") -> Any:
        """Draw the coefficients over the number of features; needs matplotlib."""
        from regiht.plotting import plot_path  # noqa: PLC0415  (matplotlib is optional)

        return plot_path(self, ax=ax, criterion=criterion)

    def __repr__(self) -> str:
        return f"<SparsePath of {len(self)} models, {self.s[0]} to {self.s[-1]} features>"


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
    """Fit models of 1, 2, … max_nonzeros features.

    Each is what the estimators find for that number alone: method, ridge and effort are theirs by
    default. The model at s does not depend on which others are asked for, with one exception:
    more than six numbers share the effort of six, so that a long path with ``method="best"`` does
    not take as long as all its fits. They are solved in parallel on one shared matrix; with
    ``method="omp"`` one run gives all of them.

    Parameters that are not listed are those of `regiht.solve_grid`.

    Parameters
    ----------
    X : array, scipy sparse matrix, data frame, Design or directory of shape (rows, cols)
        The columns of a data frame give the names of the features. A directory is one that
        `regiht.dataset.write` has made.
    y : array of shape (rows,)
        Targets as `regiht.solve` takes them, or two labels, such as "yes" and "no"; None: those
        in the directory.
    max_nonzeros : int
        The largest number of features, cut to the number of columns that can be selected.
    loss : str, optional
        By default ``"squared"``, and ``"logistic"`` if y holds text or categories.
    method : str
        ``"best"`` finds the best features. ``"omp"`` takes little more time than its fit of the
        largest number alone.
    ridge : float, optional
        As in `regiht.solve`. By default that of the estimators: 0.0001 for losses of two classes,
        which keeps the coefficients of classes that can be told apart finite, else 0.
    s : list of int, optional
        Only these numbers, instead of all up to ``max_nonzeros``. 0 is the model of no features,
        which is `SparsePath.null` otherwise.
    fit_intercept, standardize, keep, exclude, positive, groups, options
        As in `SparseRegressor`.
    feature_names : list of str, optional
        Names of the columns, for tables and pictures.

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
    X = as_matrix(X)
    column_names = check.string_columns(X)
    if isinstance(X, StoredRows):
        y = X.y if y is None else y
        column_names = X.feature_names
        feature_names = column_names if feature_names is None else feature_names
    elif feature_names is None:
        feature_names = check.refuse_other_columns(X)
    kept, excluded = keep_and_exclude(keep, exclude, feature_names)
    rows, cols = check.matrix_shape(X)
    names = list(check.check_feature_names(feature_names, cols))
    labelled = check.holds_labels(y)
    if loss is None:
        loss = "logistic" if labelled else "squared"
    settings = {
        "loss": loss, "method": method, "effort": effort,
        "ridge": defaults.ridge_of(loss) if ridge is None else ridge, "max_iter": max_iter,
        "tol": tol,
        "keep": kept, "positive": positive, "groups": check_groups(groups, cols, feature_names),
        "intercept": check.check_flag("fit_intercept", fit_intercept), "time_limit": time_limit,
        "n_threads": n_threads,
    }  # fmt: skip
    further = check_further(options, settings.keys())
    if further.keys() & _NOT_OF_A_PATH:
        raise check.InvalidArgumentError(
            f"options of a path must not have {', '.join(sorted(further.keys() & _NOT_OF_A_PATH))}:"
            " use solve for the number of features chosen."
        )
    problem = prepare_model(
        X, options_from(cols, **{"refit": True} | settings | further), standardize=standardize,
        exclude=excluded, weights=check.check_sample_weight(sample_weight, rows),
        progress=progress, feature_names=feature_names,
    )  # fmt: skip
    sparsities = _sparsities(max_nonzeros, s, problem)
    classes, target = None, y
    if labelled:
        classes, target = check.check_two_labels(y, problem.options.loss)
    elif problem.options.loss.targets == "binary":
        classes = np.array([0, 1]).astype(np.asarray(y).dtype)
    target = check.check_target(cast(ArrayLike, target), rows, problem.options.loss)
    results = [each[0] for each in problem.fit_path(target[None, :], sparsities.tolist())]
    null = None if problem.smallest_sparsity() else problem.null(target)
    return SparsePath(
        sparsities, results, problem=problem, feature_names=names,
        n_samples=float(rows if problem.weights is None else problem.weights.sum()),
        null=null, classes=classes, column_names=column_names,
        parameters={
            "loss": loss, "method": method, "effort": effort, "fit_intercept": fit_intercept,
            "ridge": settings["ridge"], "standardize": standardize, "keep": keep,
            "exclude": exclude, "positive": positive, "groups": groups, "max_iter": max_iter,
            "tol": tol, "time_limit": time_limit, "options": options,
        },
    )  # fmt: skip


def _sparsities(max_nonzeros: int, s: Sequence[int] | None, problem: PreparedModel) -> IndexArray:
    least = max(1, problem.smallest_sparsity())
    most = problem.largest_sparsity()
    if s is None:
        asked = check.check_integer("max_nonzeros", max_nonzeros, least)
        return np.arange(least, min(asked, most) + 1)
    nothing = problem.smallest_sparsity() == 0
    listed = [
        0 if nothing and type(each) is int and each == 0
        else check.check_integer("s", each, least, most)
        for each in s
    ]  # fmt: skip
    if not listed:
        raise check.InvalidArgumentError("s must not be an empty list.")
    return np.unique(listed)

"""What the sparse regressor and the sparse classifier share."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray
from regiht._inputs.collections import is_dask
from regiht._inputs.stored_rows import StoredRows, as_matrix, refuse_stored
from regiht._solving.options import DEFAULTS, Options, check_further, options_from
from regiht._solving.prepared_model import PreparedModel, prepare_model
from regiht._solving.progress import Progress, is_watched
from regiht._solving.registry import METHODS
from regiht._solving.result import UNUSABLE, Result, Status
from regiht.estimators._callbacks import Task, begin_fit
from regiht.estimators._collections import select_from_collection
from regiht.estimators._inference import InferenceMixin
from regiht.estimators._parameters import ModelParameters
from regiht.estimators._sklearn import BaseEstimator, CallbackSupport, SelectorMixin

# Attributes of a Result that not every method and option provides; the fitted name has a "_".
_OPTIONAL = ("gap", "lower_bound", "swap_optimal", "alternatives")

_FAILURES = {Status.DIVERGED, Status.CYCLING}

# Parameters that are options of `solve`.
_SOLVING = {each.name for each in fields(ModelParameters)} & DEFAULTS.keys()


class SparseLinearModel(
    ModelParameters, InferenceMixin, CallbackSupport, SelectorMixin, BaseEstimator
):
    """Parameters, fitting and selection; subclasses say what the targets and predictions are."""

    n_nonzero_coefs: Any

    coef_: FloatArray
    intercept_: Any
    support_: IndexArray
    # With several classes one for each.
    n_iter_: Any
    status_: Any
    message_: Any
    objective_: Any
    alternatives_: Any
    swap_optimal_: Any
    gap_: Any
    lower_bound_: Any

    def _validated_data(self, X: Any, y: Any, **options: Any) -> tuple[Any, NDArray[Any]]:
        """Check X and y as scikit-learn does; of a matrix on disk, which was checked, only y."""
        X = as_matrix(X)
        if not isinstance(X, StoredRows):
            check.refuse_other_columns(X)
            X, y = validate_data(
                self, X, y, accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32], **options
            )
            return X, y
        y = validate_data(self, X="no_validation", y=X.y if y is None else y, **options)
        self._know_columns(X)
        check_consistent_length(X, y)
        return X, y

    def _know_columns(self, X: StoredRows) -> None:
        self.n_features_in_ = X.shape[1]
        self.__dict__.pop("feature_names_in_", None)
        if X.feature_names is not None:
            self.feature_names_in_ = np.array(X.feature_names, dtype=object)

    def _validated_weights(self, X: Any, sample_weight: Any) -> FloatArray | None:
        if sample_weight is None:
            return None
        if isinstance(X, StoredRows):  # only the number of rows is looked at
            X = np.broadcast_to(0.0, (X.shape[0], 1))
        weights: FloatArray = _check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
        return weights

    def _options(self, cols: int) -> Options:
        """Check the parameters that say how to solve, for all fits on matrices of so many columns.

        A method that draws at random does so here.
        """
        check.check_flag("warm_start", self.warm_start)
        names = getattr(self, "feature_names_in_", None)
        settings = {name: getattr(self, name) for name in _SOLVING} | {
            "intercept": check.check_flag("fit_intercept", self.fit_intercept),
            "keep": check.keep_and_exclude(self.keep, self.exclude, cols, names)[0],
            "groups": check.check_groups(self.groups, cols, names),
            "n_threads": effective_n_jobs(check.check_jobs(self.n_jobs)),
        }
        further = check_further(self.options, settings.keys())
        further.pop("callback", None)
        usual: dict[str, Any] = {"refit": True}
        method = METHODS.get(self.method)
        if method is not None and method.draws:
            usual["seed"] = _seed(self.random_state)
        else:
            _check_random_state(self.random_state)
        return options_from(cols, **usual | settings | further)

    def _prepared(
        self,
        X: Any,
        sample_weight: FloatArray | None,
        options: Options,
        progress: bool | Progress,
    ) -> PreparedModel:
        names = getattr(self, "feature_names_in_", None)
        _, excluded = check.keep_and_exclude(self.keep, self.exclude, X.shape[1], names)
        return prepare_model(
            X, options, standardize=self.standardize, exclude=excluded, weights=sample_weight,
            callback=(self.options or {}).get("callback"), progress=progress, feature_names=names,
            huber_threshold=getattr(self, "huber_threshold", None),
        )  # fmt: skip

    def _fit_models(
        self,
        X: Any,
        y: NDArray[Any],
        targets: FloatArray,
        sample_weight: FloatArray | None,
        sparsity: int,
    ) -> Self:
        task = begin_fit(self, self._parts(targets), X, y, sample_weight)
        options = self._options(X.shape[1])
        problem = self._prepared(X, sample_weight, options, progress=self._shows_progress())
        return self._fit_problem(problem, targets, sparsity, task)

    def _shows_progress(self) -> bool:
        return bool(self.verbose) and is_watched()

    @staticmethod
    def _parts(targets: FloatArray) -> int | None:
        """Parts of a fit: classes, or else iterations, whose number is not known."""
        return len(targets) if len(targets) > 1 else None

    def _fit_problem(
        self, problem: PreparedModel, targets: FloatArray, sparsity: int, task: Task
    ) -> Self:
        start = getattr(self, "coef_", None) if self.warm_start else None
        if start is not None:
            start = np.atleast_2d(start)
            if start.shape != (len(targets), problem.design.shape[1]):
                start = None
        results = (
            self._solve_and_tell(problem, targets, sparsity, start, task)
            if task.is_heard
            else problem.fit(targets, sparsity, start)
        )
        self._take(results)
        self._warn_of_failures(results)
        task.end(self._fitted)
        return self

    def _fitted(self) -> dict[str, Any]:
        """What predictions need."""
        return {name: vars(self)[name] for name in ("coef_", "intercept_", "support_")}

    @staticmethod
    def _solve_and_tell(
        problem: PreparedModel,
        targets: FloatArray,
        sparsity: int,
        start: FloatArray | None,
        task: Task,
    ) -> list[Result]:
        """Solve for one target after another, and tell callbacks of every iteration."""
        results = []
        for k in range(len(targets)):
            part = task.part("class", None) if len(targets) > 1 else task
            results += problem.fit(
                targets[k : k + 1], sparsity, None if start is None else start[k : k + 1],
                part.iterations(problem, targets),
            )  # fmt: skip
            if part is not task:
                part.end()
        return results

    def _take(self, results: Sequence[Result]) -> None:
        """Set the fitted attributes from one result for each target."""
        self._set_coefficients(
            np.stack([r.coef for r in results]), np.array([r.intercept for r in results])
        )
        self.support_ = np.unique(np.concatenate([r.support for r in results]))
        self._set_each("n_iter_", [r.n_iter for r in results])
        self._set_each("status_", [r.status for r in results])
        self._set_each("message_", [r.message for r in results])
        self._set_each("objective_", [r.fun for r in results])
        for name in _OPTIONAL:
            values = [getattr(r, name, None) for r in results]
            self.__dict__.pop(f"{name}_", None)
            if all(value is not None for value in values):
                self._set_each(f"{name}_", values)

    def _set_each(self, name: str, values: list[Any]) -> None:
        """One value as it is; several, one for each class, as an array or a list."""
        if len(values) == 1:
            setattr(self, name, values[0])
        elif isinstance(values[0], (int, float)):
            setattr(self, name, np.array(values))
        else:
            setattr(self, name, values)

    @abstractmethod
    def _set_coefficients(self, coef: FloatArray, intercept: FloatArray) -> None:
        """Set ``coef_`` and ``intercept_`` from one row and one number for each target."""

    def _warn_of_failures(self, results: Sequence[Result], stacklevel: int = 5) -> None:
        """Warn of models that are no use; what else there is to say is in ``message_``."""
        for result, label in zip(results, self._target_labels(len(results)), strict=True):
            if result.status in _FAILURES or not UNUSABLE.isdisjoint(result.notes):
                warnings.warn(
                    f"{type(self).__name__}{label}: {result.message}",
                    ConvergenceWarning,
                    stacklevel=stacklevel,
                )

        self._warn_of_time(results, "fit", stacklevel=stacklevel)

    def _warn_of_time(self, results: Sequence[Result], what: str, stacklevel: int) -> None:
        """Warn once if time ended one of several fits before the solver was done."""
        ended = sum(result.status == Status.TIME_LIMIT for result in results)
        if ended == 0:
            return
        of_all = "" if len(results) == 1 else f" {ended} of {len(results)} parts of"
        warnings.warn(
            f"{type(self).__name__}: time_limit={self.time_limit:g} ended{of_all} the {what} before"
            " it was done; the answer is the best found by then. Give it more time, or try"
            " effort='quick' or method='omp'. See the page “Effort and limits”.",
            ConvergenceWarning,
            stacklevel=stacklevel + 1,
        )

    def _target_labels(self, count: int) -> list[str]:
        """Say in a warning which of several targets it is about."""
        if count == 1:
            return [""]
        if hasattr(self, "classes_"):
            return [f", '{label}' against the rest" for label in self.classes_]
        return [f", target {k}" for k in range(count)]

    def plot(
        self, ax: Any = None, *, X: Any = None, feature_names: Sequence[str] | None = None
    ) -> Any:
        """Plot the coefficients of the selected features; needs matplotlib.

        With X they are multiplied by the standard deviations of its columns.
        """
        from regiht.plotting import plot_model  # noqa: PLC0415  (optional)

        return plot_model(self, ax, X=X, feature_names=feature_names)

    def _linear_predictor(self, X: Any) -> Any:
        check_is_fitted(self)
        X = as_matrix(X)
        if isinstance(X, StoredRows):
            self._refuse_other_shape(X)
            return X.predictions(self.coef_) + self.intercept_
        check.refuse_other_columns(X)
        X = validate_data(
            self, X, reset=False, accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32]
        )
        return X @ self.coef_.T + self.intercept_

    def transform(self, X: Any) -> Any:
        """Return the selected columns of X."""
        if is_dask(X):
            return select_from_collection(self, X)
        refuse_stored(X, "transform")
        return super().transform(X)

    def _refuse_other_shape(self, X: StoredRows) -> None:
        if X.shape[1] != self.n_features_in_:
            raise check.InvalidArgumentError(
                f"X has {X.shape[1]} features, and {type(self).__name__} was fitted to "
                f"{self.n_features_in_}."
            )
        names = getattr(self, "feature_names_in_", None)
        if names is not None and X.feature_names is not None and list(names) != X.feature_names:
            raise check.InvalidArgumentError(
                "X has other feature names, or another order of them, than in the fit."
            )

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.support_] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _seed(random_state: Any) -> int:
    """Draw a seed."""
    state = _check_random_state(random_state)
    if isinstance(state, np.random.Generator):
        return int(state.integers(2**31))
    return int(state.randint(2**31))


def _check_random_state(random_state: Any) -> np.random.Generator | np.random.RandomState:
    """Check as scikit-learn does, which does not take generators of numpy's newer kind yet."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    try:
        state: np.random.RandomState = check_random_state(random_state)
    except ValueError:
        raise check.InvalidArgumentError(
            f"random_state must be a seed, a generator of numpy or None; got {random_state!r}."
        ) from None
    return state

"""What the sparse regressor and the sparse classifier share."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from regiht import _validation as check
from regiht._problem import Problem, make_problem
from regiht._result import Result, Status
from regiht._validation import Columns, FloatArray, column_numbers, refuse_overlap

# Attributes of a Result that not every method and option provides; the fitted name has a "_".
_OPTIONAL = ("gap", "lower_bound", "swap_optimal", "alternatives")

_FAILURES = {Status.DIVERGED, Status.CYCLING}


class SparseLinearModel(SelectorMixin, BaseEstimator):
    """Parameters, fitting and selection; subclasses say what the targets and predictions are."""

    n_nonzero_coefs: Any
    loss: str
    method: str
    fit_intercept: bool
    standardize: bool
    ridge: float
    keep: Columns | None
    exclude: Columns | None
    max_iter: int | str
    tol: float
    warm_start: bool
    time_limit: float | None
    options: Mapping[str, Any] | None
    n_jobs: int | None
    verbose: int | bool

    def _validated_weights(self, X: Any, sample_weight: Any) -> FloatArray | None:
        if sample_weight is None:
            return None
        weights: FloatArray = _check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
        return check.check_sample_weight(weights, X.shape[0])

    def _problem(self, X: Any, sample_weight: FloatArray | None, *, progress: bool) -> Problem:
        names = getattr(self, "feature_names_in_", None)
        cols = X.shape[1]
        keep = check.check_columns("keep", column_numbers("keep", self.keep, names), cols)
        exclude = check.check_columns(
            "exclude", column_numbers("exclude", self.exclude, names), cols
        )
        refuse_overlap(keep, exclude)
        return make_problem(
            X, loss=self.loss, method=self.method, fit_intercept=self.fit_intercept,
            standardize=self.standardize, ridge=self.ridge, keep=keep, exclude=exclude,
            sample_weight=sample_weight, max_iter=self.max_iter, tol=self.tol,
            time_limit=self.time_limit, n_threads=effective_n_jobs(self.n_jobs),
            progress=progress, options=self.options,
        )  # fmt: skip

    def _fit_models(
        self, X: Any, targets: FloatArray, sample_weight: FloatArray | None, sparsity: int
    ) -> Self:
        problem = self._problem(X, sample_weight, progress=bool(self.verbose))
        start = getattr(self, "coef_", None) if self.warm_start else None
        if start is not None:
            start = np.atleast_2d(start)
            if start.shape != (len(targets), X.shape[1]):
                start = None
        results = problem.solve(targets, sparsity, start)
        self._take(results)
        self._warn_of_failures(results)
        return self

    def _take(self, results: Sequence[Result]) -> None:
        """Set the fitted attributes from one result for each target."""
        self._set_coefficients(
            np.stack([r.coef for r in results]), np.array([r.intercept for r in results])
        )
        self.support_ = np.unique(np.concatenate([r.support for r in results]))
        self._set_each("n_iter_", [r.n_iter for r in results])
        self._set_each("status_", [r.status for r in results])
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

    def _warn_of_failures(self, results: Sequence[Result]) -> None:
        for result in results:
            if result.status in _FAILURES:
                warnings.warn(
                    f"{type(self).__name__}: {result.message}", ConvergenceWarning, stacklevel=4
                )

    def _linear_predictor(self, X: Any) -> Any:
        check_is_fitted(self)
        X = validate_data(
            self, X, reset=False, accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32]
        )
        return X @ self.coef_.T + self.intercept_

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.support_] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

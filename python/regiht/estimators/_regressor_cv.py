"""Regression with the number of features chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

from regiht._inputs.collections import is_dask
from regiht._solving.registry import REGRESSION_LOSSES, RegressionLoss
from regiht.estimators._callbacks import with_callbacks
from regiht.estimators._collections import fit_collection
from regiht.estimators._cross_validation import CrossValidated
from regiht.estimators._parameters import shares_documentation
from regiht.estimators._regressor import RegressionModel


@shares_documentation(REGRESSION_LOSSES)
@dataclass(eq=False, repr=False, match_args=False)
class SparseRegressorCV(RegressionModel, CrossValidated):
    """Linear regression with the number of features chosen by cross-validation.

    For a matrix y every column has a model with its own features, the same number for all.

    Parameters
    ----------
    {cross_validation}
    loss : {losses}
        As for `SparseRegressor`.
    huber_threshold : float
        As for `SparseRegressor`.
    {parameters}

    Attributes
    ----------
    coef_ : array of shape (n_features,), or (n_targets, n_features) for several targets
        Coefficients for X as given.
    intercept_ : float, or array of shape (n_targets,)
    {cross_validated}
    {attributes}

    See Also
    --------
    SparseRegressor : With a given number of features.
    plotting.plot_cross_validation : Plots the scores.
    plotting.plot_stability : Plots in how many folds each feature was selected.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import SparseRegressorCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 30))
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=100)
    >>> model = SparseRegressorCV(n_nonzero_coefs=6, cv=5).fit(X, y)
    >>> model.n_nonzero_coefs_, model.support_.tolist()
    (2, [4, 17])
    """

    n_nonzero_coefs: int | Sequence[int] | None = None
    _: KW_ONLY
    loss: RegressionLoss = "squared"
    huber_threshold: float = 1.35

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the number of features, then fit to all samples.

        X may be a directory, or a Design of it, as for a single fit. Folds of directories and of
        Dask collections are not copied: held-out rows have the weight zero.

        ``params`` are routed to the splitter and the scorer, if metadata routing is enabled.
        """
        if is_dask(X):
            return fit_collection(self, X, y, sample_weight, params)
        X, y, weights = self._validated(X, y, sample_weight)
        return self._fit_cross_validated(
            X, y, self._targets(y), weights, params, score_weight=weights
        )

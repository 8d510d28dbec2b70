"""Regression with at most so many features."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht._inputs.collections import is_dask
from regiht._solving import defaults
from regiht._solving.registry import LOSSES, REGRESSION_LOSSES, RegressionLoss
from regiht.estimators._base import SparseLinearModel
from regiht.estimators._callbacks import with_callbacks
from regiht.estimators._collections import by_blocks, fit_collection
from regiht.estimators._parameters import shares_documentation
from regiht.estimators._sklearn import RegressorMixin


class RegressionModel(RegressorMixin, SparseLinearModel):
    """What fitting and predicting numbers needs."""

    intercept_: Any

    def _validated(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, FloatArray, Any]:
        check.check_choice("loss", self.loss, REGRESSION_LOSSES)
        several = _has_several_columns(y)
        X, y = self._validated_data(X, y, y_numeric=True, multi_output=several)
        loss = LOSSES[self.loss]
        if several:
            y = check.check_targets(y, X.shape[0], loss).T
        else:
            y = check.check_target(y.astype(np.float64, copy=False), X.shape[0], loss)
        return X, y, self._validated_weights(X, sample_weight)

    @staticmethod
    def _targets(y: FloatArray) -> FloatArray:
        """One row for every target."""
        return np.ascontiguousarray(np.atleast_2d(y.T))

    def _set_coefficients(self, coef: FloatArray, intercept: FloatArray) -> None:
        if len(coef) == 1:
            self.coef_, self.intercept_ = coef[0], float(intercept[0])
        else:
            self.coef_, self.intercept_ = coef, intercept

    @by_blocks
    def predict(self, X: Any) -> FloatArray:
        """Predict the target of each row; for Poisson loss the expected count."""
        prediction: FloatArray = self._linear_predictor(X)
        return np.exp(prediction) if LOSSES[self.loss].link == "log" else prediction

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        loss = LOSSES.get(self.loss)
        tags.target_tags.multi_output = True
        tags.target_tags.positive_only = loss is not None and loss.targets == "nonnegative"
        return tags


def _has_several_columns(y: Any) -> bool:
    try:
        shape = np.asarray(y).shape
    except ValueError:  # rows of different lengths, which scikit-learn refuses
        return False
    return len(shape) == 2 and shape[1] > 1


@shares_documentation(REGRESSION_LOSSES)
@dataclass(eq=False, repr=False, match_args=False)
class SparseRegressor(RegressionModel):
    """Linear regression with at most ``n_nonzero_coefs`` features; also a feature selector.

    For a matrix y every column has a model with its own features; ``support_`` is the union.

    Parameters
    ----------
    n_nonzero_coefs : int
        The largest number of features, for each target if there are several. The default is merely
        small enough to be read: set a number, or use `SparseRegressorCV`.
    loss : {losses}
        ``"poisson"`` models the logarithm of the expected count.
    huber_threshold : float
        Huber's loss is quadratic for errors up to this and linear beyond. The default suits noise
        of about one: set 1.35 times the standard deviation of yours. Other losses ignore it.
    {parameters}

    Attributes
    ----------
    coef_ : array of shape (n_features,), or (n_targets, n_features) for several targets
        Coefficients for X as given.
    intercept_ : float, or array of shape (n_targets,)
    {attributes}
        With several targets, ``n_iter_``, ``status_``, ``objective_`` and all after them have one
        entry for each.

    See Also
    --------
    SparseRegressorCV : Chooses the number of features.
    sparse_path : Models for every number of features.
    explain : Shows a fitted model as a formula.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import SparseRegressor
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + 1
    >>> model = SparseRegressor(n_nonzero_coefs=2).fit(X, y)
    >>> model.support_.tolist(), round(model.intercept_, 3)
    ([4, 17], 1.0)
    >>> model.transform(X).shape
    (100, 2)
    """

    n_nonzero_coefs: int = defaults.N_NONZERO_COEFS
    _: KW_ONLY
    loss: RegressionLoss = "squared"
    huber_threshold: float = 1.35

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to samples (rows of X), their targets y and optional weights.

        X may be a directory that `regiht.dataset.write` made, or a Design of it; y is then by
        default that of the directory.
        """
        if is_dask(X):
            return fit_collection(self, X, y, sample_weight)
        sparsity = check.check_integer("n_nonzero_coefs", self.n_nonzero_coefs, 1)
        X, y, weights = self._validated(X, y, sample_weight)
        return self._fit_models(X, y, self._targets(y), weights, sparsity)

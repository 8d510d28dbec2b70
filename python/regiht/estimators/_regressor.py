"""Regression with at most so many features."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import validate_data

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht._solving import defaults
from regiht._solving.registry import LOSSES, REGRESSION_LOSSES, RegressionLoss
from regiht.estimators._base import SparseLinearModel
from regiht.estimators._callbacks import with_callbacks
from regiht.estimators._parameters import shares_documentation
from regiht.estimators._sklearn import RegressorMixin


class RegressionModel(RegressorMixin, SparseLinearModel):
    """What fitting and predicting numbers needs."""

    intercept_: float

    def _validated(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, FloatArray, Any]:
        check.check_choice("loss", self.loss, REGRESSION_LOSSES)
        check.refuse_other_columns(X)
        X, y = validate_data(
            self, X, y, accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32],
            y_numeric=True,
        )  # fmt: skip
        y = check.check_target(y.astype(np.float64, copy=False), X.shape[0], LOSSES[self.loss])
        return X, y, self._validated_weights(X, sample_weight)

    def _set_coefficients(self, coef: FloatArray, intercept: FloatArray) -> None:
        self.coef_, self.intercept_ = coef[0], float(intercept[0])

    def predict(self, X: Any) -> FloatArray:
        """Predict the target of each row; for Poisson loss the expected count."""
        prediction: FloatArray = self._linear_predictor(X)
        return np.exp(prediction) if LOSSES[self.loss].link == "log" else prediction

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        loss = LOSSES.get(self.loss)
        tags.target_tags.positive_only = loss is not None and loss.targets == "nonnegative"
        return tags


@shares_documentation(REGRESSION_LOSSES)
@dataclass(eq=False, repr=False, match_args=False)
class SparseRegressor(RegressionModel):
    """Linear regression with at most ``n_nonzero_coefs`` features; also a feature selector.

    Parameters
    ----------
    n_nonzero_coefs : int
        The number of features allowed. If X has no more, all may be used. The default is merely
        small enough to be read: give a number, or use `SparseRegressorCV`.
    loss : {losses}
        Huber's loss is quadratic for errors up to 1.35 and linear beyond, so scale y such that its
        noise is about one. For counts, ``"poisson"`` models their logarithm.
    {parameters}

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        Coefficients for X as given.
    intercept_ : float
    {attributes}

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

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to samples (rows of X), their targets y and, if given, their weights."""
        sparsity = check.check_integer("n_nonzero_coefs", self.n_nonzero_coefs, 1)
        X, y, weights = self._validated(X, y, sample_weight)
        return self._fit_models(X, y, y[None, :], weights, sparsity)

"""Regression with the number of features chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from regiht._inputs.checks import Columns, Groups
from regiht._solving import defaults
from regiht.estimators._callbacks import with_callbacks
from regiht.estimators._cross_validation import CrossValidated
from regiht.estimators._documentation import shares_documentation
from regiht.estimators._regressor import RegressionModel


@shares_documentation
class SparseRegressorCV(RegressionModel, CrossValidated):
    """Linear regression with the number of features chosen by cross-validation.

    Parameters
    ----------
    {cross_validation}
    loss : {"squared", "huber", "poisson"}
        As for `SparseRegressor`.
    {parameters}

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        Coefficients for X as given.
    intercept_ : float
    {cross_validated}
    {attributes}

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

    def __init__(
        self,
        n_nonzero_coefs: int | Sequence[int] | None = None,
        *,
        cv: Any = None,
        scoring: Any = None,
        rule: str = "one-standard-error",
        loss: str = "squared",
        method: str = defaults.METHOD,
        fit_intercept: bool = True,
        standardize: bool = True,
        ridge: float = 0.0,
        keep: Columns | None = None,
        exclude: Columns | None = None,
        positive: bool = False,
        groups: Groups | None = None,
        max_iter: int | str = "auto",
        tol: float = 0.0,
        warm_start: bool = False,
        time_limit: float | None = None,
        options: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_nonzero_coefs = n_nonzero_coefs
        self.cv = cv
        self.scoring = scoring
        self.rule = rule
        self.loss = loss
        self.method = method
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.ridge = ridge
        self.keep = keep
        self.exclude = exclude
        self.positive = positive
        self.groups = groups
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.time_limit = time_limit
        self.options = options
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the number of features, then fit to all samples.

        ``params`` are routed to the splitter and the scorer, if metadata routing is enabled.
        """
        X, y, weights = self._validated(X, y, sample_weight)
        return self._fit_cross_validated(X, y, y[None, :], weights, params)

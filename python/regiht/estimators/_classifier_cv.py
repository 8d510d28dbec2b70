"""Classification with the number of features chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from regiht._inputs.checks import Columns, Groups
from regiht._solving import defaults
from regiht.estimators._callbacks import with_callbacks
from regiht.estimators._classifier import ClassificationModel
from regiht.estimators._cross_validation import CrossValidated
from regiht.estimators._documentation import shares_documentation


@shares_documentation
class SparseClassifierCV(ClassificationModel, CrossValidated):
    """Linear classification with the number of features chosen by cross-validation.

    More than two classes are fitted one against the rest, as in `SparseClassifier`, all with the
    same number of features.

    Parameters
    ----------
    {cross_validation}
    loss : {"logistic", "squared-hinge"}
        As for `SparseClassifier`.
    {parameters}

    Attributes
    ----------
    classes_ : array
    coef_ : array of shape (1, n_features), or (n_classes, n_features) for three classes or more
        Coefficients for X as given.
    intercept_ : array of shape (1,) or (n_classes,)
    {cross_validated}
    {attributes}
        With three classes or more, ``n_iter_``, ``status_``, ``objective_`` and what follows hold
        one entry for each class.
    """

    def __init__(
        self,
        n_nonzero_coefs: int | Sequence[int] | None = None,
        *,
        cv: Any = None,
        scoring: Any = None,
        rule: str = "one-standard-error",
        loss: str = "logistic",
        method: str = defaults.METHOD,
        fit_intercept: bool = True,
        standardize: bool = True,
        ridge: float = defaults.CLASSIFIER_RIDGE,
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
        X, labels, weights = self._validated(X, y, sample_weight)
        targets = self._binary_targets(labels)
        return self._fit_cross_validated(X, self.classes_[labels], targets, weights, params)

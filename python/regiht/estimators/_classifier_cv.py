"""Classification with the number of features chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

from regiht._inputs.collections import is_dask
from regiht._solving import defaults
from regiht._solving.registry import CLASSIFICATION_LOSSES, ClassificationLoss
from regiht.estimators._callbacks import with_callbacks
from regiht.estimators._classifier import ClassificationModel, ClassWeight
from regiht.estimators._collections import fit_collection
from regiht.estimators._cross_validation import CrossValidated
from regiht.estimators._parameters import shares_documentation


@shares_documentation(CLASSIFICATION_LOSSES)
@dataclass(eq=False, repr=False, match_args=False)
class SparseClassifierCV(ClassificationModel, CrossValidated):
    """Linear classification with the number of features chosen by cross-validation.

    Each of three or more classes is fitted against the rest, as in `SparseClassifier`, all with
    the same number of features.

    Parameters
    ----------
    {cross_validation}
    loss : {losses}
        As for `SparseClassifier`.
    {class_weight}
        It does not affect held-out scores.
    {parameters}

    Attributes
    ----------
    classes_ : array
    coef_ : array of shape (1, n_features), or (n_classes, n_features) for three classes or more
        Coefficients for X as given.
    intercept_ : array of shape (1,) or (n_classes,)
    {cross_validated}
    {attributes}
        With three or more classes, ``n_iter_``, ``status_``, ``objective_`` and all after them
        have one entry for each class.

    See Also
    --------
    SparseClassifier : With a given number of features.
    plotting.plot_cross_validation : Plots the scores.
    plotting.plot_stability : Plots in how many folds each feature was selected.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import SparseClassifierCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 20))
    >>> y = 3 * X[:, 4] - 3 * X[:, 17] + rng.logistic(size=300) > 0
    >>> model = SparseClassifierCV(4, cv=3).fit(X, y)
    >>> model.n_nonzero_coefs_, model.support_.tolist()
    (2, [4, 17])
    """

    n_nonzero_coefs: int | Sequence[int] | None = None
    _: KW_ONLY
    loss: ClassificationLoss = "logistic"
    ridge: float = defaults.CLASSIFIER_RIDGE
    class_weight: ClassWeight = None

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the number of features, then fit to all samples.

        X may be a directory, or a Design of it, as for a single fit. Folds of directories and of
        Dask collections are not copied: held-out rows have the weight zero.

        ``params`` are routed to the splitter and the scorer, if metadata routing is enabled.
        """
        if is_dask(X):
            return fit_collection(self, X, y, sample_weight, params)
        X, labels, weights = self._validated(X, y, sample_weight)
        targets = self._binary_targets(labels)
        in_fits = self._weights_in_fits(labels, weights)
        return self._fit_cross_validated(
            X, self.classes_[labels], targets, in_fits, params, score_weight=weights
        )

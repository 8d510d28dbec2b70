"""Classification with at most so many features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht._inputs.collections import is_dask
from regiht._solving import defaults
from regiht._solving.probabilities import log_probabilities
from regiht._solving.registry import CLASSIFICATION_LOSSES, LOSSES, ClassificationLoss
from regiht.estimators._base import SparseLinearModel
from regiht.estimators._callbacks import with_callbacks
from regiht.estimators._collections import by_blocks, fit_collection
from regiht.estimators._parameters import shares_documentation
from regiht.estimators._sklearn import ClassifierMixin

ClassWeight = Mapping[Any, float] | Literal["balanced"] | None


def _has_probabilities(model: ClassificationModel) -> bool:
    able = [name for name, loss in LOSSES.items() if loss.link == "logit"]
    if model.loss in able:
        return True
    needed = " or ".join(f"loss={name!r}" for name in able)
    raise AttributeError(f"probabilities need {needed}; this has loss={model.loss!r}")


class ClassificationModel(ClassifierMixin, SparseLinearModel):
    """What fitting and predicting classes needs: one model, or one against the rest for each."""

    class_weight: Any

    classes_: NDArray[Any]
    intercept_: FloatArray

    def _validated(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, NDArray[Any], Any]:
        """Check all; the labels come back as numbers of classes."""
        check.check_choice("loss", self.loss, CLASSIFICATION_LOSSES)
        X, y = self._validated_data(X, y)
        check_classification_targets(y)
        weights = self._validated_weights(X, sample_weight)
        if weights is not None:
            check.refuse_zero_weights(weights)
        self.classes_, labels = np.unique(y, return_inverse=True)
        present = labels if weights is None else labels[weights > 0.0]
        missing = np.setdiff1d(np.arange(self.classes_.size), present)
        if self.classes_.size - missing.size < 2:
            only = self.classes_[present[0]]
            raise ValueError(
                f"{type(self).__name__} needs samples of at least 2 classes; all that count are "
                f"of one class, '{only}'."
            )
        if missing.size:
            raise ValueError(
                f"class '{self.classes_[missing[0]]}' has no sample with a positive weight."
            )
        return X, labels, weights

    def _weights_in_fits(
        self, labels: NDArray[Any], sample_weight: FloatArray | None
    ) -> FloatArray | None:
        """Weights of the samples times those of their classes; scores know only the former."""
        factors = check.class_factors(self.class_weight, self.classes_, labels, sample_weight)
        if factors is None:
            return sample_weight
        weights: FloatArray = factors[labels]
        if sample_weight is not None:
            weights = weights * sample_weight
        check.refuse_zero_weights(weights)
        return weights

    def _binary_targets(self, labels: NDArray[Any]) -> FloatArray:
        """One row for two classes, else one for every class against the rest."""
        count = self.classes_.size
        positive = np.array([1]) if count == 2 else np.arange(count)
        targets: FloatArray = (labels == positive[:, None]).astype(np.float64)
        return targets

    def _set_coefficients(self, coef: FloatArray, intercept: FloatArray) -> None:
        self.coef_, self.intercept_ = coef, intercept

    @by_blocks
    def decision_function(self, X: Any) -> FloatArray:
        """Signed score of each row for the second class, or for every class if there are more."""
        scores: FloatArray = self._linear_predictor(X)
        return scores.ravel() if scores.shape[1] == 1 else scores

    @by_blocks
    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row."""
        scores = self.decision_function(X)
        chosen = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        predicted: NDArray[Any] = self.classes_[chosen]
        return predicted

    @available_if(_has_probabilities)
    @by_blocks
    def predict_proba(self, X: Any) -> FloatArray:
        """Probability of every class for each row; with several classes one against the rest,
        scaled to a sum of one.
        """  # noqa: D205  (one sentence)
        probabilities: FloatArray = np.exp(self.predict_log_proba(X))
        return probabilities

    @available_if(_has_probabilities)
    @by_blocks
    def predict_log_proba(self, X: Any) -> FloatArray:
        """Logarithm of the probability of every class for each row."""
        scores = self.decision_function(X)
        return log_probabilities(scores[:, None] if scores.ndim == 1 else scores)


@shares_documentation(CLASSIFICATION_LOSSES)
@dataclass(eq=False, repr=False, match_args=False)
class SparseClassifier(ClassificationModel):
    """Linear classification with at most ``n_nonzero_coefs`` features; also a feature selector.

    Each of three or more classes is fitted against the rest, with its own ``n_nonzero_coefs``
    features; ``support_`` is the union. There is no joint (multinomial) model in which the classes
    share features.

    Parameters
    ----------
    n_nonzero_coefs : int
        The largest number of features, for each class if there are three or more. The default is
        merely small enough to be read: set a number, or use `SparseClassifierCV`.
    loss : {losses}
        Only ``"logistic"`` gives probabilities.
    {class_weight}
    {parameters}

    Attributes
    ----------
    classes_ : array
    coef_ : array of shape (1, n_features), or (n_classes, n_features) for three classes or more
        Coefficients for X as given.
    intercept_ : array of shape (1,) or (n_classes,)
    {attributes}
        With three or more classes, ``n_iter_``, ``status_``, ``objective_`` and all after them
        have one entry for each class.

    See Also
    --------
    SparseClassifierCV : Chooses the number of features.
    sparse_path : Models for every number of features.
    explain : Shows a fitted model as a formula.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import SparseClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 30))
    >>> y = np.where(2 * X[:, 4] - X[:, 17] + rng.logistic(size=300) > 0, "yes", "no")
    >>> model = SparseClassifier(n_nonzero_coefs=2).fit(X, y)
    >>> model.support_.tolist(), model.classes_.tolist()
    ([4, 17], ['no', 'yes'])
    """

    n_nonzero_coefs: int = defaults.N_NONZERO_COEFS
    _: KW_ONLY
    loss: ClassificationLoss = "logistic"
    ridge: float = defaults.CLASSIFIER_RIDGE
    class_weight: ClassWeight = None

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to samples (rows of X), their classes y and optional weights.

        X may be a directory that `regiht.dataset.write` made, or a Design of it; y is then by
        default that of the directory.
        """
        if is_dask(X):
            return fit_collection(self, X, y, sample_weight)
        sparsity = check.check_integer("n_nonzero_coefs", self.n_nonzero_coefs, 1)
        X, labels, weights = self._validated(X, y, sample_weight)
        targets = self._binary_targets(labels)
        weights = self._weights_in_fits(labels, weights)
        return self._fit_models(X, self.classes_[labels], targets, weights, sparsity)

"""Estimators for scikit-learn: sparse regressors and classifiers that are selectors too."""

try:
    from sklearn.utils.validation import validate_data  # noqa: F401  (new in 1.6)
except ImportError as error:
    raise ImportError(
        'regiht.estimators needs scikit-learn 1.6 or newer: pip install "regiht[sklearn]". '
        "See the page “Five minutes with scikit-learn”."
    ) from error

from regiht.estimators._classifier import SparseClassifier
from regiht.estimators._classifier_cv import SparseClassifierCV
from regiht.estimators._regressor import SparseRegressor
from regiht.estimators._regressor_cv import SparseRegressorCV

__all__ = ["SparseClassifier", "SparseClassifierCV", "SparseRegressor", "SparseRegressorCV"]

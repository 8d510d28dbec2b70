"""scikit-learn's own checks, without an exception, and warnings as errors.

Those of a classifier with cross-validation take a minute by default, and the same with less effort
a few seconds.
"""

from __future__ import annotations

import pytest

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.utils.estimator_checks import parametrize_with_checks

import regiht

ESTIMATORS = [
    regiht.SparseRegressor(),
    regiht.SparseRegressor(n_nonzero_coefs=2, loss="huber", ridge=1e-3),
    regiht.SparseClassifier(),
    regiht.SparseClassifier(n_nonzero_coefs=2, loss="squared-hinge", ridge=1e-3),
    regiht.SparseRegressorCV(),
    regiht.SparseClassifierCV(effort="quick"),
    regiht.SparseClassifier(n_nonzero_coefs=10, effort="quick"),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks([regiht.SparseClassifierCV()])
def test_scikit_learn_checks_that_take_long(estimator, check):
    check(estimator)

"""What cross-validation makes of the scores of held-out rows: weights, NaN, the default grid."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score, make_scorer, mean_absolute_error, r2_score
from sklearn.model_selection import KFold, LeaveOneOut

import regiht
from regiht import SparseClassifier, SparseClassifierCV, SparseRegressor, SparseRegressorCV


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 8))
    return X, X[:, 1] - X[:, 6] + rng.normal(size=60), rng.integers(0, 4, size=60)


@pytest.mark.parametrize(
    ("scoring", "metric"),
    [
        (None, r2_score),
        ("neg_mean_absolute_error", lambda *a, **k: -mean_absolute_error(*a, **k)),
        (make_scorer(r2_score), r2_score),
    ],
)
def test_held_out_scores_ignored_sample_weights(data, scoring, metric):
    X, y, weights = data
    folds = KFold(3)
    model = SparseRegressorCV([1, 2], cv=folds, scoring=scoring).fit(X, y, sample_weight=weights)
    for row, (train, test) in enumerate(folds.split(X)):
        for column, s in enumerate([1, 2]):
            alone = SparseRegressor(s).fit(X[train], y[train], sample_weight=weights[train])
            expected = metric(y[test], alone.predict(X[test]), sample_weight=weights[test])
            assert model.scores_[row, column] == pytest.approx(expected, rel=1e-12)


def test_held_out_accuracy_ignored_sample_weights(data):
    X, y, weights = data
    labels = np.where(y > 0, "yes", "no")
    folds = KFold(3)
    model = SparseClassifierCV([2], cv=folds).fit(X, labels, sample_weight=weights)
    for row, (train, test) in enumerate(folds.split(X)):
        alone = SparseClassifier(2).fit(X[train], labels[train], sample_weight=weights[train])
        predicted = alone.predict(X[test])
        expected = accuracy_score(labels[test], predicted, sample_weight=weights[test])
        assert model.scores_[row, 0] == pytest.approx(expected, rel=1e-12)


def test_a_scorer_without_weights_scores_the_rows_alike(data):
    X, y, weights = data

    def scorer(model, X, y):
        return -np.abs(model.predict(X) - y).max()

    model = SparseRegressorCV([2], cv=KFold(3), scoring=scorer).fit(X, y, sample_weight=weights)
    train, test = next(KFold(3).split(X))
    alone = SparseRegressor(2).fit(X[train], y[train], sample_weight=weights[train])
    assert model.scores_[0, 0] == pytest.approx(scorer(alone, X[test], y[test]), rel=1e-12)


def test_a_fold_without_weight_is_refused(data):
    X, y, _ = data
    weights = np.arange(60) >= 20
    with pytest.raises(regiht.InvalidArgumentError, match="fold 1 holds out only rows whose"):
        SparseRegressorCV([1, 2], cv=KFold(3)).fit(X, y, sample_weight=weights)


@pytest.mark.filterwarnings("ignore", category=UndefinedMetricWarning)
def test_leave_one_out_with_nan_scores_chose_one_feature(data):
    X, y, _ = data
    with pytest.raises(
        regiht.InvalidArgumentError,
        match=r"fold 1, which holds out 1 row, has the score nan for 1 features.*needs two rows",
    ):
        SparseRegressorCV(3, cv=LeaveOneOut()).fit(X, y)
    model = SparseRegressorCV(3, cv=LeaveOneOut(), scoring="neg_mean_squared_error").fit(X, y)
    assert model.n_nonzero_coefs_ == 2


def test_an_infinite_score_is_refused(data):
    X, y, _ = data
    with pytest.raises(regiht.InvalidArgumentError, match="has the score -inf for 2 features"):
        SparseRegressorCV([2], cv=2, scoring=lambda *_: -np.inf).fit(X, y)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csc_array, sparse.csr_array])
def test_default_numbers_stay_below_half_of_the_distinct_rows(storage):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(18, 40))
    X, y = np.repeat(rows, 3, axis=0), rng.normal(size=54)
    splits = [(np.arange(36), np.arange(36, 54)), (np.arange(54) >= 18, np.arange(54) < 18)]
    model = SparseRegressorCV(cv=splits).fit(storage(X), y)
    assert model.n_nonzero_coefs_grid_.tolist() == [1, 2, 3, 4, 5]  # 12 distinct rows in each
    weights = np.ones(54)
    weights[:12] = 0.0  # four of the twelve of the first
    model = SparseRegressorCV(cv=splits).fit(storage(X), y, sample_weight=weights)
    assert model.n_nonzero_coefs_grid_.tolist() == [1, 2, 3]
    assert SparseRegressorCV(7, cv=splits).fit(storage(X), y).n_nonzero_coefs_grid_.size == 7

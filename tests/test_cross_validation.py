"""SparseRegressorCV and SparseClassifierCV."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn", minversion="1.6")

import sklearn
from sklearn.metrics import make_scorer, mean_absolute_error
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, cross_val_score

import regiht
from regiht import SparseClassifier, SparseClassifierCV, SparseRegressor, SparseRegressorCV


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 10)) + 1
    return X, 2 * X[:, 1] - X[:, 6] + rng.normal(size=100)


@pytest.mark.parametrize(
    "scoring", [None, "neg_mean_absolute_error", "neg_root_mean_squared_error"]
)
def test_scores_are_those_of_cross_val_score(data, scoring):
    X, y = data
    folds = KFold(4, shuffle=True, random_state=0)
    model = SparseRegressorCV([1, 2, 5], cv=folds, scoring=scoring, ridge=0.1).fit(X, y)
    for column, s in enumerate([1, 2, 5]):
        alone = cross_val_score(SparseRegressor(s, ridge=0.1), X, y, cv=folds, scoring=scoring)
        np.testing.assert_array_equal(model.scores_[:, column], alone)


@pytest.mark.parametrize("classes", [2, 3])
def test_classifier_scores_are_those_of_cross_val_score(data, classes):
    X, y = data
    labels = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
    labels = np.array(["low", "middle", "high"])[labels]
    model = SparseClassifierCV([1, 3], cv=3, scoring="neg_log_loss", ridge=0.1).fit(X, labels)
    for column, s in enumerate([1, 3]):
        alone = cross_val_score(
            SparseClassifier(s, ridge=0.1), X, labels, cv=3, scoring="neg_log_loss"
        )
        np.testing.assert_allclose(model.scores_[:, column], alone, rtol=1e-12)
    assert model.coef_.shape == (1 if classes == 2 else classes, 10)


def test_the_model_is_that_of_the_number_chosen(data):
    X, y = data
    model = SparseRegressorCV(6, cv=5).fit(X, y)
    assert model.n_nonzero_coefs_grid_.tolist() == [1, 2, 3, 4, 5, 6]
    alone = SparseRegressor(model.n_nonzero_coefs_).fit(X, y)
    np.testing.assert_array_equal(model.coef_, alone.coef_)
    assert model.n_nonzero_coefs_ == 2


def test_rules_choose_as_they_say(data):
    X, y = data
    for rule in ("best", "one-standard-error"):
        model = SparseRegressorCV(8, cv=5, rule=rule).fit(X, y)
        means = model.scores_.mean(axis=0)
        errors = model.scores_.std(axis=0, ddof=1) / np.sqrt(5)
        best = means.argmax()
        least = means[best] - (errors[best] if rule != "best" else 0.0)
        assert model.n_nonzero_coefs_ == 1 + np.flatnonzero(means >= least)[0]
        assert model.best_score_ == means[model.n_nonzero_coefs_ - 1]


def test_folds_do_not_see_one_another(data):
    X, y = data
    splits = list(KFold(4).split(X))
    together = SparseRegressorCV([2, 3], cv=splits).fit(X, y)
    alone = SparseRegressorCV([3], cv=splits[2:3]).fit(X, y)
    np.testing.assert_array_equal(together.scores_[2:3, 1:], alone.scores_)
    np.testing.assert_array_equal(together.fold_supports_[2][1], alone.fold_supports_[0][0])
    assert alone.standard_errors_.tolist() == [0.0]


def test_held_out_rows_are_not_fitted(data):
    X, y = data
    splits = [(np.arange(50), np.arange(50, 100))]
    other = y.copy()
    other[50:] = 0.0
    here, there = (SparseRegressorCV([2], cv=splits).fit(X, each) for each in (y, other))
    np.testing.assert_array_equal(here.fold_supports_[0][0], there.fold_supports_[0][0])
    assert here.scores_ != there.scores_


def test_any_splitter_scorer_container_and_thread_count(data):
    X, y = data
    scorer = make_scorer(mean_absolute_error, greater_is_better=False)
    options = {"cv": ShuffleSplit(3, random_state=0), "scoring": scorer}
    dense = SparseRegressorCV([1, 2], n_jobs=2, **options).fit(X, y)
    stored = SparseRegressorCV([1, 2], n_jobs=1, **options).fit(sparse.csc_array(X), y)
    np.testing.assert_allclose(dense.scores_, stored.scores_, rtol=1e-9)


def test_data_frames(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame(X, columns=list("abcdefghij"))
    model = SparseRegressorCV(3, cv=3, keep=["j"]).fit(frame, pd.Series(y))
    assert "j" in model.get_feature_names_out()
    assert model.predict(frame).shape == (100,)


def test_groups_and_weights_are_routed(data):
    X, y = data
    groups = np.arange(100) // 10
    weights = np.random.default_rng(1).random(100)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_scorer(mean_absolute_error, greater_is_better=False).set_score_request(
            sample_weight=True
        )
        model = SparseRegressorCV([2], cv=GroupKFold(5), scoring=scorer)
        model.set_fit_request(sample_weight=True)
        model.fit(X, y, groups=groups, sample_weight=weights)
    train, test = next(GroupKFold(5).split(X, y, groups))
    alone = SparseRegressor(2).fit(X[train], y[train], sample_weight=weights[train])
    expected = -mean_absolute_error(y[test], alone.predict(X[test]), sample_weight=weights[test])
    assert model.scores_[0, 0] == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ValueError, match="groups"):
        SparseRegressorCV([2], cv=5).fit(X, y, groups=groups)


def test_progress_is_shown_if_asked(data, capsys):
    SparseRegressorCV([1], cv=2, verbose=True).fit(*data)
    assert "2/2" in capsys.readouterr().err
    SparseRegressorCV([1], cv=2).fit(*data)
    assert capsys.readouterr().err == ""


def test_numbers_beyond_the_columns_are_tried_once(data):
    X, y = data
    model = SparseRegressorCV([3, 50, 10, 99], cv=2).fit(X, y)
    assert model.n_nonzero_coefs_grid_.tolist() == [3, 10]
    assert SparseRegressorCV(cv=2).fit(X, y).n_nonzero_coefs_grid_.tolist() == list(range(1, 11))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_nonzero_coefs": []}, "must not be an empty list"),
        ({"n_nonzero_coefs": [0]}, "n_nonzero_coefs must be between 1"),
        ({"n_nonzero_coefs": 1.5}, "n_nonzero_coefs must be an integer"),
        ({"rule": "1se"}, "rule must be one of 'one-standard-error', 'best'"),
        ({"loss": "logistic"}, "loss must be one of"),
    ],
)
def test_wrong_parameters_are_named(data, parameters, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        SparseRegressorCV(**parameters).fit(*data)

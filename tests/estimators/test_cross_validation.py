"""SparseRegressorCV and SparseClassifierCV."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn", minversion="1.6")

import sklearn
from sklearn.metrics import make_scorer, mean_absolute_error, r2_score
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, cross_val_score

import regiht
from regiht import SparseClassifier, SparseClassifierCV, SparseRegressor, SparseRegressorCV
from regiht.estimators._cross_validation import standard_errors


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


def test_equal_scores_had_a_standard_error_of_rounding():
    scores = np.full((3, 1), 0.1)
    assert scores.std(axis=0, ddof=1) > 0.0  # numpy's mean of them is another number
    assert standard_errors(scores).tolist() == [0.0]
    assert standard_errors(np.array([[1.0], [2.0], [4.0]])) == pytest.approx(
        np.std([1, 2, 4], ddof=1) / np.sqrt(3)
    )


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


@pytest.mark.parametrize("method", ["best", "omp", "regiht"])
@pytest.mark.parametrize("classes", [0, 2, 3])
def test_folds_and_numbers_side_by_side_give_the_same_bits(data, method, classes):
    X, y = data
    if classes:
        make, y = (
            SparseClassifierCV,
            np.digitize(y, np.quantile(y, np.arange(1, classes) / classes)),
        )
    else:
        make = SparseRegressorCV
    fits = [make([1, 2, 4, 7], cv=3, method=method, n_jobs=n).fit(X, y) for n in (1, 2, 5)]
    for other in fits[1:]:
        np.testing.assert_array_equal(fits[0].scores_, other.scores_)
        np.testing.assert_array_equal(fits[0].coef_, other.coef_)
        for ours, theirs in zip(fits[0].fold_supports_, other.fold_supports_, strict=True):
            for here, there in zip(ours, theirs, strict=True):
                np.testing.assert_array_equal(here, there)


@pytest.mark.parametrize("method", ["best", "omp"])
@pytest.mark.parametrize("constraint", [{"positive": True}, {"groups": np.arange(10) // 2}])
def test_constraints_hold_in_every_fold(data, method, constraint):
    X, y = data
    folds = KFold(3)
    model = SparseRegressorCV([1, 2, 3], cv=folds, method=method, n_jobs=2, **constraint).fit(X, y)
    for column, s in enumerate([1, 2, 3]):
        alone = cross_val_score(SparseRegressor(s, method=method, **constraint), X, y, cv=folds)
        np.testing.assert_allclose(model.scores_[:, column], alone, rtol=1e-9)


def test_few_training_matrices_are_in_memory_at_a_time(data):
    X, y = data
    alive, most = 0, 0

    class Counted(regiht.Design):
        def __init__(self, *arguments, **options):
            nonlocal alive, most
            super().__init__(*arguments, **options)
            alive += 1
            most = max(most, alive)
            weakref.finalize(self, forget)

    def forget():
        nonlocal alive
        alive -= 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("regiht._solving.prepared_model.Design", Counted)
        SparseRegressorCV([1, 2, 3], cv=10, n_jobs=2).fit(X, y)
    assert most <= 3  # one a thread, and one whose last result is on its way
    assert alive == 0


def test_an_error_in_a_fold_or_scorer_ends_all_and_is_passed_on(data):
    X, y = data
    threads = threading.active_count()

    def scorer(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        SparseRegressorCV([1, 2], scoring=scorer, n_jobs=2).fit(X, y)
    with pytest.raises(regiht.InvalidArgumentError, match="keep lists 3 columns"):
        SparseRegressorCV([1, 2], keep=[1, 2, 3], n_jobs=2).fit(X, y)
    assert threading.active_count() == threads


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to itself")
def test_ctrl_c_ends_the_fits_of_all_folds():
    code = """if True:
        import os, signal, threading
        import numpy as np, regiht
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
        X = np.random.default_rng(0).normal(size=(60, 20))
        model = regiht.SparseRegressorCV(
            [2, 3], cv=3, method="iht", options={"step": 1e-13}, max_iter=10**12, n_jobs=2
        )
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            model.fit(X, X[:, 0])
        except KeyboardInterrupt:
            print("interrupted", threading.active_count())
    """
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "interrupted 1\n"), done.stderr


def test_progress_is_shown_if_asked_and_on_a_terminal_only(data, capsys, monkeypatch):
    SparseRegressorCV([1, 3], cv=2, verbose=True).fit(*data)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    SparseRegressorCV([1, 3], cv=2, verbose=True).fit(*data)
    assert "4/4" in capsys.readouterr().err
    SparseRegressorCV([1], cv=2).fit(*data)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("rule", ["best", "one-standard-error"])
def test_pure_noise_gives_no_features(rule):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(100, 20)), rng.normal(size=100)
    model = SparseRegressorCV(rule=rule).fit(X, y)
    assert model.n_nonzero_coefs_ == 0
    assert model.support_.size == 0
    np.testing.assert_allclose(model.predict(X), y.mean())
    assert model.best_score_ == model.null_scores_.mean()
    assert model.transform(X).shape == (100, 0)
    assert "no number of features predicts better" in model.message_
    means = [y[train].mean() for train, _ in KFold(5).split(X)]
    expected = [
        r2_score(y[test], np.full(20, m))
        for m, (_, test) in zip(means, KFold(5).split(X), strict=True)
    ]
    np.testing.assert_allclose(model.null_scores_, expected, atol=1e-12)
    classes = SparseClassifierCV(5, rule=rule).fit(X, rng.integers(0, 3, size=100))
    assert classes.n_nonzero_coefs_ == 0
    assert not classes.coef_.any()


def test_listed_numbers_are_the_only_ones_unless_0_is_among_them():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(100, 20)), rng.normal(size=100)
    model = SparseRegressorCV([1, 3]).fit(X, y)
    assert model.n_nonzero_coefs_ == 1
    assert not hasattr(model, "null_scores_")
    model = SparseRegressorCV([3, 0, 1]).fit(X, y)
    assert model.n_nonzero_coefs_ == 0
    assert model.n_nonzero_coefs_grid_.tolist() == [1, 3]
    assert model.scores_.shape == (5, 2)
    assert not hasattr(SparseRegressorCV(3, keep=[2]).fit(X, y), "null_scores_")


def test_a_score_that_no_features_do_not_have_leaves_them_out(data):
    def correlation(model, X, y):
        predicted = model.predict(X)
        return np.corrcoef(predicted, y)[0, 1] if np.ptp(predicted) else np.nan

    model = SparseRegressorCV(3, scoring=correlation).fit(*data)
    assert model.n_nonzero_coefs_ >= 1
    assert not hasattr(model, "null_scores_")


def test_numbers_beyond_the_columns_are_tried_once(data):
    X, y = data
    model = SparseRegressorCV([3, 50, 10, 99], cv=2).fit(X, y)
    assert model.n_nonzero_coefs_grid_.tolist() == [3, 10]
    assert SparseRegressorCV(cv=2).fit(X, y).n_nonzero_coefs_grid_.tolist() == list(range(1, 11))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_nonzero_coefs": []}, "must not be an empty list"),
        ({"n_nonzero_coefs": [0]}, "n_nonzero_coefs must be at least 1"),
        ({"n_nonzero_coefs": 1.5}, "n_nonzero_coefs must be an integer"),
        ({"rule": "1se"}, "rule must be one of 'one-standard-error', 'best'"),
        ({"loss": "logistic"}, "loss must be one of"),
    ],
)
def test_wrong_parameters_are_named(data, parameters, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        SparseRegressorCV(**parameters).fit(*data)

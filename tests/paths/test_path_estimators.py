"""Labels on a path, and the estimators that come of it."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import regiht

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 12)) * np.arange(1, 13) + 3
    return X, 2 * X[:, 4] - X[:, 7] + 5 + 3 * rng.normal(size=90)


def labels(y):
    return np.where(y > y.mean(), "yes", "no")


@pytest.mark.parametrize("kind", ["array", "list", "object", "category", "series"])
def test_two_labels_are_taken(data, kind):
    X, y = data
    words = labels(y)
    if kind == "list":
        words = words.tolist()
    elif kind == "object":
        words = words.astype(object)
    elif kind != "array":
        pd = pytest.importorskip("pandas")
        words = pd.Series(words, dtype="category" if kind == "category" else None)
    path = regiht.sparse_path(X, words, 3, ridge=0.01)
    assert path.loss == "logistic"
    assert path.classes.tolist() == ["no", "yes"]
    expected = regiht.sparse_path(X, labels(y) == "yes", 3, loss="logistic", ridge=0.01)
    np.testing.assert_array_equal(path[-1].coef, expected[-1].coef)
    assert expected.classes.tolist() == [False, True]


@pytest.mark.parametrize(
    ("y", "loss", "message"),
    [
        (["a", "b", "c"] * 30, None, r"two labels; got 3 \('a', 'b', 'c'\)"),
        (["a"] * 90, None, "two labels; got 1"),
        (["a", "b"] * 45, "squared", "loss='squared' needs numbers in y; got labels"),
        (["a", None, "b"] * 30, None, r"a label in every row.*y\[1\] is None"),
        (["a", 1, "b"] * 30, None, "two labels; got 3"),
        (["a", "b"] * 44, None, "y must have one entry for every row"),
    ],
)
def test_other_labels_are_refused(data, y, loss, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.sparse_path(data[0], y, 3, loss=loss)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_the_model_chosen_predicts_explains_by_name_and_can_be_saved(data, loss, tmp_path):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame(X, columns=[f"column {j}" for j in range(12)])
    target = labels(y) if loss == "logistic" else y
    ridge = 0.01
    path = regiht.sparse_path(frame, target, 6, ridge=ridge)
    model = path.estimator("ebic")
    kind = regiht.SparseClassifier if loss == "logistic" else regiht.SparseRegressor
    alone = kind(path.best_s("ebic"), method="omp", ridge=ridge).fit(frame, target)
    assert type(model) is kind
    np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-9)
    assert model.score(frame, target) == pytest.approx(alone.score(frame, target))
    assert model.get_feature_names_out().tolist() == alone.get_feature_names_out().tolist()
    assert model.get_params()["ridge"] == ridge
    regiht.save_model(model, tmp_path / "model.json")
    again = regiht.load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
    np.testing.assert_allclose(model.fit(frame, target).coef_, alone.coef_, rtol=1e-9)


def test_a_number_may_be_asked_for_and_may_be_none(data):
    X, y = data
    path = regiht.sparse_path(X, y, 4)
    assert path.estimator(s=4).support_.size == 4
    noise = regiht.sparse_path(X, np.random.default_rng(5).normal(size=90), 4)
    nothing = noise.estimator()
    assert nothing.support_.size == 0
    np.testing.assert_array_equal(nothing.predict(X), np.full(90, noise.null.intercept))
    with pytest.raises(regiht.InvalidArgumentError, match="s=9 is not on the path"):
        path.estimator(s=9)
    three = regiht.sparse_path(X, (y > 0).astype(int), 2, loss="squared-hinge").estimator(s=2)
    assert three.classes_.tolist() == [0, 1]
    assert three.classes_.dtype.kind == "i"


def test_estimators_of_a_path_over_arrays_have_no_names_to_miss(data):
    X, y = data
    model = regiht.sparse_path(X, y, 2, feature_names=list("abcdefghijkl")).estimator()
    assert not hasattr(model, "feature_names_in_")
    model.predict(X)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_estimators_of_a_path_with_default_settings_could_not_be_fitted_again(data, loss):
    X, y = data
    target = labels(y) if loss == "logistic" else y
    model = regiht.sparse_path(X, target, 2, effort="quick").estimator(s=2)
    assert model.effort == "quick"
    kind = regiht.SparseClassifier if loss == "logistic" else regiht.SparseRegressor
    assert model.ridge == kind().ridge
    before = model.coef_.copy()
    np.testing.assert_allclose(clone(model).fit(X, target).coef_, before, rtol=1e-9)


def test_estimators_of_a_path_over_separable_classes_did_not_warn(data):
    X = data[0]
    path = regiht.sparse_path(X, np.where(X[:, 4] > X[:, 4].mean(), "yes", "no"), 1, ridge=0.0)
    with pytest.warns(ConvergenceWarning, match="A small ridge gives it one") as caught:
        model = path.estimator(s=1)
    assert caught[0].filename == __file__
    assert model.message_ == path.at(1).message


def test_the_model_of_no_features_was_not_found_by_its_number(data):
    path = regiht.sparse_path(*data, 3)
    assert path.at(0) is path.null
    np.testing.assert_array_equal(path.estimator(s=0).predict(data[0]), path.null.intercept)
    longer = path.with_null()
    assert longer.s.tolist() == [0, 1, 2, 3]
    assert longer[0] is path.null
    assert longer.with_null() is longer
    assert longer.best_s("ebic") == path.best_s("ebic")
    kept = regiht.sparse_path(*data, 3, keep=[2])
    assert kept.with_null() is kept
    with pytest.raises(regiht.InvalidArgumentError, match="s=0 is not on the path"):
        kept.at(0)


def test_a_result_asked_to_predict_did_not_say_what_can(data, tmp_path):
    best = regiht.sparse_path(*data, 3).best()
    for asked in (best, pickle.loads(pickle.dumps(best))):
        with pytest.raises(AttributeError, match=r"'predict': .*SparsePath\.estimator"):
            asked.predict(data[0])
    with pytest.raises(regiht.InvalidArgumentError, match=r"got Result.*SparsePath\.estimator"):
        regiht.save_model(best, tmp_path / "model.json")
    assert not hasattr(best, "coef_")

"""The estimators in the hands of scikit-learn: pipelines, searches, data frames, routing."""

from __future__ import annotations

import copy

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

import sklearn
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LinearRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline

from regiht import SparseClassifier, SparseClassifierCV, SparseRegressor, SparseRegressorCV

ESTIMATORS = (SparseRegressor, SparseClassifier, SparseRegressorCV, SparseClassifierCV)


def test_text_pipeline_and_grid_search():
    rng = np.random.default_rng(6)
    words = np.array([f"word{k}" for k in range(60)])
    y = np.arange(90) % 2
    texts = [
        " ".join([*rng.choice(words, 20), "good" if label else "bad", *rng.choice(words, 2)])
        for label in y
    ]
    pipeline = make_pipeline(TfidfVectorizer(), SparseClassifier(20))
    assert cross_val_score(pipeline, texts, y, cv=3).mean() > 0.9
    search = GridSearchCV(
        pipeline, {"sparseclassifier__n_nonzero_coefs": [1, 2, 5]}, cv=3, n_jobs=2
    ).fit(texts, y)
    assert search.best_score_ > 0.9
    names = search.best_estimator_[:-1].get_feature_names_out()
    chosen = search.best_estimator_[-1].support_
    assert set(names[chosen]) & {"good", "bad"}


def test_data_frames_of_pandas_give_names(regression):
    pd = pytest.importorskip("pandas")
    X, y = regression
    frame = pd.DataFrame(X, columns=[f"feature {j}" for j in range(15)])
    model = SparseRegressor(2).set_output(transform="pandas").fit(frame, y)
    assert model.get_feature_names_out().tolist() == ["feature 2", "feature 9"]
    chosen = model.transform(frame)
    assert chosen.columns.tolist() == ["feature 2", "feature 9"]
    pd.testing.assert_frame_equal(chosen, frame[["feature 2", "feature 9"]])
    named = SparseRegressor(3, keep=["feature 7"], exclude=["feature 2"]).fit(frame, y)
    assert 7 in named.support_
    assert 2 not in named.support_
    numbered = SparseRegressor(3, keep=[7], exclude=np.arange(15) == 2).fit(X, y)
    np.testing.assert_allclose(named.coef_, numbered.coef_, rtol=1e-9)


def test_data_frames_of_polars_give_names(regression):
    pl = pytest.importorskip("polars")
    X, y = regression
    frame = pl.DataFrame(X, schema=[f"feature {j}" for j in range(15)])
    model = SparseRegressor(2).set_output(transform="polars").fit(frame, pl.Series(y))
    assert model.feature_names_in_.tolist() == frame.columns
    assert model.transform(frame).columns == ["feature 2", "feature 9"]
    np.testing.assert_allclose(model.predict(frame), SparseRegressor(2).fit(X, y).predict(X))


@pytest.mark.parametrize("make", ESTIMATORS)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_in_data_frames_out(make, library, classification):
    frames = pytest.importorskip(library)
    X, labels = classification
    y = np.unique(labels, return_inverse=True)[1]
    frame = frames.DataFrame({f"feature {j}": X[:, j] for j in range(X.shape[1])})
    model = make(2, keep=["feature 4"]).set_output(transform=library).fit(frame, y)
    chosen = model.transform(frame)
    assert isinstance(chosen, frames.DataFrame)
    assert list(chosen.columns) == model.get_feature_names_out().tolist()
    assert "feature 4" in chosen.columns
    np.testing.assert_array_equal(chosen.to_numpy(), X[:, model.support_])
    np.testing.assert_array_equal(model.predict(frame), clone(model).fit(frame, y).predict(frame))


@pytest.mark.parametrize("make", ESTIMATORS)
def test_fitting_changes_no_parameter(make, classification):
    X, labels = classification
    y = np.unique(labels, return_inverse=True)[1]
    model = make(
        np.array([3, 2]) if make in (SparseRegressorCV, SparseClassifierCV) else 3,
        keep=[5, 1], exclude=np.arange(15) == 7, options={"polish": "swap"}, method="omp",
        random_state=np.random.RandomState(1),
    )  # fmt: skip
    before = copy.deepcopy(model.get_params())
    given = model.get_params()
    model.fit(X, y)
    for name, value in model.get_params().items():
        assert value is given[name]
        if name == "random_state":
            assert value.randint(1000) == before[name].randint(1000)
        else:
            np.testing.assert_array_equal(value, before[name])


@pytest.mark.parametrize("make", ESTIMATORS)
def test_sample_weights_are_routed_through_pipelines_and_cross_validation(make, classification):
    X, labels = classification
    y = np.unique(labels, return_inverse=True)[1]
    weights = np.random.default_rng(0).random(len(y))
    folds = KFold(3)
    with sklearn.config_context(enable_metadata_routing=True):
        model = make(2).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        if make in (SparseRegressorCV, SparseClassifierCV):
            score = get_scorer("accuracy" if make is SparseClassifierCV else "r2")
            model.set_params(scoring=score.set_score_request(sample_weight=True))
        found = cross_validate(
            make_pipeline(model), X, y, cv=folds, params={"sample_weight": weights}
        )["test_score"]
        for score, (train, test) in zip(found, folds.split(X), strict=True):
            alone = clone(model).fit(X[train], y[train], sample_weight=weights[train])
            expected = alone.score(X[test], y[test], sample_weight=weights[test])
            assert score == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("make", [SparseRegressorCV, SparseClassifierCV])
def test_routing_with_the_default_score_does_not_go_round_in_circles(make, classification):
    X, labels = classification
    y = np.unique(labels, return_inverse=True)[1]
    with sklearn.config_context(enable_metadata_routing=True):
        routed = make([1, 2], cv=3).fit(X, y)
    np.testing.assert_array_equal(routed.scores_, make([1, 2], cv=3).fit(X, y).scores_)
    assert routed.get_metadata_routing() is not None


def test_a_selector_before_another_model(regression):
    X, y = regression
    pipeline = make_pipeline(SparseRegressor(2), LinearRegression()).fit(X, y)
    np.testing.assert_allclose(pipeline.predict(X), pipeline[0].predict(X), rtol=1e-6)

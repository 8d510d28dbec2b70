"""scikit-learn's callbacks on the estimators."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn.callback", reason="new in scikit-learn 1.9")

from sklearn.base import clone
from sklearn.callback import ScoringMonitor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import regiht
from regiht import SparseClassifier, SparseClassifierCV, SparseRegressor, SparseRegressorCV
from regiht._solving import registry


class Recorder:
    """Notes what it hears of, and stops at the end of a given task."""

    def __init__(self, stop_at=None):
        self.heard = []
        self.stop_at = stop_at

    def _note(self, kind, estimator, context):
        assert context.estimator_name == type(estimator).__name__
        self.heard.append((kind, context.task_name))

    def setup(self, estimator, context):
        self._note("setup", estimator, context)

    def teardown(self, estimator, context):
        self._note("teardown", estimator, context)

    def on_fit_task_begin(self, estimator, context):
        self._note("begin", estimator, context)

    def on_fit_task_end(self, estimator, context):
        self._note("end", estimator, context)
        return len(self.heard) == self.stop_at

    def names(self, kind):
        return [name for what, name in self.heard if what == kind]


def test_every_iteration_is_a_task(regression):
    recorder = Recorder()
    model = SparseRegressor(3).set_callbacks(recorder).fit(*regression)
    assert recorder.names("begin") == ["fit"] + ["iteration"] * model.n_iter_
    assert recorder.names("end") == ["iteration"] * model.n_iter_ + ["fit"]
    assert recorder.heard[0] == ("setup", "fit")
    assert recorder.heard[-1] == ("teardown", "fit")
    alone = SparseRegressor(3).fit(*regression)
    np.testing.assert_array_equal(alone.coef_, model.coef_)


def test_classes_are_tasks_of_their_own(classification):
    X, _ = classification
    y = np.arange(len(X)) % 3
    recorder = Recorder()
    model = SparseClassifier(2).set_callbacks(recorder).fit(X, y)
    assert recorder.names("end").count("class") == 3
    assert recorder.names("end").count("iteration") == model.n_iter_.sum()
    np.testing.assert_array_equal(model.coef_, SparseClassifier(2).fit(X, y).coef_)


def test_folds_are_tasks_and_then_the_refit(regression):
    recorder = Recorder()
    model = SparseRegressorCV([1, 2], cv=3, n_jobs=2).set_callbacks(recorder).fit(*regression)
    expected = ["fold"] * 3 + ["iteration"] * model.n_iter_ + ["refit", "fit"]
    assert recorder.names("end") == expected
    np.testing.assert_array_equal(
        SparseRegressorCV([1, 2], cv=3).fit(*regression).scores_, model.scores_
    )


def test_a_callback_ends_the_run(regression):
    recorder = Recorder(stop_at=2 + 2 * 4)  # setup, fit begins, then two for each iteration
    model = SparseRegressor(3).set_callbacks(recorder).fit(*regression)
    assert (model.n_iter_, model.status_) == (4, regiht.Status.STOPPED)
    assert recorder.heard[-1][0] == "teardown"


def test_callbacks_are_let_go_when_the_fit_fails(regression):
    X, y = regression
    recorder = Recorder()
    with pytest.raises(regiht.InvalidArgumentError, match="ridge"):
        SparseRegressor(3, ridge=-1.0).set_callbacks(recorder).fit(X, y)
    assert [what for what, _ in recorder.heard] == ["setup", "begin", "teardown"]


@pytest.mark.parametrize("loss", registry.REGRESSION_LOSSES)
def test_the_model_so_far_can_be_scored(loss, make_target):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 12)) + 1
    y = make_target(loss, X[:, 1] - 0.5 * X[:, 4], rng)
    monitor = ScoringMonitor(scoring="r2")
    model = SparseRegressor(3, loss=loss, max_iter=40, method="regiht").set_callbacks(monitor)
    model.fit(X, y)
    rows = monitor.get_logs().data
    last = [row["r2"] for row in rows if row["task_name"] == "fit"]
    assert last == [pytest.approx(model.score(X, y), rel=1e-12)]
    scores = [row["r2"] for row in rows if row["task_name"] == "iteration"]
    assert len(scores) == model.n_iter_
    assert scores[-1] == pytest.approx(last[0], abs=1e-2)
    assert np.isfinite(scores).all()


def test_models_so_far_with_groups_and_signs_can_be_scored(regression):
    X, y = regression
    monitor = ScoringMonitor(scoring="r2")
    model = SparseRegressor(2, groups=np.arange(15) // 3, positive=True, method="regiht")
    model.set_callbacks(monitor).fit(X, y)
    scores = [row["r2"] for row in monitor.get_logs().data if row["task_name"] == "iteration"]
    assert len(scores) == model.n_iter_
    assert scores[-1] == pytest.approx(model.score(X, y), abs=1e-2)


def test_cross_validated_classifiers_can_be_scored_with_weights(classification):
    X, y = classification
    weights = np.random.default_rng(0).random(len(y))
    monitor = ScoringMonitor(scoring="accuracy")
    model = SparseClassifierCV([1, 2], cv=2).set_callbacks(monitor).fit(X, y, sample_weight=weights)
    last = [row["accuracy"] for row in monitor.get_logs().data if row["task_name"] == "fit"]
    assert last == [pytest.approx(model.score(X, y, sample_weight=weights))]


def test_callbacks_pass_through_pipelines_searches_and_clones(regression):
    X, y = regression

    class Everywhere(Recorder):
        max_propagation_depth = None

    recorder = Everywhere()
    make_pipeline(StandardScaler(), SparseRegressor(2)).set_callbacks(recorder).fit(X, y)
    assert "iteration" in recorder.names("end")
    recorder = Everywhere()
    search = GridSearchCV(SparseRegressor(), {"n_nonzero_coefs": [1, 2]}, cv=2)
    search.set_callbacks(recorder).fit(X, y)
    assert "iteration" in recorder.names("end")
    own = Recorder()
    clone(SparseRegressor(2).set_callbacks(own)).fit(X, y)
    assert "iteration" in own.names("end")

"""Regressors with a matrix of targets: independent models by one fit."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, cross_val_score

import regiht


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 8)) + 1
    Y = np.column_stack([X[:, 0] - X[:, 3], 2 * X[:, 5], X[:, 1] + X[:, 7]])
    return X, Y + 0.3 * rng.normal(size=Y.shape)


@pytest.mark.parametrize("loss", ["squared", "huber", "poisson"])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_column_of_y_has_its_own_model(data, loss, weighted):
    X, Y = data
    if loss == "poisson":
        Y = np.random.default_rng(1).poisson(np.exp(Y / 4)).astype(float)
    weights = np.random.default_rng(2).random(80) if weighted else None
    model = regiht.SparseRegressor(2, loss=loss).fit(X, Y, sample_weight=weights)
    singles = [regiht.SparseRegressor(2, loss=loss).fit(X, y, sample_weight=weights) for y in Y.T]
    np.testing.assert_array_equal(model.coef_, [each.coef_ for each in singles])
    np.testing.assert_array_equal(model.intercept_, [each.intercept_ for each in singles])
    np.testing.assert_allclose(
        model.predict(X), np.column_stack([each.predict(X) for each in singles]), rtol=1e-12
    )
    assert set(model.support_) == set(np.concatenate([each.support_ for each in singles]))
    assert model.status_ == [each.status_ for each in singles]
    assert model.score(X, Y) == pytest.approx(r2_score(Y, model.predict(X)))


def test_cross_validation_scores_all_targets_together(data):
    X, Y = data
    model = regiht.SparseRegressorCV([1, 2, 3], cv=KFold(4), rule="best").fit(X, Y)
    alone = cross_val_score(regiht.SparseRegressor(2), X, Y, cv=KFold(4))
    np.testing.assert_allclose(model.scores_[:, 1], alone, rtol=1e-9)
    assert model.coef_.shape == (3, 8)
    assert model.n_nonzero_coefs_ >= 2


def test_what_is_around_a_model_knows_of_several_targets(data, tmp_path):
    X, Y = data
    model = regiht.SparseRegressor(2).fit(X, Y)
    lefts = [formula.left for formula in regiht.explain(model).formulas]
    assert lefts == [f"prediction of target {k}" for k in range(3)]
    for name in ("model.json", "model.npz"):
        regiht.save_model(model, tmp_path / name)
        again = regiht.load_model(tmp_path / name)
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        np.testing.assert_array_equal(again.intercept_, model.intercept_)


def test_pictures_and_onnx_know_of_several_targets(data):
    X, Y = data
    model = regiht.SparseRegressor(2).fit(X, Y)
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    labels = [text.get_text() for text in model.plot().get_legend().get_texts()]
    pyplot.close("all")
    assert labels == ["target 0", "target 1", "target 2"]
    pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(
        regiht.onnx.to_onnx(model, X).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    (predicted,) = session.run(None, {session.get_inputs()[0].name: X})
    np.testing.assert_allclose(predicted, model.predict(X), rtol=1e-9)


def test_wrong_matrices_of_targets_are_refused(data):
    X, Y = data
    with pytest.raises(regiht.InvalidArgumentError, match=r"Y\[:, 0\]"):
        regiht.SparseRegressor(loss="poisson").fit(X, Y - 9)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        regiht.SparseRegressor().fit(X, Y[:5])

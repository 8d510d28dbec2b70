"""Models in files: pickle and joblib, JSON and npz, ONNX; and models in words."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

import joblib
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import regiht
from regiht import SparseClassifier, SparseClassifierCV, SparseRegressor, SparseRegressorCV


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).normal(size=(90, 9)) + 1


def models(X):
    rng = np.random.default_rng(1)
    y = X[:, 2] - X[:, 5] + 0.1 * rng.normal(size=90)
    words = np.where(y > 0, "yes", "no")
    three = np.digitize(y, [-1, 1])
    yield "regressor", SparseRegressor(3, keep=[1], options={"weight_step": 0.05}).fit(X, y)
    yield "counts", SparseRegressor(2, loss="poisson").fit(X, rng.poisson(np.exp(y / 3)))
    yield "classifier", SparseClassifier(3, ridge=0.1).fit(X, words)
    yield "objects", SparseClassifier(3, ridge=0.1).fit(X, words.astype(object))
    yield "booleans", SparseClassifier(3, ridge=0.1).fit(X, y > 0)
    yield "three classes", SparseClassifier(2, ridge=0.1).fit(X, three)
    yield "hinge", SparseClassifier(2, ridge=0.1, loss="squared-hinge").fit(X, three)
    yield "regressor cv", SparseRegressorCV(3, cv=3).fit(X, y)
    yield "classifier cv", SparseClassifierCV(3, cv=3, ridge=0.1).fit(X, words)
    yield "nothing selected", SparseRegressor(3).fit(np.ones((90, 9)), y)


NAMES = [
    "regressor", "counts", "classifier", "objects", "booleans", "three classes", "hinge",
    "regressor cv", "classifier cv", "nothing selected",
]  # fmt: skip


@pytest.fixture(scope="module")
def fitted(rows):
    return dict(models(rows))


def assert_same(model, again, X):
    for name in ("predict", "predict_proba", "decision_function", "transform"):
        if hasattr(model, name) and not (name == "transform" and not model.support_.size):
            ours, theirs = getattr(model, name)(X), getattr(again, name)(X)
            np.testing.assert_array_equal(ours, theirs)
            assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(model.coef_, again.coef_)
    np.testing.assert_array_equal(model.support_, again.support_)
    for name in ("status_", "message_", "n_features_in_"):
        assert getattr(model, name) == getattr(again, name)
    for name in ("n_iter_", "objective_", "intercept_"):
        np.testing.assert_array_equal(getattr(model, name), getattr(again, name))


@pytest.mark.parametrize("name", NAMES)
def test_pickle_and_joblib(name, fitted, rows, tmp_path):
    model = fitted[name]
    assert_same(model, pickle.loads(pickle.dumps(model)), rows)
    joblib.dump(model, tmp_path / "model.joblib")
    assert_same(model, joblib.load(tmp_path / "model.joblib"), rows)


@pytest.mark.parametrize("suffix", [".json", ".npz"])
@pytest.mark.parametrize("name", NAMES)
def test_plain_files(name, suffix, fitted, rows, tmp_path):
    model, path = fitted[name], tmp_path / f"model{suffix}"
    regiht.save_model(model, path)
    again = regiht.load_model(str(path))
    assert_same(model, again, rows)
    chosen = getattr(model, "n_nonzero_coefs_", model.n_nonzero_coefs)
    assert again.n_nonzero_coefs == chosen
    assert again.get_params()["ridge"] == model.ridge
    assert (again.keep, again.options) == (model.keep, model.options)


def test_names_of_features_are_kept(rows, tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rows, columns=[f"größe {j}" for j in range(9)])
    model = SparseRegressor(2, keep=["größe 3"]).fit(frame, rows[:, 2])
    regiht.save_model(model, tmp_path / "model.json")
    again = regiht.load_model(tmp_path / "model.json")
    assert again.get_feature_names_out().tolist() == model.get_feature_names_out().tolist()
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))


def test_groups_by_number_fit_again(rows, tmp_path):
    """The keys of a mapping are numbers, which JSON has only as text."""
    y = rows[:, 2] - rows[:, 5]
    model = SparseRegressor(1, groups={2: "both", 5: "both"}).fit(rows, y)
    assert model.support_.tolist() == [2, 5]
    regiht.save_model(model, tmp_path / "model.json")
    again = regiht.load_model(tmp_path / "model.json").fit(rows, y)
    np.testing.assert_array_equal(again.coef_, model.coef_)


def test_only_plain_things_are_saved(rows, tmp_path):
    model = SparseRegressor(2).fit(rows, rows[:, 0])
    for other, message in [
        (SparseRegressor(), "fitted"),
        (StandardScaler(), "must be one of SparseRegressor.*got StandardScaler"),
        (model.set_params(options={"callback": print}), "cannot be saved"),
    ]:
        with pytest.raises(regiht.InvalidArgumentError, match=message):
            regiht.save_model(other, tmp_path / "model.json")
    with pytest.raises(regiht.InvalidArgumentError, match=r"\.json or \.npz; got 'model.pkl'"):
        regiht.save_model(model, tmp_path / "model.pkl")


def test_other_files_are_refused(rows, tmp_path):
    regiht.save_model(SparseRegressor(2).fit(rows, rows[:, 0]), tmp_path / "good.json")
    content = json.loads((tmp_path / "good.json").read_text(encoding="utf-8"))
    for name, text, message in [
        ("a.json", "[1, 2]", "does not contain a regiht model"),
        ("b.json", "not json", "does not contain a regiht model"),
        ("c.json", json.dumps(content | {"format_version": 99}), "another version"),
        ("d.json", json.dumps(content | {"kind": "os.system"}), "another version"),
        ("e.npz", "PK", "does not contain a regiht model"),
    ]:
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(regiht.InvalidArgumentError, match=message):
            regiht.load_model(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        regiht.load_model(tmp_path / "missing.json")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", [name for name in NAMES if name != "booleans"])
def test_onnx_predicts_the_same(name, dtype, fitted, rows):
    pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    from regiht.onnx import to_onnx  # noqa: PLC0415

    model, rows = fitted[name], rows.astype(dtype)
    session = runtime.InferenceSession(
        to_onnx(model, rows).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    answers = session.run(None, {session.get_inputs()[0].name: rows})
    tolerance = 1e-5 if dtype == np.float32 else 1e-12
    if not hasattr(model, "classes_"):
        np.testing.assert_allclose(answers[0].ravel(), model.predict(rows), rtol=tolerance)
        return
    np.testing.assert_array_equal(answers[0], model.predict(rows))
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(answers[1], model.predict_proba(rows), atol=tolerance)


def test_onnx_takes_pipelines(rows):
    pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    from regiht.onnx import to_onnx  # noqa: PLC0415

    pipeline = make_pipeline(StandardScaler(), SparseClassifier(2)).fit(
        rows, rows[:, 1] > rows[:, 3] + 1
    )
    pipeline[-1].classes_ = np.array([0, 1])
    session = runtime.InferenceSession(
        to_onnx(pipeline, rows).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    labels = session.run(None, {session.get_inputs()[0].name: rows})[0]
    np.testing.assert_array_equal(labels, pipeline.predict(rows))


def test_explain_prints_the_formula(fitted, rows, capsys):
    regiht.explain(fitted["regressor"])
    text = capsys.readouterr().out
    assert text.startswith("SparseRegressor: 3 of 9 features, squared loss\nprediction =\n")
    model = fitted["regressor"]
    # The lines add up to the prediction.
    terms = {line.split(" × ")[1]: line.split(" × ")[0] for line in text.splitlines()[3:]}
    row = rows[0]
    total = float(text.splitlines()[2].replace("−", "-")) + sum(
        float(number.replace(" ", "").replace("−", "-")) * row[int(name[1:])]
        for name, number in terms.items()
    )
    assert total == pytest.approx(model.predict(row[None])[0], rel=1e-4)


def test_explain_names_classes_and_features(fitted, capsys):
    regiht.explain(fitted["classifier"], feature_names=list("abcdefghi"))
    text = capsys.readouterr().out
    assert "log-odds of 'yes' =" in text
    assert " × c\n" in text
    regiht.explain(fitted["three classes"])
    assert capsys.readouterr().out.count("log-odds of") == 3
    regiht.explain(fitted["counts"])
    assert "log(expected count) =" in capsys.readouterr().out
    regiht.explain(regiht.solve(np.eye(3), [0.0, 2.0, 0.0], 1))
    assert "+ 2 × x1" in capsys.readouterr().out
    with pytest.raises(regiht.InvalidArgumentError, match="fitted sparse estimator"):
        regiht.explain(SparseRegressor())
    with pytest.raises(regiht.InvalidArgumentError, match="must name every column"):
        regiht.explain(fitted["counts"], feature_names=["a"])

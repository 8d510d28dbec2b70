"""Models in the ONNX format, as users of skl2onnx and of data frames would make them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")
pytest.importorskip("pandas")
pytest.importorskip("skl2onnx")
pytest.importorskip("onnxruntime")

import onnxruntime as runtime
import pandas as pd
import skl2onnx
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import regiht


@pytest.fixture(scope="module")
def frame():
    X = np.random.default_rng(0).normal(size=(120, 4)).astype(np.float32)
    return pd.DataFrame(X, columns=["length (cm)", "width", "weight", "age"])


def targets(frame, classes):
    z = (2 * frame["width"] - frame["age"]).to_numpy()
    names = np.array(["few", "some", "many"])
    return names[np.digitize(z, np.quantile(z, [0.4, 0.7][: classes - 1]))]


def answers(converted, feeds):
    session = runtime.InferenceSession(
        converted.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    names = [each.name for each in session.get_inputs()]
    values = [feeds] if len(names) == 1 else [feeds[:, [k]] for k in range(feeds.shape[1])]
    return session.run(None, dict(zip(names, values, strict=True)))


def test_the_module_is_found_without_an_import_of_its_own(tmp_path):
    code = (
        "import sys, regiht; assert 'skl2onnx' not in sys.modules; "
        "regiht.onnx.to_onnx; regiht.plotting.plot_path"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("in_pipeline", [False, True])
@pytest.mark.parametrize("zipmap", [None, True, False, "columns"])
def test_the_registered_converter_of_classifiers_works_with_skl2onnx(
    frame, classes, in_pipeline, zipmap
):
    regiht.onnx.register()
    X, y = frame.to_numpy(), targets(frame, classes)
    model = classifier = regiht.SparseClassifier(2, ridge=0.1)
    if in_pipeline:
        model = make_pipeline(StandardScaler(), classifier)
    model.fit(X, y)
    options = None if zipmap is None else {id(classifier): {"zipmap": zipmap}}
    labels, *rest = answers(skl2onnx.to_onnx(model, X[:1], options=options), X)
    assert labels.tolist() == model.predict(X).tolist()
    if zipmap is False:
        shares = rest[0]
    elif zipmap == "columns":
        shares = np.column_stack(rest)
    else:
        shares = np.array([[row[name] for name in model.classes_] for row in rest[0]])
    np.testing.assert_allclose(shares, model.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_data_frames_have_an_input_for_every_column(frame, dtype):
    X = frame.astype(dtype)
    y = targets(frame, 3)
    model = regiht.SparseClassifier(2, ridge=0.1).fit(X, y)
    labels, shares = answers(regiht.onnx.to_onnx(model, X), X.to_numpy())
    assert labels.tolist() == model.predict(X).tolist()
    np.testing.assert_allclose(shares, model.predict_proba(X), atol=1e-5)
    number = regiht.SparseRegressor(2).fit(X, X["width"] - 3 * X["age"])
    (predicted,) = answers(regiht.onnx.to_onnx(number, X), X.to_numpy())
    np.testing.assert_allclose(predicted.ravel(), number.predict(X), atol=1e-5)

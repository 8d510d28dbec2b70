"""Models in words, through the pipelines that they end."""

from __future__ import annotations

import code
import sys

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")
pytest.importorskip("pandas")

import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)

import regiht


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame({
        "age": rng.normal(40, 10, 200),
        "income": rng.normal(3e4, 1e4, 200),
        "eye_colour": rng.choice(["red", "dark_green", "blue"], 200),
        "text": rng.choice(["good day", "bad night", "good night"], 200),
    })  # fmt: skip


@pytest.fixture(scope="module")
def y(frame):
    red = frame["eye_colour"] == "red"
    return frame["income"] / 1e4 + red + 2.0 * frame["text"].str.contains("good")


def terms(model, **options):
    (formula,) = regiht.explain(model, **options).formulas
    return dict(formula.terms)


def test_columns_of_a_pipeline_are_named_as_a_reader_would(frame, y):
    columns = ColumnTransformer([
        ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income"]),
        ("kinds", OneHotEncoder(), ["eye_colour"]),
        ("words", TfidfVectorizer(), "text"),
        ("nothing", "drop", ["age"]),
        ("same", "passthrough", [0]),
    ])  # fmt: skip
    pipeline = make_pipeline(columns, regiht.SparseRegressor(20)).fit(frame, y)
    mean, deviation = frame["income"].mean(), frame["income"].std(ddof=0)
    assert set(terms(pipeline)) == {
        f"(age − {frame['age'].mean():.4g}) / {frame['age'].std(ddof=0):.4g}",
        f"(income − {mean:.0f}) / {deviation:.0f}".replace(f"{mean:.0f}", f"{round(mean, -1):.0f}")
        .replace(f"{deviation:.0f}", f"{round(deviation, -1):.0f}"),
        "[eye_colour = blue]", "[eye_colour = dark_green]", "[eye_colour = red]",
        'tf-idf("bad")', 'tf-idf("day")', 'tf-idf("good")', 'tf-idf("night")', "age",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("scaler", "value"),
    [
        (StandardScaler(), lambda x, m: (x - m.mean_[0]) / m.scale_[0]),
        (StandardScaler(with_mean=False), lambda x, m: x / m.scale_[0]),
        (RobustScaler(), lambda x, m: (x - m.center_[0]) / m.scale_[0]),
        (MinMaxScaler((-1, 1)), lambda x, m: x * m.scale_[0] + m.min_[0]),
        (MaxAbsScaler(), lambda x, m: x / m.scale_[0]),
    ],
)
def test_the_name_of_a_scaled_column_is_its_formula(frame, scaler, value):
    X = frame[["age"]]
    pipeline = make_pipeline(scaler, regiht.SparseRegressor(1)).fit(X, X["age"])
    (name,) = terms(pipeline)
    written = name.replace("−", "-")
    for age in (10.0, 50.0):
        assert eval(written, {"age": age}) == pytest.approx(value(age, scaler), rel=2e-3, abs=1e-3)


def test_later_steps_build_on_earlier_ones(frame, y):
    X = frame[["age", "income"]]
    chain = make_pipeline(
        make_union(VarianceThreshold(), FunctionTransformer(feature_names_out="one-to-one")),
        PolynomialFeatures(2, include_bias=False),
        regiht.SparseRegressor(30),
    ).fit(X, y)
    assert {"age", "age income", "age^2"} <= set(terms(chain))
    words = make_pipeline(CountVectorizer(), TfidfTransformer(), regiht.SparseRegressor(9))
    assert 'tf-idf("good")' in terms(words.fit(frame["text"], y))
    counts = make_pipeline(CountVectorizer(), regiht.SparseRegressor(9)).fit(frame["text"], y)
    assert 'count("good")' in terms(counts)


def test_a_step_that_knows_no_names_leaves_numbers(frame, y):
    pipeline = make_pipeline(
        FunctionTransformer(np.asarray), regiht.SparseRegressor(2)
    ).fit(frame[["age", "income"]], y)  # fmt: skip
    assert set(terms(pipeline)) == {"x0", "x1"}
    array = make_pipeline(StandardScaler(), regiht.SparseRegressor(2))
    array.fit(frame[["age", "income"]].to_numpy(), y)
    assert all("x" in name for name in terms(array))
    named = terms(array, feature_names=["a", "b"])
    assert all(name.startswith(("(a ", "(b ")) for name in named)


def test_a_search_explains_what_it_found(frame, y):
    pipeline = make_pipeline(StandardScaler(), regiht.SparseRegressor(1))
    grid = {"sparseregressor__n_nonzero_coefs": [1, 2]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(frame[["age", "income"]], y)
    assert any("income" in name for name in terms(search))


def test_an_explanation_is_text_html_and_a_table(frame, y):
    X = frame[["age", "income"]].rename(columns={"age": "<age>"})
    model = regiht.SparseClassifier(2).fit(X, np.digitize(y, y.quantile([0.3, 0.7])))
    explanation = regiht.explain(model)
    assert str(explanation) == repr(explanation) == explanation.text
    assert explanation.text.count("log-odds of") == 3
    html = explanation._repr_html_()
    assert html.count("<table>") == 3
    assert "&lt;age&gt;" in html
    assert "<age>" not in html
    table = explanation.to_frame()
    assert table.columns.tolist() == ["prediction", "feature", "coefficient"]
    assert table["feature"].tolist().count("intercept") == 3
    first = table[table["prediction"] == "log-odds of '0'"].set_index("feature")["coefficient"]
    assert first["income"] == model.coef_[0, 1]
    assert first["intercept"] == model.intercept_[0]


def test_a_script_prints_and_a_session_shows(frame, y, capsys, monkeypatch):
    model = regiht.SparseRegressor(1).fit(frame[["age", "income"]], y)
    explanation = regiht.explain(model)
    assert capsys.readouterr().out == explanation.text + "\n"
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    code.InteractiveInterpreter({"regiht": regiht, "model": model}).runsource(
        "regiht.explain(model)"
    )
    assert capsys.readouterr().out == explanation.text + "\n"


def test_results_of_frames_are_explained_by_name(frame, y):
    result = regiht.solve(frame[["age", "income"]], y, 1, center=True, scale=True)
    assert "× income" in regiht.explain(result).text


@pytest.mark.parametrize(
    "make",
    [
        regiht.SparseRegressor,
        regiht.SparseClassifier,
        regiht.SparseRegressorCV,
        regiht.SparseClassifierCV,
    ],
)
def test_estimators_have_scikit_learns_display(make):
    html = make()._repr_html_()
    assert make.__name__ in html
    assert "sk-estimator" in html or "sk-container" in html

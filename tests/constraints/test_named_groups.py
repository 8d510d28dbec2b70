"""Groups by names: prefixes, one-hot columns of a transformer, and dummies that are not there."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")
pytest.importorskip("pandas")

import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import regiht


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame({
        "age": rng.normal(size=150),
        "eye_colour": rng.choice(["red", "green", "blue"], 150),
        "town": rng.choice(["A", "B", "C", "D"], 150),
    })  # fmt: skip


@pytest.fixture(scope="module")
def y(frame):
    codes = frame["eye_colour"].map({"red": 0.0, "green": 2.0, "blue": -1.0})
    return codes + 0.1 * frame["age"] + 0.1 * np.random.default_rng(1).normal(size=150)


def test_prefixes_group_the_dummies_of_pandas(frame, y):
    X = pd.get_dummies(frame)
    model = regiht.SparseRegressor(1, groups="prefix").fit(X, y)
    assert model.get_feature_names_out().tolist() == [
        "eye_colour_blue", "eye_colour_green", "eye_colour_red",
    ]  # fmt: skip
    result = regiht.solve(X, y, 1, groups="prefix", center=True, scale=True)
    assert result.support.tolist() == [1, 2, 3]
    with pytest.raises(regiht.InvalidArgumentError, match="needs columns with names"):
        regiht.SparseRegressor(1, groups="prefix").fit(X.to_numpy(dtype=float), y)
    with pytest.raises(regiht.InvalidArgumentError, match="groups must have one label"):
        regiht.SparseRegressor(1, groups="prefixes").fit(X, y)


def test_one_hot_columns_of_a_transformer_are_groups(frame, y):
    columns = make_column_transformer(
        (StandardScaler(), ["age"]),
        (make_pipeline(OneHotEncoder(drop="first")), ["eye_colour", "town"]),
    ).fit(frame)
    groups = regiht.feature_groups(columns)
    assert [groups.index(label) for label in groups] == [0, 1, 1, 3, 3, 3]
    pipeline = make_pipeline(columns, regiht.SparseRegressor(1, groups=groups)).fit(frame, y)
    assert pipeline[-1].support_.tolist() == [1, 2]
    with pytest.raises(regiht.InvalidArgumentError, match="fitted ColumnTransformer"):
        regiht.feature_groups(StandardScaler())


def test_dummies_that_are_not_there_are_left_out_with_a_warning(frame, y):
    X = pd.get_dummies(frame)
    groups = {f"eye_colour_{each}": "eye" for each in ("red", "green", "blue", "violet")}
    model = regiht.SparseRegressor(1, groups=groups)
    with pytest.warns(UserWarning, match="lists 'eye_colour_violet', which X does not have"):
        model.fit(X, y)
    assert model.support_.tolist() == [1, 2, 3]
    lists = [list(groups)]
    with pytest.warns(UserWarning, match="'eye_colour_violet'"):
        regiht.SparseRegressor(1, groups=lists).fit(X, y)
    with pytest.raises(regiht.InvalidArgumentError, match="'wrong', which is not a column of X"):
        regiht.SparseRegressor(1, groups={"wrong": 1}).fit(X, y)


def test_of_columns_with_one_name_the_last_was_grouped():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 3)), columns=["a", "a", "b"])
    with pytest.raises(regiht.InvalidArgumentError, match="'a', which is the name of several"):
        regiht.solve(frame, np.arange(20.0), 1, groups={"a": 0, "b": 0})


@pytest.mark.parametrize(
    ("groups", "says"),
    [({0: [1]}, r"labels; 0 has \[1\]"), ("letters", "or be 'prefix'; got 'letters'")],
)
def test_labels_of_lists_and_other_words_were_not_explained(groups, says):
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(regiht.InvalidArgumentError, match=says):
        regiht.solve(X, X[:, 0], 1, groups=groups)

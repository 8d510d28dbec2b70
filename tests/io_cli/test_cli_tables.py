"""Tables as they come: text, empty cells, misspelt names, and sentences instead of tracebacks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

import regiht
from regiht import cli

ROWS = 80


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], size=ROWS)
    sex = rng.choice(["female", "male"], size=ROWS)
    age, income = rng.normal(40, 10, size=ROWS).round(2), rng.normal(3, 1, size=ROWS).round(3)
    price = 3.0 * (colour == "red") - 2.0 * (sex == "male") + 0.1 * age
    price = (price + 0.01 * rng.normal(size=ROWS)).round(4)
    return {"age": age, "colour": colour, "sex": sex, "income": income, "price": price}


def write(name, columns):
    lines = [
        ",".join(columns),
        *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True)),
    ]
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def table(columns, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("table.csv", columns)
    return columns


def encoded(columns):
    """What one-hot encoding makes of the columns, in the order of the file."""
    return {
        "age": columns["age"],
        **{f"colour={level}": columns["colour"] == level for level in ("blue", "green", "red")},
        "sex=male": columns["sex"] == "male",
        "income": columns["income"],
    }


def run(*arguments):
    return cli.main([str(each) for each in arguments])


def run_json(capsys, *arguments):
    assert run(*arguments, "--json") == 0
    return json.loads(capsys.readouterr().out)


def error_of(capsys, *arguments):
    assert run(*arguments) == cli.FAILED
    error = capsys.readouterr().err
    assert error.startswith("regiht: ")
    assert error.count("\n") == 1
    return error


def predicted(capsys, *arguments):
    capsys.readouterr()
    assert run("predict", "model.json", *arguments) == 0
    return np.array(capsys.readouterr().out.splitlines()[1:], float)


def test_all_columns_of_text_are_named_at_once(table, capsys):
    error = error_of(capsys, "fit", "table.csv")
    assert f"table.csv, line 2: '{table['colour'][0]}' in column 'colour' is not a number" in error
    assert "text in 'colour', 'sex': encode it with --one-hot" in error


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_text_is_encoded_on_request_and_again_by_predict(suffix, table, capsys):
    if suffix == ".parquet":
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.table(table), "table.parquet")
        assert "'colour', 'sex'" in error_of(capsys, "fit", "table.parquet")
    features = encoded(table)
    X = np.column_stack(list(features.values())).astype(float)
    facts = run_json(capsys, "fit", f"table{suffix}", "--one-hot", "-s", 3, "--save", "model.json")
    model = regiht.SparseRegressor(3).fit(X, table["price"])
    names = list(features)
    assert [each["name"] for each in facts["features"]] == [names[j] for j in model.support_]
    assert {each["name"] for each in facts["features"]} == {"age", "colour=red", "sex=male"}
    shown = predicted(capsys, f"table{suffix}")
    np.testing.assert_allclose(shown, model.predict(X), rtol=1e-9)


@pytest.mark.usefixtures("table")
def test_a_value_that_the_model_has_not_seen_is_none_of_those_it_knows(capsys):
    assert run("fit", "table.csv", "--one-hot", "-s", 3, "--save", "model.json") == 0
    rows = {"sex": ["male", "male"], "colour": ["black", "green"], "age": [50, 50]}
    write("new.csv", rows)
    first, second = predicted(capsys, "new.csv")
    assert first == second


@pytest.mark.parametrize(("how", "number"), [([], np.median), (["mean"], np.mean)])
def test_empty_cells_are_filled_in_on_request_and_again_by_predict(how, number, table, capsys):
    gaps = {name: column.astype(object) for name, column in table.items()}
    gaps["age"][[3, 5]] = ["", "NA"]
    gaps["colour"][7] = ""
    write("gaps.csv", gaps)
    assert "column 'age' is empty; --impute" in error_of(capsys, "fit", "gaps.csv", "--one-hot")
    facts = run_json(
        capsys, "fit", "gaps.csv", "--one-hot", "-s", 3, "--save", "model.json", "--impute", *how
    )
    assert facts["n_samples"] == ROWS
    filled = {name: column.copy() for name, column in table.items()}
    filled["age"][[3, 5]] = number(np.delete(table["age"], [3, 5]))
    values, counts = np.unique(np.delete(table["colour"], 7), return_counts=True)
    filled["colour"][7] = values[counts.argmax()]
    X = np.column_stack(list(encoded(filled).values())).astype(float)
    expected = regiht.SparseRegressor(3).fit(X, table["price"]).predict(X)
    np.testing.assert_allclose(predicted(capsys, "gaps.csv"), expected, rtol=1e-9)


def test_nan_in_arrays_is_filled_in_too(table, capsys):
    X = np.column_stack([table["age"], table["income"]])
    X[4, 0] = np.nan
    np.savez("table.npz", X=X, y=table["price"])
    assert "sample 5 has no finite number in column 'x0'" in error_of(capsys, "fit", "table.npz")
    facts = run_json(
        capsys, "fit", "table.npz", "-s", 1, "--impute", "mean", "--save", "model.json"
    )
    X[4, 0] = np.nanmean(X[:, 0])
    model = regiht.SparseRegressor(1).fit(X, table["price"])
    assert facts["features"][0]["coefficient"] == pytest.approx(model.coef_[0], rel=1e-9)
    np.testing.assert_allclose(predicted(capsys, "table.npz"), model.predict(X), rtol=1e-9)


def test_an_empty_cell_that_a_model_knows_no_number_for_is_refused(table, capsys):
    assert run("fit", "table.csv", "--one-hot", "-s", 3, "--save", "model.json") == 0
    for name in ("age", "colour"):
        gaps = {each: column.astype(object) for each, column in table.items()}
        gaps[name][2] = ""
        write("gaps.csv", gaps)
        capsys.readouterr()
        assert f"column '{name}'" in error_of(capsys, "predict", "model.json", "gaps.csv")
    write("text.csv", table | {"age": table["colour"]})
    error = error_of(capsys, "predict", "model.json", "text.csv")
    assert "in column 'age' is not a number, as it was when the model was fitted" in error


@pytest.mark.usefixtures("table")
def test_columns_that_tell_nothing_are_named(capsys):
    write("ids.csv", {"who": [f"p{k}" for k in range(300)], "y": np.arange(300)})
    assert "'who' has 300 different texts" in error_of(capsys, "fit", "ids.csv", "--one-hot")
    write("void.csv", {"a": ["NA"] * 3, "b": [1, 2, 3], "y": [1, 2, 4]})
    assert "column 'a' is empty" in error_of(capsys, "fit", "void.csv", "--impute")
    write("twice.csv", {"a=b": [1, 2, 3], "a": ["b", "c", "d"], "y": [1, 2, 4]})
    assert "two features are called 'a=b'" in error_of(capsys, "fit", "twice.csv", "--one-hot")


@pytest.mark.usefixtures("table")
def test_several_columns_are_left_out_at_once(capsys):
    facts = run_json(capsys, "fit", "table.csv", "--exclude", "colour", "sex", "-s", 2)
    assert {each["name"] for each in facts["features"]} == {"age", "income"}


@pytest.mark.usefixtures("table")
def test_text_is_kept_and_grouped_by_the_name_of_its_column(capsys):
    kept = run_json(capsys, "fit", "table.csv", "--one-hot", "--keep", "colour", "-s", 3)
    names = {each["name"] for each in kept["features"]}
    assert names == {"colour=blue", "colour=green", "colour=red"}
    grouped = run_json(
        capsys, "fit", "table.csv", "--one-hot", "--groups", "one-hot", "age,income", "-s", 2
    )
    names = {each["name"] for each in grouped["features"]}
    assert names == {"colour=blue", "colour=green", "colour=red", "sex=male"}
    # On three groups there is nothing to choose.
    both = run_json(capsys, "path", "table.csv", "--one-hot", "--groups", "one-hot", "0,income",
                    "--method", "best")  # fmt: skip
    assert [each["s"] for each in both["models"]] == [1, 2, 3]


@pytest.mark.usefixtures("table")
def test_no_coefficient_is_negative_on_request(capsys):
    facts = run_json(capsys, "fit", "table.csv", "--one-hot", "--positive", "-s", 4)
    assert all(each["coefficient"] >= 0 for each in facts["features"])
    assert "sex=male" not in {each["name"] for each in facts["features"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "table.csv", "--target", "prise"], "Did you mean 'price'?"),
        (["fit", "table.csv", "--one-hot", "--keep", "color"], "Did you mean 'colour'?"),
        (["fit", "table.csv", "--one-hot", "--groups", "age,incme"], "Did you mean 'income'?"),
        (["fit", "table.csv", "--one-hot", "-s", "7"], "--features must be between 1 and 6; got 7"),
        (
            ["fit", "table.csv", "--one-hot", "-s", "6", "--exclude", "age"],
            "--features must be between 1 and 5; got 6",
        ),
        (["fit", "table.csv", "--one-hot", "-s", "-1"], "--features must be between 1 and 6"),
        (["cv", "table.csv", "--one-hot", "--max", "0"], "--max must be at least 1; got 0"),
        (["cv", "table.csv", "--one-hot", "--try", "0", "3"], "--try must be between 1 and 6"),
        (["path", "table.csv", "--one-hot", "--max", "0"], "--max must be at least 1; got 0"),
        (["cv", "table.csv", "--one-hot", "--scoring", "roc_auc"], "--scoring roc_auc cannot be"),
        (["cv", "table.csv", "--one-hot", "--scoring", "roc_acu"], "Did you mean 'roc_auc'?"),
        (["cv", "table.csv", "--one-hot", "--scoring", "r3"], "r3 is not a scikit-learn score"),
        (["fit", "folder.csv"], "folder.csv is a directory"),
        (["predict", "folder.json", "table.csv"], "folder.json is a directory"),
        (["fit", "table.csv", "--save", "folder.json"], "folder.json is a directory; name a file"),
    ],
)
@pytest.mark.usefixtures("table")
def test_mistakes_are_answered_by_a_sentence(arguments, message, capsys):
    Path("folder.csv").mkdir()
    Path("folder.json").mkdir()
    assert message in error_of(capsys, *arguments)


@pytest.mark.usefixtures("table")
def test_a_misspelt_column_of_new_data_is_answered_with_the_closest(capsys):
    assert run("fit", "table.csv", "--exclude", "colour", "sex", "--save", "model.json") == 0
    write("new.csv", {"agee": [1, 2], "income": [1, 2]})
    capsys.readouterr()
    error = error_of(capsys, "predict", "model.json", "new.csv")
    assert "the data has no column 'age'. Did you mean 'agee'?" in error


@pytest.mark.usefixtures("table")
def test_a_damaged_preparation_is_refused(capsys):
    assert run("fit", "table.csv", "--one-hot", "--impute", "--save", "model.json") == 0
    content = json.loads(Path("model.json").read_text(encoding="utf-8"))
    good = content["fitted"]["preparation"]
    assert good["levels"]["sex"] == ["male"]
    for bad in (
        None, {}, {"levels": {}}, {"levels": [], "fill": {}}, {"levels": {"a": "b"}, "fill": {}},
        {"levels": {"a": [1]}, "fill": {}}, {"levels": {}, "fill": {"a": "b"}},
        {"levels": {}, "fill": {"a": float("nan")}}, {"levels": {"a": ["b"]}, "fill": {"a": 1.0}},
    ):  # fmt: skip
        content["fitted"]["preparation"] = bad
        Path("bad.json").write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(regiht.InvalidArgumentError, match="preparation has a wrong type"):
            regiht.load_model("bad.json")
    capsys.readouterr()


@pytest.mark.parametrize(("name", "separator"), [("data.csv", ";"), ("data.tsv", "\t")])
def test_other_separators_were_taken_for_one_column(name, separator, tmp_path, capsys):
    path = tmp_path / name
    path.write_text(f"a{separator}y\n1{separator}2\n3{separator}4\n", encoding="utf-8")
    assert cli.main(["fit", str(path)]) == 1
    assert f"separated by {separator!r}; commas are wanted" in capsys.readouterr().err


def test_a_constant_target_was_called_one_class_of_an_estimator(tmp_path, capsys):
    path = tmp_path / "data.csv"
    path.write_text("a,y\n1,3\n2,3\n5,3\n", encoding="utf-8")
    for command in ("fit", "cv", "path"):
        assert cli.main([command, str(path)]) == 1
        assert "the target is '3.0' in every row" in capsys.readouterr().err


def test_one_feature_was_features(tmp_path, capsys):
    path = tmp_path / "data.csv"
    path.write_text("a,y\n" + "1,3.5\n2,4.5\n5,9\n" * 9, encoding="utf-8")
    assert cli.main(["fit", str(path), "--loss", "squared", "--features", "1"]) == 0
    assert "27 samples, 1 feature, squared loss: 1 feature selected" in capsys.readouterr().out


@pytest.mark.parametrize("folds", [1, 0, 28])
def test_folds_were_called_n_splits(folds, tmp_path, capsys):
    path = tmp_path / "data.csv"
    path.write_text("a,y\n" + "1,3.5\n2,4.5\n5,9\n" * 9, encoding="utf-8")
    assert cli.main(["cv", str(path), "--loss", "squared", "--folds", str(folds)]) == 1
    assert f"--folds must be between 2 and 27; got {folds}" in capsys.readouterr().err

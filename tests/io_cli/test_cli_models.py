"""The subcommands fit, path, cv and predict."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.datasets import dump_svmlight_file

import regiht
from regiht import cli
from regiht.cli._data_files import read_table

NAMES = ["age", "height, cm", "weight", "shoe size"]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(60, 4)) * [10, 9, 8, 2] + [40, 170, 70, 42], 3)
    return X, np.round(X[:, 2] * 2 - X[:, 0] + rng.normal(size=60), 4)


@pytest.fixture
def files(data, tmp_path, monkeypatch):
    """The same data in all formats, in the current directory."""
    monkeypatch.chdir(tmp_path)
    X, y = data
    with (tmp_path / "data.csv").open("w", encoding="utf-8") as file:
        file.write('age,"height, cm",weight,target,shoe size\n')
        for row, target in zip(X, y, strict=True):
            cells = [*row[:3], target, row[3]]
            file.write(",".join(map(str, cells)) + "\n")
    np.savez(tmp_path / "data.npz", X=X, y=y, feature_names=NAMES)
    coded = sparse.csr_array(X)
    np.savez(
        tmp_path / "sparse.npz", data=coded.data, indices=coded.indices, indptr=coded.indptr,
        shape=coded.shape, y=y,
    )  # fmt: skip
    dump_svmlight_file(X, y, str(tmp_path / "data.svm"))
    return tmp_path


def run_json(capsys, *arguments):
    assert cli.main([*map(str, arguments), "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


@pytest.mark.parametrize("file", ["data.csv", "data.npz", "sparse.npz", "data.svm"])
@pytest.mark.usefixtures("files")
def test_fit_reads_every_format(file, data, capsys):
    options = ["--target", "target"] if file.endswith("csv") else []
    facts = run_json(capsys, "fit", file, "-s", 2, *options)
    model = regiht.SparseRegressor(2).fit(*data)
    names = NAMES if file in {"data.csv", "data.npz"} else ["x0", "x1", "x2", "x3"]
    assert [each["name"] for each in facts["features"]] == [names[j] for j in model.support_]
    assert [each["coefficient"] for each in facts["features"]] == pytest.approx(
        model.coef_[model.support_].tolist(), rel=1e-6
    )
    assert facts["training_score"] == pytest.approx(model.score(*data), rel=1e-6)
    assert facts["status"] == model.status_.value


@pytest.mark.usefixtures("files")
def test_parquet(data, capsys):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    X, y = data
    labels = np.where(y > np.median(y), "heavy", "light")
    columns = dict(zip(NAMES, X.T, strict=True)) | {"kind": labels}
    parquet.write_table(pyarrow.table(columns), "data.parquet")
    facts = run_json(capsys, "fit", "data.parquet", "-s", 2, "--ridge", 0.1)
    assert facts["loss"] == "logistic"
    assert facts["classes"] == ["heavy", "light"]
    assert "weight" in [each["name"] for each in facts["features"]]


def test_fit_prints_a_table_by_name_and_saves(files, capsys):
    pytest.importorskip("matplotlib")
    arguments = ["fit", "data.csv", "--target", "target", "-s", "2", "--save", "model.json"]
    assert cli.main([*arguments, "--plot", "fit.png"]) == 0
    text = capsys.readouterr().out
    assert "60 samples, 4 features, squared loss: 2 features selected" in text
    lines = [line.split() for line in text.splitlines()]
    (weight,) = [line for line in lines if line[:1] == ["weight"]]
    assert float(weight[1]) == pytest.approx(2, abs=0.1)
    assert "Model: model.json" in text
    assert (files / "fit.png").stat().st_size > 5_000
    assert regiht.load_model("model.json").get_feature_names_out().tolist() == ["age", "weight"]


@pytest.mark.usefixtures("files")
def test_predict_finds_columns_by_name(data, capsys):
    X, y = data
    run_json(capsys, "fit", "data.csv", "--target", "target", "-s", 2, "--save", "model.npz")
    expected = regiht.SparseRegressor(2).fit(X, y).predict(X)
    assert cli.main(["predict", "model.npz", "data.csv", "--target", "target"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "prediction"
    np.testing.assert_allclose([float(line) for line in lines[1:]], expected, rtol=1e-6)
    # Columns in another order, and without those that the model does not use.
    np.savetxt("few.csv", X[:, [2, 0]], delimiter=",", header="weight,age", comments="")
    assert cli.main(["predict", "model.npz", "few.csv", "--out", "answer.csv"]) == 0
    assert capsys.readouterr().out == ""
    written = np.loadtxt("answer.csv", skiprows=1)
    np.testing.assert_allclose(written, expected, rtol=1e-6)


@pytest.mark.usefixtures("files")
def test_predict_probabilities_and_shorter_libsvm_rows(data, capsys):
    X, y = data
    labels = (y > np.median(y)).astype(int)
    dump_svmlight_file(X, labels, "train.svm")
    facts = run_json(capsys, "fit", "train.svm", "-s", 2, "--ridge", 0.1, "--save", "model.json")
    assert facts["loss"] == "logistic"
    dump_svmlight_file(X[:5, :3], np.zeros(5), "new.svm")
    answer = run_json(capsys, "predict", "model.json", "new.svm", "--proba")
    padded = np.column_stack([X[:5, :3], np.zeros(5)])
    model = regiht.SparseClassifier(2, ridge=0.1).fit(X, labels.astype(float))
    np.testing.assert_allclose(answer["rows"], model.predict_proba(padded), rtol=1e-5)
    assert answer["columns"] == ["0.0", "1.0"]


@pytest.mark.parametrize("name", ["fit", "path", "cv"])
def test_a_model_was_not_saved_if_the_reader_of_the_pipe_had_gone(name, files, run_without_reader):
    run_without_reader(name, "data.csv", "--target", "target", "--save", "model.json", cwd=files)
    assert regiht.load_model(files / "model.json").support_.size


def test_path_chooses_by_a_criterion(files, data, capsys):
    pytest.importorskip("matplotlib")
    facts = run_json(
        capsys, "path", "data.csv", "--target", "target", "--max", 4, "--save", "model.json",
        "--plot", "path.png",
    )  # fmt: skip
    path = regiht.sparse_path(*data, 4)
    assert [model["s"] for model in facts["models"]] == [1, 2, 3, 4]
    np.testing.assert_allclose([m["ebic"] for m in facts["models"]], path.ebic, rtol=1e-6)
    assert facts["chosen"] == path.best("ebic").support.size
    saved = regiht.load_model("model.json")
    np.testing.assert_allclose(saved.coef_, path.best("ebic").coef, rtol=1e-6)
    assert (files / "path.png").stat().st_size > 5_000
    assert cli.main(["path", "data.csv", "--target", "target", "--max", "3"]) == 0
    text = capsys.readouterr().out
    assert "* chosen by EBIC" in text
    assert "EBIC" in text.splitlines()[0]


@pytest.mark.parametrize("labelled", [False, True])
def test_path_on_the_command_line_chose_a_feature_of_pure_noise(
    labelled, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 12)), rng.normal(size=60)
    if labelled:
        y = np.where(y > 0.0, "yes", "no")
    np.savez("noise.npz", X=X, y=y)
    path = regiht.sparse_path(X, y, 3)
    assert path.best_s("ebic") == 0
    facts = run_json(capsys, "path", "noise.npz", "--max", 3, "--save", "model.json")
    assert facts["chosen"] == 0
    assert facts["null"]["ebic"] < min(model["ebic"] for model in facts["models"])
    predicted = regiht.load_model("model.json").predict(X)
    assert predicted.tolist() == path.estimator("ebic").predict(X).tolist()
    assert cli.main(["path", "noise.npz", "--max", "3"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("0 *")


def test_warnings_on_the_command_line_showed_code(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(40, 3))
    np.savez("separable.npz", X=X, y=np.where(X[:, 0] > 0.0, "yes", "no"))
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert cli.main(["fit", "separable.npz", "--features", "1", "--ridge", "0"]) == 0
    said = capsys.readouterr().err
    assert said.startswith("regiht: SparseClassifier: ")
    assert ".py" not in said
    assert said.count("\n") == 1


def test_cv_scores_and_saves(files, capsys):
    pytest.importorskip("matplotlib")
    options = ["--try", 1, 2, 4, "--folds", 3, "--seed", 0, "--plot", "cv.png"]
    facts = run_json(capsys, "cv", "data.svm", *options, "--save", "model.json")
    assert facts["tried"] == [1, 2, 4]
    assert facts["n_nonzero_coefs"] == 2
    assert np.shape(facts["fold_scores"]) == (3, 3)
    assert facts["mean_scores"] == pytest.approx(np.mean(facts["fold_scores"], axis=0).tolist())
    assert regiht.load_model("model.json").n_nonzero_coefs == 2
    assert (files / "cv.png").stat().st_size > 5_000
    assert cli.main(["cv", "data.svm", "--max", "2", "--folds", "2"]) == 0
    assert "* chosen: one standard error" in capsys.readouterr().out


@pytest.mark.usefixtures("files")
def test_keep_and_exclude_by_name_or_number(capsys):
    facts = run_json(
        capsys, "fit", "data.csv", "--target", "target", "-s", 2, "--keep", "shoe size",
        "--exclude", "2", "--no-standardize", "--no-intercept",
    )  # fmt: skip
    names = [each["name"] for each in facts["features"]]
    assert "shoe size" in names
    assert "weight" not in names
    assert facts["intercept"] == 0.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "missing.csv"], "there is no file missing.csv"),
        (["fit", "data.csv", "--target", "wage"], "has no column 'wage'; it has age,"),
        (["fit", "data.csv", "-s", "0"], "--features must be between 1 and 4; got 0"),
        (["fit", "data.csv", "--keep", "wage"], "there is no feature 'wage'"),
        (["fit", "bad.csv"], "bad.csv, line 3: 'x' in column 'a' is not a number"),
        (["fit", "gap.csv"], "gap.csv, line 3: column 'b' is empty"),
        (["fit", "ragged.csv"], "ragged.csv, line 3: there are 2 cells instead of 3"),
        (["fit", "wide.csv"], "wide.csv, line 3: there are 4 cells instead of 3"),
        (["fit", "twice.csv"], "twice.csv has two columns called 'a'"),
        (["fit", "under.csv"], "under.csv, line 2: '1_000' in column 'a' is not a number"),
        (["fit", "nul.csv"], "nul.csv"),
        (["fit", "latin.csv"], "latin.csv is not a CSV file"),
        (["fit", "label.csv"], "label.csv: a target begins with 'x"),
        (["fit", "data.csv", "--columns-from", "0"], "--columns-from is for LIBSVM text"),
        (["fit", "data.svm", "--columns-from", "1"], "has a column 0"),
        (["fit", "far.svm"], "far.svm has a column 4000000000 and 1 entries"),
        (["fit", "names.npz"], "names.npz has (4,) columns and 2 names"),
        (["fit", "short.npz"], "short.npz has 60 samples and targets of shape (59,)"),
        (["fit", "crooked.npz"], "crooked.npz: X is not a valid CSR matrix"),
        (["fit", "nan.csv"], "nan.csv: sample 2 has no finite number in column 'b'"),
        (["fit", "data.csv", "--loss", "logistic"], "is for classes; the target has 60 different"),
        (["fit", "data.csv", "--save", "nowhere/model.json"], "there is no folder nowhere"),
        (["fit", "empty.csv"], "is empty"),
        (["fit", "header.csv"], "no rows"),
        (["fit", "text.svm"], "text.svm, line 1: the label is not a number"),
        (["fit", "none.npz"], "must hold X"),
        (["fit", "words.csv", "--loss", "squared"], "needs numbers in the target"),
        (["path", "three.csv"], "path takes two classes; the target has 3"),
        (["fit", "data.csv", "--save", "model.pkl"], ".json or .npz"),
        (["predict", "data.npz", "data.csv"], "does not contain a regiht model"),
        (["cv", "data.csv", "--folds", "1"], "--folds must be between 2"),
    ],
)
def test_errors_are_short_and_have_no_traceback(arguments, message, files, capsys):
    (files / "bad.csv").write_text("a,b\n1,2\nx,3\n", encoding="utf-8")
    (files / "gap.csv").write_text("a,b,c\n1,2,3\n4,,6\n", encoding="utf-8")
    (files / "ragged.csv").write_text("a,b,c\n1,2,3\n4,5\n", encoding="utf-8")
    (files / "nan.csv").write_text("a,b,c\n1,2,3\n4,nan,6\n", encoding="utf-8")
    (files / "empty.csv").write_text("", encoding="utf-8")
    (files / "header.csv").write_text("a,b\n", encoding="utf-8")
    (files / "text.svm").write_text("hello world\n", encoding="utf-8")
    (files / "words.csv").write_text("a,b\n1,x\n2,y\n", encoding="utf-8")
    (files / "three.csv").write_text("a,b\n1,x\n2,y\n3,z\n", encoding="utf-8")
    np.savez(files / "none.npz", Z=np.eye(2))
    (files / "wide.csv").write_text("a,b,c\n1,2,3\n4,5,6,7\n", encoding="utf-8")
    (files / "twice.csv").write_text("a,b,a\n1,2,3\n4,5,6\n", encoding="utf-8")
    (files / "under.csv").write_text("a,b\n1_000,2\n", encoding="utf-8")
    (files / "nul.csv").write_text("a,b\n1\0,2\n", encoding="utf-8")
    (files / "latin.csv").write_bytes("gr\xf6\xdfe,b\n1,2\n".encode("latin-1"))
    (files / "label.csv").write_text(f"a,b\n1,{'x' * 300}\n2,y\n", encoding="utf-8")
    (files / "far.svm").write_text("1 4000000000:1\n", encoding="utf-8")
    with np.load(files / "data.npz") as stored, np.load(files / "sparse.npz") as coded:
        np.savez(files / "names.npz", X=stored["X"], y=stored["y"], feature_names=["a", "b"])
        np.savez(files / "short.npz", X=stored["X"], y=stored["y"][:-1])
        np.savez(files / "crooked.npz", **(dict(coded) | {"indices": coded["indices"] + 9}))
    assert cli.main(arguments) == cli.FAILED
    captured = capsys.readouterr()
    assert captured.err.startswith("regiht: ")
    assert message in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.usefixtures("files")
def test_a_picture_that_cannot_be_written_is_refused_before_the_fit(capsys):
    pytest.importorskip("matplotlib")
    assert cli.main(["fit", "data.csv", "--plot", "picture.foo"]) == cli.FAILED
    captured = capsys.readouterr()
    assert "--plot must end in one of" in captured.err
    assert captured.out == ""


def with_text(data, suffix):
    """The data with a column of text beside the numbers, as CSV or Parquet."""
    X, y = data
    people = [f"person {k}" for k in range(len(y))]
    name = f"people{suffix}"
    if suffix == ".csv":
        with Path(name).open("w", encoding="utf-8") as file:
            file.write('who,age,"height, cm",weight,shoe size,target\n')
            for who, row, target in zip(people, X, y, strict=True):
                print(who, *row, target, sep=",", file=file)
        return name
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"who": people, **dict(zip(NAMES, X.T, strict=True)), "target": y}
    parquet.write_table(pyarrow.table(columns), name)
    return name


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.usefixtures("files")
def test_columns_of_text_may_be_excluded_and_are_no_hindrance_to_predict(suffix, data, capsys):
    name = with_text(data, suffix)
    assert cli.main(["fit", name, "--target", "target"]) == cli.FAILED
    assert "'who'" in capsys.readouterr().err
    options = ["--target", "target", "-s", "2", "--exclude", "who", "--save", "model.json"]
    facts = run_json(capsys, "fit", name, *options)
    model = regiht.SparseRegressor(2).fit(*data)
    assert [each["name"] for each in facts["features"]] == [NAMES[j] for j in model.support_]
    assert cli.main(["predict", "model.json", name]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    np.testing.assert_allclose(np.array(lines, float), model.predict(data[0]), rtol=1e-6)
    assert cli.main(["fit", "data.csv", "--target", "target", "--save", "other.json"]) == 0
    Path("unlike.csv").write_text("who,what\na,b\n", encoding="utf-8")
    capsys.readouterr()
    assert cli.main(["predict", "other.json", "unlike.csv"]) == cli.FAILED
    assert "the data has no column 'age'" in capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_classes_have_the_ridge_of_the_estimator_unless_told(data, capsys):
    X, y = data
    np.savez("two.npz", X=X, y=(y > np.median(y)).astype(int))
    facts = run_json(capsys, "fit", "two.npz", "-s", 2)
    model = regiht.SparseClassifier(2).fit(X, y > np.median(y))
    coefficients = [each["coefficient"] for each in facts["features"]]
    assert coefficients == pytest.approx(model.coef_[0, model.support_].tolist())
    freer = run_json(capsys, "fit", "two.npz", "-s", 2, "--ridge", 0.0)
    assert freer["objective"] < facts["objective"]


@pytest.mark.usefixtures("files")
def test_a_terminal_gets_a_pretty_table(capsys, monkeypatch):
    pytest.importorskip("rich")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert cli.main(["fit", "data.csv", "--target", "target", "-s", "2"]) == 0
    text = capsys.readouterr().out
    assert "┏" in text
    assert "weight" in text


def test_a_file_without_names_or_with_one_column(files):
    (files / "plain.csv").write_text("1,2\n3,4\n", encoding="utf-8")
    table = read_table("plain.csv")
    assert (table.X.tolist(), table.y.tolist()) == ([[1.0], [3.0]], [2.0, 4.0])
    assert table.feature_names == ["x0"]
    assert read_table("plain.csv", labelled=False).X.shape == (2, 2)
    (files / "one.csv").write_text("a\n1\n", encoding="utf-8")
    with pytest.raises(regiht.InvalidArgumentError, match="no columns"):
        read_table("one.csv")

"""Columns that were taken for others, in silence."""

from __future__ import annotations

import bz2
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn", minversion="1.6")

import regiht
from regiht import cli


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5)).round(3)
    return X, (X[:, 1] - 2 * X[:, 3] + 0.1 * rng.normal(size=60)).round(4)


def write_libsvm(name, X, y, first):
    lines = [
        " ".join([str(target), *(f"{j + first}:{row[j]}" for j in np.flatnonzero(row))])
        for row, target in zip(X, y, strict=True)
    ]
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def predictions(capsys, *arguments):
    assert cli.main(["predict", "model.json", *arguments]) == 0
    return np.array(capsys.readouterr().out.splitlines()[1:], float)


@pytest.mark.parametrize("first", [0, 1])
def test_a_file_without_the_first_column_was_shifted(first, data, capsys):
    """The model was fitted to columns from 0, and this file seems to count from 1."""
    X, y = data
    write_libsvm("train.svm", X, y, first)
    assert cli.main(["fit", "train.svm", "-s", "2", "--save", "model.json"]) == 0
    capsys.readouterr()
    X[:, 0] = 0.0
    write_libsvm("new.svm", X, y, first)
    expected = regiht.load_model("model.json").predict(X)
    np.testing.assert_array_equal(predictions(capsys, "new.svm"), expected)


def test_a_file_that_has_column_0_was_shifted(data, capsys):
    X, y = data
    write_libsvm("train.svm", X, y, 1)
    assert cli.main(["fit", "train.svm", "-s", "2", "--save", "model.json"]) == 0
    write_libsvm("new.svm", X, y, 0)
    capsys.readouterr()
    assert cli.main(["predict", "model.json", "new.svm"]) == cli.FAILED
    assert "new.svm has a column 0, so columns are not counted from 1" in capsys.readouterr().err
    expected = regiht.load_model("model.json").predict(X)
    shown = predictions(capsys, "new.svm", "--columns-from", "0")
    np.testing.assert_array_equal(shown, expected)


def test_a_model_of_other_data_does_not_say_where_columns_begin(data, capsys):
    X, y = data
    model = regiht.SparseRegressor(2).fit(X, y)
    regiht.save_model(model, "model.json")
    write_libsvm("new.svm", X, y, 1)
    assert cli.main(["predict", "model.json", "new.svm"]) == cli.FAILED
    assert "use --columns-from 0 or 1" in capsys.readouterr().err
    shown = predictions(capsys, "new.svm", "--columns-from", "1")
    np.testing.assert_array_equal(shown, model.predict(X))


def test_a_sparse_npz_of_another_width_was_cut(data, capsys):
    X, y = data
    regiht.save_model(regiht.SparseRegressor(2).fit(X, y), "model.json")
    sparse.save_npz("new.npz", sparse.csr_array(np.column_stack([y, X])))
    assert cli.main(["predict", "model.json", "new.npz"]) == cli.FAILED
    assert "the model takes 5 columns; the data has 6" in capsys.readouterr().err


def test_a_row_with_an_extra_cell_was_shifted(data, capsys):
    X, y = data
    regiht.save_model(regiht.SparseRegressor(2).fit(X, y), "model.json")
    Path("new.csv").write_text("1,2,3,4,5\n0,1,2,3,4,5\n", encoding="utf-8")
    assert cli.main(["predict", "model.json", "new.csv"]) == cli.FAILED
    assert "new.csv, line 2: there are 6 cells instead of 5" in capsys.readouterr().err


def test_two_columns_of_one_name_were_taken_for_the_last(data, capsys):
    X, y = data
    rows = "\n".join(",".join(map(str, [*row, target])) for row, target in zip(X, y, strict=True))
    Path("train.csv").write_text(f"a,b,c,d,e,y\n{rows}\n", encoding="utf-8")
    assert cli.main(["fit", "train.csv", "-s", "2", "--save", "model.json"]) == 0
    for header, code in [("a,b,c,d,d,y", cli.FAILED), ("a,b,a,d,a,y", 0)]:
        Path("new.csv").write_text(f"{header}\n{rows}\n", encoding="utf-8")
        capsys.readouterr()
        assert cli.main(["predict", "model.json", "new.csv"]) == code
    shown = np.array(capsys.readouterr().out.splitlines()[1:], float)
    np.testing.assert_allclose(shown, regiht.SparseRegressor(2).fit(X, y).predict(X), rtol=1e-9)


def test_names_over_several_lines_are_one_row(data, capsys):
    X, y = data
    rows = "\n".join(",".join(map(str, [*row, target])) for row, target in zip(X, y, strict=True))
    Path("train.csv").write_text(f'"a,\n1",b,c,d,e,y\n{rows}\n', encoding="utf-8")
    assert cli.main(["fit", "train.csv", "-s", "2"]) == 0
    assert "60 samples, 5 features" in capsys.readouterr().out


def test_compressed_text_that_inflates_without_end_is_refused(tmp_path):
    path = tmp_path / "bomb.svm.bz2"
    path.write_bytes(bz2.compress(b"1\n" * 200_000))
    with pytest.raises(ValueError, match="holds more than 1100 times its size"):
        regiht.datasets.load_libsvm(path)

"""The user's files of YearPredictionMSD and rcv1."""

from __future__ import annotations

import bz2
import gzip
import zipfile

import numpy as np
import pytest

from regiht import datasets
from regiht.datasets import paper_files

ROWS, TEST_ROWS, FEATURES = 6, 2, 4


@pytest.fixture
def small(monkeypatch):
    """Let the data sets be of a size that a test can write."""
    monkeypatch.setattr(paper_files, "YEAR_ROWS", ROWS)
    monkeypatch.setattr(paper_files, "YEAR_ROWS_WITH_TEST", ROWS + TEST_ROWS)
    monkeypatch.setattr(paper_files, "YEAR_FEATURES", FEATURES)
    monkeypatch.setattr(paper_files, "RCV1_SHAPE", (3, 5))


def year_arrays(rows=ROWS + TEST_ROWS):
    rng = np.random.default_rng(0)
    return rng.standard_normal((rows, FEATURES)), rng.integers(1922, 2012, rows).astype(float)


def with_commas(X, y):
    rows = (
        ",".join([f"{year:.0f}", *map(repr, map(float, x))]) for x, year in zip(X, y, strict=True)
    )
    return ("\n".join(rows) + "\n").encode()


def as_libsvm(X, y):
    rows = (
        " ".join([f"{t:g}", *(f"{j}:{float(v)!r}" for j, v in enumerate(x, 1))])
        for x, t in zip(X, y, strict=True)
    )
    return ("\n".join(rows) + "\n").encode()


def zipped(content):
    def write(path):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("YearPredictionMSD.txt", content)

    return write


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["YearPredictionMSD.txt", "yearpredictionmsd.zip",
                                  "YearPredictionMSD.csv.gz", "YearPredictionMSD.bz2"])  # fmt: skip
def test_year_is_found_and_read_in_all_its_packings(tmp_path, name):
    X, y = year_arrays()
    path = tmp_path / name
    if name.endswith(".zip"):
        zipped(with_commas(X, y))(path)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(with_commas(X, y)))
    elif name.endswith(".bz2"):
        path.write_bytes(bz2.compress(as_libsvm(X[:ROWS], y[:ROWS])))
    else:
        path.write_bytes(with_commas(X, y))
    assert paper_files.find_year(tmp_path) == path
    problem = datasets.load_year(path)
    np.testing.assert_array_equal(problem.X, X[:ROWS])  # without the test rows
    np.testing.assert_array_equal(problem.y, y[:ROWS])
    assert (problem.loss, problem.name) == ("squared", "year")


def test_year_of_another_shape_is_refused(tmp_path):
    path = tmp_path / "YearPredictionMSD.txt"
    path.write_bytes(with_commas(*year_arrays()))
    with pytest.raises(ValueError, match=r"it is 8 × 4, not 463715 .* × 90"):
        datasets.load_year(path)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("wrong", [1921.0, 2012.0, 1999.5])
def test_targets_that_are_no_years_are_refused(tmp_path, wrong):
    X, y = year_arrays(ROWS)
    y[2] = wrong
    (tmp_path / "year").write_bytes(as_libsvm(X, y))
    with pytest.raises(ValueError, match="not years 1922 to 2011"):
        datasets.load_year(tmp_path / "year")


@pytest.mark.usefixtures("small")
def test_a_damaged_table_is_refused(tmp_path):
    path = tmp_path / "YearPredictionMSD.txt"
    path.write_bytes(with_commas(*year_arrays()) + b"1999,1,x,2,3\n")
    with pytest.raises(ValueError, match=r"YearPredictionMSD\.txt: .*'x'"):
        datasets.load_year(path)
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.txt", "1")
        archive.writestr("b.txt", "1")
    with pytest.raises(ValueError, match="must hold one text file; it holds 2"):
        datasets.load_year(tmp_path / "two.zip")


RCV1 = b"1 1:0.5 5:0.25\n-1 2:1\n-1 3:2\n"


@pytest.mark.usefixtures("small")
def test_rcv1_is_found_and_gets_labels_0_and_1(tmp_path):
    path = tmp_path / "rcv1_train.binary.bz2"
    path.write_bytes(bz2.compress(RCV1))
    assert paper_files.find_rcv1(tmp_path) == path
    problem = datasets.load_rcv1(path)
    np.testing.assert_array_equal(problem.y, [1, 0, 0])
    assert problem.X.toarray()[0].tolist() == [0.5, 0, 0, 0, 0.25]


def test_another_file_in_place_of_rcv1_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "rcv1_train.binary"
    path.write_bytes(RCV1)
    with pytest.raises(ValueError, match="it is 3 × 5, not 20242 × 47236"):
        datasets.load_rcv1(path)
    monkeypatch.setattr(paper_files, "RCV1_SHAPE", (3, 5))
    path.write_bytes(RCV1.replace(b"-1", b"0"))
    with pytest.raises(ValueError, match="labels are not −1 and 1"):
        datasets.load_rcv1(path)


def test_a_folder_without_them(tmp_path):
    (tmp_path / "YearPredictionMSD.t.bz2").touch()  # LIBSVM's test set
    (tmp_path / "rcv1_test.binary").touch()
    assert paper_files.find_year(tmp_path) is None
    assert paper_files.find_rcv1(tmp_path) is None

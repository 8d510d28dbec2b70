"""Directories hold what was written, and solves on them have the bits of solves in memory."""

import hashlib
import json
import pickle

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import dataset


def header_of(path):
    return json.loads((path / "header.json").read_text())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("scale", [False, True])
def test_solves_have_the_bits_of_a_matrix_in_memory(problem, tmp_path, dtype, center, scale):
    X, y = problem
    X = X.astype(dtype)
    dataset.write(tmp_path / "data", X, y)
    inside = regiht.Design(X, center, scale)
    outside = regiht.Design.open(tmp_path / "data", center, scale)
    assert outside.dtype == dtype
    assert not outside.copied
    for loss in ("squared", "logistic"):
        for method in ("regiht", "best"):
            expected = regiht.solve(inside, y, 5, loss=loss, method=method, ridge=0.1)
            found = regiht.solve(outside, outside.y, 5, loss=loss, method=method, ridge=0.1)
            assert np.array_equal(found.coef, expected.coef)
            assert found.fun == expected.fun


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("scale", [False, True])
def test_standardization_is_that_of_a_matrix_in_memory(problem, directory, center, scale):
    X, _ = problem
    weights = np.random.default_rng(0).integers(0, 3, X.shape[0]).astype(float)
    for sample_weight in (None, weights):
        expected = regiht.Design(X, center, scale, sample_weight=sample_weight, exclude=[1])
        found = regiht.Design.open(
            directory, center, scale, sample_weight=sample_weight, exclude=["word1"]
        )
        assert np.array_equal(found.factors, expected.factors)
        assert (found.means is None) == (expected.means is None)
        if center:
            assert np.array_equal(found.means, expected.means)


def test_stored_norms_are_norms(problem, directory):
    X, _ = problem
    dense = X.toarray()
    stored = dataset.open(directory)
    np.testing.assert_allclose(stored.norms, np.linalg.norm(dense, axis=0), rtol=1e-14)
    centred = np.linalg.norm(dense - dense.mean(axis=0), axis=0)
    np.testing.assert_allclose(stored.centred_norms, centred, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(stored.means, dense.mean(axis=0), rtol=1e-14)
    assert stored.centred_norms[6] == 0.0


def test_arrays_are_what_numpy_loads_and_checksums_what_sha256sum_says(directory, problem):
    X = problem[0].tocsc()
    assert np.array_equal(np.load(directory / "values.npy"), X.data)
    assert np.array_equal(np.load(directory / "indices_1.npy"), X.indices)
    assert np.array_equal(np.load(directory / "pointers_to_1.npy"), X.indptr)
    header = header_of(directory)
    assert header["binsparse"]["shape"] == [400, 60]
    for name, facts in header["regiht"]["files"].items():
        content = (directory / name).read_bytes()
        assert len(content) == facts["bytes"]
        assert hashlib.sha256(content).hexdigest() == facts["sha256"]
    assert {path.name for path in directory.iterdir()} == {
        "header.json", *header["regiht"]["files"]
    }  # fmt: skip


def test_the_matrix_is_a_read_only_map(directory):
    stored = dataset.open(directory)
    assert not stored.matrix.data.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        stored.matrix.data[0] = 1.0


@pytest.mark.parametrize("rows", [1, 37, 400, 1000])
def test_chunks_give_the_files_of_the_whole(problem, directory, tmp_path, rows):
    X, y = problem
    names = dataset.open(directory).feature_names
    chunks = ((X[k : k + rows], y[k : k + rows]) for k in range(0, X.shape[0], rows))
    dataset.write(tmp_path / "chunks", chunks, feature_names=names)
    assert header_of(tmp_path / "chunks") == header_of(directory)
    dense = (X[k : k + rows].toarray() for k in range(0, X.shape[0], rows))
    dataset.write(tmp_path / "dense", dense, y, feature_names=names)
    assert header_of(tmp_path / "dense") == header_of(directory)


def test_dense_matrices_lose_their_zeros(problem, directory, tmp_path):
    X, y = problem
    for number, order in enumerate("CF"):
        path = tmp_path / str(number)
        names = dataset.open(directory).feature_names
        dataset.write(path, X.toarray(order=order), y, feature_names=names)
        assert header_of(path) == header_of(directory)


@pytest.mark.parametrize(
    "y", [np.arange(400), np.arange(400) % 2 == 0, np.where(np.arange(400) % 3, "no", "yes")]
)
def test_targets_come_back_as_they_were(problem, tmp_path, y):
    dataset.write(tmp_path / "data", problem[0], y)
    found = regiht.Design.open(tmp_path / "data").y
    assert np.array_equal(found, y)
    assert found.dtype.kind == y.dtype.kind


def test_without_targets_and_names_there_are_none(problem, tmp_path):
    dataset.write(tmp_path / "data", problem[0])
    design = regiht.Design.open(tmp_path / "data")
    assert design.y is None
    assert design.feature_names is None


def test_a_pickle_holds_the_path_and_not_the_matrix(directory):
    design = regiht.Design.open(directory, True, True)
    pickled = pickle.dumps(design)
    assert len(pickled) < 3000
    again = pickle.loads(pickled)
    assert np.array_equal(again.matvec(np.ones(60)), design.matvec(np.ones(60)))


def test_a_matrix_with_no_entries_and_one_with_stored_zeros(tmp_path):
    empty = sparse.csc_array((5, 3))
    dataset.write(tmp_path / "empty", empty)
    assert dataset.open(tmp_path / "empty").n_stored == 0
    zeros = sparse.csc_array(([0.0, 1.0], [0, 1], [0, 1, 2]), shape=(5, 2))
    dataset.write(tmp_path / "zeros", zeros)
    assert dataset.open(tmp_path / "zeros").n_stored == 2
    factors = regiht.Design.open(tmp_path / "zeros", scale=True).factors
    assert np.array_equal(factors, regiht.Design(zeros, scale=True).factors)


def test_columns_that_cannot_be_standardized_are_refused_when_they_are_to_be(tmp_path):
    for number, value in enumerate((1e-200, 1e300)):
        X = sparse.csc_array(np.array([[value, 1.0], [2 * value, 0.0], [0.0, 3.0]]))
        path = tmp_path / str(number)
        dataset.write(path, X)
        assert regiht.Design.open(path).shape == (3, 2)
        for center in (False, True):
            with pytest.raises(regiht.InvalidArgumentError, match="column 0 is too large or too"):
                regiht.Design(X, center, True)
            with pytest.raises(regiht.InvalidArgumentError, match="column 0 is too large or too"):
                regiht.Design.open(path, center, True)


def test_what_cannot_be_written_is_refused_and_leaves_nothing(problem, tmp_path):
    X, y = problem
    (tmp_path / "there").mkdir()
    bad = X.copy()
    bad.data[3] = np.nan
    for path, matrix, target, message in [
        (tmp_path / "there", X, y, "exists already"),
        (tmp_path / "no" / "folder", X, y, "there is no folder"),
        (tmp_path / "data", X, y[:-1], "one entry for every row"),
        (tmp_path / "data", X, y[:, None], "one-dimensional"),
        (tmp_path / "data", X, np.full(400, np.inf), "NaN or infinity"),
        (tmp_path / "data", bad, y, "NaN or infinity"),
        (tmp_path / "data", iter([X, bad]), None, "NaN or infinity"),
        (tmp_path / "data", iter([X, X[:, :5]]), None, "chunk 1 has 5 columns, the first 60"),
        (tmp_path / "data", iter([X, (X, y)]), None, "some chunks have targets"),
        (tmp_path / "data", iter([X]), y[:-1], "one entry for each of 400 rows"),
        (tmp_path / "data", iter([(X, y[1:])]), None, "400 rows and 399 targets"),
        (tmp_path / "data", iter([]), None, "at least one chunk"),
    ]:
        with pytest.raises(regiht.InvalidArgumentError, match=message):
            dataset.write(path, matrix, target)
    with pytest.raises(regiht.InvalidArgumentError, match="memory"):
        dataset.write(tmp_path / "data", X, memory=1000)
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_indices_of_64_bits_as_more_than_two_billion_entries_need(problem, tmp_path, monkeypatch):
    X, y = problem
    monkeypatch.setattr("regiht.dataset._columns.index_dtype", lambda rows, entries: np.dtype("i8"))
    dataset.write(tmp_path / "data", X, y)
    assert dataset.open(tmp_path / "data").matrix.indices.dtype == np.int64
    outside = regiht.Design.open(tmp_path / "data", True, True)
    found = regiht.solve(outside, y, 5, loss="logistic")
    expected = regiht.solve(X, y, 5, loss="logistic", center=True, scale=True)
    assert np.array_equal(found.x, expected.x)


def test_values_are_rounded_before_anything_is_made_of_them(problem, tmp_path):
    X, y = problem
    dataset.write(tmp_path / "expected", X.astype(np.float32), y)
    dataset.write(tmp_path / "matrix", X, y, dtype=np.float32)
    dataset.write(tmp_path / "chunks", iter([(X[:99], y[:99]), (X[99:], y[99:])]), dtype="float32")
    sparse.save_npz(tmp_path / "a.npz", X.tocsc())
    dataset.convert(tmp_path / "a.npz", tmp_path / "file", dtype=np.float32)
    expected = header_of(tmp_path / "expected")["regiht"]["files"]
    for name in ("matrix", "chunks"):
        assert header_of(tmp_path / name)["regiht"]["files"] == expected
    del expected["y.npy"]
    assert header_of(tmp_path / "file")["regiht"]["files"] == expected


def test_values_too_large_for_float32_are_refused(tmp_path):
    X = np.array([[1.0, 1e300], [0.0, 2.0]])
    for given in (X, iter([X])):
        with pytest.raises(regiht.InvalidArgumentError, match="NaN or infinity"):
            dataset.write(tmp_path / "data", given, dtype=np.float32)
    assert list(tmp_path.iterdir()) == []


OPENERS = {
    "Design.open": regiht.Design.open,
    "dataset.open": dataset.open,
    "open_shards": dataset.open_shards,
    "write": lambda path: dataset.write(path, np.eye(3)),
    "convert": lambda path: dataset.convert("table.svm", path),
}


@pytest.mark.parametrize("path", [3, None, b"data", "da\0ta"], ids=repr)
@pytest.mark.parametrize("use", OPENERS.values(), ids=OPENERS)
def test_what_is_no_path_raised_an_error_of_pathlib(use, path):
    with pytest.raises(regiht.InvalidArgumentError, match="path must be a"):
        use(path)

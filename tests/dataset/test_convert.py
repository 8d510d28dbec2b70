"""Files of all kinds become the directory that the matrix in memory would."""

import bz2
import gzip
import json
import lzma
import re

import numpy as np
import pytest
from scipy import io, sparse
from sklearn.datasets import dump_svmlight_file

import regiht
from regiht import dataset


@pytest.fixture(params=["at once", "in many blocks", "in many runs"])
def memory(request, monkeypatch):
    """Convert with plenty of memory, or with room for a few hundred entries."""
    if request.param != "at once":
        monkeypatch.setattr("regiht.dataset._convert.entries_of", lambda memory: 300)
        monkeypatch.setattr("regiht.dataset._sources.libsvm._PIECE_BYTES", 2000)
        monkeypatch.setattr("regiht.dataset._sources.compressed._ENTRIES", 100)
        monkeypatch.setattr("regiht.dataset._sources.npz._CELLS", 500)
        monkeypatch.setattr("regiht.dataset._sources.tables._CELLS", 500)
    if request.param == "in many runs":
        monkeypatch.setattr("regiht.dataset._spool.bytes_of", lambda memory, share: 3000)
        monkeypatch.setattr("regiht.dataset._spool.entries_of", lambda memory, share: 100)


def check(path, X, y, names=None):
    """Compare with the directory of the matrix; only what LIBSVM text adds may differ."""
    expected = path.with_name("expected")
    dataset.write(expected, X, y, feature_names=names)
    found, wanted = (
        json.loads((each / "header.json").read_text())["regiht"] for each in (path, expected)
    )
    assert found["files"] == wanted["files"]
    assert [each.name for each in path.parent.glob(".*")] == []


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("zip_text", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("zero_based", [False, True])
def test_libsvm_text(problem, tmp_path, zip_text, zero_based):
    X, y = problem
    dump_svmlight_file(X, y, str(tmp_path / "text"), zero_based=zero_based)
    file = tmp_path / "data.svm"
    file.write_bytes(zip_text(b"# a comment\n\n" + (tmp_path / "text").read_bytes()))
    dataset.convert(file, tmp_path / "data", columns_from=0 if zero_based else None)
    check(tmp_path / "data", *regiht.datasets.load_libsvm(file, zero_based=zero_based))
    assert dataset.open(tmp_path / "data").columns_from == (0 if zero_based else 1)


@pytest.mark.usefixtures("memory")
def test_float32_has_the_bits_of_the_reader_in_memory(problem, tmp_path):
    dump_svmlight_file(*problem, str(tmp_path / "data.svm"))
    dataset.convert(tmp_path / "data.svm", tmp_path / "data", dtype=np.float32, n_features=70)
    X, y = regiht.datasets.load_libsvm(tmp_path / "data.svm", dtype=np.float32, n_features=70)
    check(tmp_path / "data", X, y)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("kind", ["csr", "csc"])
def test_npz_files_of_scipy(problem, tmp_path, kind):
    X, _ = problem
    for number, compressed in enumerate((False, True)):
        file = tmp_path / f"{number}.npz"
        sparse.save_npz(file, X.asformat(kind), compressed=compressed)
        dataset.convert(file, tmp_path / f"data{number}")
    check(tmp_path / "data0", X, None)
    assert (tmp_path / "data0/header.json").read_bytes() == (
        tmp_path / "data1/header.json"
    ).read_bytes()


@pytest.mark.usefixtures("memory")
def test_npz_files_with_targets(problem, tmp_path):
    X, y = problem
    np.savez(
        tmp_path / "a.npz", data=X.data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=y
    )
    dataset.convert(tmp_path / "a.npz", tmp_path / "data")
    check(tmp_path / "data", X, y)
    np.savez(tmp_path / "b.npz", X=X.toarray(), y=y)
    dataset.convert(tmp_path / "b.npz", tmp_path / "dense")
    assert (tmp_path / "dense/values.npy").read_bytes() == (
        tmp_path / "data/values.npy"
    ).read_bytes()


@pytest.mark.usefixtures("memory")
def test_columns_whose_rows_are_in_disorder_are_sorted(problem, tmp_path):
    X = problem[0].tocsc()
    order = np.concatenate(
        [np.arange(a, b)[::-1] for a, b in zip(X.indptr[:-1], X.indptr[1:], strict=True)]
    )
    np.savez(
        tmp_path / "a.npz", data=X.data[order], indices=X.indices[order], indptr=X.indptr,
        shape=X.shape, format="csc",
    )  # fmt: skip
    dataset.convert(tmp_path / "a.npz", tmp_path / "data")
    check(tmp_path / "data", X, None)


@pytest.mark.usefixtures("memory")
def test_matrix_market(problem, tmp_path):
    X, _ = problem
    X = X.tocoo()
    order = np.random.default_rng(0).permutation(X.nnz)
    shuffled = sparse.coo_array((X.data[order], (X.row[order], X.col[order])), shape=X.shape)
    io.mmwrite(tmp_path / "a.mtx", shuffled, comment="two\nlines")
    dataset.convert(tmp_path / "a.mtx", tmp_path / "data")
    check(tmp_path / "data", io.mmread(tmp_path / "a.mtx"), None)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("symmetry", ["symmetric", "skew-symmetric"])
@pytest.mark.parametrize("field", ["real", "pattern"])
def test_matrix_market_of_symmetric_matrices(tmp_path, symmetry, field):
    rng = np.random.default_rng(0)
    lower = sparse.tril(sparse.random_array((30, 30), density=0.3, rng=rng), k=-1)
    if field == "pattern":
        lower.data[:] = 1.0
    sign = 1 if symmetry == "symmetric" else -1
    io.mmwrite(tmp_path / "a.mtx", lower + sign * lower.T, field=field, symmetry=symmetry)
    dataset.convert(tmp_path / "a.mtx", tmp_path / "data")
    found = dataset.open(tmp_path / "data").matrix.toarray()
    np.testing.assert_allclose(found, io.mmread(tmp_path / "a.mtx").toarray(), rtol=1e-15)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("labels", ["numbers", "text"])
def test_csv_text(problem, tmp_path, labels):
    X, y = problem
    if labels == "text":
        y = np.where(y > 0, 'a "good", one', "bad")
    names = [f"column {j}" for j in range(X.shape[1])]
    rows = [
        ",".join([*(repr(float(cell)) for cell in row), '"' + str(label).replace('"', '""') + '"'])
        for row, label in zip(X.toarray(), y, strict=True)
    ]
    text = "\n".join([",".join([*names, "class"]), *rows]).encode()
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbf" + text)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(text))
    for number, name in enumerate(("a.csv", "a.csv.gz")):
        dataset.convert(tmp_path / name, tmp_path / f"data{number}", target="class")
        assert dataset.open(tmp_path / f"data{number}").target == "class"
    check(tmp_path / "data0", X, y, names)


@pytest.mark.usefixtures("memory")
def test_parquet(problem, tmp_path):
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    X, y = problem
    names = [f"column {j}" for j in range(X.shape[1])]
    frame = pandas.DataFrame(X.toarray(), columns=names)
    frame.insert(2, "class", np.where(y > 0, "good", "bad"))
    frame.to_parquet(tmp_path / "a.parquet")
    dataset.convert(tmp_path / "a.parquet", tmp_path / "data", target="class")
    check(tmp_path / "data", X, frame["class"].to_numpy(), names)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("kind", ["csr", "csc"])
@pytest.mark.parametrize("labels", ["numbers", "text", "categories"])
def test_h5ad(problem, tmp_path, kind, labels):
    h5py = pytest.importorskip("h5py")
    X, y = problem
    if labels != "numbers":
        y = np.where(y > 0, "good", "bad")
    stored = X.asformat(kind)
    with h5py.File(tmp_path / "a.h5ad", "w") as file:
        group = file.create_group("X")
        group.attrs.update({"encoding-type": f"{kind}_matrix", "shape": X.shape})
        for name in ("data", "indices", "indptr"):
            group[name] = getattr(stored, name)
        file.create_group("var").attrs["_index"] = "gene"
        file["var/gene"] = [f"g{j}" for j in range(X.shape[1])]
        if labels == "categories":
            file["obs/class/categories"] = ["bad", "good"]
            file["obs/class/codes"] = (y == "good").astype(np.int8)
        else:
            file["obs/class"] = y.tolist()
    dataset.convert(tmp_path / "a.h5ad", tmp_path / "data", target="class")
    check(tmp_path / "data", X, y, [f"g{j}" for j in range(X.shape[1])])
    with pytest.raises(regiht.InvalidArgumentError, match="no column 'klass'"):
        dataset.convert(tmp_path / "a.h5ad", tmp_path / "other", target="klass")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.svm", b"1 1:2\n1 3:x\n", "a.svm, line 2: the value is not a number"),
        ("a.svm", b"1 1:2\n" * 500 + b"1 2:1 1:1\n", "line 501: columns must ascend"),
        ("a.svm", b"1 1:2\n1 999999999999999:1\n", "nearly all columns are empty"),
        ("a.svm", b"# nothing\n", "no rows or no columns"),
        ("a.svm", b"", "no rows or no columns"),
        ("a.csv", b"", "is empty"),
        ("a.csv", b"a,y\n1,2\n,3\n", "row 2 has '' in column 'a'"),
        ("a.csv", b"a,y\n1,2\ntext,3\n", "row 2 has 'text' in column 'a'"),
        ("a.csv", b"a,y\n1,2\ninf,3\n", "row 2 has 'inf' in column 'a'"),
        ("a.csv", b"a,y\n1,2,3\n", "row 1 has 3 cells instead of 2"),
        ("a.csv", b"a,a\n1,2\n", "two columns called 'a'"),
        ("a.csv", b"a\n1\n", "needs a column of features and one of targets"),
        ("a.csv", "é,y\n1,2\n".encode("latin-1"), "it is not CSV text in UTF-8"),
        ("a.csv", b"a,y\n1,2\n3,\n", "row 2 has nothing in column 'y'"),
        ("a.csv", b"a,y\n1,2\n3,nan\n", "y must not contain NaN"),
        ("a.npz", b"no zip", "not an npz file"),
        ("a.parquet", b"no parquet", "not a Parquet file"),
        ("a.mtx", b"1 2 3\n", "does not begin with"),
        ("a.mtx", b"%%MatrixMarket matrix array real general\n2 2\n", "does not begin with"),
        ("a.mtx", b"%%MatrixMarket matrix coordinate complex general\n", "not supported"),
        ("a.mtx", b"%%MatrixMarket matrix coordinate real general\n%\n", "no line with rows"),
        ("a.mtx", b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", "1 entries"),
        ("a.mtx", b"%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n", "outside"),
        ("a.mtx", b"%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", "square"),
        ("a.mtx", b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n", "a line is not"),
        (
            "a.mtx",
            b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 1 2\n",
            "not in order, or twice",
        ),
    ],
)
def test_files_that_cannot_be_converted_leave_nothing(tmp_path, name, text, message):
    (tmp_path / name).write_bytes(text)
    with pytest.raises(ValueError, match=re.escape(message)):
        dataset.convert(tmp_path / name, tmp_path / "data")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_compressed_file_that_ends_early_is_named(tmp_path):
    rng = np.random.default_rng(0)
    text = b"".join(b"1 1:%d\n" % number for number in rng.integers(0, 10**9, 20_000))
    (tmp_path / "a.svm.gz").write_bytes(gzip.compress(text)[:-2000])
    with pytest.raises(OSError, match=r"a\.svm\.gz is damaged"):
        dataset.convert(tmp_path / "a.svm.gz", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_npz_files_that_lead_out_of_the_matrix(problem, tmp_path):
    X, _ = problem
    good = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape}
    wrong = X.indices.copy()
    wrong[3] = 60
    falling = X.indptr.copy()
    falling[3] = 10**6
    for change, message in [
        ({"indices": wrong}, "not between 0 and 59"),
        ({"indptr": falling}, "does not rise"),
        ({"indptr": X.indptr[:-1]}, "no list of 401 integers"),
        ({"data": X.data[:-1]}, "goes beyond"),
        ({"indices": X.data}, "no integers"),
        ({"y": np.ones(3)}, "targets of shape"),
        ({"format": "coo"}, "not CSR or CSC"),
    ]:
        np.savez(tmp_path / "a.npz", **(good | change))
        with pytest.raises(regiht.InvalidArgumentError, match=message):
            dataset.convert(tmp_path / "a.npz", tmp_path / "data")


def test_options_of_other_kinds_of_files_are_refused(tmp_path):
    for name, options in [
        ("a.csv", {"columns_from": 1}), ("a.csv", {"n_features": 3}), ("a.svm", {"target": "y"}),
    ]:  # fmt: skip
        (tmp_path / name).write_text("a,y\n1,2\n")
        with pytest.raises(regiht.InvalidArgumentError, match=r"(is|are) for"):
            dataset.convert(tmp_path / name, tmp_path / "data", **options)
    with pytest.raises(FileNotFoundError):
        dataset.convert(tmp_path / "nothing", tmp_path / "data")
    (tmp_path / "b.csv").write_text("price,size\n1,2\n")
    with pytest.raises(regiht.InvalidArgumentError, match="did you mean 'price'"):
        dataset.convert(tmp_path / "b.csv", tmp_path / "data", target="prize")


def test_write_takes_a_file(problem, tmp_path):
    sparse.save_npz(tmp_path / "a.npz", problem[0])
    dataset.write(tmp_path / "data", tmp_path / "a.npz", dtype=np.float32)
    assert dataset.open(tmp_path / "data").dtype == np.float32
    with pytest.raises(regiht.InvalidArgumentError, match="which has its own"):
        dataset.write(tmp_path / "other", tmp_path / "a.npz", problem[1])


@pytest.mark.usefixtures("memory")
def test_many_columns_that_hardly_occur(tmp_path):
    rng = np.random.default_rng(0)
    lines = [f"1 {j}:1" for j in rng.integers(1, 3_000_000, 500)]
    (tmp_path / "a.svm").write_text("\n".join(lines))
    dataset.convert(tmp_path / "a.svm", tmp_path / "data")
    check(tmp_path / "data", *regiht.datasets.load_libsvm(tmp_path / "a.svm"))


def test_a_file_without_lines_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("regiht.dataset._sources.libsvm._PIECE_BYTES", 1000)
    monkeypatch.setattr("regiht.dataset._sources.libsvm._LONGEST_LINE", 10_000)
    (tmp_path / "a.bin").write_bytes(bytes(20_000))
    with pytest.raises(regiht.InvalidArgumentError, match=r"is it text\?"):
        dataset.convert(tmp_path / "a.bin", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_lines_longer_than_a_piece(problem, tmp_path, monkeypatch):
    monkeypatch.setattr("regiht.dataset._sources.libsvm._PIECE_BYTES", 30)
    dump_svmlight_file(*problem, str(tmp_path / "a.svm"))
    dataset.convert(tmp_path / "a.svm", tmp_path / "data")
    check(tmp_path / "data", *regiht.datasets.load_libsvm(tmp_path / "a.svm"))


@pytest.mark.parametrize(
    ("kind", "y"), [("string", ["a", None]), ("Int64", [1, None]), ("boolean", [True, None])]
)
def test_targets_that_are_missing_in_parquet_were_a_class_called_none(tmp_path, kind, y):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": [1.0, 2.0], "y": pd.array(y, dtype=kind)})
    frame.to_parquet(tmp_path / "a.parquet")
    with pytest.raises(regiht.InvalidArgumentError, match="column 'y' has cells that are empty"):
        dataset.convert(tmp_path / "a.parquet", tmp_path / "data")


def test_dates_in_parquet_were_targets_in_microseconds(tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": [1.0, 2.0], "y": pd.to_datetime(["2020-01-01", "2020-01-02"])})
    frame.to_parquet(tmp_path / "a.parquet")
    with pytest.raises(regiht.InvalidArgumentError, match="y must hold real numbers"):
        dataset.convert(tmp_path / "a.parquet", tmp_path / "data")


def test_targets_that_are_not_finite_in_npz_files_were_kept(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.eye(3), y=[0.0, np.nan, 1.0])
    with pytest.raises(regiht.InvalidArgumentError, match="y must not contain NaN"):
        dataset.convert(tmp_path / "a.npz", tmp_path / "data")


@pytest.mark.parametrize("missing", [None, np.nan, 3])
def test_labels_that_are_missing_in_memory_were_a_class_of_that_name(tmp_path, missing):
    y = np.array(["a", missing, "b"], dtype=object)
    with pytest.raises(regiht.InvalidArgumentError, match=r"a label in every row.* y\[1\] is"):
        dataset.write(tmp_path / "data", np.eye(3), y)


def test_numbers_as_objects_were_labels(tmp_path):
    dataset.write(tmp_path / "data", np.eye(3), np.array([0, 1, 2], dtype=object))
    assert dataset.open(tmp_path / "data").y.tolist() == [0, 1, 2]


def test_half_precision_in_an_npz_file_was_an_error_of_scipy(tmp_path):
    X = np.arange(6.0).reshape(3, 2)
    np.savez(tmp_path / "a.npz", X=X.astype(np.float16))
    dataset.convert(tmp_path / "a.npz", tmp_path / "data")
    check(tmp_path / "data", X, None)


@pytest.mark.parametrize("at", [90, 200, 1000])
def test_an_npz_file_with_a_changed_byte_was_an_error_of_zipfile(tmp_path, at):
    np.savez(tmp_path / "a.npz", X=np.arange(600.0).reshape(-1, 2), y=np.arange(300.0))
    content = bytearray((tmp_path / "a.npz").read_bytes())
    content[at] ^= 0xFF
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(regiht.InvalidArgumentError, match="npz"):
        dataset.convert(tmp_path / "a.npz", tmp_path / "data")


@pytest.mark.parametrize("missing", ["data", "indptr", "shape", "a group"])
def test_an_h5ad_file_without_an_array_was_an_error_of_h5py(problem, tmp_path, missing):
    h5py = pytest.importorskip("h5py")
    X = problem[0]
    with h5py.File(tmp_path / "a.h5ad", "w") as file:
        group = file.create_group("X")
        group.attrs["encoding-type"] = "csr_matrix"
        if missing != "shape":
            group.attrs["shape"] = X.shape
        for name in {"data", "indices", "indptr"} - {missing}:
            group[name] = getattr(X, name)
        if missing == "a group":
            del group["data"]
            group.create_group("data")
    with pytest.raises(regiht.InvalidArgumentError, match=r"has no array|does not say its shape"):
        dataset.convert(tmp_path / "a.h5ad", tmp_path / "data")

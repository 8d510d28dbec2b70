"""The reader of LIBSVM text."""

from __future__ import annotations

import bz2
import gzip
import lzma
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from regiht import InvalidArgumentError, _core, datasets

PACKERS = {"plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.fixture
def load(tmp_path):
    def load(text, **options):
        path = tmp_path / "data"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return datasets.load_libsvm(path, **options)

    return load


def as_text(X, y, base=1):
    X = sparse.csr_matrix(X)
    return "".join(
        " ".join([
            repr(float(label)),
            *(f"{j + base}:{float(v)!r}" for j, v in zip(X.indices[a:b], X.data[a:b], strict=True)),
        ])
        + "\n"
        for label, a, b in zip(y, X.indptr[:-1], X.indptr[1:], strict=True)
    )  # fmt: skip


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_was_written_is_read(tmp_path, packing, dtype):
    X = sparse.random(300, 70, 0.1, random_state=1, format="csr", dtype=np.float64) * 1e3
    y = np.random.default_rng(0).standard_normal(300)
    path = tmp_path / "anything"
    path.write_bytes(PACKERS[packing](as_text(X, y).encode()))
    read, labels = datasets.load_libsvm(path, n_features=70, dtype=dtype)
    np.testing.assert_array_equal(labels, y)
    assert read.format == "csr"
    assert (read.shape, read.dtype, read.indices.dtype) == ((300, 70), dtype, np.int32)
    np.testing.assert_array_equal(read.indptr, X.indptr)
    np.testing.assert_array_equal(read.indices, X.indices)
    np.testing.assert_array_equal(read.data, X.data.astype(dtype))


def test_everything_that_is_allowed_in_a_line(load):
    text = (
        "\ufeff+1 1:2 3:-4.5e-1\r\n"
        "\n"
        "# a comment, 1:x\n"
        "   \t\n"
        "-1 qid:7 2:.5\t4:+1E2   # rest: ignored\n"
        "0.25\n"
        "3 qid:1\n"
        "1 4:0"
    )
    X, y = load(text)
    np.testing.assert_array_equal(y, [1, -1, 0.25, 3, 1])
    expected = [[2, 0, -0.45, 0], [0, 0.5, 0, 100], [0] * 4, [0] * 4, [0] * 4]
    np.testing.assert_array_equal(X.toarray(), expected)
    assert X.nnz == 5  # a stored zero stays


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1:2 3:4", 'no label before "1:2"'),
        ("one 1:2", 'the label is not a number: "one"'),
        ("1,2 1:2", 'the label is not a number: "1,2"'),
        ("nan 1:2", 'the label is not a number: "nan"'),
        ("1e999 1:2", 'the label is too large: "1e999"'),
        ("1 2", 'expected column:value, got "2"'),
        ("1 a:2", 'expected column:value, got "a:2"'),
        ("1 -1:2", 'expected column:value, got "-1:2"'),
        ("1 1.5:2", 'expected column:value, got "1.5:2"'),
        ("1 :2", 'expected column:value, got ":2"'),
        ("1 1:2 qid:1", 'expected column:value, got "qid:1"'),
        ("1 qid: 1:2", 'qid is not a number: "qid:"'),
        ("1 1234567890123456789:2", 'the column number is too large: "1234567890123456789:2"'),
        ("1 2:1 2:1", 'columns must ascend, and 2 comes before "2:1"'),
        ("1 3:1 2:1", 'columns must ascend, and 3 comes before "2:1"'),
        ("1 1:", 'the value is not a number: "1:"'),
        ("1 1: 2", 'the value is not a number: "1:"'),
        ("1 1:x", 'the value is not a number: "1:x"'),
        ("1 1:2x", 'the value is not a number: "1:2x"'),
        ("1 1:1e", 'the value is not a number: "1:1e"'),
        ("1 1:nan", 'the value is not a number: "1:nan"'),
        ("1 1:inf", 'the value is not a number: "1:inf"'),
        ("1 1:0x10", 'the value is not a number: "1:0x10"'),
        ("1 1:1e400", 'the value is too large: "1:1e400"'),
        ("1 1:2:3", 'the value is not a number: "1:2:3"'),
        ("1 1:\x00é", 'the value is not a number: "1:???"'),
        ("1 1:" + "y" * 99, 'the value is not a number: "1:' + "y" * 38 + '..."'),
    ],
)
def test_a_malformed_line_is_named_with_the_reason(load, tmp_path, line, reason):
    with pytest.raises(ValueError, match="line 3") as caught:
        load(f"1 1:1\n\n{line}\n1 1:1\n")
    assert str(caught.value) == f"{tmp_path / 'data'}, line 3: {reason}"


def test_a_value_too_large_for_float32(load):
    assert load("1 1:1e39")[0][0, 0] == 1e39
    with pytest.raises(ValueError, match=r'line 1: the value is too large: "1:1e39"'):
        load("1 1:1e39", dtype=np.float32)


def test_columns_from_0_and_from_1(load):
    assert load("1 1:5\n")[0].toarray().tolist() == [[5]]
    assert load("1 2:5\n1 0:1\n")[0].toarray().tolist() == [[0, 0, 5], [1, 0, 0]]
    assert load("1 1:5\n", zero_based=True)[0].toarray().tolist() == [[0, 5]]
    with pytest.raises(ValueError, match="has a column 0"):
        load("1 0:5\n", zero_based=False)


def test_number_of_columns(load):
    assert load("1 2:5\n")[0].shape == (1, 2)
    assert load("1 2:5\n", n_features=9)[0].shape == (1, 9)
    assert load("1\n0\n")[0].shape == (2, 1)
    with pytest.raises(ValueError, match="line 2: column 12 is beyond n_features=11"):
        load("1 3:1\n1 2:5 12:1\n", n_features=11)
    with pytest.raises(ValueError, match="line 1: column 11 is beyond n_features=11"):
        load("1 0:1 11:1\n", n_features=11)


def test_huge_column_numbers_take_64_bits(load):
    X, _ = load("1 1:1 2147483647:2\n1 5:1\n")
    assert X.indices.dtype == np.int32
    X, _ = load("1 1:1 2147483648:2 999999999999999999:3\n1 5:4\n")
    assert X.indices.dtype == np.int64
    assert X.indices.tolist() == [0, 2147483647, 999999999999999998, 4]
    assert X.data.tolist() == [1, 2, 3, 4]


def test_options_are_checked(load):
    for options in ({"n_features": 0}, {"dtype": int}, {"dtype": "word"}, {"zero_based": 1}):
        with pytest.raises(InvalidArgumentError, match=next(iter(options))):
            load("1 1:1", **options)


@pytest.mark.parametrize("text", ["", "\n\r\n# nothing\n"])
def test_a_file_without_rows(load, text):
    with pytest.raises(ValueError, match="holds no rows"):
        load(text)


def test_files_that_are_not_there_or_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        datasets.load_libsvm(tmp_path / "none")
    text = as_text(np.random.default_rng(0).standard_normal((50, 20)), np.ones(50)).encode()
    for name, pack in PACKERS.items():
        if name != "plain":
            (tmp_path / name).write_bytes(pack(text)[:-40])
            with pytest.raises(OSError, match="damaged"):
                datasets.load_libsvm(tmp_path / name)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1), st.integers(1, 40))
def test_values_are_the_nearest_doubles(values, cut):
    """In any piecing of the text, and with more digits than a double holds."""
    for style in ("{!r}", "{:.25e}", "{:.0f}", "{:.3f}"):
        words = [style.format(value) for value in values]
        line = " ".join(["1", *(f"{j}:{word}" for j, word in enumerate(words, 1))]).encode()
        reader = _core.LibsvmReader()
        for start in range(0, len(line), cut):
            reader.feed(line[start : start + cut])
        np.testing.assert_array_equal(reader.finish()["values"], [float(word) for word in words])


def test_subnormal_and_vanishing_values(load):
    words = [
        "4.9e-324",
        "2.4e-324",
        "1e-400",
        "0e99999999999",
        "-0.0",
        "1" + "0" * 300,
        "9007199254740993",
    ]
    X, _ = load("1 " + " ".join(f"{j}:{word}" for j, word in enumerate(words, 1)))
    np.testing.assert_array_equal(X.data, [float(word) for word in words])
    assert np.signbit(X.data[4])


def test_lines_longer_than_a_piece_of_the_file(load):
    x = np.random.default_rng(3).standard_normal(120_000)  # some 3 MB
    X, y = load(as_text(np.stack([x, -x]), [1, 2]))
    np.testing.assert_array_equal(X.toarray(), [x, -x])
    np.testing.assert_array_equal(y, [1, 2])


def test_text_with_gaps_between_its_bytes_is_refused():
    text = b"1 1:2 3:4\n"
    spread = memoryview(bytes(byte for pair in zip(text, b"7" * len(text), strict=True)
                              for byte in pair))  # fmt: skip
    assert bytes(spread[::2]) == text
    with pytest.raises(TypeError, match="contiguous"):
        _core.LibsvmReader().feed(spread[::2])


def test_reads_in_several_threads(tmp_path):
    x = np.random.default_rng(4).standard_normal((200, 50))
    (tmp_path / "data").write_text(as_text(x, np.ones(200)))
    read = []
    threads = [
        threading.Thread(target=lambda: read.append(datasets.load_libsvm(tmp_path / "data")[0]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for X in read:
        np.testing.assert_array_equal(X.toarray(), x)
    assert len(read) == 4

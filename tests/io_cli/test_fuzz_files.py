"""Files of random and of damaged bytes: an answer or the documented error, nothing else.

The examples are the same in every run; HYPOTHESIS_PROFILE=explore looks for new ones.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("sklearn", minversion="1.6")

import regiht
from regiht.cli._data_files import read_table
from regiht.datasets import load_libsvm

EXAMPLES = settings(
    max_examples=max(100, settings().max_examples),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

# What readers of text and of numbers tend to stumble over.
TOKENS = [
    b"\0", b"\n", b"\r", b",", b'"', b":", b" ", b"#", b"-", b"_", b"1", b"0:1", b"nan", b"inf",
    b"1e999", b"-1", b"99999999999999999999", b"\xff", b"\xef\xbb\xbf", b"[", b"{", b"}", b"null",
    b"true", b"qid:1", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80",
]  # fmt: skip


@st.composite
def damaged(draw, whole):
    """Bytes of a good file after a few accidents."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["change", "insert", "remove", "repeat", "end"])):
            case "change" if at < len(data):
                data[at] = draw(st.integers(0, 255))
            case "insert":
                data[at:at] = draw(st.one_of(st.sampled_from(TOKENS), st.binary(max_size=6)))
            case "remove":
                del data[at : at + draw(st.integers(1, 20))]
            case "repeat":
                data[at:at] = data[at : at + draw(st.integers(1, 40))]
            case "end":
                del data[at:]
    return bytes(data)


def bytes_like(whole):
    return st.one_of(damaged(whole), st.binary(max_size=200), st.lists(
        st.sampled_from(TOKENS), max_size=30).map(b"".join))  # fmt: skip


def saved(model, suffix, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / f"model{suffix}"
    regiht.save_model(model, path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A function from kinds to the bytes of good files."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5)).round(3)
    labels = np.digitize(X[:, 1] - X[:, 3], [-0.7, 0.7])
    model = regiht.SparseClassifier(2).fit(X, np.array(["no", "perhaps", "yes"])[labels])
    rows = [",".join(map(str, [*row, label])) for row, label in zip(X[:8], labels[:8], strict=True)]
    text = "".join(
        f"{label} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(row)) + " # comment\n"
        for row, label in zip(X[:8], labels[:8], strict=True)
    ).encode()
    arrays = io.BytesIO()
    np.savez_compressed(arrays, X=X, y=labels, feature_names=list("abcde"))
    coded = io.BytesIO()
    np.savez(
        coded, data=X[:4].ravel(), indices=np.tile(np.arange(5, dtype=np.int32), 4),
        indptr=np.arange(0, 21, 5), shape=(4, 5), y=labels[:4],
    )  # fmt: skip
    contents = {
        "json": saved(model, ".json", tmp_path_factory),
        "npz": saved(model, ".npz", tmp_path_factory),
        "csv": ("a,b,c,d,e,y\n" + "\n".join(rows) + "\n").encode(),
        "svm": text,
        "dense": arrays.getvalue(),
        "sparse": coded.getvalue(),
    }
    return contents.__getitem__


def load_or_refuse(path):
    """Load a model; what was loaded can be used."""
    try:
        model = regiht.load_model(path, max_coefficients=10**6)
    except regiht.InvalidArgumentError as error:
        assert path.name in str(error)  # noqa: PT017  (most examples are refused)
        return
    assert np.isfinite(model.coef_).all()
    assert model.predict(np.zeros((2, model.n_features_in_))).shape == (2,)
    assert model.get_support().sum() == model.support_.size
    assert isinstance(model.status_, (list, regiht.Status))


@EXAMPLES
@given(data=st.data())
@pytest.mark.parametrize("suffix", ["json", "npz"])
def test_model_files_of_any_bytes(suffix, data, files, tmp_path):
    path = tmp_path / f"model.{suffix}"
    path.write_bytes(data.draw(bytes_like(files(suffix))))
    load_or_refuse(path)


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=5),
        st.sampled_from(["|O", "<U2", "<f8", "<M8[s]", "SparseRegressor", "logistic", "diverged"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)  # fmt: skip


def places(value, path=()):
    """Where the parts of a JSON value are."""
    yield path
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, key))


def changed(value, where, other):
    if not where:
        return other
    copy = value.copy()
    copy[where[0]] = changed(value[where[0]], where[1:], other)
    return copy


@EXAMPLES
@given(data=st.data())
def test_model_files_with_parts_of_any_kind(data, files, tmp_path):
    content = json.loads(files("json"))
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.sampled_from(list(places(content))))
        content = changed(content, where, data.draw(VALUES))
        if not isinstance(content, dict):
            break
    path = tmp_path / "model.json"
    path.write_bytes(json.dumps(content).encode("utf-8", "surrogatepass"))
    load_or_refuse(path)


@EXAMPLES
@given(data=st.data())
@pytest.mark.parametrize("kind", ["npz", "dense", "sparse"])
def test_archives_with_damaged_arrays(kind, data, files, tmp_path):
    """The archive is whole, so that the damage comes through to what reads the arrays."""
    with zipfile.ZipFile(io.BytesIO(files(kind))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = data.draw(st.sampled_from(sorted(members)))
    members[name] = data.draw(damaged(members[name]))
    path = tmp_path / "arrays.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in members.items():
            archive.writestr(each, content)
    if kind == "npz":
        load_or_refuse(path)
    else:
        read_or_refuse(path)


def test_names_of_characters_that_do_not_exist_were_an_internal_error(tmp_path):
    path = tmp_path / "table.npz"
    names = np.frombuffer(np.array([97, 0x01000062], np.uint32).tobytes(), "<U1")
    np.savez(path, X=np.eye(2), feature_names=names)
    with pytest.raises(regiht.InvalidArgumentError, match="characters that do not exist"):
        read_table(path)


def read_or_refuse(path):
    """Read data; rows and targets belong together."""
    try:
        table = read_table(path)
    except regiht.InvalidArgumentError as error:
        assert path.name in str(error)  # noqa: PT017
        return
    assert table.y.shape == (table.X.shape[0],)
    assert len(table.named()) == table.X.shape[1]


@EXAMPLES
@given(data=st.data())
@pytest.mark.parametrize("kind", ["csv", "dense", "sparse"])
def test_data_files_of_any_bytes(kind, data, files, tmp_path):
    path = tmp_path / ("data.csv" if kind == "csv" else "data.npz")
    path.write_bytes(data.draw(bytes_like(files(kind))))
    read_or_refuse(path)


@EXAMPLES
@given(data=st.data())
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_libsvm_files_of_any_bytes(pack, data, files, tmp_path):
    path = tmp_path / "data.svm"
    inside = data.draw(st.booleans(), label="damage is inside")
    whole = files("svm")
    path.write_bytes(
        pack(data.draw(bytes_like(whole))) if inside else data.draw(damaged(pack(whole)))
    )
    try:
        X, y = load_libsvm(path)
    except (ValueError, OSError) as error:
        assert path.name in str(error)  # noqa: PT017
        return
    assert X.shape[0] == y.size > 0
    assert np.isfinite(X.data).all()
    assert np.isfinite(y).all()
    assert X.indices.size == 0 or 0 <= X.indices.min() <= X.indices.max() < X.shape[1]

"""A matrix cut into shards: the same rows, written in little memory and after interruptions."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

import regiht
from regiht import cli, dataset
from regiht._inputs.checks.stored_matrices import check_stored_header
from regiht._inputs.checks.stored_shards import check_shards_header


@pytest.fixture
def text(problem, tmp_path):
    dump_svmlight_file(*problem, str(tmp_path / "a.svm"), zero_based=False)
    return tmp_path / "a.svm"


def content(folder):
    """All files below a folder, by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def whole(path):
    shards = dataset.open_shards(path)
    return sparse.vstack([each.matrix for each in shards]), np.concatenate([s.y for s in shards])


@pytest.mark.parametrize(("rows", "shards"), [(400, 1), (400, 3), (7, 7)])
def test_shards_hold_the_rows_in_their_order(problem, tmp_path, rows, shards):
    X, y = (each[:rows] for each in problem)
    dataset.write(tmp_path / "shards", X, y, shards=shards)
    found, targets = whole(tmp_path / "shards")
    assert np.array_equal(found.toarray(), X.toarray())
    assert np.array_equal(targets, y)
    heights = [each.shape[0] for each in dataset.open_shards(tmp_path / "shards")]
    assert len(heights) == shards
    assert max(heights) - min(heights) <= 1


def test_a_shard_has_the_files_of_its_rows_written_alone(problem, tmp_path):
    X, y = problem
    dataset.write(tmp_path / "shards", X, y, shards=2, dtype=np.float32)
    dataset.write(tmp_path / "alone", X[200:], y[200:], dtype=np.float32)
    assert content(tmp_path / "shards" / "00001") == content(tmp_path / "alone")


def test_chunks_that_come_one_by_one_are_cut_elsewhere(problem, tmp_path):
    X, y = problem
    chunks = ((X[k : k + 130], y[k : k + 130]) for k in range(0, 400, 130))
    dataset.write(tmp_path / "shards", chunks, shards=3)
    dataset.write(tmp_path / "expected", X, y, shards=3)
    assert content(tmp_path / "shards") == content(tmp_path / "expected")


def test_labels_of_a_table_are_text_in_all_shards_if_they_are_in_one(tmp_path):
    (tmp_path / "a.csv").write_text("size,kind\n" + "1,7\n" * 5 + "2,red\n")
    dataset.convert(tmp_path / "a.csv", tmp_path / "out", shards=2)
    first, second = dataset.open_shards(tmp_path / "out")
    assert first.y.tolist() == ["7"] * 3
    assert second.y.tolist() == ["7", "7", "red"]
    assert (second.feature_names, second.target) == (["size"], "kind")


def test_the_command_makes_and_describes_them(text, tmp_path, capsys):
    out = tmp_path / "out"
    assert cli.main(["convert", str(text), str(out), "--shards", "3", "--memory", "64M"]) == 0
    assert "3, of 133 to 134 samples" in capsys.readouterr().out
    assert cli.main(["info", str(out), "--verify"]) == 0
    printed = capsys.readouterr().out
    assert "400" in printed
    assert "numbers from 0 to 1" in printed
    assert "all right" in printed
    assert sorted(path.name for path in out.iterdir()) == ["00000", "00001", "00002", "header.json"]
    assert np.array_equal(whole(out)[0].toarray(), regiht.datasets.load_libsvm(text)[0].toarray())
    assert dataset.open(out / "00002").columns_from == 1
    values = out / "00002" / "values.npy"
    values.write_bytes(values.read_bytes()[:-1] + b"x")
    assert cli.main(["info", str(out), "--verify"]) == 1
    assert "its checksum differs" in capsys.readouterr().err


def test_what_takes_one_matrix_says_that_these_are_shards(directory, problem, tmp_path, capsys):
    dataset.write(tmp_path / "shards", *problem, shards=2)
    assert cli.main(["fit", str(tmp_path / "shards")]) == 1
    assert "it holds shards" in capsys.readouterr().err
    with pytest.raises(regiht.InvalidArgumentError, match="it holds one matrix and no shards"):
        dataset.open_shards(directory)


class Interrupted(BaseException):
    """What a kill would be."""


def stopping(after):
    """A report that ends a conversion after so many steps, and the shares that it was told."""
    told = []

    def report(share):
        told.append(share)
        if len(told) == after:
            raise Interrupted

    return told, report


def test_interrupted_after_every_step_the_files_are_the_same(text, tmp_path):
    dataset.convert(text, tmp_path / "expected", shards=3)
    out, aside = tmp_path / "out", tmp_path / ".out.part"
    begun = []
    for attempt in range(10):
        told, report = stopping(attempt + 1)
        try:
            dataset.convert(text, out, shards=3, report=report)
        except Interrupted:
            assert aside.exists()
        begun.append(told[0])
        if out.exists():
            break
    assert content(out) == content(tmp_path / "expected")
    assert not aside.exists()
    assert len(begun) > 3
    assert begun == sorted(begun)


def test_what_another_number_of_shards_has_left_is_not_taken(text, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(Interrupted):
        dataset.convert(text, out, shards=4, report=stopping(5)[1])
    dataset.convert(text, out, shards=3)
    dataset.convert(text, tmp_path / "expected", shards=3)
    assert content(out) == content(tmp_path / "expected")


def test_nothing_is_left_of_one_killed_at_its_very_end(text, tmp_path):
    out, aside = tmp_path / "out", tmp_path / ".out.part"
    dataset.convert(text, tmp_path / "expected", shards=3)
    with pytest.raises(Interrupted):
        dataset.convert(text, out, shards=3, report=stopping(4)[1])
    assert (aside / "out" / "00000").exists()
    (aside / "out" / ".00000.part").mkdir(exist_ok=True)
    dataset.convert(text, out, shards=3)
    assert content(out) == content(tmp_path / "expected")
    assert not (out / ".00000.part").exists()


@pytest.mark.parametrize(
    ("shards", "message"),
    [(0, "shards must be"), (2.5, "shards must be"), (401, "at most the number of rows, 400")],
)
def test_a_wrong_number_of_shards_is_refused(text, tmp_path, shards, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        dataset.convert(text, tmp_path / "out", shards=shards)
    assert [path.name for path in tmp_path.iterdir()] == ["a.svm"]


def test_counts_within_little_memory(problem, tmp_path, monkeypatch):
    X, y = problem
    dataset.write(tmp_path / "expected", X, y, shards=3)
    monkeypatch.setattr("regiht.dataset._split._BYTES_OF_A_COUNT", 1 << 24)
    monkeypatch.setattr("regiht.dataset._split._BYTES_IN_A_COUNT", 1 << 22)
    dataset.write(tmp_path / "shards", X, y, shards=3, memory=1 << 26)
    assert content(tmp_path / "shards") == content(tmp_path / "expected")


@pytest.mark.parametrize(
    "header",
    [
        b"", b"[]", b"{}", b'{"regiht_shards": 1}', b'{"regiht_shards": {"version": 1}}',
        b'{"regiht_shards": {"version": 99}}',
    ],
)  # fmt: skip
def test_headers_that_are_none_are_refused_by_both(header):
    for read in (check_shards_header, check_stored_header):
        with pytest.raises(regiht.InvalidArgumentError, match="there cannot be opened"):
            read(header, "there")

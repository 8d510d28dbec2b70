"""``regiht convert`` and ``regiht info`` of a directory."""

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

import regiht
from regiht import cli, dataset


@pytest.fixture
def text(problem, tmp_path):
    dump_svmlight_file(*problem, str(tmp_path / "a.svm"), zero_based=False)
    return tmp_path / "a.svm"


def test_convert_and_info(text, tmp_path, capsys):
    out = str(tmp_path / "out")
    assert cli.main(["convert", str(text), out, "--dtype", "float32", "--memory", "64M"]) == 0
    printed = capsys.readouterr().out
    assert "400" in printed
    assert "float32" in printed
    assert "not compared" in printed
    assert cli.main(["info", out, "--verify"]) == 0
    assert "all right" in capsys.readouterr().out
    X, y = regiht.datasets.load_libsvm(text, dtype=np.float32)
    found = dataset.open(out)
    assert np.array_equal(found.matrix.toarray(), X.toarray())
    assert np.array_equal(found.y, y)


def test_a_damaged_directory_is_told_in_one_line(directory, capsys):
    content = bytearray((directory / "values.npy").read_bytes())
    content[-3] ^= 1
    (directory / "values.npy").write_bytes(content)
    assert cli.main(["info", str(directory)]) == 0
    assert cli.main(["info", str(directory), "--verify"]) == 1
    assert "its checksum is another" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["much", "1.5G", "-1", "10K"])
def test_memory_must_be_a_size(text, tmp_path, capsys, size):
    assert cli.main(["convert", str(text), str(tmp_path / "out"), f"--memory={size}"]) == 1
    assert "memory" in capsys.readouterr().err


def test_labels_are_described_as_classes(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("size,kind\n1,red\n2,blue\n")
    assert cli.main(["convert", str(tmp_path / "a.csv"), str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    assert "'kind', 2 classes" in printed
    assert "named" in printed


def test_verify_alone_is_refused(capsys):
    assert cli.main(["info", "--verify"]) == 1
    assert "needs a directory" in capsys.readouterr().err

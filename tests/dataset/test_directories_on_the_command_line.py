"""``regiht convert`` and ``regiht info`` of a directory."""

import json

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
    assert "its checksum differs" in capsys.readouterr().err


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


@pytest.mark.parametrize("command", ["fit", "cv", "path"])
def test_fits_of_a_directory_are_those_of_its_file(text, tmp_path, capsys, command):
    out = str(tmp_path / "out")
    dataset.convert(text, out)
    options = {
        "fit": ["-s", "3"], "cv": ["--try", "2", "4", "--folds", "3"], "path": ["--max", "3"],
    }  # fmt: skip
    answers = []
    for data in (str(text), out):
        model = str(tmp_path / f"{len(answers)}.json")
        assert cli.main([command, data, *options[command], "--json", "--save", model]) == 0
        answers.append(json.loads(capsys.readouterr().out))
        assert cli.main(["predict", model, data]) == 0
        answers[-1]["predictions"] = capsys.readouterr().out
    assert answers[0]["predictions"] == answers[1]["predictions"]
    if command == "path":
        assert answers[0] == answers[1]
    else:
        first, second = (
            {each["name"]: each["coefficient"] for each in answer["features"]} for answer in answers
        )
        assert first == second
        deviations = [
            [each["per_standard_deviation"] for each in answer["features"]] for answer in answers
        ]
        np.testing.assert_allclose(deviations[1], deviations[0], rtol=1e-12)


@pytest.mark.parametrize("option", [["--target", "y"], ["--columns-from", "1"], ["--impute"]])
def test_options_that_belong_to_the_conversion(directory, capsys, option):
    assert cli.main(["fit", str(directory), *option]) == 1
    assert "belong to `regiht convert`" in capsys.readouterr().err


def test_other_directories_are_refused(tmp_path, capsys):
    assert cli.main(["fit", str(tmp_path)]) == 1
    assert "made by `regiht convert`" in capsys.readouterr().err

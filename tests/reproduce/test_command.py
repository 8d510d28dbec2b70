"""`regiht reproduce` on the command line."""

import sys

import pytest

from regiht import cli
from regiht.reproduce import MODULES


def test_command_line(tmp_path, monkeypatch, capsys, toy):
    module, size = toy("hard-instance")
    monkeypatch.setattr(module, "QUICK", size)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["reproduce", "hard-instance", "--quick"]) == 0
    printed = capsys.readouterr().out
    assert "Report: regiht-report-quick" in printed
    assert (tmp_path / "regiht-report-quick" / "report.html").exists()
    assert cli.main(["reproduce", "hard-instance", "--quick", "--out", "regiht-report-quick"]) == 0
    assert "(done before)" in capsys.readouterr().out


def test_figure_3_is_both_of_its_experiments(tmp_path, monkeypatch, capsys, toy):
    for name in ("hard-instance", "recovery"):
        module, size = toy(name)
        monkeypatch.setattr(module, "QUICK", size)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["reproduce", "fig3", "--quick"]) == 0
    printed = capsys.readouterr().out
    assert "Figure 3, left" in printed
    assert "Figure 3, right" in printed
    assert {path.stem for path in (tmp_path / "regiht-report-quick").glob("*.svg")} == {
        "hard-instance", "recovery",
    }  # fmt: skip


def test_without_names_all_experiments_run(done, capsys):
    assert cli.main(["reproduce", "--quick", "--out", str(done[0])]) == 0
    assert capsys.readouterr().out.count("(done before)") == len(MODULES)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--data-dir", "none"], 1, "--data-dir none is not a folder"),
        (["--reuters", "none"], 1, "--reuters none is not a file"),
        (["--out", "file"], 1, "file"),
    ],
)
def test_wrong_arguments_are_one_line(arguments, code, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert cli.main(["reproduce", "fig1", "--quick", *arguments]) == code
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_an_unknown_experiment_exits_with_2(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["reproduce", "fig9"])
    assert "invalid choice" in capsys.readouterr().err


def test_without_matplotlib_it_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert cli.main(["reproduce", "hard-instance", "--quick"]) == 1
    assert 'pip install "regiht[plot]"' in capsys.readouterr().err
    assert not list(tmp_path.iterdir())

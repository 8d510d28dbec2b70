"""The command line."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import regiht
from regiht import cli, datasets
from regiht.cli import COMMANDS, _console, _paper_demo, _real_data, _word_demo


def command(*arguments, cwd, **options):
    return subprocess.run(
        [sys.executable, "-m", "regiht", *arguments],
        cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False, **options,
    )  # fmt: skip


def test_without_arguments_the_help_is_shown(capsys):
    assert cli.main([]) == 0
    text = capsys.readouterr().out
    assert "regiht demo" in text
    assert "regiht.solve(" in text


@pytest.mark.parametrize("module", COMMANDS, ids=lambda module: module.NAME)
def test_every_command_is_listed_and_teaches(module, capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    assert f" {module.NAME} {module.HELP} " in " ".join(capsys.readouterr().out.split())
    with pytest.raises(SystemExit, match="0"):
        cli.main([module.NAME, "--help"])
    assert module.__doc__.splitlines()[0] in capsys.readouterr().out


def test_version(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out.strip() == f"regiht {regiht.__version__}"


def test_info_tells_what_a_bug_report_needs(capsys):
    assert cli.main(["info"]) == 0
    text = capsys.readouterr().out
    for words in [regiht.__version__, "numpy", *regiht.methods(), *regiht.losses()]:
        assert words in text
    assert regiht.get_include() in text


@pytest.mark.parametrize("arguments", [["nonsense"], ["demo", "--seed", "x"], ["--nonsense"]])
def test_wrong_usage_exits_with_2(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(arguments)
    assert "usage: regiht" in capsys.readouterr().err


def test_errors_are_one_line_without_a_traceback(tmp_path):
    (tmp_path / "file").touch()
    for arguments in (["--out", "file"], ["--seed", "-1"]):
        done = command("demo", "--quick", *arguments, cwd=tmp_path)
        assert done.returncode == cli.FAILED
        assert done.stdout == ""
        assert re.fullmatch(r"regiht: .+\n", done.stderr)


def test_interrupt_is_not_a_traceback(monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(COMMANDS[0], "run", interrupted)
    assert cli.main([COMMANDS[0].NAME]) == cli.INTERRUPTED
    assert "interrupted" in capsys.readouterr().err


def test_a_bug_still_shows_its_traceback(monkeypatch):
    def broken(_):
        raise AssertionError

    monkeypatch.setattr(COMMANDS[0], "run", broken)
    with pytest.raises(AssertionError):
        cli.main([COMMANDS[0].NAME])


def test_a_closed_pipe_is_no_error(run_without_reader, tmp_path):
    run_without_reader("info", cwd=tmp_path)


def test_demo_names_twenty_words_beside_other_methods_and_draws(tmp_path):
    pytest.importorskip("matplotlib")
    done = command("demo", "--quick", "--out", "new/folder", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "new/folder/regiht-demo.png").stat().st_size > 10_000
    assert "regiht-demo.png" in done.stdout
    words = re.findall(r"^(\w+) +[-+][\d.]+ +(?:stats|signal)", done.stdout, re.MULTILINE)
    problem = datasets.load_docstrings()
    assert len(set(words)) == 20
    assert set(words) <= set(problem.feature_names)
    lines = re.findall(r"^(\w+) +([\d.]+) +([\d.]+) %", done.stdout, re.MULTILINE)
    losses = {name: float(loss) for name, loss, _ in lines}
    assert losses.keys() == {"regiht", "OMP", "lasso"}
    assert losses["regiht"] == min(losses.values())
    assert all(50 < float(share) <= 100 for *_, share in lines)
    chosen = [problem.feature_names.index(word) for word in words]
    fitted = regiht.solve(
        problem.X[:, chosen], problem.y, 20, loss="logistic", ridge=0.01, refit=True,
        intercept=True, center=True, scale=True,
    )  # fmt: skip
    assert fitted.fun == pytest.approx(losses["regiht"], abs=0.006)


def test_demo_of_the_paper_begins_with_real_data_compares_and_draws(tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("sklearn")
    done = command("demo", "--paper", "--quick", "--out", "new/folder", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "new/folder/regiht-demo.png").stat().st_size > 10_000
    assert "regiht-demo.png" in done.stdout
    assert "1. Real patients" in done.stdout
    assert "body mass index" in done.stdout
    patients = datasets.load_diabetes()
    path = regiht.sparse_path(patients.X, patients.y, _real_data.TABLE_MOST)
    assert f"\n{path.best_s('ebic')} *" in done.stdout
    assert "2. Real texts" in done.stdout
    assert "of the held-out texts are classified correctly" in done.stdout
    assert "stand-in" in done.stdout.lower()
    assert done.stdout.count("numpy listing, step") == 4
    assert done.stdout.count("step chosen") == 4
    same = re.search(
        r"Largest difference to the listing's x at the same step: (\S+)\.", done.stdout
    )
    assert float(same[1]) < 1e-9
    for block in done.stdout.split("\n\n"):
        if "× listing" in block:  # an aligned table: every line ends in the same column
            assert len({len(line) for line in block.splitlines()}) == 1


@pytest.fixture
def small_demo(tmp_path, monkeypatch):
    """A demonstration of the paper that takes next to no time."""
    monkeypatch.chdir(tmp_path)
    small = _paper_demo.Size(text_shape=(300, 400, 4_000), text_iterations=20, signals=1)
    monkeypatch.setattr(_paper_demo, "QUICK", small)


@pytest.mark.usefixtures("small_demo")
def test_demo_repeats_from_its_seed(capsys):
    def first_value():
        made_up = capsys.readouterr().out.split("Stand-in")[1]
        return re.findall(r"[\d.]+e[-+]\d+|\d+\.\d\d ", made_up.split("Times")[0])[0]

    def of_its_text(seed):
        with _console.Steps(total=5) as steps:
            _paper_demo.text_part(_paper_demo.QUICK, seed, steps)
        return first_value()

    assert cli.main(["demo", "--paper", "--quick", "--seed", "1"]) == 0
    assert first_value() == of_its_text(1) != of_its_text(2)


@pytest.mark.usefixtures("small_demo")
def test_demo_without_matplotlib_says_how_to_get_it(tmp_path, capsys, monkeypatch):
    for name in [*sys.modules, "matplotlib"]:
        if name.split(".")[0] == "matplotlib":
            monkeypatch.setitem(sys.modules, name, None)
    assert cli.main(["demo", "--quick", "--paper"]) == 0
    assert 'pip install "regiht[plot]"' in capsys.readouterr().out
    with _console.Steps(total=1) as steps:  # with --paper or without
        said = _word_demo.draw(datasets.tiny(), {}, tmp_path / "demo.png", steps)
    assert 'pip install "regiht[plot]"' in said
    assert not list(tmp_path.iterdir())


def test_progress_is_drawn_on_a_terminal_and_cleared(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with _console.Steps(total=2) as steps:
        steps.begin("first")
        steps.begin("second")
    drawn = capsys.readouterr().err
    assert "1/2  first" in drawn
    assert "2/2  second" in drawn
    assert drawn.endswith(" \r")


def test_table_is_aligned():
    text = _console.table(["", "b"], [["one", "2"], ["three", "400"]])
    assert text.splitlines() == ["         b", "one      2", "three  400"]

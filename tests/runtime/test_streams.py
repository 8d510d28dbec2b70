"""Programs without a console, daemons that closed theirs, and terminals of few characters."""

import contextlib
import io
import os
import subprocess
import sys

import numpy as np
import pytest

import regiht
from regiht import cli

X = np.random.default_rng(0).normal(size=(40, 8))
Y = X[:, 1] - X[:, 4]


def closed():
    stream = io.StringIO()
    stream.close()
    return stream


def show_progress_of_all_kinds():
    regiht.solve(X, Y, 2, progress=True)
    regiht.solve_grid(X, Y, s=[1, 2], progress=True)
    pytest.importorskip("sklearn")
    regiht.SparseRegressor(2, verbose=True).fit(X, Y)
    regiht.SparseRegressorCV([1, 2], verbose=True).fit(X, Y)


@pytest.mark.parametrize("stream", [None, closed()])
def test_progress_without_standard_error_raised(stream, monkeypatch):
    with monkeypatch.context() as changed:
        changed.setattr(sys, "stderr", stream)
        show_progress_of_all_kinds()


@pytest.mark.parametrize("stream", [None, closed()])
def test_explanations_and_commands_without_standard_output_raised(stream, monkeypatch):
    result = regiht.solve(X, Y, 2)
    with monkeypatch.context() as changed:
        changed.setattr(sys, "stdout", stream)
        changed.setattr(sys, "stderr", stream)
        assert "x4" in str(regiht.explain(result))
        assert cli.main(["predict", "there-is-none.json", "none.csv"]) == 1


def test_errors_went_to_standard_output_where_standard_error_is_missing(monkeypatch, capsys):
    with monkeypatch.context() as changed:
        changed.setattr(sys, "stderr", None)
        assert cli.main(["predict", "there-is-none.json", "none.csv"]) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("encoding", "escape"), [("ascii", r"\xd7"), ("latin-1", r"\u2212")])
def test_an_explanation_was_an_error_where_output_has_few_characters(encoding, escape):
    result = regiht.solve(X, Y, 2)
    written = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    with contextlib.redirect_stdout(written):
        regiht.explain(result)
    text = written.buffer.getvalue().decode(encoding)
    assert "x4" in text
    assert escape in text


@pytest.mark.skipif(os.name != "posix", reason="needs file descriptors of POSIX")
@pytest.mark.parametrize("descriptor", [1, 2])
def test_a_command_with_a_closed_stream_was_a_traceback(descriptor, tmp_path):
    pytest.importorskip("sklearn")
    table = "a,b,y\n" + "\n".join(f"{a},{b},{a - b}" for a, b in X[:, :2])
    (tmp_path / "data.csv").write_text(table, encoding="utf-8")
    fit = "fit data.csv --features 1 --save model.json"
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m regiht {fit} {descriptor}>&-'],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert regiht.load_model(tmp_path / "model.json").support_.size == 1

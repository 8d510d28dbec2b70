"""Pictures of runs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import regiht
from regiht import datasets
from regiht.plotting import plot_convergence

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture
def axes():
    import matplotlib.pyplot as plt  # noqa: PLC0415

    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


@pytest.fixture(scope="module")
def result():
    problem = datasets.tiny()
    return regiht.solve(problem.X, problem.y, 3, max_iter=30, history=True)


def with_values(result, values):
    return replace(result, history=dict(result.history, fun=np.array(values, dtype=float)))


def test_draws_the_objective_over_the_iterations(result, axes):
    assert plot_convergence({"run": result}, axes) is axes
    (line,) = axes.get_lines()
    np.testing.assert_array_equal(line.get_ydata(), result.history["fun"])
    np.testing.assert_array_equal(line.get_xdata(), np.arange(1, result.n_iter + 1))
    assert axes.get_xlabel() == "iteration"
    assert "objective" in axes.get_ylabel()
    assert axes.get_title()
    assert axes.get_legend() is None


def test_several_runs_are_told_apart_by_colour_dashes_and_legend(result, axes):
    plot_convergence({"a": result, "b": result, "c": result}, axes)
    looks = {(line.get_color(), line.get_linestyle()) for line in axes.get_lines()}
    assert len({color for color, _ in looks}) == len({dashes for _, dashes in looks}) == 3
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([100.0, 1.0, 0.01], "log"),
        ([1.0, 1e-20, 1e-31], "log"),
        ([12_000.0, 11_000.0], "linear"),
        ([100.0, 1.0, 0.0], "log"),
        ([0.0, 0.0], "linear"),
        ([3.0, -1.0, -400.0], "linear"),
        ([1e3, 1.0, np.inf, np.nan], "log"),
        ([np.nan, np.nan], "linear"),
        ([5.0], "linear"),
        ([], "linear"),
    ],
)
def test_scale_suits_the_values_and_no_value_warns(result, axes, values, scale):
    plot_convergence({"run": with_values(result, values)}, axes)
    axes.figure.canvas.draw()
    assert axes.get_yscale() == scale


def test_a_new_figure_is_made_if_no_axes_are_given(result):
    import matplotlib.pyplot as plt  # noqa: PLC0415

    ax = result.plot()
    assert len(ax.get_lines()) == 1
    plt.close(ax.figure)


def test_a_run_without_history_says_what_to_do():
    problem = datasets.tiny()
    bare = regiht.solve(problem.X, problem.y, 3, max_iter=5)
    with pytest.raises(regiht.InvalidArgumentError, match=r"'run'.*history=True"):
        plot_convergence({"run": bare})
    with pytest.raises(regiht.InvalidArgumentError, match="history=True"):
        bare.plot()


@pytest.mark.parametrize(
    ("results", "message"), [({}, "at least one"), ({"a": 3}, r"'a'.*must be a Result.*int")]
)
def test_other_things_are_refused(results, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        plot_convergence(results)


def test_missing_matplotlib_says_how_to_get_it(result, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r'pip install "regiht\[plot\]"'):
        result.plot()


def test_importing_the_package_does_not_import_matplotlib(tmp_path):
    code = "import sys, regiht, regiht.plotting; sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)

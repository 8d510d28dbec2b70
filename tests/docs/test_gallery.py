"""Every example of the gallery runs as it stands, prints and draws; and is short."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "python"
SCRIPTS = [path for path in sorted(FOLDER.glob("*.py")) if path.stem != "csv_to_report"]


def name_of(script):
    return script.stem


@pytest.mark.parametrize("script", SCRIPTS, ids=name_of)
def test_an_example_runs_and_draws_one_picture(script, capsys):
    for needed in ("sklearn", "pandas"):
        pytest.importorskip(needed)
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415  (after its backend is chosen)

    plt.close("all")
    try:
        runpy.run_path(str(script), run_name="__main__")
        numbers = plt.get_fignums()
        assert len(numbers) == 1
        figure = plt.figure(numbers[0])
        figure.canvas.draw()
        assert all(ax.has_data() and ax.get_title() for ax in figure.axes[:1])
        assert capsys.readouterr().out.strip()
    finally:
        plt.close("all")


@pytest.mark.parametrize("script", SCRIPTS, ids=name_of)
def test_an_example_is_short_and_in_cells(script):
    lines = script.read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 70
    assert lines[2] == "=" * len(lines[1])  # the title of its page
    assert lines.count("# %%") >= 2


def test_the_gallery_is_found():
    if not FOLDER.exists():
        pytest.skip("the examples are not here")
    assert {"text_words", "dynamics", "recommender"} <= {name_of(script) for script in SCRIPTS}


def test_every_example_has_its_place_in_the_gallery():
    order = FOLDER.parents[1] / "docs" / "_ext" / "gallery_order.py"
    if not order.exists():
        pytest.skip("a source distribution has no docs")
    assert sorted(runpy.run_path(str(order))["ORDER"]) == [name_of(script) for script in SCRIPTS]

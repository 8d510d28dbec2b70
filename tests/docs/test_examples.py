"""The example scripts run as they stand, and say what is true."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

import regiht

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "python" / "csv_to_report.py"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    for needed in ("sklearn", "pandas", "matplotlib"):
        pytest.importorskip(needed)
    if not SCRIPT.exists():
        pytest.skip("the examples are not here")

    def run_script(*arguments):
        import matplotlib.pyplot as plt  # noqa: PLC0415  (optional)

        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [str(SCRIPT), *arguments])
        try:
            runpy.run_path(str(SCRIPT), run_name="__main__")
        finally:
            plt.close("all")
        said = capsys.readouterr()
        assert "Report: report.md" in said.out
        assert not said.err
        return (tmp_path / "report.md").read_text(encoding="utf-8")

    return run_script


def test_a_csv_file_becomes_a_report(run, tmp_path):
    rng = np.random.default_rng(0)
    size, rooms, noise = rng.normal(100, 20, 120), rng.integers(1, 6, 120), rng.normal(size=120)
    place = rng.choice(["hill", "river", "town"], size=120)
    price = 3.0 * size + 40.0 * (place == "river") + 5.0 * rng.normal(size=120)
    rows = [
        f"{a:.2f},{b},{c:.3f},{d},{e:.2f}"
        for a, b, c, d, e in zip(size, rooms, noise, place, price, strict=True)
    ]
    rows[3] = rows[3].replace(f"{size[3]:.2f}", "", 1)  # an empty cell
    text = "size,rooms,noise,place,price\n" + "\n".join(rows) + "\n"
    (tmp_path / "houses.csv").write_text(text, encoding="utf-8")
    report = run("houses.csv", "price")
    assert report.startswith("# price: 2 of 5 columns")
    coefficients = dict(re.findall(r"^- (\S+): ([-\d.]+)$", report, re.MULTILINE))
    assert coefficients.keys() == {"size", "place_river"}
    assert float(coefficients["size"]) == pytest.approx(3.0, abs=0.2)
    assert "Valid after the selection" in report
    saved = regiht.load_model(tmp_path / "model.json")
    assert saved.get_feature_names_out().tolist() == ["size", "place_river"]
    pictures = re.findall(r"\((\S+\.png)\)", report)
    assert len(pictures) == 4
    assert all((tmp_path / name).stat().st_size > 5_000 for name in pictures)


def test_without_a_file_the_report_is_on_real_patients(run, tmp_path):
    report = run()
    model = regiht.load_model(tmp_path / "model.json")
    assert report.startswith(f"# progress: {model.support_.size} of 64 columns")
    pd = pytest.importorskip("pandas")
    split = pytest.importorskip("sklearn.model_selection").train_test_split
    data = regiht.datasets.load_diabetes()
    frame = pd.DataFrame(data.X, columns=data.feature_names)
    _, held_out, _, target = split(frame, data.y, random_state=0)
    score = float(re.search(r"held out: (-?[\d.]+)", report)[1])
    assert score == pytest.approx(model.score(held_out, target), abs=5e-4)
    for name in model.get_feature_names_out():
        assert f"\n- {name}: " in report


def test_the_script_is_short_enough_to_be_read():
    if not SCRIPT.exists():
        pytest.skip("the examples are not here")
    code = [line for line in SCRIPT.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(code) <= 65

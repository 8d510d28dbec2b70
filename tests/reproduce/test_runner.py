"""Runs are shown, kept, resumed and drawn again the same."""

from regiht.reproduce import MODULES, runner, store
from regiht.reproduce.sources import Sources


def test_every_step_is_shown(done):
    for counted in done[1]:
        assert len(counted.names) == counted.total > 0


def test_what_is_done_is_not_run_again(done, run_all):
    folder, shown, show = done
    before = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.csv")}
    shown.clear()
    (folder / "fig2.svg").unlink()
    again = list(run_all(folder, show))
    assert not shown
    assert all(resumed for _, resumed in again)
    assert (folder / "fig2.svg").exists()
    assert before == {path.name: path.stat().st_mtime_ns for path in folder.glob("*.csv")}


def test_other_parameters_a_missing_table_or_fresh_run_again(done, monkeypatch, tmp_path, toy):
    _, _, show = done
    module, size = toy("hard-instance")

    def resumed(**options):
        records = runner.run_experiments(
            ["hard-instance"], quick=True, sources=Sources(), folder=tmp_path, show=show,
            **{"fresh": False, **options},
        )  # fmt: skip
        return [was_there for _, was_there in records] == [True]

    assert not resumed()
    assert resumed()
    assert not resumed(fresh=True)
    (tmp_path / "hard-instance-curves.csv").unlink()
    assert not resumed()
    monkeypatch.setattr(module, "QUICK", module.Size(**{**vars(size), "iterations": 100}))
    assert not resumed()
    assert resumed()
    monkeypatch.setattr(store, "__version__", "0.0.0")
    assert not resumed()


def test_a_record_comes_back_as_it_was(done, tmp_path):
    folder, _, _ = done
    for name in MODULES:
        record = store.read(folder, name)
        store.write(tmp_path, record)
        assert store.read(tmp_path, name) == record
        for table in record.outcome.tables.values():
            assert table


def test_pictures_repeat(done, tmp_path):
    folder, _, _ = done
    record = store.read(folder, "hard-instance")
    runner.draw(tmp_path, record)
    for suffix in (".png", ".svg"):
        name = f"hard-instance{suffix}"
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_the_report_stands_on_its_own(done):
    folder, _, _ = done
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert text.count("data:image/png;base64,") == len(MODULES)
    assert text.count("<img") == text.count('alt="') == len(MODULES)
    assert "http://" not in text
    assert "https://" not in text
    assert "<script" not in text
    assert "stand-in" in text
    for name in MODULES:
        for finding in store.read(folder, name).outcome.findings:
            assert finding.verdict.value.replace("'", "&#x27;") in text

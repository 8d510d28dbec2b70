"""Verdicts follow from the numbers, and stay open on stand-ins."""

import numpy as np

from regiht import datasets
from regiht.reproduce import MODULES, runner, store
from regiht.reproduce.outcome import Verdict, judge
from regiht.reproduce.sources import Sources


def test_claims_about_real_data_stay_open_on_stand_ins(done):
    folder, _, _ = done
    for name in MODULES:
        record = store.read(folder, name)
        assert record.outcome.stand_ins == (name in {"fig1", "fig2"})
        for finding in record.outcome.findings:
            if record.outcome.stand_ins:
                assert finding.verdict is Verdict.OPEN
                assert finding.on_stand_in in {Verdict.REPRODUCED, Verdict.PARTLY, Verdict.NOT}
            else:
                assert finding.verdict is not Verdict.OPEN
        if record.outcome.stand_ins:
            assert "stand-in" in runner.title(record)
            for table in record.outcome.tables.values():
                assert all("stand-in" in row["data"] for row in table)
            assert all("stand-in" in row["data"] for row in record.outcome.summary)


def test_verdicts_follow_from_conditions():
    assert judge(reproduced=True, partly=True) is Verdict.REPRODUCED
    assert judge(reproduced=False, partly=True) is Verdict.PARTLY
    assert judge(reproduced=False, partly=False) is Verdict.NOT


def test_verdicts_change_with_the_numbers(toy):
    """The same rules on other numbers give other verdicts."""
    fig2, recovery = toy("fig2")[0], toy("recovery")[0]

    def ratio_verdict(ratios):
        rows = [{"s": s, "ratio": r} for s, r in enumerate(ratios, 1)]
        return fig2._ratio_finding(rows, stand_in=False).verdict

    assert ratio_verdict([0.6, 0.9, 1.0]) is Verdict.REPRODUCED
    assert ratio_verdict([0.9, 0.9, 1.2]) is Verdict.PARTLY
    assert ratio_verdict([1.0, 1.1, 1.0]) is Verdict.NOT

    def recovery_verdict(gains):
        rows = [{"s": s, "length": 1, "gain": g, "gain_error": 0.01} for s, g in enumerate(gains)]
        return recovery._findings(rows)[0].verdict

    assert recovery_verdict([0.1, 0.0]) is Verdict.REPRODUCED
    assert recovery_verdict([0.1, -0.1]) is Verdict.PARTLY
    assert recovery_verdict([0.0, -0.1, 0.02]) is Verdict.NOT


def test_real_files_close_the_open_claims(tmp_path, monkeypatch, toy, counted):
    """A file in the data folder is taken, identified by its checksum, and not called a stand-in."""
    module, size = toy("fig2")
    problem = datasets.year_like(200, seed=5)
    (tmp_path / "YearPredictionMSD.txt").write_text("unused")
    monkeypatch.setattr(datasets, "load_year", lambda path: problem)
    sources = Sources(tmp_path)
    facts = module.parameters(size, sources)["data"][0]
    assert facts["file"] == "YearPredictionMSD.txt"
    assert len(facts["sha256"]) == 64
    outcome = module.run(size, sources, counted(0))
    assert not outcome.stand_ins
    assert all(finding.verdict is not Verdict.OPEN for finding in outcome.findings)


def test_text_of_ones_own_is_a_third_panel(tmp_path, toy, counted):
    module, size = toy("fig1")
    text = datasets.rcv1_like(150, 400, 3000, seed=9)
    path = tmp_path / "reuters.npz"
    X = text.X.tocsr()
    np.savez(path, data=X.data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=text.y * 2 - 1)
    outcome = module.run(size, Sources(reuters_file=path), counted(0))
    labels = {row["data"] for row in outcome.tables["curves"]}
    assert labels == {"year stand-in", "rcv1 stand-in", "Reuters text"}
    assert any("Reuters text is real and not in the paper" in note for note in outcome.notes)
    assert not any("Reuters" in finding.claim for finding in outcome.findings)

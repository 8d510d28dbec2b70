"""Each experiment of `regiht reproduce` at toy size, its CSV against the numpy listing."""

from __future__ import annotations

import csv
import json
import sys
from importlib import import_module

import numpy as np
import pytest

from regiht import cli, datasets, reference
from regiht.reproduce import MODULES, excess, runner, store
from regiht.reproduce.outcome import Verdict, judge
from regiht.reproduce.sources import SEED, Sources

pytest.importorskip("matplotlib")

SOLVERS = {"iht": reference.iht, "regiht": reference.regularized_iht}


def toy(name):
    """The experiment's module and a size that takes a moment."""
    module = import_module(f"regiht.reproduce.{MODULES[name]}")
    sizes = {
        "fig1": lambda: module.Size(400, (150, 400, 3000), 60, 6, 100, 30, 2),
        "fig2": lambda: module.Size(400, (1, 4, 12), 50, 5, (0.5, 1.0, 50.0), 3, 100, (2,), 30, 2),
        "hard-instance": lambda: module.Size(5, 2, 1e-3, 30, (20, 30), 200, (30,), 50),
        "recovery": lambda: module.Size(30, 80, (3, 8), (8,), 3, 60, (8,)),
        "theorem": lambda: module.Size(((1.05, 1, 340, "diagonal"), (1.05, 1, 340, "logistic")), 2),
        "lowrank": lambda: module.Size(8, 2, 0.05, (4.0, 9.0), 3, 2, (0.3, 0.01), 6),
    }
    return module, sizes[name]()


class Counted:
    def __init__(self, total):
        self.total, self.names = total, []

    def begin(self, name):
        self.names.append(name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """The folder of toy runs, and what was shown while they ran."""
    folder = tmp_path_factory.mktemp("report")
    shown = []

    def show(total):
        shown.append(Counted(total))
        return shown[-1]

    with pytest.MonkeyPatch.context() as patch:
        for name in MODULES:
            module, size = toy(name)
            patch.setattr(module, "QUICK", size)
        list(run(folder, show))
        yield folder, shown, show


def run(folder, show, *, fresh=False):
    return runner.run_experiments(
        list(MODULES), quick=True, sources=Sources(), folder=folder, fresh=fresh, show=show
    )


def rows_of(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def select(rows, name, **where):
    return np.array([float(r[name]) for r in rows if all(r[k] == v for k, v in where.items())])


def standardized(problem, loss):
    matrix = reference.standardize(problem.X, True, True)[0]
    y = problem.y - problem.y.mean() if loss == "squared" else problem.y
    return reference.LinearObjective(matrix, y, loss, ridge=excess.RIDGE[loss])


def test_every_step_is_shown(done):
    for counted in done[1]:
        assert len(counted.names) == counted.total > 0


@pytest.mark.parametrize("name", MODULES)
def test_files_of_an_experiment(done, name):
    folder, _, _ = done
    content = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    assert content["experiment"] == name
    assert content["parameters"]["size"]
    assert {"regiht", "python", "numpy", "scipy"} <= set(content["versions"])
    assert content["listing"]["largest_difference"] < 1e-9
    assert content["listing"]["listing_seconds"] > 0
    assert content["findings"]
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / f"{name}.svg").read_text(encoding="utf-8")
    for table in content["tables"].values():
        assert (folder / table["file"]).exists()


@pytest.mark.parametrize(
    ("label", "s", "loss"),
    [("year stand-in", 11, "squared"), ("rcv1 stand-in", 10, "logistic")],
)
def test_figure1_curves_are_the_listings(done, label, s, loss):
    folder, _, _ = done
    size = toy("fig1")[1]
    made = {"squared": datasets.year_like(size.year_rows, seed=SEED),
            "logistic": datasets.rcv1_like(*size.text_shape, seed=SEED)}  # fmt: skip
    objective = standardized(made[loss], loss)
    n = objective.A.shape[1]
    zero = objective.value(np.zeros(n))
    rows, grid = rows_of(folder, "fig1-curves"), rows_of(folder, "fig1-steps")
    for method, solver in SOLVERS.items():
        factor = select(rows, "step_times_s", data=label, method=method)[0]
        values = select(rows, "fun", data=label, method=method)
        theirs = solver(objective, n, s, step=factor / s, max_iter=size.iterations)
        np.testing.assert_allclose(values, theirs.history_fun, rtol=1e-9)
        assert values[-1] == select(grid, "fun", data=label, method=method).min()
        relative = select(rows, "excess", data=label, method=method)
        np.testing.assert_allclose(np.diff(relative), np.diff(values) / zero, atol=1e-9)
        assert np.all(relative > 0)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_the_dense_optimum_has_no_gradient(loss):
    problem = (datasets.year_like(300, 12) if loss == "squared"
               else datasets.rcv1_like(100, 60, 800))  # fmt: skip
    task = excess.prepare(problem)
    objective = standardized(problem, loss)
    x = np.zeros(problem.X.shape[1])
    for _ in range(20_000):  # plain gradient descent, as far as it goes
        x -= objective.gradient(x) / (12 if loss == "squared" else 15.1)
    np.testing.assert_allclose(task.dense, objective.value(x), rtol=1e-8)
    np.testing.assert_allclose(task.zero, objective.value(np.zeros(x.size)))


def test_figure2_numbers_are_the_listings(done):
    folder, _, _ = done
    size = toy("fig2")[1]
    problem = datasets.year_like(size.year_rows, seed=SEED)
    objective = standardized(problem, "squared")
    task = excess.prepare(problem)
    n = objective.A.shape[1]
    for row in rows_of(folder, "fig2-ratios"):
        s = int(row["s"])
        best = {}
        for method, solver in SOLVERS.items():
            with np.errstate(all="ignore"):
                values = [
                    solver(objective, n, s, step=2.0**i / s, max_iter=size.iterations).fun
                    for i in range(size.steps)
                ]
            best[method] = np.nanmin(values)
            np.testing.assert_allclose(
                float(row[f"{method}_excess"]), task.excess(best[method]), rtol=1e-7
            )
        assert float(row["ratio"]) == pytest.approx(
            task.excess(best["regiht"]) / task.excess(best["iht"])
        )
    curves = rows_of(folder, "fig2-weight-steps")
    for multiple in size.multiples:
        theirs = reference.regularized_iht(
            objective, n, 11, step=4 / 11, max_iter=size.patience * size.iterations,
            weight_step=multiple * 11 / size.iterations,
        )  # fmt: skip
        chosen = select(curves, "iteration", multiple=f"{multiple:g}").astype(int)
        np.testing.assert_allclose(
            select(curves, "fun", multiple=f"{multiple:g}"), theirs.history_fun[chosen - 1],
            rtol=1e-9,
        )  # fmt: skip


def test_hard_instance_curves_are_the_listings(done):
    folder, _, _ = done
    size = toy("hard-instance")[1]
    problem = datasets.hard_instance(size.kappa, size.s, size.delta, size.sparsity)
    objective = reference.LinearObjective(problem.X, problem.y)
    rows = rows_of(folder, "hard-instance-curves")
    for method, solver in SOLVERS.items():
        theirs = solver(
            objective, len(problem.y), size.sparsity, step=1 / problem.beta,
            max_iter=size.iterations, x0=problem.x_bad,
        )  # fmt: skip
        values = select(rows, "fun", method=method)
        np.testing.assert_allclose(values[0], objective.value(problem.x_bad))
        np.testing.assert_allclose(values[1:], theirs.history_fun, rtol=1e-9)
    assert np.ptp(select(rows, "fun", method="iht")) == 0


def test_recovery_values_are_the_listings(done):
    folder, _, _ = done
    module, size = toy("recovery")
    values, means = rows_of(folder, "recovery-values"), rows_of(folder, "recovery-means")
    for row in values:
        s, repeat, length = int(row["s"]), int(row["repeat"]), int(row["length"])
        problem = datasets.recovery(size.rows, size.cols, s, 1000 * s + repeat)
        objective = reference.LinearObjective(problem.X, problem.y)
        options = {"step": float(row["step"]), "max_iter": length * size.iterations}
        if row["method"] == "regiht":
            options["weight_step"] = s / size.iterations
        theirs = SOLVERS[row["method"]](objective, size.cols, s, **options)
        zero = 0.5 * problem.y @ problem.y
        np.testing.assert_allclose(float(row["loss"]), theirs.fun / zero, rtol=1e-6, atol=1e-12)
    assert {row["length"] for row in values if row["s"] == "8"} == {"1", "2"}
    for row in means:
        sample = [
            select(values, "loss", s=row["s"], length=row["length"], method=m) for m in SOLVERS
        ]
        gain = sample[0] - sample[1]
        np.testing.assert_allclose(float(row["gain"]), gain.mean())
        np.testing.assert_allclose(
            float(row["gain_error"]), gain.std(ddof=1) / np.sqrt(size.repeats)
        )
    assert module.step_grid(8)[0] == 1 / 8


def test_theorem_table_is_the_listings(done):
    folder, _, _ = done
    module, size = toy("theorem")
    rows = rows_of(folder, "theorem-settings")
    for given, row in zip(size.settings, rows, strict=True):
        setting = module.Setting(*given)
        theirs = reference.regularized_iht(
            setting.objective, setting.n, setting.sparsity, step=1 / setting.beta,
            max_iter=int(row["iterations"]), x0=setting.start, safeguard=True,
            weight_step=setting.sparsity / (4 * int(row["iterations"])), history=False,
        )  # fmt: skip
        np.testing.assert_allclose(float(row["fun"]), theirs.fun, rtol=1e-9, atol=1e-20)
        assert float(row["above"]) <= module.EPSILON
        assert row["violations"] == row["rises"] == "0"
        counted = int(row["progress_iterations"]) + int(row["weight_iterations"])
        assert counted == int(row["made"])


def test_low_rank_values_are_the_references(done):
    folder, _, _ = done
    module, size = toy("lowrank")
    values, needed = rows_of(folder, "lowrank-values"), rows_of(folder, "lowrank-ranks")
    for row in values:
        instance = module.make(size.n, size, float(row["kappa"]), int(row["seed"]))
        theirs = instance.solve_by_listing(row["method"], int(row["rank"]))[-1]
        target = instance.value(instance.star)
        if theirs <= target:  # Algorithm 2 stops there, and then drops its weights
            assert float(row["fun"]) <= target
        else:
            np.testing.assert_allclose(float(row["fun"]), theirs, rtol=1e-5)
    for row in needed:
        where = {key: row[key] for key in ("kappa", "seed", "method")}
        errors = select(values, "error", **where)
        enough = np.flatnonzero(errors <= float(row["epsilon"]))
        assert int(row["rank"]) == (enough[0] + 1 if enough.size else size.ranks + 1)


@pytest.mark.parametrize("kappa", [4.0, 20.0])
def test_no_exchange_helps_at_the_bad_start(kappa):
    """Neither of the entries held for the one with the largest gradient."""
    module, _ = toy("lowrank")
    instance, allowed = module.make_bad_start(kappa, 2)
    held = np.flatnonzero(np.diag(instance.start))
    assert held.size == allowed
    gradient = np.diag(instance.weights * (instance.start - instance.M))
    tempting = int(np.argmax(np.abs(gradient)))
    first = instance.value(instance.start)
    for out in held:
        swapped = instance.start.copy()
        swapped[out, out] = 0.0
        swapped[tempting, tempting] = instance.M[tempting, tempting]
        assert instance.value(swapped) > first
    assert instance.value(instance.star) < first
    np.testing.assert_allclose(instance.solve("local-search", allowed).fun, first)


@pytest.mark.parametrize("kind", ["diagonal", "rotated", "logistic"])
def test_the_settings_have_the_condition_number_they_claim(kind):
    module, _ = toy("theorem")
    setting = module.Setting(1.5, 1, 420, kind)
    A = setting.matrix.toarray() if kind == "diagonal" else setting.matrix
    curvature = np.linalg.svd(A, compute_uv=False)[[0, -1]] ** 2
    if kind == "logistic":  # its second derivative is between 0 and a quarter
        curvature = np.array([curvature[0] / 4, 0.0]) + setting.ridge
    np.testing.assert_allclose(curvature, [setting.beta, setting.beta / setting.kappa])
    assert np.count_nonzero(setting.start) == setting.sparsity < setting.n
    assert not np.any(setting.start[setting.planted != 0])


def test_the_watch_sees_a_violation():
    """With far too small an s′ and a κ that is not true, the lemma fails and is seen to."""
    module, _ = toy("theorem")
    setting = module.Setting(1.1, 1, 360, "diagonal")

    class Wrong:
        kappa, beta, sparsity = 1e-3, setting.beta, setting.sparsity
        start, x_star = setting.start, setting.x_star

    watch = module.LemmaWatch(setting.objective, Wrong())
    setting.solve(callback=watch)
    assert watch.violations > 0
    assert watch.largest_violation > 0


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


def test_verdicts_change_with_the_numbers():
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


def test_what_is_done_is_not_run_again(done):
    folder, shown, show = done
    before = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.csv")}
    shown.clear()
    (folder / "fig2.svg").unlink()
    again = list(run(folder, show))
    assert not shown
    assert all(resumed for _, resumed in again)
    assert (folder / "fig2.svg").exists()
    assert before == {path.name: path.stat().st_mtime_ns for path in folder.glob("*.csv")}


def test_other_parameters_a_missing_table_or_fresh_run_again(done, monkeypatch, tmp_path):
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


def test_real_files_close_the_open_claims(tmp_path, monkeypatch):
    """A file in the data folder is taken, identified by its checksum, and not called a stand-in."""
    module, size = toy("fig2")
    problem = datasets.year_like(200, seed=5)
    (tmp_path / "YearPredictionMSD.txt").write_text("unused")
    monkeypatch.setattr(datasets, "load_year", lambda path: problem)
    sources = Sources(tmp_path)
    facts = module.parameters(size, sources)["data"][0]
    assert facts["file"] == "YearPredictionMSD.txt"
    assert len(facts["sha256"]) == 64
    outcome = module.run(size, sources, Counted(0))
    assert not outcome.stand_ins
    assert all(finding.verdict is not Verdict.OPEN for finding in outcome.findings)


def test_text_of_ones_own_is_a_third_panel(tmp_path):
    module, size = toy("fig1")
    text = datasets.rcv1_like(150, 400, 3000, seed=9)
    path = tmp_path / "reuters.npz"
    X = text.X.tocsr()
    np.savez(path, data=X.data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=text.y * 2 - 1)
    outcome = module.run(size, Sources(reuters_file=path), Counted(0))
    labels = {row["data"] for row in outcome.tables["curves"]}
    assert labels == {"year stand-in", "rcv1 stand-in", "Reuters text"}
    assert any("Reuters text is real and not in the paper" in note for note in outcome.notes)
    assert not any("Reuters" in finding.claim for finding in outcome.findings)


def test_command_line(tmp_path, monkeypatch, capsys):
    module, size = toy("hard-instance")
    monkeypatch.setattr(module, "QUICK", size)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["reproduce", "hard-instance", "--quick"]) == 0
    printed = capsys.readouterr().out
    assert "Report: regiht-report-quick" in printed
    assert (tmp_path / "regiht-report-quick" / "report.html").exists()
    assert cli.main(["reproduce", "hard-instance", "--quick", "--out", "regiht-report-quick"]) == 0
    assert "(done before)" in capsys.readouterr().out


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

"""The CSV of each experiment is what the numpy listing gives."""

import json

import numpy as np
import pytest

from regiht import datasets, reference
from regiht.reproduce import MODULES, excess
from regiht.reproduce.sources import SEED

SOLVERS = {"iht": reference.iht, "regiht": reference.regularized_iht}


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
def test_figure1_curves_are_the_listings(done, label, s, loss, toy, rows_of, select, standardized):
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
def test_the_dense_optimum_has_no_gradient(loss, standardized):
    problem = (datasets.year_like(300, 12) if loss == "squared"
               else datasets.rcv1_like(100, 60, 800))  # fmt: skip
    task = excess.prepare(problem)
    objective = standardized(problem, loss)
    x = np.zeros(problem.X.shape[1])
    for _ in range(20_000):  # plain gradient descent, as far as it goes
        x -= objective.gradient(x) / (12 if loss == "squared" else 15.1)
    np.testing.assert_allclose(task.dense, objective.value(x), rtol=1e-8)
    np.testing.assert_allclose(task.zero, objective.value(np.zeros(x.size)))


def test_figure2_numbers_are_the_listings(done, toy, rows_of, select, standardized):
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


def test_hard_instance_curves_are_the_listings(done, toy, rows_of, select):
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


def test_recovery_values_are_the_listings(done, toy, rows_of, select):
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


def test_theorem_table_is_the_listings(done, toy, rows_of):
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


def test_low_rank_values_are_the_references(done, toy, rows_of, select):
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

"""What the tables say of methods and losses is what they do, and what all around them reads."""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import regiht
from regiht import _core, reference
from regiht._solving import registry
from regiht._solving.criteria import has_criteria

METHODS, LOSSES = registry.METHODS, registry.LOSSES
ROOT = Path(__file__).resolve().parents[2]
RNG = np.random.default_rng(60)
X = RNG.standard_normal((40, 60))
Y = X[:, :6] @ np.ones(6) + RNG.standard_normal(40)
S = 5


def each(table):
    return pytest.mark.parametrize("name", table)


def solve(name, **options):
    return regiht.solve(X, Y, S, method=name, **options)


def test_the_literals_are_the_tables():
    assert set(get_args(registry.MethodName)) == set(METHODS)
    assert set(get_args(registry.RegressionLoss)) == set(registry.REGRESSION_LOSSES)
    assert set(get_args(registry.ClassificationLoss)) == set(registry.CLASSIFICATION_LOSSES)
    assert set(get_args(registry.LossName)) == set(LOSSES)
    assert get_args(registry.Polish) == registry.POLISHES
    assert regiht.methods() == [method.name for method in _core.methods()]
    assert regiht.losses() == [loss.name for loss in _core.losses()]


def test_entries_cannot_be_changed():
    for table in (METHODS, LOSSES):
        with pytest.raises(TypeError):
            table["new"] = None
        for entry in table.values():
            with pytest.raises(AttributeError):
                entry.name = "other"


@each(METHODS)
def test_a_method_refits_if_the_table_says_so(name):
    result = solve(name, max_iter=3)
    least = np.linalg.lstsq(X[:, result.support], Y, rcond=None)[0]
    attained = np.allclose(result.x[result.support], least, atol=1e-8)
    assert attained == METHODS[name].refits


@each(METHODS)
def test_a_nested_run_passes_through_the_answers_for_fewer(name):
    def passes(seed):
        rng = np.random.default_rng(seed)
        A = rng.standard_normal((30, 40)) + 2 * rng.standard_normal((30, 1))
        y = A[:, :8].sum(axis=1) + rng.standard_normal(30)
        seen = {}
        regiht.solve(
            A, y, S, method=name, callback=lambda it: seen.__setitem__(it.support.size, it.support)
        )
        alone = [regiht.solve(A, y, s, method=name).support for s in range(1, S + 1)]
        return all(np.array_equal(seen.get(support.size), support) for support in alone)

    assert all(map(passes, range(6))) == METHODS[name].is_nested


@each(METHODS)
def test_a_method_without_a_rule_of_its_own_makes_all_iterations(name):
    # Each run alone would end by such a rule: all have found their support by then.
    lengths = {solve(name, step=1e-4, max_iter=n).n_iter for n in (300, 400)}
    assert (lengths == {300, 400}) == METHODS[name].makes_all_iterations


@each(METHODS)
def test_a_method_draws_if_the_table_says_so(name):
    results = [solve(name, seed=seed) for seed in range(12)]
    differ = any((r.n_iter, r.fun) != (results[0].n_iter, results[0].fun) for r in results)
    assert differ == METHODS[name].draws


START = np.where(np.arange(60) >= 55, 1.0, 0.0)
OPTIONS = {
    "reads_x0": [{"x0": START}],
    "reads_step": [{"step": 1e-3}, {"step": 1.0}],
    "reads_weight_step": [{"weight_step": 0.9}],
    "reads_weights": [{"w0": np.zeros(60)}, {"round_threshold": 1.0}, {"safeguard": True}],
}


@pytest.mark.parametrize("fact", OPTIONS)
@each(METHODS)
def test_an_option_matters_if_the_table_says_so(name, fact):
    """What is seen of a run, the steps of a portfolio included."""

    def course(**options):
        seen = []
        result = solve(name, max_iter=40, callback=lambda it: seen.append(it.fun), **options)
        return [*seen, result.fun, *result.x]

    plain = course()
    differ = [course(**options) != plain for options in OPTIONS[fact]]
    assert any(differ) == getattr(METHODS[name], fact), differ


def test_an_adaptive_weight_step_does_not_lengthen_runs_that_do_not_read_it():
    for name in set(METHODS) - set(registry.methods_with("reads_weight_step")):
        results = [solve(name, weight_step=c, tol=0.0, step=1e-6) for c in (None, "adaptive")]
        assert results[0].n_iter == results[1].n_iter
        np.testing.assert_array_equal(results[0].x, results[1].x)


@each(METHODS)
@pytest.mark.parametrize("loss", LOSSES)
def test_constraints_are_known_or_refused(name, loss, make_target):
    y = make_target(loss, 0.2 * Y, np.random.default_rng(61))
    groups = np.arange(60) // 2
    for fact, given in (
        ("knows_positive", {"positive": True}),
        ("knows_groups", {"groups": groups}),
    ):
        options = {"method": name, "loss": loss, "ridge": 0.1, "max_iter": 30} | given
        if not getattr(METHODS[name], fact):
            with pytest.raises(regiht.InvalidArgumentError, match=f"'{name}' does not support"):
                regiht.solve(X, y, 3, **options)
            continue
        result = regiht.solve(X, y, 3, **options)
        if "positive" in given:
            assert (result.x >= 0).all()
        else:
            assert np.unique(groups[result.support]).size <= 3
            assert np.array_equal(np.flatnonzero(np.isin(groups, groups[result.support])),
                                  result.support)  # fmt: skip


@each(METHODS)
def test_a_target_value_is_for_methods_that_aim_at_one(name):
    if METHODS[name].reads_target_value:
        assert solve(name, target_value=1.0).support.size <= S
        return
    with pytest.raises(regiht.InvalidArgumentError, match="does not support target_value; these"):
        solve(name, target_value=1.0)


@each(LOSSES)
def test_links_and_likelihoods_are_what_the_formulas_say(name):
    """The mean that a link promises is where the loss of many targets is least."""
    loss, functions = LOSSES[name], reference.LOSSES[name]
    targets = {"binary": [0.0, 1, 1, 1], "nonnegative": [0.0, 1, 4, 3], "real": [1.0, 2, 4, 5]}
    b = np.array(targets[loss.targets])
    z = np.linspace(-3, 5, 8001)
    best = z[np.argmin([functions.value(np.full(4, each), b).sum() for each in z])]
    mean = {"identity": best, "log": np.exp(best), "logit": 1 / (1 + np.exp(-best))}.get(loss.link)
    if loss.is_quadratic or loss.link in {"log", "logit"}:
        assert mean == pytest.approx(b.mean(), abs=2e-3)
    if loss.link == "sign":
        assert (best > 0) == (b.mean() > 0.5)
    assert (loss.link in {"logit", "sign"}) == (loss.targets == "binary")
    curvature = functions.curvature(z, np.full_like(z, b[0]))
    assert loss.is_quadratic == bool(np.all(curvature == loss.max_curvature))
    assert has_criteria(name) == (loss.likelihood != "none")
    assert ("{}" in loss.predictor) == (loss.targets == "binary")


@each(LOSSES)
def test_everything_around_a_loss_takes_it(name, make_target, capsys, tmp_path):
    pytest.importorskip("sklearn", minversion="1.6")
    pytest.importorskip("matplotlib").use("Agg")
    from regiht.cli import main  # noqa: PLC0415

    y = make_target(name, Y / 3, np.random.default_rng(62))
    kind = regiht.SparseClassifier if name in registry.CLASSIFICATION_LOSSES else (
        regiht.SparseRegressor)  # fmt: skip
    model = kind(2, loss=name, ridge=0.1).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    assert hasattr(model, "predict_proba") == (LOSSES[name].link == "logit")
    regiht.explain(model)
    assert f"{name} loss" in capsys.readouterr().out
    path = regiht.sparse_path(X, y, 3, loss=name, ridge=0.1)
    path.plot()
    assert ("ebic" in path.to_pandas().columns) == has_criteria(name)
    file = tmp_path / "data.npz"
    np.savez(file, X=X, y=y)
    assert main(["fit", str(file), "--loss", name, "--features", "2", "--ridge", "0.1"]) == 0
    assert main(["path", str(file), "--loss", name, "--max", "2", "--ridge", "0.1"]) == 0


def test_the_page_on_methods_shows_the_table():
    page = ROOT / "docs" / "methods.md"
    if not page.exists():
        pytest.skip("a source distribution has no docs")
    lines = page.read_text(encoding="utf-8").splitlines()
    facts = ["knows_positive", "knows_groups", "refits", "is_nested", "draws", "reads_x0",
             "reads_step", "reads_weight_step", "reads_weights", "reads_target_value",
             "reads_effort"]  # fmt: skip
    for name, method in METHODS.items():
        cells = ["yes" if getattr(method, fact) else "no" for fact in facts]
        assert f"| `{name}` | {' | '.join(cells)} |" in lines

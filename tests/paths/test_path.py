"""sparse_path: models for every number of features, and criteria."""

from __future__ import annotations

import sys
from math import comb, lgamma, log

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import _core, sparse_path
from regiht._solving import registry
from regiht._solving.criteria import has_criteria


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 12)) * np.arange(1, 13) + 3
    return X, 2 * X[:, 4] - X[:, 7] + 5 + 3 * rng.normal(size=90)


@pytest.mark.parametrize("method", regiht.methods())
def test_each_model_is_that_of_its_own_solve(data, method):
    X, y = data
    path = sparse_path(X, y, max_nonzeros=6, ridge=0.01, method=method)
    assert path.s.tolist() == [1, 2, 3, 4, 5, 6]
    for s, model in zip(path.s, path, strict=True):
        alone = regiht.solve(  # by columns, as paths and estimators fit
            np.asfortranarray(X), y, int(s), method=method, center=True, scale=True,
            intercept=True, ridge=0.01, refit=True,
        )  # fmt: skip
        if registry.METHODS[method].is_nested:  # one run for all, which rounds otherwise
            np.testing.assert_allclose(model.coef, alone.coef, rtol=1e-12)
            assert model.fun == pytest.approx(alone.fun, rel=1e-13)
        else:
            np.testing.assert_array_equal(model.coef, alone.coef)
            assert (model.intercept, model.fun) == (alone.intercept, alone.fun)
        assert (model.n_iter, model.status) == (alone.n_iter, alone.status)
        assert path.at(int(s)) is model


@pytest.mark.parametrize("method", ["omp", "regiht", "best"])
@pytest.mark.parametrize("loss", regiht.losses())
def test_the_model_at_s_does_not_depend_on_the_others(data, loss, method, make_target):
    X, z = data
    y = make_target(loss, (z - z.mean()) / 30, np.random.default_rng(1))
    options = {"loss": loss, "method": method, "max_iter": 60}
    full = sparse_path(X, y, 5, n_threads=2, **options)
    some = sparse_path(X, y, s=[4, 2], n_threads=1, **options)
    assert some.s.tolist() == [2, 4]
    for s in (2, 4):
        np.testing.assert_array_equal(full.at(s).coef, some.at(s).coef)


@pytest.mark.parametrize("loss", [loss for loss in regiht.losses() if has_criteria(loss)])
def test_criteria_are_their_formulas(loss, data, make_target):
    X, z = data
    y = make_target(loss, (z - z.mean()) / 30, np.random.default_rng(2))
    path = sparse_path(X, y, 4, loss=loss, ridge=0.5)
    n, p = X.shape
    for i, model in enumerate(path):
        value, _ = _core.loss_evaluate(loss, X @ model.coef + model.intercept, y)
        k = model.support.size
        deviance = n * log(2 * value / n) if registry.LOSSES[loss].is_quadratic else 2 * value
        assert path.losses[i] == pytest.approx(value, rel=1e-9)
        assert path.aic[i] == pytest.approx(deviance + 2 * k, rel=1e-9)
        assert path.bic[i] == pytest.approx(deviance + k * log(n), rel=1e-9)
        assert path.ebic[i] == pytest.approx(path.bic[i] + 2 * log(comb(p, k)), rel=1e-9)
        assert path.gic[i] == pytest.approx(deviance + k * log(p) * log(log(n)), rel=1e-9)
    for name in ("aic", "bic", "ebic", "gic"):
        values = path.criterion(name)
        fewer = sparse_path(X, y, s=[0, 1], loss=loss, ridge=0.5).criterion(name)[0]
        assert path.best(name) is (
            path[int(np.argmin(values))] if values.min() < fewer else path.null
        )


def test_squared_criteria_are_gaussian_likelihoods(data):
    # Up to a constant that all models share: −2 log likelihood with the best variance.
    X, y = data
    path = sparse_path(X, y, 3)
    n = len(y)
    likelihoods = []
    for model in path:
        residual = y - X @ model.coef - model.intercept
        variance = (residual**2).mean()
        densities = -0.5 * np.log(2 * np.pi * variance) - residual**2 / (2 * variance)
        likelihoods.append(densities.sum())
    differences = np.diff(path.aic) + 2 * np.diff(likelihoods)
    np.testing.assert_allclose(differences, 2.0, atol=1e-8)
    assert n == path.n_samples


def test_the_truth_is_chosen(data):
    assert sparse_path(*data, 8).best("ebic").support.tolist() == [4, 7]


def test_many_columns_count_though_few_are_used():
    X = sparse.random(50, 10_000, density=0.01, random_state=0, format="csc")
    y = np.random.default_rng(0).normal(size=50)
    path = sparse_path(X, y, 2)
    ways = lgamma(10_001) - lgamma(path.n_nonzero[1] + 1) - lgamma(10_001 - path.n_nonzero[1])
    assert path.ebic[1] - path.bic[1] == pytest.approx(2 * ways)
    assert path.coef.shape == (2, 10_000)
    np.testing.assert_array_equal(path.coef.toarray()[1], path[1].coef)


def test_an_exact_fit_wins_without_a_warning():
    X = np.random.default_rng(3).normal(size=(30, 5))
    path = sparse_path(X, np.zeros(30) + 4.0, 3)
    assert path.best("bic").intercept == 4.0
    assert np.isneginf(path.bic).all()


def test_squared_hinge_has_no_likelihood(data):
    X, y = data
    path = sparse_path(X, y > y.mean(), 3, loss="squared-hinge")
    with pytest.raises(regiht.InvalidArgumentError, match="cross-validation"):
        path.best("bic")
    with pytest.raises(regiht.InvalidArgumentError, match=r"criterion must be one of.*'bic'"):
        path.best("bik")


def test_sample_weights_count_as_repetitions(data):
    X, y = data
    weights = np.random.default_rng(4).integers(0, 3, size=len(y))
    weighted = sparse_path(X, y, 3, sample_weight=weights)
    repeated = sparse_path(np.repeat(X, weights, axis=0), np.repeat(y, weights), 3)
    for name in ("aic", "ebic", "gic"):
        np.testing.assert_allclose(weighted.criterion(name), repeated.criterion(name), rtol=1e-6)


def test_keep_and_exclude_and_the_ends_of_the_path(data):
    X, y = data
    path = sparse_path(X, y, 50, keep=[0, 3], exclude=[4])
    assert path.s.tolist() == list(range(2, 12))
    assert all({0, 3} <= set(model.support) and 4 not in model.support for model in path)
    constant = np.column_stack([X[:, :2], np.ones(len(X))])
    assert sparse_path(constant, y, 9).s.tolist() == [1, 2]


def test_pure_noise_gives_nothing():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(71, 60))
    for y, loss in ((rng.normal(size=71) + 3, "squared"), (rng.random(71) < 0.4, "logistic")):
        path = sparse_path(X, y, 20, loss=loss, ridge=1e-3)
        nothing = path.best("ebic")
        assert nothing is path.null
        assert path.best_s("ebic") == 0
        assert nothing.support.size == 0
        assert not nothing.coef.any()
        mean = y.mean()
        assert nothing.intercept == pytest.approx(
            mean if loss == "squared" else log(mean / (1 - mean))
        )


def test_criteria_do_not_choose_models_that_leave_too_few_samples():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(71, 60))
    y = 5 * X[:, :3].sum(axis=1) + rng.normal(size=71)
    path = sparse_path(X, y, 60, method="omp")
    for name in ("aic", "bic", "ebic", "gic"):
        assert np.isfinite(path.criterion(name)[:34]).all()
        assert np.isposinf(path.criterion(name)[34:]).all()
    assert {0, 1, 2} <= set(path.best("ebic").support) < set(range(60))
    noise = sparse_path(X, rng.normal(size=71), 60, method="omp")
    uncapped = 71 * np.log(2 * noise.losses / 71) + 2 * noise.s
    assert np.argmin(uncapped) > 34
    with pytest.warns(UserWarning, match="aic still falls at 34 features"):
        assert noise.best("aic").support.size == 34


def test_the_model_of_no_features_is_on_the_path_if_asked(data):
    X, y = data
    path = sparse_path(X, y, s=[2, 0])
    assert path.s.tolist() == [0, 2]
    assert path.at(0).support.size == 0
    assert path[0].fun == pytest.approx(0.5 * ((y - y.mean()) ** 2).sum())
    assert path[0].status is regiht.Status.FINISHED
    only = sparse_path(X, y, s=[0])
    assert (len(only), only.best_s()) == (1, 0)
    assert sparse_path(X, y, 3, keep=[1]).null is None
    weights = np.random.default_rng(2).random(len(y))
    weighted = sparse_path(X, y, 2, sample_weight=weights).null
    assert weighted.intercept == pytest.approx(np.average(y, weights=weights))
    assert sparse_path(X, y, 2, fit_intercept=False).null.intercept == 0.0


def test_tables_and_names(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame(X, columns=list("abcdefghijkl"))
    path = sparse_path(frame, y, 3, keep=["b"])
    table = path.to_pandas()
    assert table["features"].tolist() == [[path.feature_names[j] for j in m.support] for m in path]
    np.testing.assert_array_equal(table["ebic"], path.ebic)
    assert all("b" in features for features in table["features"])
    assert repr(path) == "<SparsePath of 3 models, 1 to 3 features>"


def test_a_printed_path_showed_no_models_without_pandas(data, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    X, y = data
    path = sparse_path(X, y, 2, feature_names=[f"dose {j}" for j in range(12)])
    header, *lines = str(path).splitlines()
    assert header.split() == ["s", "loss", "bic", "ebic", "features"]
    for line, model, loss, bic, ebic in zip(
        lines, path, path.losses, path.bic, path.ebic, strict=True
    ):
        cells = line.split(maxsplit=4)
        shown = [float(cell) for cell in cells[:4]]
        np.testing.assert_allclose(shown, [model.support.size, loss, bic, ebic], rtol=1e-5)
        assert cells[4] == ", ".join(f"dose {j}" for j in model.support)


def test_a_printed_path_has_no_criteria_where_the_loss_has_none_and_cuts_long_lines(data):
    X, y = data
    path = sparse_path(
        X, y > 0, 12, loss="squared-hinge", feature_names=[f"name-{j:04}" for j in range(12)]
    )
    header, *lines = str(path).splitlines()
    assert header.split() == ["s", "loss", "features"]
    assert lines[-1].endswith(" …")
    assert max(len(line) for line in lines) < 90


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_nonzeros": 0}, "max_nonzeros must be at least 1"),
        ({"s": []}, "s must not be an empty list"),
        ({"s": [13]}, "s must be between 1 and 12; got 13"),
        ({"keep": [1, 2], "s": [1]}, "s must be between 2"),
        ({"feature_names": ["a"]}, "feature_names must name every column"),
        ({"loss": "square"}, "Did you mean 'squared'"),
        ({"keep": [1], "exclude": [1]}, "both keep and exclude"),
        ({"sample_weight": [1.0]}, "sample_weight must have one entry"),
    ],
)
def test_wrong_arguments_are_named(data, options, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        sparse_path(*data, **options)


def test_a_value_that_is_not_on_the_path_is_named(data):
    with pytest.raises(regiht.InvalidArgumentError, match="s=9 is not on the path"):
        sparse_path(*data, 3).at(9)

"""Pursuits against the plain numpy of `regiht.reference.pursuits`, support by support."""

import numpy as np
import pytest

import regiht
from regiht import reference
from regiht.reference import pursuits

LOSSES = ("squared", "logistic", "poisson")
METHODS = {
    "omp": pursuits.omp,
    "ompr": pursuits.ompr,
    "cosamp": pursuits.cosamp,
    "gradient": pursuits.gradient_ranking,
}


def draw(seed, loss, make_target):
    rng = np.random.default_rng(seed)
    rows, cols = int(rng.integers(15, 40)), int(rng.integers(10, 30))
    X = rng.standard_normal((rows, cols)) + rng.uniform(0, 1) * rng.standard_normal((rows, 1))
    coef = np.zeros(cols)
    coef[rng.choice(cols, 4, replace=False)] = rng.standard_normal(4)
    return X, make_target(loss, X @ coef, rng), int(rng.integers(1, 6))


def assert_same(result, expected, objective, keep=()):
    support = np.union1d(np.flatnonzero(expected), np.asarray(keep, dtype=int))
    np.testing.assert_array_equal(result.support, support)
    np.testing.assert_allclose(result.x, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(result.fun, objective.value(expected), rtol=1e-9)


@pytest.mark.pairs
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("keep", [(), (3,), (0, 5)])
def test_pursuits_choose_what_the_reference_chooses(method, loss, keep, make_target):
    for seed in range(12):
        X, y, s = draw(seed, loss, make_target)
        s = max(s, len(keep))
        objective = reference.LinearObjective(X, y, loss, 0.3)
        expected = METHODS[method](objective, s, keep)
        result = regiht.solve(X, y, s, method=method, loss=loss, ridge=0.3, keep=list(keep))
        assert_same(result, expected, objective, keep)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("step", [1e-4, 1e-2, 0.1])
def test_htp_chooses_what_the_reference_chooses(loss, step, make_target):
    for seed in range(12):
        X, y, s = draw(seed, loss, make_target)
        objective = reference.LinearObjective(X, y, loss, 0.3)
        expected = pursuits.htp(objective, s, step=step)
        result = regiht.solve(X, y, s, method="htp", step=step, loss=loss, ridge=0.3)
        assert_same(result, expected, objective)


def test_htp_with_a_step_of_its_own_never_rises(make_target):
    for seed in range(20):
        X, y, s = draw(seed, "squared", make_target)
        result = regiht.solve(X, y, s, method="htp", history=True)
        assert np.all(np.diff(result.history["fun"]) < 0)


def test_ompr_is_no_worse_than_omp(make_target):
    for seed in range(20):
        for loss in LOSSES:
            X, y, s = draw(seed, loss, make_target)
            values = [
                regiht.solve(X, y, s, method=method, loss=loss, ridge=0.3).fun
                for method in ("omp", "ompr")
            ]
            assert values[1] <= values[0] + 1e-10 * abs(values[0])


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("keep", [(), (2, 6)])
def test_the_lasso_path_satisfies_its_optimality_conditions(loss, keep, make_target):
    for seed in range(6):
        X, y, _ = draw(seed, loss, make_target)
        objective = reference.LinearObjective(X, y, loss, 0.1)
        points = []
        regiht.solve(
            X, y, 8, method="lasso", loss=loss, ridge=0.1, keep=list(keep),
            callback=lambda it, points=points: points.append(it.x),
        )  # fmt: skip
        whole = [x for x in points if np.count_nonzero(x) < 8]  # not cut
        assert len(whole) > 2
        strengths = []
        for x in whole:
            gradient = objective.gradient(x)
            free = np.setdiff1d(np.flatnonzero(x), keep)
            assert np.all(np.abs(gradient[list(keep)]) < 1e-4 * np.abs(gradient).max() + 1e-6)
            if free.size == 0:
                continue
            strength = np.abs(gradient[free]).mean()
            strengths.append(strength)
            np.testing.assert_allclose(-gradient[free], strength * np.sign(x[free]), rtol=2e-4)
            assert np.abs(gradient).max() <= strength * (1 + 2e-4)
        assert len(strengths) > 1
        assert min(strengths) < max(strengths)


def test_the_lasso_is_cut_when_features_come_in_together(make_target):
    X, y, _ = draw(0, "squared", make_target)
    X[:, 1] = X[:, 0]
    y = 10 * X[:, 0]
    result = regiht.solve(X, y, 1, method="lasso")
    assert result.support.tolist() == [0]

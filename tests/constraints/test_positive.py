"""Coefficients that must not be negative: optimality, the reference, exhaustive search, scipy."""

from itertools import combinations

import numpy as np
import pytest
from scipy import optimize, sparse

import regiht
from regiht import reference
from regiht._solving import registry

LOSSES = regiht.losses()
METHODS = registry.methods_with("knows_positive")
S = 4


def draw(seed, loss, make_target, rows=50, cols=20, mean=0.3):
    """Columns that go together, and coefficients of both signs."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols)) + mean * rng.standard_normal((rows, 1))
    coef = np.zeros(cols)
    chosen = rng.choice(cols, min(6, cols), replace=False)
    coef[chosen] = rng.standard_normal(chosen.size)
    return X, make_target(loss, X @ coef, rng)


def bounded_minimum(objective, support):
    """The least value with these columns, none below zero, by scipy."""
    support = np.asarray(support, dtype=int)
    cols = objective.A.shape[1]
    if objective.loss is reference.LOSSES["squared"]:
        ridged = np.vstack(
            [objective.A[:, support], np.sqrt(objective.ridge) * np.eye(len(support))]
        )
        _, norm = optimize.nnls(ridged, np.append(objective.y, np.zeros(len(support))))
        return 0.5 * norm**2

    def full(z):
        x = np.zeros(cols)
        x[support] = z
        return x

    found = optimize.minimize(
        lambda z: objective.value(full(z)), np.zeros(support.size), method="L-BFGS-B",
        jac=lambda z: objective.gradient(full(z))[support], bounds=[(0, None)] * support.size,
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 5000, "maxfun": 50_000},
    )  # fmt: skip
    return found.fun


def assert_optimal(x, objective, support, rtol=1e-6):
    """No slope where an entry is positive, none downwards where it is zero."""
    support = np.asarray(support, dtype=int)
    curvature = np.sum(objective.A[:, support] ** 2, axis=0) + objective.ridge
    slope = objective.gradient(x)[support] / np.sqrt(np.where(curvature > 0, curvature, 1.0))
    size = np.sqrt(abs(objective.value(np.zeros_like(x))))
    assert np.all(x >= 0.0)
    assert np.all(np.abs(slope[x[support] > 0]) <= rtol * size)
    assert np.all(slope >= -rtol * size)


@pytest.mark.pairs
@pytest.mark.parametrize("step", [0.3, 1.0, 1.9])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", ["iht", "regiht"])
def test_the_paper_with_another_projection(
    method, loss, step, make_target, solve_by_reference, assert_agrees, all_designs
):
    X, y = draw(1, loss, make_target, rows=60, cols=90)
    curvature = min(reference.LOSSES[loss].max_curvature, 4.0)
    options = {
        "method": method, "loss": loss, "ridge": 0.1, "max_iter": 60, "positive": True,
        "step": step / (curvature * np.linalg.norm(X, 2) ** 2),
    }  # fmt: skip
    for keep in ((), (3, 50)):
        expected = solve_by_reference(X, y, S, keep=keep, **options)
        assert np.all(expected.x >= 0.0)
        for design in all_designs(X):
            for screening in (False, True):
                result = regiht.solve(
                    design, y, S, keep=keep, history=True, screening=screening, **options
                )
                assert_agrees(result, expected, keep)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
@pytest.mark.parametrize("method", ["iht", "regiht"])
def test_screening_and_threads_change_no_bit(method, loss, make_target):
    rng = np.random.default_rng(2)
    X = sparse.random_array((300, 2000), density=0.05, rng=rng, format="csc")
    y = make_target(loss, 3 * X[:, :5].sum(axis=1) - 3 * X[:, 5:8].sum(axis=1), rng)
    options = {"method": method, "loss": loss, "ridge": 0.01, "positive": True, "max_iter": 150}
    plain = regiht.solve(X, y, 5, screening=False, n_threads=1, **options)
    for threads in (1, 2):
        screened = regiht.solve(X, y, 5, n_threads=threads, **options)
        assert screened.x.tobytes() == plain.x.tobytes()
        assert screened.fun == plain.fun
        assert screened.n_gradients <= plain.n_gradients
    assert plain.x.min() >= 0.0


def test_a_refit_is_that_of_nnls():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rows, cols = int(rng.integers(1, 50)), int(rng.integers(1, 25))
        X, y = rng.standard_normal((rows, cols)), rng.standard_normal(rows)
        if seed % 3 == 0 and cols > 2:
            X[:, 1], X[:, 2] = X[:, 0], 0.0
        _, least = optimize.nnls(X, y)
        result = regiht.solve(X, y, cols, method="gradient", keep=range(cols), positive=True)
        np.testing.assert_allclose(2 * result.fun, least**2, rtol=1e-9, atol=1e-12 * (y @ y))
        assert_optimal(result.x, reference.LinearObjective(X, y), range(cols))
        assert result.support.tolist() == list(range(cols))


@pytest.mark.parametrize("loss", LOSSES)
def test_a_refit_is_that_of_bounds_in_scipy(loss, make_target):
    for seed in range(10):
        X, y = draw(seed, loss, make_target, cols=12)
        objective = reference.LinearObjective(X, y, loss, 0.1)
        least = bounded_minimum(objective, range(12))
        result = regiht.solve(
            X, y, 12, method="gradient", loss=loss, ridge=0.1, keep=range(12), positive=True
        )
        assert result.fun <= least + 1e-9 * abs(least)
        assert_optimal(result.x, objective, range(12))


@pytest.mark.pairs
@pytest.mark.parametrize(("seed", "intercept"), [(0, False), (1, False), (2, True)])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_ends_at_an_optimum_on_its_support(method, loss, seed, intercept, make_target):
    X, y = draw(seed, loss, make_target)
    result = regiht.solve(
        X, y, S, method=method, loss=loss, ridge=0.1, positive=True, refit=True,
        intercept=intercept,
    )  # fmt: skip
    assert result.support.size <= S
    np.testing.assert_array_equal(np.flatnonzero(result.x), result.support)
    assert result.x.min() >= 0.0
    if not intercept:
        objective = reference.LinearObjective(X, y, loss, 0.1)
        np.testing.assert_allclose(objective.value(result.x), result.fun, rtol=1e-10)
        assert_optimal(result.x, objective, result.support)


@pytest.mark.parametrize("method", METHODS)
def test_without_a_refit_too_nothing_is_negative(method, make_target):
    for loss in LOSSES:
        X, y = draw(3, loss, make_target)
        result = regiht.solve(X, y, S, method=method, loss=loss, ridge=0.1, positive=True)
        assert result.x.min() >= 0.0
        assert result.support.size <= S


@pytest.mark.parametrize(
    ("loss", "count"),
    [
        ("squared", 24), ("logistic", 6),
        pytest.param("squared", 60, marks=pytest.mark.slow),
        pytest.param("logistic", 12, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_best_finds_what_exhaustive_search_finds(loss, count, make_target):
    found = 0
    for seed in range(count):
        cols, s = 5 + seed % 5, 1 + seed % 4
        X, y = draw(seed, loss, make_target, rows=30, cols=cols, mean=(0.0, 0.5, 2.0)[seed % 3])
        objective = reference.LinearObjective(X, y, loss, 0.1)
        optimum = min(bounded_minimum(objective, each) for each in combinations(range(cols), s))
        result = regiht.solve(X, y, s, method="best", loss=loss, ridge=0.1, positive=True)
        assert result.fun >= optimum - 1e-7 * abs(optimum)
        found += result.fun <= optimum + 1e-7 * abs(optimum)
    assert found >= 0.98 * count


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_no_exchange_is_left_where_that_is_said(loss, make_target):
    said = 0
    seeds = range(12 if loss == "squared" else 5)
    for seed in seeds:
        X, y = draw(seed, loss, make_target, rows=30, cols=10, mean=1.0)
        objective = reference.LinearObjective(X, y, loss, 0.1)
        result = regiht.solve(
            X, y, 3, method="gradient", loss=loss, ridge=0.1, positive=True, polish="swap"
        )
        said += bool(result.swap_optimal)
        if not result.swap_optimal:
            continue
        for leaving in result.support:
            for entering in np.setdiff1d(np.arange(10), result.support):
                other = np.union1d(np.setdiff1d(result.support, [leaving]), [entering])
                value = bounded_minimum(objective, other)
                assert value >= result.fun - 1e-7 * abs(result.fun)
    assert said >= 0.75 * len(seeds)


def test_a_minimum_without_sparsity_ends_the_search(make_target):
    X, y = draw(5, "squared", make_target, cols=12)
    least, _ = optimize.nnls(X, y)
    wanted = np.flatnonzero(least)
    for method in ("omp", "best", "ompr"):
        result = regiht.solve(X, y, 12, method=method, positive=True, polish="swap")
        np.testing.assert_array_equal(result.support, wanted)
        np.testing.assert_allclose(result.x, least, atol=1e-9)
        assert result.swap_optimal


def test_nothing_positive_to_find():
    rng = np.random.default_rng(6)
    X = np.abs(rng.standard_normal((20, 5)))
    y = -X.sum(axis=1)
    for method in METHODS:
        result = regiht.solve(X, y, 2, method=method, positive=True, refit=True)
        assert not result.x.any()
        np.testing.assert_allclose(result.fun, 0.5 * y @ y)
        kept = regiht.solve(X, y, 2, method=method, positive=True, refit=True, keep=[1])
        assert kept.support.tolist() == [1]
        assert not kept.x.any()


def test_standardization_keeps_signs_and_the_intercept_is_free():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((80, 10)) * 10.0 ** rng.uniform(-2, 2, 10) + 5.0
    y = -100.0 + X[:, 2] / X[:, 2].std() + 0.1 * rng.standard_normal(80)
    for loss in ("squared", "huber"):
        result = regiht.solve(
            X, y, 3, method="best", loss=loss, positive=True, intercept=True, center=True,
            scale=True,
        )  # fmt: skip
        assert result.coef.min() >= 0.0
        assert result.coef[2] > 0.0
        assert result.intercept < -90.0


def test_a_start_below_zero_is_cut(make_target):
    X, y = draw(8, "squared", make_target)
    start = np.linspace(-1, 1, 20)
    for method in METHODS:
        result = regiht.solve(X, y, S, method=method, positive=True, x0=start, max_iter=0)
        assert result.x.min() >= 0.0


def test_a_lower_bound_holds_for_fewer_vectors_too(make_target):
    X, y = draw(9, "squared", make_target, cols=8)
    free = regiht.solve(X, y, 2, method="best", ridge=1.0, certify=True)
    result = regiht.solve(X, y, 2, method="best", ridge=1.0, certify=True, positive=True)
    assert result.lower_bound <= free.fun <= result.fun
    assert result.gap >= 0.0


def test_grids_batches_and_functions_of_ones_own(make_target):
    X, y = draw(10, "squared", make_target)
    options = {"method": "regiht", "positive": True, "ridge": 0.1, "refit": True}
    alone = regiht.solve(X, y, 3, **options)
    assert regiht.solve_grid(X, y, [2, 3], **options)[1].x.tobytes() == alone.x.tobytes()
    batch = regiht.solve_batch(X, np.column_stack([-y, y]), 3, **options)
    assert batch[1].x.tobytes() == alone.x.tobytes()
    assert batch[0].x.min() >= 0.0
    objective = reference.LinearObjective(X, y, "squared", 0.1)
    own = regiht.minimize(objective, 20, 3, method="best", positive=True)
    best = regiht.solve(X, y, 3, method="best", positive=True, ridge=0.1)
    np.testing.assert_array_equal(own.support, best.support)
    np.testing.assert_allclose(own.x, best.x, rtol=1e-5)


def test_a_method_that_does_not_know_it_says_which_do(make_target):
    X, y = draw(11, "squared", make_target)
    for call in (
        lambda: regiht.solve(X, y, 2, method="arht", positive=True),
        lambda: regiht.solve_grid(X, y, [2], method="arht", positive=True),
        lambda: regiht.solve_batch(X, y[:, None], 2, method="arht", positive=True),
    ):
        with pytest.raises(
            regiht.InvalidArgumentError, match=r"'arht' does not support positive.*omp"
        ):
            call()
    with pytest.raises(regiht.InvalidArgumentError, match="positive must be True or False"):
        regiht.solve(X, y, 2, positive=1)

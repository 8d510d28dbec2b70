"""The portfolio: as good as exhaustive search on small problems, and never worse than its parts."""

from itertools import combinations

import numpy as np
import pytest
import scipy.sparse

import regiht
from regiht import datasets, reference
from regiht._solving import registry

SINGLE = [method for method in regiht.methods() if method != "best"]
CORRELATIONS = (0.0, 0.3, 0.6, 0.8, 0.95)


def draw(seed, loss, make_target):
    """A problem small enough to try all supports."""
    rng = np.random.default_rng(seed)
    cols = int(rng.integers(4, 15))
    rows, s = int(rng.integers(cols, 60)), int(rng.integers(1, min(5, cols) + 1))
    correlation = CORRELATIONS[seed % len(CORRELATIONS)]
    covariance = correlation ** np.abs(np.subtract.outer(np.arange(cols), np.arange(cols)))
    X = rng.standard_normal((rows, cols)) @ np.linalg.cholesky(covariance).T
    coef = np.zeros(cols)
    coef[rng.choice(cols, s, replace=False)] = 2 * rng.standard_normal(s)
    return X, make_target(loss, X @ coef + rng.standard_normal(rows), rng), s


def exhaustive(X, y, s, loss, ridge, intercept):
    """The least value on any support: Newton's method on all of them at once."""
    objective = reference.LinearObjective(X, y, loss, ridge)
    subsets = np.array(list(combinations(range(X.shape[1]), s)))
    A = np.moveaxis(X[:, subsets], 0, 1)  # a matrix for each support
    ridges = np.full(s, ridge)
    if intercept:  # a column of ones without a penalty
        A = np.concatenate([A, np.ones((*A.shape[:2], 1))], axis=2)
        ridges = np.append(ridges, 0.0)
    x = np.zeros((len(subsets), ridges.size))

    def values(at):
        predictions = np.einsum("kis,ks->ki", A, at)
        return objective.loss.value(predictions, y).sum(axis=1) + 0.5 * (at**2 @ ridges)

    lowest = values(x)
    falls = np.full(len(subsets), True)
    for _ in range(100):
        predictions = np.einsum("kis,ks->ki", A, x)
        slopes = np.einsum("kis,ki->ks", A, objective.loss.derivative(predictions, y)) + ridges * x
        curved = A * objective.loss.curvature(predictions, y)[:, :, None]
        hessians = np.swapaxes(curved, 1, 2) @ A + np.diag(ridges)
        steps = np.linalg.solve(hessians, slopes[:, :, None])[:, :, 0]
        falls &= (slopes * steps).sum(axis=1) > 1e-14 * np.abs(lowest)
        if not falls.any():
            return lowest.min()
        for _ in range(40):
            rises = falls & ~(values(x - steps) < lowest)
            if not rises.any():
                break
            steps[rises] *= 0.5
        falls &= ~rises  # what does not fall after so many has only rounding left
        x = np.where(falls[:, None], x - steps, x)
        lowest = values(x)
    raise AssertionError("Newton's method did not come to an end")


def shares_of_optima(seeds, loss, make_target, ridges=(0.1, 1.0), intercept=False):
    found = dict.fromkeys(regiht.methods(), 0)
    for seed in seeds:
        X, y, s = draw(seed, loss, make_target)
        ridge = ridges[seed % 2]
        optimum = exhaustive(X, y, s, loss, ridge, intercept)
        values = {
            method: regiht.solve(
                X, y, s, method=method, loss=loss, ridge=ridge, refit=True, intercept=intercept
            ).fun
            for method in regiht.methods()
        }
        slack = 1e-7 * abs(optimum) + 1e-12
        assert min(values.values()) >= optimum - slack
        assert values["best"] <= min(values.values()) + slack
        for method, value in values.items():
            found[method] += value <= optimum + slack
    shares = {method: count / len(seeds) for method, count in found.items()}
    text = ", ".join(f"{method} {share:.2%}" for method, share in shares.items())
    print(f"\noptimum of {len(seeds)} problems found, {loss}: {text}")
    return shares


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_best_finds_the_optimum_of_small_problems(loss, make_target):
    shares = shares_of_optima(range(150), loss, make_target)
    assert shares["best"] >= 0.99


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_best_finds_the_optimum_with_an_intercept_and_little_ridge(loss, make_target):
    shares = shares_of_optima(range(200), loss, make_target, ridges=(1e-4, 1e-2), intercept=True)
    assert shares["best"] >= 0.995


def test_single_exchanges_were_stuck_where_columns_are_alike():
    bumps = np.exp(-35 * np.subtract.outer(np.linspace(0, 1, 24), np.linspace(0, 1, 14)) ** 2)
    supports = np.array(list(combinations(range(14), 6)))
    found = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = bumps + 1e-3 * rng.standard_normal(bumps.shape)
        y = X @ rng.standard_normal(14) + 0.05 * rng.standard_normal(24)
        best = regiht.solve(X, y, 6, method="best").fun
        bases = np.linalg.qr(np.moveaxis(X[:, supports], 1, 0)).Q
        explained = ((y @ bases) ** 2).sum(axis=1)
        optimum = 0.5 * (y @ y - explained.max())
        assert best >= optimum * (1 - 1e-9)
        found += best <= optimum * (1 + 1e-6)
    assert found >= 28


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_best_finds_the_optimum_of_many_small_problems(loss, make_target):
    shares = shares_of_optima(range(1000, 3000), loss, make_target)
    assert shares["best"] >= 0.99


@pytest.mark.parametrize("loss", regiht.losses())
def test_best_is_never_worse_than_its_rivals(loss, make_target):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((40, 60)) + rng.standard_normal((40, 1))
        y = make_target(loss, X[:, :4] @ rng.standard_normal(4), rng)
        options = {"loss": loss, "ridge": 0.5}
        best = regiht.solve(X, y, 6, method="best", **options)
        for method in SINGLE:
            single = regiht.solve(X, y, 6, method=method, refit=True, **options)
            assert best.fun <= single.fun + 1e-9 * abs(single.fun)


SHAPES = ((5, 3), (30, 8), (60, 200), (200, 40), (400, 1500), (2000, 30))
RIDGES = (0.0, 1e-4, 1e-2, 1.0)


def random_problem(seed, loss, make_target):
    """Dense, sparse or binary columns; any ridge; with and without an intercept."""
    rng = np.random.default_rng(seed)
    rows, cols = SHAPES[seed % len(SHAPES)]
    X = rng.standard_normal((rows, cols)) + rng.uniform(0, 1.5) * rng.standard_normal((rows, 1))
    kind = seed // len(SHAPES) % 3
    if kind == 1:
        X = X * (rng.random(X.shape) < 0.15)
    elif kind == 2:
        X = (X > 0.3).astype(float)
    s = int(rng.integers(1, min(12, cols, max(2, rows // 8)) + 1))
    coef = np.zeros(cols)
    coef[rng.choice(cols, s, replace=False)] = rng.standard_normal(s)
    y = make_target(loss, X @ coef + 0.5 * rng.standard_normal(rows), rng)
    X = scipy.sparse.csc_array(X) if kind == 1 else X
    # Without ridge classes may be told apart without error, and then nothing has a minimum.
    ridges = RIDGES if registry.LOSSES[loss].targets == "real" else RIDGES[1:]
    options = {"ridge": ridges[seed % len(ridges)], "intercept": bool(seed // 2 % 2)}
    return X, y, s, options | {"scale": bool(seed // 4 % 2)}


def above_a_single_method(seeds, loss, make_target):
    """Problems, by seed and method, where best is above a single method at its defaults."""
    found = []
    for seed in seeds:
        X, y, s, options = random_problem(seed, loss, make_target)
        best = regiht.solve(X, y, s, method="best", loss=loss, **options)
        for method in SINGLE:
            if registry.METHODS[method].draws and min(X.shape) > 40:
                continue  # takes long
            single = regiht.solve(X, y, s, method=method, loss=loss, refit=True, **options)
            if best.fun > single.fun + 1e-9 * abs(single.fun):
                found.append((seed, method, best.fun / single.fun - 1))
    return found


@pytest.mark.parametrize("loss", regiht.losses())
def test_best_is_above_no_single_method_on_problems_of_all_kinds(loss, make_target):
    assert above_a_single_method(range(12), loss, make_target) == []


@pytest.mark.slow
@pytest.mark.parametrize("loss", regiht.losses())
def test_best_is_above_no_single_method_on_many_problems_of_all_kinds(loss, make_target):
    assert above_a_single_method(range(100, 160), loss, make_target) == []


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_more_effort_is_never_worse_and_does_more(loss, make_target):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((60, 80)) + rng.standard_normal((60, 1))
        y = make_target(loss, X[:, :6] @ rng.standard_normal(6), rng)
        found = [
            regiht.solve(X, y, 6, method="best", loss=loss, ridge=1e-3, effort=effort)
            for effort in ("quick", "default", "thorough")
        ]
        values = np.array([each.fun for each in found])
        assert np.all(np.diff(values) <= 1e-9 * values[0])
        assert found[0].n_iter < found[2].n_iter


def test_rows_that_repeat_are_fitted_as_weighted_rows():
    rng = np.random.default_rng(5)
    table = (rng.random((40, 12)) < 0.4).astype(float)
    y = (table[:, 0] + table[:, 3] + rng.random(40) > 1.2).astype(float)
    counts = rng.integers(20, 60, size=40)
    options = {"loss": "logistic", "ridge": 0.01, "intercept": True, "method": "best"}
    once = regiht.solve(table, y, 4, sample_weight=counts.astype(float), **options)
    repeated = regiht.solve(np.repeat(table, counts, axis=0), np.repeat(y, counts), 4, **options)
    assert repeated.support.tolist() == once.support.tolist()
    np.testing.assert_allclose(repeated.fun, once.fun, rtol=1e-10)
    np.testing.assert_allclose(repeated.x, once.x, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(repeated.intercept, once.intercept, rtol=1e-6)


def large(seed):
    """A logistic problem of the size where the portfolio saves time."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((500, 2500))
    X[:, 1:] += 0.7 * X[:, :-1]
    coef = np.zeros(2500)
    coef[rng.choice(2500, 12, replace=False)] = 2 * rng.standard_normal(12)
    return X, (X @ coef + rng.standard_normal(500) > 0).astype(float)


def test_best_is_never_worse_than_its_rivals_on_a_large_matrix():
    for seed in range(3):
        X, y = large(seed)
        design = regiht.Design(X)
        for s in (4, 12):
            options = {"loss": "logistic", "ridge": 0.1}
            best = regiht.solve(design, y, s, method="best", **options)
            for method in SINGLE:
                if registry.METHODS[method].draws:
                    continue  # takes long
                single = regiht.solve(design, y, s, method=method, refit=True, **options)
                assert best.fun <= single.fun + 1e-9 * abs(single.fun), (seed, s, method)
            polished = regiht.solve(design, y, s, method="best", polish="swap", **options)
            assert polished.fun <= best.fun + 1e-9 * abs(best.fun)


def test_three_smells_tell_poisonous_mushrooms_where_no_two_do(real_data):
    X, y = real_data("mushroom")
    model = regiht.SparseClassifier(3).fit(X.astype(float), y)
    # The best of all 234 136 triples; the next is at 1028.5.
    assert model.support_.tolist() == [22, 23, 24]
    assert model.objective_ == pytest.approx(545.88, abs=0.01)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_what_is_shown_has_at_most_s_features(loss, make_target):
    small = draw(7, loss, make_target)[:2]
    for X, y in [small] if loss == "squared" else [small, large(0)]:
        seen = []
        result = regiht.solve(
            X, y, 3, method="best", loss=loss, ridge=0.1, history=True,
            callback=lambda it, seen=seen: seen.append((it.support.size, it.fun)),
        )  # fmt: skip
        assert len(seen) == result.n_iter == result.history["fun"].size
        assert max(size for size, _ in seen) <= 3
        np.testing.assert_array_equal([fun for _, fun in seen], result.history["fun"])


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_alternatives_are_distinct_refitted_and_in_order(loss, make_target):
    for seed in range(5):
        X, y, s = draw(seed, loss, make_target)
        objective = reference.LinearObjective(X, y, loss, 0.1)
        result = regiht.solve(X, y, s, method="best", loss=loss, ridge=0.1)
        values = [result.fun, *(other.fun for other in result.alternatives)]
        assert values == sorted(values)
        supports = [tuple(result.support)] + [tuple(a.support) for a in result.alternatives]
        assert len(set(supports)) == len(supports)
        for other in result.alternatives:
            x = np.zeros(X.shape[1])
            x[other.support] = other.values
            assert other.support.size <= s
            np.testing.assert_allclose(objective.value(x), other.fun, rtol=1e-10)
            slope = objective.gradient(x)[other.support]
            assert np.all(np.abs(slope) <= 1e-5 * np.abs(objective.gradient(0 * x)).max())


def test_supports_that_differ_in_zeros_only_are_one(make_target):
    for loss in regiht.losses():
        X = np.zeros((12, 3))
        X[:, 1] = np.arange(12) - 5.5
        y = make_target(loss, X[:, 1], np.random.default_rng(1))
        result = regiht.solve(X, y, 2, method="best", loss=loss, ridge=0.1, x0=[0.5, 0.5, 0.5])
        supports = [tuple(result.support)] + [tuple(a.support) for a in result.alternatives]
        assert len(set(supports)) == len(supports)


def test_one_sparsity_gives_what_a_grid_gives(make_target):
    for loss in ("squared", "logistic"):
        rng = np.random.default_rng(2)
        X = rng.standard_normal((50, 40))
        y = make_target(loss, X[:, :3] @ np.array([1.0, -2.0, 1.5]), rng)
        options = {"method": "best", "loss": loss, "ridge": 0.1}
        table = regiht.solve_grid(X, y, s=[1, 2, 3, 5, 8], **options)
        for s, entry in zip([1, 2, 3, 5, 8], table, strict=True):
            alone = regiht.solve(X, y, s, **options)
            np.testing.assert_array_equal(entry.x, alone.x)
            assert entry.fun == alone.fun


def test_more_features_are_never_worse(make_target):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 50))
    y = make_target("squared", X[:, :10] @ rng.standard_normal(10), rng)
    values = [regiht.solve(X, y, s, method="best").fun for s in range(1, 15)]
    assert np.all(np.diff(values) <= 1e-9 * values[0])


def test_a_time_limit_is_told_and_leaves_an_answer():
    problem = datasets.recovery(s=40)
    result = regiht.solve(problem.X, problem.y, 40, method="best", time_limit=1e-6)
    assert result.status == "time_limit"
    assert not result.success
    assert result.fun <= 0.5 * problem.y @ problem.y
    objective = reference.LinearObjective(problem.X, problem.y)
    np.testing.assert_allclose(objective.value(result.x), result.fun, rtol=1e-9)


def test_nothing_to_fit_is_an_answer():
    result = regiht.solve(np.ones((5, 3)), np.zeros(5), 2, method="best")
    assert (result.fun, result.support.size) == (0.0, 0)


@pytest.mark.parametrize("max_iter", [0, 5])
def test_max_iter_limits_the_runs_of_the_portfolio_and_n_iter_counts_all(max_iter):
    rng = np.random.default_rng(0)  # with noise: an exact fit would end the search
    X = rng.normal(size=(50, 20))
    y = X[:, :5].sum(axis=1) + rng.normal(size=50)
    seen = []
    result = regiht.solve(
        X, y, 5, method="best", max_iter=max_iter, history=True,
        callback=lambda each: seen.append(each.number),
    )  # fmt: skip
    assert seen == list(range(1, result.n_iter + 1))
    assert result.history["fun"].size == result.n_iter
    # Paths, splices and exchanges have rules of their own, as the page on methods says.
    assert result.n_iter > max_iter
    free = regiht.solve(X, y, 5, method="best")
    assert result.n_iter < free.n_iter
    stopped = regiht.solve(X, y, 5, method="best", callback=lambda each: True)
    assert stopped.n_iter == 1


@pytest.mark.parametrize("method", [name for name in regiht.methods() if name != "best"])
def test_max_iter_limits_every_other_method(method):
    problem = datasets.recovery(s=5, seed=0)
    for max_iter in (0, 1, 3):
        result = regiht.solve(problem.X, problem.y, 5, method=method, max_iter=max_iter)
        assert result.n_iter <= max_iter


def f1_scores(s, seeds):
    scores = []
    for seed in seeds:
        problem = datasets.recovery(s=s, seed=seed)
        found = regiht.solve(problem.X, problem.y, s, method="best").support
        common = np.intersect1d(found, np.flatnonzero(problem.coef)).size
        scores.append(2 * common / (len(found) + s))
    return scores


@pytest.mark.parametrize(("s", "least"), [(20, 1.0), (30, 0.985)])
def test_planted_supports_are_recovered(s, least):
    scores = f1_scores(s, range(20))
    print(f"\nmean F1 at s = {s}: {np.mean(scores):.4f}")
    assert np.mean(scores) >= least


@pytest.mark.slow
def test_half_of_the_hardest_supports_is_recovered():
    scores = f1_scores(40, range(20))
    print(f"\nmean F1 at s = 40: {np.mean(scores):.4f}")
    assert np.mean(scores) >= 0.5

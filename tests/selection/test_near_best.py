"""Near-best models, against all supports tried one by one."""

from __future__ import annotations

import doctest
import itertools

import numpy as np
import pytest
from scipy import optimize, sparse

import regiht
from regiht import reference
from regiht._selection import near_best as module


def correlated(seed, rows, cols):
    """Columns that resemble one another, so that many models are nearly as good."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3)) @ rng.normal(size=(3, cols))
    X += 0.4 * rng.normal(size=(rows, cols))
    return X, X[:, :3].sum(axis=1) + rng.normal(size=rows)


def best_within(values, within):
    limit = min(values.values()) * (1 + within)
    return {support: value for support, value in values.items() if value <= limit}


def listed(models):
    return {
        tuple(each.tolist()): fun for each, fun in zip(models.supports, models.fun, strict=True)
    }


def assert_same(models, expected):
    found = listed(models)
    assert found.keys() == expected.keys()
    for support, value in expected.items():
        assert found[support] == pytest.approx(value, rel=1e-7)
    assert (np.diff(models.fun) >= 0.0).all()
    assert models.complete


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("s", "within"), [(2, 0.3), (3, 0.1), (4, 0.05)])
def test_all_least_squares_models_are_found(seed, s, within):
    X, y = correlated(seed, 30, 9)
    A, b = X - X.mean(axis=0), y - y.mean()
    values = {
        support: 0.5 * np.sum((b - A[:, support] @ np.linalg.lstsq(A[:, support], b)[0]) ** 2)
        for support in itertools.combinations(range(9), s)
    }
    expected = best_within(values, within)
    assert_same(regiht.near_best(X, y, s, within, max_models=500), expected)


@pytest.mark.parametrize("loss", ["logistic", "poisson", "huber"])
def test_all_models_of_other_losses_are_found(loss, make_target):
    rng = np.random.default_rng(5)
    X, signal = correlated(5, 80, 7)
    A = np.column_stack([np.ones(80), (X - X.mean(axis=0)) / np.linalg.norm(X - X.mean(0), axis=0)])
    y = make_target(loss, 0.3 * signal, rng)
    ridge, values = 0.01, {}
    for support in itertools.combinations(range(7), 2):
        columns = A[:, [0, *(j + 1 for j in support)]]
        plain = reference.LinearObjective(columns, y, loss)
        free = np.array([0.0, 1.0, 1.0])
        values[support] = optimize.minimize(
            lambda x, f=plain, free=free: f.value(x) + 0.5 * ridge * x @ (free * x),
            np.zeros(3),
            jac=lambda x, f=plain, free=free: f.gradient(x) + ridge * free * x,
            options={"gtol": 1e-8},
        ).fun
    models = regiht.near_best(X, y, 2, 0.6, loss=loss, ridge=ridge)
    assert_same(models, best_within(values, 0.6))
    assert len(models) > 3


def test_nonnegative_models_with_kept_weighted_and_left_out_columns():
    X, y = correlated(8, 40, 8)
    weights = np.random.default_rng(0).uniform(0.5, 2, size=40)
    mean = weights @ X / weights.sum(), weights @ y / weights.sum()
    A, b = (X - mean[0]) * np.sqrt(weights)[:, None], (y - mean[1]) * np.sqrt(weights)
    values = {}
    for pair in itertools.combinations([0, 2, 3, 4, 5, 7], 2):
        support = (1, *pair)
        x, error = optimize.nnls(A[:, support], b)
        values[tuple(sorted(j for j, v in zip(support, x, strict=True) if v > 0))] = error**2 / 2
    models = regiht.near_best(
        X, y, 3, 0.5, keep=[1], exclude=[6], positive=True, sample_weight=weights, max_models=500
    )
    assert_same(models, best_within(values, 0.5))
    assert all((r.coef >= 0).all() for r in models)


GROUPS = np.array([0, 0, 1, 2, 2, 3, 3, 4, 5, 5])


@pytest.mark.parametrize(("s", "within"), [(1, 3.0), (2, 1.0), (3, 0.3)])
def test_all_models_of_groups_are_found(s, within):
    X, y = correlated(9, 40, 10)
    A, b = X - X.mean(axis=0), y - y.mean()
    values = {}
    for chosen in itertools.combinations(range(6), s):
        columns = A[:, np.isin(GROUPS, chosen)]
        values[chosen] = 0.5 * np.sum((b - columns @ np.linalg.lstsq(columns, b)[0]) ** 2)
    models = regiht.near_best(X, y, s, within, groups=GROUPS, max_models=500)
    found = [tuple(np.unique(GROUPS[each]).tolist()) for each in models.supports]
    expected = best_within(values, within)
    assert len(found) == len(set(found)) > 1
    assert dict(zip(found, models.fun, strict=True)) == pytest.approx(expected, rel=1e-7)
    assert models.complete


def test_groups_stand_for_each_other_without_the_columns_left_out():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 7))
    X[:, 4:6] = X[:, 1:3] @ [[1.0, 1.0], [1.0, -1.0]]  # the same span
    y = X[:, 0] - 2 * X[:, 1] + X[:, 2] + 0.1 * rng.normal(size=60)
    names = ["a", "b_1", "b_2", "d", "e_1", "e_2", "e_3"]
    models = regiht.near_best(
        X, y, 2, 0.01, feature_names=names, groups="prefix", exclude=["e_3"], keep=["a"]
    )
    assert set(listed(models)) == {(0, 1, 2), (0, 4, 5)}
    (found,) = models.substitutes()
    assert {found.feature, found.substitute} == {"b_1, b_2", "e_1, e_2"}
    with pytest.raises(regiht.InvalidArgumentError, match="s must be between 1 and 4; got 5"):
        regiht.near_best(X, y, 5, feature_names=names, groups="prefix")


def test_labels_and_frames_are_taken_and_separable_classes_have_a_ridge():
    pd = pytest.importorskip("pandas")
    X, y = correlated(6, 60, 5)
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame["b"] = (frame["b"] > 0).astype("boolean")
    words = np.where(y > 0, "yes", "no")
    models = regiht.near_best(frame, words, 2, 0.2)
    plain = frame.to_numpy(dtype=float)
    given = regiht.near_best(plain, y > 0, 2, 0.2, loss="logistic", ridge=1e-4)
    assert listed(models) == pytest.approx(listed(given))
    assert models.feature_names == list("abcde")
    separable = regiht.near_best(plain, np.where(plain[:, 0] > 0, "yes", "no"), 1)
    assert separable.supports[0].tolist() == [0]
    assert not separable[0].notes
    frame["text"] = words
    with pytest.raises(regiht.InvalidArgumentError, match="'text'"):
        regiht.near_best(frame, y, 2)


def test_copies_stand_for_each_other():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 6))
    X[:, 4] = X[:, 1]
    y = X[:, 0] - 2 * X[:, 1] + 0.1 * rng.normal(size=60)
    models = regiht.near_best(X, y, 2, within=0.0)
    assert set(listed(models)) == {(0, 1), (0, 4)}
    assert models.always.tolist() == [0]
    (found,) = models.substitutes()
    assert {found.feature, found.substitute} == {"x1", "x4"}
    assert found.excess == pytest.approx(0.0, abs=1e-9)


def test_substitutes_are_pairs_of_models_that_differ_in_one_feature():
    X, y = correlated(2, 30, 9)
    models = regiht.near_best(X, y, 3, 0.6, max_models=500)
    excess = {
        frozenset(each.tolist()): share
        for each, share in zip(models.supports, models.excess, strict=True)
    }
    best, expected = set(models.supports[0].tolist()), {}
    for a, b in itertools.permutations(excess, 2):
        if len(a - b) == 1 and excess[a] <= excess[b] and a - b <= best:
            pair = f"x{min(a - b)}", f"x{min(b - a)}"
            expected[pair] = min(expected.get(pair, np.inf), excess[b])
    found = {(each.feature, each.substitute): each.excess for each in models.substitutes()}
    assert found == expected
    assert len(found) > 5
    counts = [sum(j in each for each in models.supports) for j in models.features]
    assert counts == sorted(counts, reverse=True)


def test_threads_and_storage_change_nothing():
    X, y = correlated(3, 30, 9)
    models = regiht.near_best(X, y, 3, 0.1, n_threads=1)
    for other in (
        regiht.near_best(X, y, 3, 0.1, n_threads=2),
        regiht.near_best(sparse.csr_array(X), y, 3, 0.1),
    ):
        assert [s.tolist() for s in other.supports] == [s.tolist() for s in models.supports]
    np.testing.assert_array_equal(regiht.near_best(X, y, 3, 0.1, n_threads=2).fun, models.fun)


def test_limits_are_kept_and_told():
    X, y = correlated(4, 60, 30)
    few = regiht.near_best(X, y, 4, 0.5, max_models=7)
    assert (len(few), few.complete) == (7, False)
    assert "perhaps more" in repr(few)
    short = regiht.near_best(X, y, 4, 0.5, time_limit=1e-9)
    assert len(short) >= 1
    assert not short.complete
    # As many columns as features: there is one model.
    everything = regiht.near_best(X[:, :3], y, 3, 0.5)
    assert [each.tolist() for each in everything.supports] == [[0, 1, 2]]
    assert everything.complete


def test_names_and_table():
    pd = pytest.importorskip("pandas")
    X, y = correlated(6, 40, 6)
    frame = pd.DataFrame(X, columns=[f"feature {j}" for j in range(6)])
    models = regiht.near_best(frame, y, 2, 0.3, exclude=["feature 5"])
    table = models.to_pandas()
    names = [f"feature {j}" for j in models.features]
    assert table.columns.tolist() == ["fun", "excess", "intercept", *names]
    predictions = (
        table[names].to_numpy() @ X[:, models.features].T + table[["intercept"]].to_numpy()
    )
    np.testing.assert_allclose(0.5 * ((predictions - y) ** 2).sum(axis=1), models.fun, rtol=1e-9)
    assert "feature 5" not in names


def test_wrong_arguments_are_named():
    X, y = correlated(6, 20, 4)
    for wrong in (
        {"within": -0.1}, {"max_models": 0}, {"feature_names": ["a"]}, {"time_limit": 0},
        {"options": {"groups": [[0, 1]]}}, {"standardize": 1},
    ):  # fmt: skip
        with pytest.raises(regiht.InvalidArgumentError, match=next(iter(wrong))):
            regiht.near_best(X, y, 2, **wrong)


def test_the_picture_shows_who_uses_what():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    X, y = correlated(2, 30, 9)
    models = regiht.near_best(X, y, 3, 0.2)
    figure, (left, right) = plt.subplots(1, 2, layout="constrained")
    models.plot(left)
    figure.canvas.draw()
    assert not right.has_data()
    labels = [text.get_text() for text in left.get_yticklabels()]
    cells = {
        (round(bar.get_x() + 0.45) - 1, labels[round(bar.get_y() + 0.4)]) for bar in left.patches
    }
    expected = {(k, f"x{j}") for k, support in enumerate(models.supports) for j in support}
    assert cells == expected
    plt.close("all")


def test_the_example_of_the_docstring_runs():
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0
    assert outcome.failed == 0

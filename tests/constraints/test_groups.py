"""Columns that enter together: the reference, single columns, exhaustive search, exchanges."""

from itertools import combinations

import numpy as np
import pytest
from scipy import optimize, sparse

import regiht
from regiht import reference
from regiht._solving import registry
from regiht.reference import pursuits

LOSSES = regiht.losses()
METHODS = registry.methods_with("knows_groups")


def draw(seed, loss, make_target, rows=60, sizes=(3, 1, 2, 4, 2, 3, 1, 2)):
    """Groups of unequal size whose columns are not neighbours, and a few that matter."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    X = rng.standard_normal((rows, labels.size)) + 0.5 * rng.standard_normal((rows, 1))
    matter = rng.choice(len(sizes), 3, replace=False)
    coef = np.where(np.isin(labels, matter), rng.standard_normal(labels.size), 0.0)
    return X, make_target(loss, X @ coef, rng), labels


def columns_of(labels, groups):
    return np.flatnonzero(np.isin(labels, groups))


def least_value(objective, columns, *, positive=False):
    if positive:
        ridged = np.vstack(
            [objective.A[:, columns], np.sqrt(objective.ridge) * np.eye(columns.size)]
        )
        return 0.5 * optimize.nnls(ridged, np.append(objective.y, np.zeros(columns.size)))[1] ** 2
    return objective.value(pursuits.restricted_minimum(objective, columns))


def assert_whole_groups(result, labels, s):
    chosen = np.unique(labels[result.support])
    assert chosen.size <= s
    np.testing.assert_array_equal(result.support, columns_of(labels, chosen))
    assert not np.setdiff1d(np.flatnonzero(result.x), result.support).size


@pytest.mark.pairs
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", ["iht", "regiht"])
def test_the_reference_agrees(
    method, loss, positive, make_target, solve_by_reference, assert_agrees, all_designs
):
    X, y, labels = draw(1, loss, make_target)
    curvature = min(reference.LOSSES[loss].max_curvature, 4.0)
    options = {
        "method": method, "loss": loss, "ridge": 0.1, "max_iter": 60, "groups": labels,
        "step": 1.5 / (curvature * np.linalg.norm(X, 2) ** 2), "positive": positive,
    }  # fmt: skip
    for keep in ((), (4,)):
        expected = solve_by_reference(X, y, 3, keep=keep, **options)
        chosen = np.union1d(labels[expected.x != 0], labels[list(keep)])
        for design in all_designs(X):
            result = regiht.solve(design, y, 3, keep=keep, history=True, **options)
            assert_agrees(result, expected, columns_of(labels, chosen))
            assert_whole_groups(result, labels, 3)


@pytest.mark.parametrize("safeguard", [False, True])
def test_algorithm_1_and_adaptive_weight_steps_agree_too(
    safeguard, make_target, solve_by_reference, assert_agrees
):
    X, y, labels = draw(2, "squared", make_target)
    step = 1.0 / np.linalg.norm(X, 2) ** 2
    for weight_step in (None, "adaptive"):
        options = {"step": step, "groups": labels, "weight_step": weight_step, "max_iter": 800}
        expected = solve_by_reference(X, y, 3, safeguard=safeguard, **options)
        result = regiht.solve(X, y, 3, safeguard=safeguard, **options)
        chosen = np.unique(labels[expected.x != 0])
        assert_agrees(result, expected, columns_of(labels, chosen), rtol=1e-7)


def test_weights_are_those_of_groups(make_target):
    X, y, labels = draw(3, "squared", make_target)
    result = regiht.solve(X, y, 3, groups=labels, weight_step=0.1, max_iter=30)
    assert np.unique(result.weights).size > 2
    for group in np.unique(labels):
        assert np.unique(result.weights[labels == group]).size == 1


@pytest.mark.pairs
@pytest.mark.parametrize("step", [None, 0.01])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
def test_single_columns_give_the_bits_of_no_groups(method, loss, step, make_target):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((50, 40)).round(1)  # equal magnitudes happen
    X[:, 7] = X[:, 3]
    y = make_target(loss, X[:, :3].sum(axis=1), rng)
    options = {"method": method, "loss": loss, "ridge": 0.1, "step": step, "max_iter": 120}
    for keep, positive in ((None, False), ([5, 30], False), (None, True)):
        plain = regiht.solve(X, y, 4, keep=keep, positive=positive, **options)
        alone = regiht.solve(
            X, y, 4, keep=keep, positive=positive, groups=rng.permutation(40), **options
        )
        if method == "best":  # it has other ways to find groups
            assert alone.fun <= plain.fun + 1e-3 * abs(plain.fun)
            continue
        assert alone.x.tobytes() == plain.x.tobytes()
        np.testing.assert_array_equal(alone.support, plain.support)
        assert alone.weights.tobytes() == plain.weights.tobytes()
        assert alone.fun == plain.fun


@pytest.mark.pairs
@pytest.mark.parametrize("keep", [None, [4]])
@pytest.mark.parametrize("storage", ["row-major", "csc_array"])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_selects_whole_groups(method, loss, storage, keep, make_target, stored):
    X, y, labels = draw(5, loss, make_target)
    objective = reference.LinearObjective(X, y, loss, 0.1)
    result = regiht.solve(
        stored(X, storage), y, 3, method=method, loss=loss, ridge=0.1, groups=labels, refit=True,
        keep=keep,
    )  # fmt: skip
    assert_whole_groups(result, labels, 3)
    np.testing.assert_allclose(objective.value(result.x), result.fun, rtol=1e-10)
    slope = objective.gradient(result.x)[result.support]
    assert np.abs(slope).max() <= 1e-5 * np.abs(objective.gradient(0 * result.x)).max()
    if keep:
        assert set(columns_of(labels, labels[keep])) <= set(result.support.tolist())


def test_matching_pursuit_agrees_with_numpy(make_target):
    for loss in LOSSES:
        X, y, labels = draw(6, loss, make_target)
        objective = reference.LinearObjective(X, y, loss, 0.1)
        x, chosen = np.zeros(labels.size), []
        for _ in range(3):
            norms = np.sqrt(np.bincount(labels, weights=objective.gradient(x) ** 2))
            norms[chosen] = 0.0
            chosen.append(int(np.argmax(norms)))
            x = pursuits.restricted_minimum(objective, columns_of(labels, chosen))
        result = regiht.solve(X, y, 3, method="omp", loss=loss, ridge=0.1, groups=labels)
        np.testing.assert_array_equal(result.support, columns_of(labels, chosen))
        np.testing.assert_allclose(result.x, x, atol=1e-6 * np.abs(x).max())


@pytest.mark.parametrize(
    ("loss", "positive", "count"),
    [
        ("squared", False, 24), ("logistic", False, 8), ("squared", True, 12),
        pytest.param("squared", False, 60, marks=pytest.mark.slow),
        pytest.param("logistic", False, 15, marks=pytest.mark.slow),
        pytest.param("squared", True, 30, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_best_finds_what_exhaustive_search_finds(loss, positive, count, make_target):
    found = 0
    for seed in range(count):
        X, y, labels = draw(seed, loss, make_target, rows=30)
        s = 1 + seed % 4
        objective = reference.LinearObjective(X, y, loss, 0.1)
        optimum = min(
            least_value(objective, columns_of(labels, each), positive=positive)
            for each in combinations(range(8), s)
        )
        result = regiht.solve(
            X, y, s, method="best", loss=loss, ridge=0.1, groups=labels, positive=positive
        )
        assert_whole_groups(result, labels, s)
        assert result.fun >= optimum - 1e-7 * abs(optimum)
        found += result.fun <= optimum + 1e-7 * abs(optimum)
        for other in result.alternatives:
            assert np.unique(labels[other.support]).size <= s
            assert other.fun >= result.fun
    assert found >= 0.97 * count


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_no_exchange_of_groups_is_left(loss, make_target):
    for seed in range(10):
        X, y, labels = draw(seed, loss, make_target, rows=30)
        objective = reference.LinearObjective(X, y, loss, 0.1)
        start = np.zeros(labels.size)
        start[columns_of(labels, [0, 1, 2])] = 1.0
        result = regiht.solve(
            X, y, 3, method="gradient", loss=loss, ridge=0.1, groups=labels, x0=start, polish="swap"
        )
        assert result.swap_optimal
        inside = np.unique(labels[result.support])
        for leaving in inside:
            for entering in np.setdiff1d(labels, inside):
                other = columns_of(labels, [*np.setdiff1d(inside, [leaving]), entering])
                assert least_value(objective, other) >= result.fun - 1e-7 * abs(result.fun)


def test_labels_of_any_kind_and_order(make_target):
    X, y, labels = draw(8, "squared", make_target)
    names = np.array(["soil", "rain", "wind", "a", "b", "c", "d", "e"])
    lists = [columns_of(labels, [group]).tolist() for group in range(8)]
    wanted = regiht.solve(X, y, 3, method="omp", groups=labels)
    mixed = [int(each) if each < 4 else str(names[each]) for each in labels]
    some = dict.fromkeys(lists[3], "pair")
    for given in (
        labels.tolist(), labels.astype(np.int8), 100 - labels, names[labels],
        names[labels].tolist(), names[labels].astype(object), mixed, lists,
        [set(each) for each in lists], dict(enumerate(labels.tolist())),
    ):  # fmt: skip
        result = regiht.solve(X, y, 3, method="omp", groups=given)
        assert result.x.tobytes() == wanted.x.tobytes()
    partly = regiht.solve(X, y, 5, method="omp", groups=some)
    again = regiht.solve(X, y, 5, method="omp", groups=[lists[3]])
    assert partly.x.tobytes() == again.x.tobytes()


def test_of_equal_groups_the_one_with_the_lowest_column_is_chosen():
    X, y = np.eye(6), np.ones(6)
    for labels in ([9, 1, 1, 9, 2, 2], [1, 9, 9, 1, 2, 2]):
        for method in METHODS:
            result = regiht.solve(X, y, 1, method=method, groups=labels)
            assert result.support.tolist() == [0, 3], method


def test_a_large_group_of_small_entries_is_found():
    X = np.eye(10)
    y = np.array([2.0, 0, 0, 0, 0, 0, 1.0, 1.0, 1.0, 1.5])
    for method in METHODS:
        labels = [0, 1, 2, 3, 4, 5, 7, 7, 7, 7]
        result = regiht.solve(X, y, 1, method=method, groups=labels)
        assert result.support.tolist() == [6, 7, 8, 9], method


def test_columns_that_are_left_out_leave_their_group(make_target):
    X, y, labels = draw(9, "squared", make_target)
    group = np.unique(labels[regiht.solve(X, y, 1, method="omp", groups=labels).support])[0]
    members = columns_of(labels, [group])
    X[:, members[0]] = 2.0
    result = regiht.solve(X, y, 8, method="omp", groups=labels, center=True, scale=True)
    assert members[0] not in result.support
    assert set(members[1:]) <= set(result.support.tolist())
    excluded = regiht.Design(X, exclude=[int(members[1])])
    result = regiht.solve(excluded, y, 8, method="best", groups=labels)
    assert members[1] not in result.support
    assert set(members[2:]) <= set(result.support.tolist())


def test_all_groups_and_one_group(make_target):
    X, y, labels = draw(10, "squared", make_target)
    least = np.linalg.lstsq(X, y, rcond=None)[0]
    for method in METHODS:
        result = regiht.solve(X, y, 8, method=method, groups=labels, refit=True, polish="swap")
        np.testing.assert_allclose(result.x, least, atol=1e-8)
        assert result.swap_optimal
        one = regiht.solve(X, y, 1, method=method, groups=np.zeros(labels.size, int), refit=True)
        np.testing.assert_allclose(one.x, least, atol=1e-8)
        kept = regiht.solve(X, y, 8, method=method, groups=labels, keep=range(labels.size))
        assert kept.support.size == labels.size


def test_many_columns_take_no_longer_than_they_must():
    rng = np.random.default_rng(11)
    X = sparse.random_array((400, 47_000), density=0.02, rng=rng, format="csc")
    labels = rng.permutation(np.arange(47_000) // 3)
    wanted = np.unique(labels[:4])
    y = 3 * X[:, columns_of(labels, wanted)].sum(axis=1) + 0.01 * rng.standard_normal(400)
    result = regiht.solve(X, y, 4, method="omp", groups=labels)
    np.testing.assert_array_equal(np.unique(labels[result.support]), wanted)
    result = regiht.solve(X, y, 4, groups=labels, max_iter=50, step=0.1)
    assert_whole_groups(result, labels, 4)
    assert result.n_gradients == 50.0  # nothing is screened


def test_threads_and_repetition_change_no_bit(make_target):
    for loss in ("squared", "logistic"):
        X, y, labels = draw(12, loss, make_target, rows=500)
        for method in METHODS:
            options = {"method": method, "loss": loss, "ridge": 0.1, "groups": labels}
            bits = {
                regiht.solve(X, y, 3, n_threads=threads, **options).x.tobytes()
                for threads in (1, 2, 2, 5)
            }
            assert len(bits) == 1


def test_a_lower_bound_holds_for_groups(make_target):
    X, y, labels = draw(13, "squared", make_target, rows=30)
    objective = reference.LinearObjective(X, y, "squared", 5.0)
    optimum = min(least_value(objective, columns_of(labels, g)) for g in combinations(range(8), 2))
    for keep in (None, [0]):
        result = regiht.solve(
            X, y, 2, method="best", ridge=5.0, groups=labels, certify=True, keep=keep
        )
        assert result.lower_bound <= (optimum if keep is None else result.fun)
        assert 0.0 < result.gap < 1.0


def test_grids_batches_and_functions_of_ones_own(make_target):
    X, y, labels = draw(14, "squared", make_target)
    options = {"method": "regiht", "groups": labels, "ridge": 0.1, "refit": True}
    alone = regiht.solve(X, y, 3, **options)
    assert regiht.solve_grid(X, y, [2, 3], **options)[1].x.tobytes() == alone.x.tobytes()
    batch = regiht.solve_batch(X, np.column_stack([-y, y]), 3, **options)
    assert batch[1].x.tobytes() == alone.x.tobytes()
    objective = reference.LinearObjective(X, y, "squared", 0.1)
    own = regiht.minimize(objective, labels.size, 3, method="best", groups=labels)
    best = regiht.solve(X, y, 3, method="best", groups=labels, ridge=0.1)
    np.testing.assert_array_equal(own.support, best.support)


def test_a_time_limit_and_a_callback_stop_it(make_target):
    X, y, labels = draw(15, "squared", make_target)
    for method in METHODS:
        stopped = regiht.solve(X, y, 3, method=method, groups=labels, callback=lambda _: True)
        assert stopped.status == "stopped"
        assert_whole_groups(stopped, labels, 3)


BAD = [
    ([0, 1], "one label for every column"),
    (np.zeros((18, 1), int), "one label for every column"),
    (np.linspace(0, 1, 18), "integer or string"),
    ([0] * 17 + [0.5], "groups\\[17\\] is 0.5"),
    ([None] * 18, "groups\\[0\\] is None"),
    ("abc", "one label for every column"),
    (3, "one label for every column"),
    ([[0, 1], 2], "not both"),
    ([[0, 1], [1, 2]], "column 1 more than once"),
    ([[0, 99]], "99, which is not a column"),
    ([["soil"]], "It has no names"),
    ({0.5: "a"}, "not a column"),
]


@pytest.mark.parametrize(("groups", "text"), BAD, ids=range(len(BAD)))
def test_what_is_wrong_with_groups_is_said(groups, text, make_target):
    X, y, _ = draw(16, "squared", make_target)
    with pytest.raises(regiht.InvalidArgumentError, match=text):
        regiht.solve(X, y, 2, groups=groups)


def test_what_groups_change_is_checked(make_target):
    X, y, labels = draw(17, "squared", make_target)
    for options, text in (
        ({"s": 9}, "s, which counts groups, must be between 1 and 8; got 9"),
        ({"s": 1, "keep": [0, 1, 2, 3, 4]}, "keep lists . groups and s allows 1"),
        ({"s": 2, "method": "ompr"}, "'ompr' does not support groups; these do: 'iht'"),
        ({"s": 2, "w0": np.linspace(0, 1, labels.size)}, "w0 must be the same for all columns"),
    ):
        with pytest.raises(regiht.InvalidArgumentError, match=text):
            regiht.solve(X, y, groups=labels, **options)

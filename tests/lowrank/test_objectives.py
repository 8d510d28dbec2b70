"""Objectives of low-rank matrices: values, gradients, smoothness and corrective steps."""

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import lowrank
from regiht.lowrank._corrective import conjugate_gradients
from regiht.lowrank._factors import Factors
from regiht.lowrank._leading import leading_triplets
from regiht.lowrank._weights import Regularizer, SpaceWeights

SHAPE = (11, 8)


class Quartic:
    """Σ cosh(A − M): convex, and no quadratic."""

    shape = SHAPE
    smoothness = 50.0
    lower_bound = 88.0

    def __init__(self, M):
        self.M = M

    def value(self, A):
        return np.cosh(A - self.M).sum()

    def gradient(self, A):
        return np.sinh(A - self.M)


def make(name, ridge=0.0, seed=0):
    """An objective and the same as a function of a dense matrix."""
    rng = np.random.default_rng(seed)
    M = rng.standard_normal(SHAPE)
    rows, cols = rng.integers(0, SHAPE[0], 60), rng.integers(0, SHAPE[1], 60)
    if name == "full":
        return lowrank.FullObservation(M, ridge=ridge), lambda A: 0.5 * np.sum((A - M) ** 2)
    if name == "weighted":
        weights = rng.uniform(0.0, 5.0, SHAPE)
        return lowrank.Weighted(M, weights, ridge=ridge), (
            lambda A: 0.5 * np.sum(weights * (A - M) ** 2)
        )
    if name == "completion":
        values = M[rows, cols] + rng.standard_normal(60)
        return lowrank.Completion(rows, cols, values, SHAPE, ridge=ridge), (
            lambda A: 0.5 * np.sum((A[rows, cols] - values) ** 2)
        )
    if name == "one-bit":
        signs = np.where(rng.random(60) < 0.5, -1, 1)
        return lowrank.OneBit(rows, cols, signs, SHAPE, ridge=ridge), (
            lambda A: np.sum(np.log1p(np.exp(-signs * A[rows, cols])))
        )
    if name.startswith("measurements"):
        C, y = rng.standard_normal((50, *SHAPE)), rng.standard_normal(50)
        given = C
        if name.endswith("sparse"):
            C[rng.random(C.shape) < 0.7] = 0.0
            given = sparse.csr_array(C.reshape(50, -1))
        shape = SHAPE if given is not C else None
        return lowrank.Measurements(given, y, ridge=ridge, shape=shape), (
            lambda A: 0.5 * np.sum((np.tensordot(C, A, 2) - y) ** 2)
        )
    function = Quartic(M)
    return lowrank.UserFunction(function), function.value


OURS = ["full", "weighted", "completion", "one-bit", "measurements", "measurements-sparse"]
ALL = [*OURS, "user"]
# A user's function has no ridge but its own.
WITH_RIDGES = [*((name, ridge) for name in OURS for ridge in (0.0, 0.7)), ("user", 0.0)]
# Without a ridge or a regularizer the loss of signs has no minimum.
WITH_MINIMA = [
    (name, ridge, regularized)
    for name, ridge in WITH_RIDGES
    for regularized in (False, True)
    if name != "one-bit" or ridge or regularized
]


def random_factors(rng, rank=3):
    return Factors.of_matrix(rng.standard_normal(SHAPE), rank)


def gradient_of(objective, A):
    operator = objective.evaluate(A).gradient()
    full = leading_triplets(operator, min(SHAPE), shape=SHAPE, tol=1e-13)
    return (full.U * full.s) @ full.V.T + objective.ridge * A.matrix()


@pytest.mark.parametrize(("name", "ridge"), WITH_RIDGES)
def test_value_gradient_and_slope(name, ridge):
    objective, dense = make(name, ridge)
    rng = np.random.default_rng(1)
    for A in (random_factors(rng), Factors.zero(SHAPE)):
        matrix = A.matrix()

        def f(B):
            return dense(B) + 0.5 * ridge * np.sum(B**2)

        np.testing.assert_allclose(objective.value(A), f(matrix), rtol=1e-12)
        slope = gradient_of(objective, A)
        for _ in range(3):
            D = rng.standard_normal(SHAPE)
            rise = (f(matrix + 1e-5 * D) - f(matrix - 1e-5 * D)) / 2e-5
            np.testing.assert_allclose(np.sum(slope * D), rise, rtol=1e-5, atol=1e-6)
        B = random_factors(rng, 2)
        towards = objective.evaluate(A).slope_towards(objective.evaluate(B))
        np.testing.assert_allclose(towards, np.sum(slope * (B.matrix() - matrix)), rtol=1e-8)


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("ridge", [0.0, 0.7])
def test_the_smoothness_bounds_the_curvature(name, ridge):
    objective, _ = make(name, ridge)
    rng = np.random.default_rng(2)
    assert objective.condition >= 1.0
    worst = 0.0
    for scale in (1e-2, 1.0, 10.0):
        for _ in range(20):
            A, B = random_factors(rng), random_factors(rng, 1)
            B = Factors(B.U, scale * B.s, B.V)
            at, there = objective.evaluate(A), objective.evaluate(B)
            bend = there.value - at.value - at.slope_towards(there)
            worst = max(worst, 2.0 * bend / A.squared_distance(B))
    assert 0.0 <= worst <= objective.smoothness * (1 + 1e-9)


def test_repeated_observations_count_each_and_raise_the_smoothness():
    rng = np.random.default_rng(7)
    rows, cols = rng.integers(0, 11, 200), rng.integers(0, 8, 200)
    values = rng.standard_normal(200)
    counts, sums = np.zeros(SHAPE), np.zeros(SHAPE)
    np.add.at(counts, (rows, cols), 1.0)
    np.add.at(sums, (rows, cols), values)
    repeated = lowrank.Completion(rows, cols, values, SHAPE, ridge=0.5)
    assert repeated.smoothness == counts.max() + 0.5
    means = lowrank.Weighted(sums / np.maximum(counts, 1.0), counts, ridge=0.5)
    for rank in (1, 3):
        A = lowrank.solve(repeated, rank, method="regularized-iht", refine=500, tol=1e-10)
        B = lowrank.solve(means, rank, method="regularized-iht", refine=500, tol=1e-10)
        np.testing.assert_allclose(A.matrix(), B.matrix(), atol=1e-4)


def test_a_row_that_sees_next_to_nothing_of_the_other_factor_stays_finite():
    objective = lowrank.Completion(
        [0, 0, 0, 1, 2], [1, 1, 1, 0, 1], [1.0, 2.0, 6.0, 4.0, 0.0], (3, 2)
    )
    found = lowrank.solve(objective, 1, method="regularized-iht")
    assert np.abs(found.matrix()).max() < 1e6


def some_regularizer(objective):
    W = SpaceWeights.identity(SHAPE[0]).lowered(0.9 * np.eye(SHAPE[0])[:, :4])
    Y = SpaceWeights.identity(SHAPE[1]).lowered(np.eye(SHAPE[1])[:, 2:4])
    return Regularizer(W, Y, objective.smoothness)


@pytest.mark.parametrize(("name", "ridge", "regularized"), WITH_MINIMA)
def test_the_corrective_step_is_stationary_in_its_spaces(name, ridge, regularized):
    objective, _ = make(name, ridge)
    rng = np.random.default_rng(3)
    regularizer = some_regularizer(objective) if regularized else None
    for width, height in ((3, 3), (2, 4), (1, 1)):
        U, _ = np.linalg.qr(rng.standard_normal((SHAPE[0], width)))
        V, _ = np.linalg.qr(rng.standard_normal((SHAPE[1], height)))
        X = objective.corrective(U, V, np.zeros((width, height)), regularizer)
        A = Factors.of_product(U, X, V)
        slope = gradient_of(objective, A)
        if regularizer is not None:
            left, right = regularizer.gradient_terms(A)
            slope = slope + left @ right.T
        scale = np.linalg.norm(gradient_of(objective, Factors.zero(SHAPE)))
        assert np.linalg.norm(U.T @ slope @ V) <= (1e-5 if name == "user" else 1e-9) * scale


def test_a_corrective_step_for_sparse_measurements_by_its_system_is_that_by_products(monkeypatch):
    objective, _ = make("measurements-sparse", ridge=0.3)
    rng = np.random.default_rng(5)
    U, V = (np.linalg.qr(rng.standard_normal((side, 3)))[0] for side in SHAPE)
    regularizer = some_regularizer(objective)
    by_system = objective.corrective(U, V, np.zeros((3, 3)), regularizer)
    monkeypatch.setattr("regiht.lowrank.objectives._measurements._MOST_UNKNOWNS", 0)
    by_products = objective.corrective(U, V, np.zeros((3, 3)), regularizer)
    np.testing.assert_allclose(by_system, by_products, atol=1e-9 * np.linalg.norm(by_products))


@pytest.mark.parametrize("ridge", [0.0, 0.7])
def test_a_sweep_over_dense_measurements_is_that_over_sparse_ones(ridge):
    """Normal equations and conjugate gradients."""
    rng = np.random.default_rng(6)
    C, y = rng.standard_normal((50, SHAPE[0] * SHAPE[1])), rng.standard_normal(50)
    by_systems, by_products = (
        lowrank.Measurements(given, y, shape=SHAPE, ridge=ridge)
        for given in (C, sparse.csr_matrix(C))
    )
    A = random_factors(rng, 2)
    for _ in range(3):
        one, other = by_systems.refined(A), by_products.refined(A)
        scale = np.linalg.norm(other.matrix())
        np.testing.assert_allclose(one.matrix(), other.matrix(), atol=1e-8 * scale)
        A = one


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("ridge", [0.0, 0.7])
def test_a_sweep_never_raises_the_value_and_ends_stationary(name, ridge):
    objective, _ = make(name, ridge)
    A = random_factors(np.random.default_rng(4), 2)
    values = [objective.value(A)]
    for _ in range(400 if ridge else 20):
        A = objective.refined(A)
        assert A.rank <= 2
        values.append(objective.value(A))
    assert np.all(np.diff(values) <= 1e-12 * values[0])
    if ridge:  # a unique size to converge to
        slope = gradient_of(objective, A)
        scale = np.linalg.norm(gradient_of(objective, Factors.zero(SHAPE)))
        assert np.linalg.norm(slope @ A.V) <= 1e-3 * scale
        assert np.linalg.norm(A.U.T @ slope) <= 1e-3 * scale
    assert objective.refined(Factors.zero(SHAPE)).rank == 0


def test_numbers_of_32_bits_are_not_copied_and_give_the_same_bits():
    rng = np.random.default_rng(0)
    rows, cols = rng.integers(0, 12, 80), rng.integers(0, 9, 80)
    short = rows.astype(np.int32), cols.astype(np.int32)
    values = rng.standard_normal(80)
    found = lowrank.solve(lowrank.Completion(*short, values, (12, 9)), 2)
    wanted = lowrank.solve(lowrank.Completion(rows, cols, values, (12, 9)), 2)
    mixed = lowrank.solve(lowrank.Completion(short[0], cols, values, (12, 9)), 2)
    assert found.fun == wanted.fun == mixed.fun
    np.testing.assert_array_equal(found.U, wanted.U)
    kept = pickle.loads(pickle.dumps(lowrank.Completion(*short, values, (12, 9))))
    assert lowrank.solve(kept, 2).fun == wanted.fun
    where = regiht._inputs.checks.check_entries(*short, (12, 9))
    assert np.shares_memory(where.rows, short[0])
    assert np.shares_memory(where.cols, short[1])


def test_values_in_single_precision_are_not_copied_and_give_the_bits_of_the_same_numbers():
    rng = np.random.default_rng(0)
    rows, cols = rng.integers(0, 12, 80), rng.integers(0, 9, 80)
    single = np.abs(rng.standard_normal(80)).astype(np.float32)
    assert np.shares_memory(regiht._inputs.checks.check_entry_values(single, 80), single)
    first = np.unique(9 * rows + cols, return_index=True)[1]  # unseen_weight wants each once
    for options in (
        {},
        {"ridge": 0.3, "weights": rng.random(80) + 0.5},
        {"unseen_weight": 0.1},
        {"factor_penalty": 0.2, "scale_penalty": True},
    ):
        chosen = first if "unseen_weight" in options else np.arange(80)
        pair = [
            lowrank.Completion(rows[chosen], cols[chosen], values[chosen], (12, 9), **options)
            for values in (single, single.astype(np.float64))
        ]
        found, wanted = (lowrank.solve(each, 2) for each in pair)
        assert found.fun == wanted.fun
        np.testing.assert_array_equal(found.U * found.s, wanted.U * wanted.s)
        A = Factors(found.U, found.s, found.V)
        assert pair[0].mean_loss(A) == pair[1].mean_loss(A)
        assert pair[0].part(np.arange(20)).value(A) == pair[1].part(np.arange(20)).value(A)
    again = pickle.loads(pickle.dumps(lowrank.Completion(rows, cols, single, (12, 9))))
    assert again._given.target.dtype == np.float32
    single[3] = np.nan
    with pytest.raises(regiht.InvalidArgumentError, match=r"values\[3\] is nan"):
        lowrank.Completion(rows, cols, single, (12, 9))


@pytest.mark.parametrize("name", ["completion", "one-bit"])
def test_very_many_entries_give_the_same_bits_without_kept_predictions(name, monkeypatch):
    objective, _ = make(name, ridge=0.3)
    rng = np.random.default_rng(4)
    A, B = random_factors(rng), random_factors(rng, 2)
    runs = []
    for most in (60, 59):
        monkeypatch.setattr("regiht.lowrank.objectives._observed._MOST_KEPT", most)
        at, there = objective.evaluate(A), objective.evaluate(B)
        slopes = at.slope_towards(there), there.slope_towards(at), at.slope_towards(there)
        found = lowrank.solve(objective, 2, method="regularized-iht", max_iter=20)
        runs.append((slopes, found.fun, found.U.tolist()))
    assert runs[0] == runs[1]


def test_parts_of_the_observations_add_up():
    rng = np.random.default_rng(5)
    A = random_factors(rng)
    for name in ("completion", "one-bit", "measurements", "measurements-sparse"):
        objective, _ = make(name)
        chosen = rng.permutation(objective.observations)
        parts = objective.part(chosen[:20]), objective.part(chosen[20:])
        assert [part.observations for part in parts] == [20, objective.observations - 20]
        assert sum(part.value(A) for part in parts) == pytest.approx(objective.value(A))
        assert parts[0].mean_loss(A) == pytest.approx(parts[0].value(A) / 20)
    with pytest.raises(regiht.InvalidArgumentError, match="no observations to hold out"):
        make("full")[0].part(np.arange(3))


@pytest.mark.parametrize("name", OURS)
def test_objectives_can_be_pickled(name):
    objective, _ = make(name, 0.3)
    again = pickle.loads(pickle.dumps(objective))
    A = random_factors(np.random.default_rng(9))
    assert type(again) is type(objective)
    assert again.value(A) == objective.value(A)
    assert again.smoothness == objective.smoothness


def test_conjugate_gradients_solve_singular_systems_in_their_range():
    rng = np.random.default_rng(6)
    B = rng.standard_normal((10, 6))
    S = B @ B.T
    b = S @ rng.standard_normal(10)
    np.testing.assert_allclose(S @ conjugate_gradients(lambda x: S @ x, b, 100), b, atol=1e-8)
    np.testing.assert_array_equal(conjugate_gradients(lambda x: S @ x, np.zeros(10), 5), 0.0)


def test_a_function_without_smoothness_gets_an_estimate():
    class Plain:
        shape = (4, 3)

        def value(self, A):
            return 2.5 * np.sum(A**2)

        def gradient(self, A):
            return 5.0 * A

    assert lowrank.UserFunction(Plain()).smoothness == pytest.approx(10.0)


@pytest.mark.parametrize("kind", [lowrank.Completion, lowrank.OneBit])
def test_one_entry_of_a_huge_matrix_took_memory_for_every_row(kind):
    shape = (2**31 - 1, 2**31 - 1)
    with pytest.raises(regiht.InvalidArgumentError, match="too large for 1 observed entries"):
        kind([2**30], [2**30], [1.0], shape)
    assert kind([5], [7], [1.0], (2**21, 2**21)).shape == (2**21, 2**21)
    positions = np.arange(5_000)
    large = kind(positions, positions, np.ones(5_000), (2_500_000, 2_500_000))
    assert large.observations == 5_000


def test_threads_that_share_an_objective_do_not_crash():
    objective, _ = make("full")
    compiled, zero = objective.compiled(), Factors.zero(SHAPE).contiguous()
    before = sys.getrefcount(compiled)

    def evaluate_often(_):
        for _ in range(60_000):
            compiled.at(*zero, 1)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(evaluate_often, range(4)))
    assert sys.getrefcount(compiled) == before

"""The compiled linear algebra of the low-rank side, against numpy."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regiht import _core
from regiht.lowrank import _products
from regiht.lowrank._factors import Factors
from regiht.lowrank._leading import leading_triplets
from regiht.lowrank._weights import Regularizer, SpaceWeights

SHAPES = [(30, 20), (20, 30), (1, 7), (7, 1), (1, 1), (5, 5), (90, 70), (3, 200)]


def check_triplets(found, A, count, tol):
    wanted = np.linalg.svd(A, compute_uv=False)[:count]
    scale = max(wanted[0], 1e-300)
    np.testing.assert_allclose(found.s, wanted, atol=1e-12 * scale + tol**2 * scale)
    assert np.all(np.diff(found.s) <= 0)
    k = found.s.size
    np.testing.assert_allclose(found.U.T @ found.U, np.eye(k), atol=1e-12)
    np.testing.assert_allclose(found.V.T @ found.V, np.eye(k), atol=1e-12)
    assert np.linalg.norm(A @ found.V - found.U * found.s, axis=0).max() <= 2 * tol * scale
    assert np.linalg.norm(A.T @ found.U - found.V * found.s, axis=0).max() <= 2 * tol * scale


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [1, 2, 5, 20])
def test_leading_triplets_of_a_dense_matrix(shape, count):
    A = np.random.default_rng(sum(shape)).standard_normal(shape)
    found = leading_triplets(_core.dense_operator(A), count, shape=shape)
    assert found.s.size == min(count, *shape)
    check_triplets(found, A, count, 1e-10)


def test_leading_triplets_of_sparse_plus_low_rank():
    rng = np.random.default_rng(0)
    shape = (60, 45)
    rows, cols = (part.copy() for part in np.nonzero(rng.random(shape) < 0.2))
    entries = _core.ObservedEntries(*shape, rows, cols)
    values = rng.standard_normal(rows.size)
    left, right = rng.standard_normal((60, 3)), rng.standard_normal((45, 3))
    A = np.zeros(shape)
    A[rows, cols] = values
    A = -0.7 * A + left @ right.T
    operator = _core.observed_operator(entries, entries.arrange(rows, values))
    for threads in (1, 3):
        found = leading_triplets(
            operator, 4, scale=-0.7, terms=(left, right), shape=shape, threads=threads
        )
        check_triplets(found, A, 4, 1e-10)


def test_leading_triplets_of_a_callable():
    A = np.random.default_rng(1).standard_normal((25, 40))
    operator = _core.callable_operator(25, 40, lambda B: A @ B, lambda B: A.T @ B)
    check_triplets(leading_triplets(operator, 3, shape=A.shape), A, 3, 1e-10)


def test_errors_of_a_callable_pass_through():
    def fail(_):
        raise KeyError("mine")

    broken = _core.callable_operator(4, 3, fail, fail)
    with pytest.raises(KeyError, match="mine"):
        leading_triplets(broken, 1, shape=(4, 3))
    wrong = _core.callable_operator(4, 3, lambda B: B, lambda B: B)
    with pytest.raises(ValueError, match="wrong shape"):
        leading_triplets(wrong, 1, shape=(4, 3))
    A = np.ones((4, 3))
    narrow = _core.callable_operator(4, 3, lambda B: (A @ B)[:, :-1], lambda B: (A.T @ B)[:, :-1])
    with pytest.raises(ValueError, match="wrong shape"):
        leading_triplets(narrow, 2, shape=(4, 3))


def test_an_operator_keeps_the_entries_and_values_that_it_reads():
    rows, cols = np.array([0, 1, 3]), np.array([2, 0, 1])
    entries, values = _core.ObservedEntries(4, 3, rows, cols), np.array([3.0, 2.0, 1.0])
    alive = [weakref.ref(entries), weakref.ref(values)]
    operator = _core.observed_operator(entries, values)
    del entries, values
    gc.collect()
    assert all(reference() is not None for reference in alive)
    found = leading_triplets(operator, 3, shape=(4, 3))
    np.testing.assert_allclose(found.s, [3.0, 2.0, 1.0])
    del operator
    gc.collect()
    assert all(reference() is None for reference in alive)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_equal_singular_values_are_all_found(count):
    rng = np.random.default_rng(2)
    U, _ = np.linalg.qr(rng.standard_normal((12, 6)))
    V, _ = np.linalg.qr(rng.standard_normal((9, 6)))
    A = (U * [2.0, 2.0, 2.0, 1.0, 1.0, 0.5]) @ V.T
    check_triplets(leading_triplets(_core.dense_operator(A), count, shape=A.shape), A, count, 1e-10)


def test_clustered_and_graded_values_need_restarts():
    rng = np.random.default_rng(3)
    U, _ = np.linalg.qr(rng.standard_normal((300, 200)))
    V, _ = np.linalg.qr(rng.standard_normal((200, 200)))
    for s in (1.0 + 1e-3 * np.arange(200)[::-1], np.geomspace(1.0, 1e-12, 200)):
        A = (U * s) @ V.T
        found = leading_triplets(_core.dense_operator(A), 3, shape=A.shape, tol=1e-8)
        check_triplets(found, A, 3, 1e-8)


def test_a_zero_matrix_has_zero_values():
    found = leading_triplets(_core.dense_operator(np.zeros((6, 4))), 2, shape=(6, 4))
    np.testing.assert_array_equal(found.s, 0.0)
    np.testing.assert_allclose(found.U.T @ found.U, np.eye(2), atol=1e-12)


def test_rank_deficient_matrices_give_their_rank():
    A = np.outer(np.arange(1.0, 7.0), np.ones(4))
    found = leading_triplets(_core.dense_operator(A), 3, shape=A.shape)
    np.testing.assert_allclose(found.s[1:], 0.0, atol=1e-13)
    check_triplets(found, A, 3, 1e-10)


def test_a_good_start_saves_products_and_nan_is_refused():
    rng = np.random.default_rng(4)
    A = rng.standard_normal((80, 60)) + 30.0 * np.outer(
        rng.standard_normal(80), rng.standard_normal(60)
    )
    U, _, Vt = np.linalg.svd(A)
    none = {"left": np.zeros((80, 0)), "right": np.zeros((60, 0)), "scale": 1.0, "count": 1}
    usual = {"tol": 1e-8, "max_blocks": 100, "n_threads": 1}
    cold = _core.leading_singular(
        _core.dense_operator(A), **none, **usual,
        start_left=np.zeros((80, 0)), start_right=np.zeros((60, 0)),
    )  # fmt: skip
    warm = _core.leading_singular(
        _core.dense_operator(A), **none, **usual,
        start_left=U[:, :1].copy(), start_right=Vt[:1].T.copy(),
    )  # fmt: skip
    assert cold[3]
    assert warm[3]
    assert warm[4] == 1 < cold[4]
    A[0, 0] = np.nan
    with pytest.raises(OverflowError, match="finite"):
        leading_triplets(_core.dense_operator(A), 1, shape=A.shape)


@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 12), st.integers(0, 1000))
def test_leading_triplets_of_small_integers(rows, cols, count, seed):
    A = np.random.default_rng(seed).integers(-2, 3, (rows, cols)).astype(float)
    found = leading_triplets(_core.dense_operator(A), count, shape=A.shape)
    s = np.linalg.svd(A, compute_uv=False)[:count]
    np.testing.assert_allclose(found.s, s, atol=1e-9)
    rebuilt = (found.U * found.s) @ found.V.T
    # Where a tie is cut the part kept is not unique, but its distance to A is.
    full = np.linalg.svd(A, compute_uv=False)
    distance = np.linalg.norm(A - rebuilt) ** 2
    np.testing.assert_allclose(distance, np.sum(full[count:] ** 2), atol=1e-8)


@pytest.mark.parametrize("shape", SHAPES)
def test_truncated_svd_and_symmetric_eigen(shape):
    A = np.random.default_rng(5).standard_normal(shape)
    U, s, V = _core.truncated_svd(A, 3)
    wanted = np.linalg.svd(A, compute_uv=False)[:3]
    np.testing.assert_allclose(s, wanted, rtol=1e-12)
    np.testing.assert_allclose(U.T @ A @ V, np.diag(wanted), atol=1e-12 * wanted[0])
    S = A @ A.T
    values, vectors = _core.symmetric_eigen(S)
    np.testing.assert_allclose((vectors * values) @ vectors.T, S, atol=1e-11 * values[-1])
    assert np.all(np.diff(values) >= 0)


@pytest.fixture
def observed():
    """Random entries, some of them repeated, with empty rows and columns."""
    rng = np.random.default_rng(6)
    rows, cols = rng.integers(0, 40, 500), rng.integers(5, 30, 500)
    rows[rows == 7] = 8
    return rows, cols, rng.standard_normal(500), _core.ObservedEntries(45, 33, rows, cols)


def test_entries_are_sorted_by_row_and_keep_their_order(observed):
    rows, _, values, entries = observed
    for kind in (np.float64, np.float32):
        given = values.astype(kind)
        arranged = entries.arrange(rows, given)
        assert arranged.dtype == kind
        np.testing.assert_array_equal(arranged, given[np.argsort(rows, kind="stable")])


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 8, 11])
def test_products_with_observed_entries(observed, width):
    rows, cols, values, entries = observed
    rng = np.random.default_rng(7)
    S = np.zeros((45, 33))
    np.add.at(S, (rows, cols), values)
    left, right = rng.standard_normal((45, width)), rng.standard_normal((33, width))
    ordered = entries.arrange(rows, values)
    np.testing.assert_allclose(entries.times(ordered, right, False), S @ right, atol=1e-12)
    np.testing.assert_allclose(entries.times(ordered, left, True), S.T @ left, atol=1e-12)
    wanted = (left @ right.T)[rows, cols][np.argsort(rows, kind="stable")]
    np.testing.assert_allclose(entries.predict(left, right), wanted, atol=1e-12)
    slope = entries.slope_towards(ordered, ordered, left, right)
    assert slope == pytest.approx(np.dot(ordered, ordered - wanted), rel=1e-12)


@pytest.mark.parametrize("is_left", [True, False])
@pytest.mark.parametrize("rank", [1, 3, 4, 9, 12])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("ridge", "per_entry"), [(0.0, 0.0), (0.3, 0.0), (0.0, 0.2)])
def test_an_alternating_step_is_the_minimum(observed, is_left, rank, weighted, ridge, per_entry):
    rows, cols, values, entries = observed
    rng = np.random.default_rng(8)
    lines, others = (rows, cols) if is_left else (cols, rows)
    sizes = (45, 33) if is_left else (33, 45)
    fixed, factor = rng.standard_normal((sizes[1], rank)), rng.standard_normal((sizes[0], rank))
    weights = rng.uniform(0.5, 2.0, values.size) if weighted else np.ones(values.size)
    order = np.argsort(rows, kind="stable")
    loss = _core.EntryLoss(False, values[order], weights[order] if weighted else None)
    base = ridge * np.eye(rank)
    stepped = entries.alternating_step(is_left, loss, fixed, factor, base, per_entry, 1e-11, 1)
    after = weights * (np.einsum("ij,ij->i", stepped[lines], fixed[others]) - values)
    counts = np.bincount(lines, minlength=sizes[0])
    slope = (ridge + per_entry * counts)[:, None] * stepped
    np.add.at(slope, lines, after[:, None] * fixed[others])
    seen = counts >= rank
    assert seen.any()
    np.testing.assert_allclose(slope[seen], 0.0, atol=1e-6)
    unseen = np.setdiff1d(np.arange(sizes[0]), lines)
    assert unseen.size
    np.testing.assert_allclose(stepped[unseen], 0.0 if ridge else factor[unseen], atol=1e-9)


@pytest.mark.parametrize("logistic", [False, True])
def test_the_total_loss_is_the_sum_over_entries(observed, logistic):
    rows, cols, values, entries = observed
    rng = np.random.default_rng(12)
    left, right = rng.standard_normal((45, 3)), rng.standard_normal((33, 3))
    weights = rng.uniform(0.5, 2.0, values.size)
    target = np.sign(values) if logistic else values
    z = np.einsum("ij,ij->i", left[rows], right[cols])
    each = np.logaddexp(0.0, -target * z) if logistic else 0.5 * (z - target) ** 2
    order = np.argsort(rows, kind="stable")
    found = entries.total_loss(
        _core.EntryLoss(logistic, target[order], weights[order]), left, right
    )
    assert found == pytest.approx(np.sum(weights * each), rel=1e-13)


@pytest.mark.parametrize(
    ("rows", "inner", "cols"), [(1, 1, 1), (7, 0, 3), (300, 5, 9), (6, 900, 1)]
)
def test_products_are_those_of_numpy(rows, inner, cols):
    rng = np.random.default_rng(13)
    A, B = rng.standard_normal((rows, inner)), rng.standard_normal((inner, cols))
    wanted = A @ B
    np.testing.assert_allclose(_products.times(A, B), wanted, atol=1e-12)
    np.testing.assert_allclose(_products.inner(A.T, B), wanted, atol=1e-12)
    np.testing.assert_allclose(_products.outer(A, B.T), wanted, atol=1e-12)


def test_products_of_matrices_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="shapes"):
        _core.product(np.zeros((2, 3)), np.zeros((2, 3)))


def test_threads_change_no_bit():
    rng = np.random.default_rng(9)
    rows, cols = rng.integers(0, 3000, 60_000), rng.integers(0, 2000, 60_000)
    entries = _core.ObservedEntries(3000, 2000, rows, cols)
    values = rng.standard_normal(60_000)
    left, right = rng.standard_normal((3000, 6)), rng.standard_normal((2000, 6))
    tall = rng.standard_normal((9000, 20))
    loss, base = _core.EntryLoss(False, values), 0.1 * np.eye(6)
    for operation in (
        lambda t: entries.predict(left, right, t),
        lambda t: entries.times(values, right, False, t),
        lambda t: entries.times(values, left, True, t),
        lambda t: entries.alternating_step(True, loss, right, left, base, 0.1, 1e-11, t),
        lambda t: entries.alternating_step(False, loss, left, right, base, 0.1, 1e-11, t),
        lambda t: entries.total_loss(loss, left, right, t),
        lambda t: entries.slope_towards(values, values, left, right, t),
        lambda t: _products.inner(tall, tall, t),
        lambda t: _products.qr(tall, t)[0],
        lambda t: _products.dot(values, values, t),
    ):
        one = operation(1)
        for threads in (2, 3, 7):
            np.testing.assert_array_equal(operation(threads), one)


def test_weights_are_the_identity_minus_low_rank():
    rng = np.random.default_rng(10)
    dense, W = np.eye(12), SpaceWeights.identity(12)
    for _ in range(5):
        Z = rng.standard_normal((12, 2))
        Z /= 1.1 * np.linalg.norm(Z, 2)
        values, vectors = np.linalg.eigh(dense)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        dense = root @ (np.eye(12) - Z @ Z.T) @ root
        W = W.lowered(Z)
        np.testing.assert_allclose(W.matrix(), dense, atol=1e-12)
        X = rng.standard_normal((12, 3))
        np.testing.assert_allclose(W.times(X), dense @ X, atol=1e-12)
        np.testing.assert_allclose(W.root_times(W.root_times(X)), dense @ X, atol=1e-11)
        np.testing.assert_allclose(W.gram(X), X.T @ dense @ X, atol=1e-12)
        np.testing.assert_allclose(W.removed_trace, np.trace(np.eye(12) - dense), atol=1e-12)
    assert W.Q.shape[1] == 10


def test_the_regularizer_and_its_gradient():
    rng = np.random.default_rng(11)
    A = Factors.of_matrix(rng.standard_normal((8, 6)), 3)
    W = SpaceWeights.identity(8).lowered(0.8 * np.eye(8)[:, :2])
    Y = SpaceWeights.identity(6).lowered(0.5 * np.eye(6)[:, 3:4])
    regularizer = Regularizer(W, Y, 2.5)
    dense = A.matrix()
    held = np.sum(W.matrix() * (dense @ dense.T)) + np.sum(Y.matrix() * (dense.T @ dense))
    np.testing.assert_allclose(regularizer.value(A), 0.25 * 2.5 * held, rtol=1e-12)
    left, right = regularizer.gradient_terms(A, -0.5)
    wanted = -0.5 * 0.5 * 2.5 * (W.matrix() @ dense + dense @ Y.matrix())
    np.testing.assert_allclose(left @ right.T, wanted, atol=1e-12)


def test_factors():
    rng = np.random.default_rng(12)
    left, right = rng.standard_normal((9, 4)), rng.standard_normal((7, 4))
    A = Factors.of_terms(left, right)
    np.testing.assert_allclose(A.matrix(), left @ right.T, atol=1e-12)
    B = Factors.of_matrix(rng.standard_normal((9, 7)), 2)
    np.testing.assert_allclose(A.inner(B), np.sum(A.matrix() * B.matrix()), rtol=1e-10)
    np.testing.assert_allclose(
        A.squared_distance(B), np.sum((A.matrix() - B.matrix()) ** 2), rtol=1e-10
    )
    assert Factors.of_terms(left * [1.0, 1.0, 0.0, 0.0], right).rank == 2
    assert Factors.of_matrix(np.zeros((3, 2)), 2).rank == 0

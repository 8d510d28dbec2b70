"""Screening changes the time and not the run: adversarial problems with it and without it.

The comparison is exact, not to a tolerance. A gradient entry that survives the screening is
computed by the very sum that the full product uses, and the entries of the support are computed
alike in both runs. So the same columns make the same bits, and one column that was left out
wrongly, or one bit more or less, shows in an iterate.
"""

import functools

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import datasets, reference

METHODS, LOSSES = ("iht", "regiht"), regiht.losses()
EPS = np.finfo(float).eps


def trace(X, y, s, **options):
    """Solve and return the result with supports, iterates and weights of all iterations."""
    supports, xs, ws = [], [], []

    def record(iteration):
        supports.append(iteration.support.tolist())
        xs.append(iteration.x)
        ws.append(iteration.weights)

    return regiht.solve(X, y, s, callback=record, **options), supports, xs, ws


def assert_screening_changes_nothing(X, y, s, **options):
    """Compare the runs at every iteration; return the result with screening and without."""
    ours, supports, xs, ws = trace(X, y, s, screening=True, **options)
    plain, plain_supports, plain_xs, plain_ws = trace(X, y, s, screening=False, **options)
    for t, (support, expected) in enumerate(zip(supports, plain_supports, strict=False)):
        assert support == expected, f"iteration {t + 1}"
    assert (ours.n_iter, ours.status) == (plain.n_iter, plain.status)
    np.testing.assert_array_equal(xs, plain_xs)
    np.testing.assert_array_equal(ws, plain_ws)
    np.testing.assert_array_equal(ours.x, plain.x)
    assert (ours.fun, ours.step) == (plain.fun, plain.step)
    if options.get("step") is not None and not options.get("safeguard"):
        # An iteration evaluates all columns or the candidates among them, never both.
        assert ours.n_gradients <= plain.n_gradients <= plain.n_iter
    return ours, plain


def smoothness(X, loss):
    """β by power iteration; where it is unbounded (Poisson), something that goes well here."""
    v = np.ones(X.shape[1])
    for _ in range(20):
        v = X.T @ (X @ (v / np.linalg.norm(v)))
    curvature = reference.LOSSES[loss].max_curvature
    return np.linalg.norm(v) * (curvature if np.isfinite(curvature) else 10.0)


# Large enough for screening to be used, and too wide for a Gram matrix of all columns.
ROWS, COLS = 64, 200


def gaussian(rng):
    return rng.normal(size=(ROWS, COLS))


def ties(rng):
    """Entries of −1, 0 and 1: gradients are full of equal magnitudes."""
    return rng.integers(-1, 2, size=(ROWS, COLS)).astype(float)


def near_ties(rng):
    """Groups of columns that differ in their last bits."""
    X = np.repeat(rng.normal(size=(ROWS, 20)), 10, axis=1)
    return X * (1 + 1e-15 * rng.integers(-3, 4, size=X.shape))


def near_ties_of_norms(rng):
    X = np.repeat(rng.normal(size=(ROWS, 20)), 10, axis=1)
    return X * (1 + 1e-15 * rng.integers(-3, 4, size=COLS))


def duplicates(rng):
    X = rng.normal(size=(ROWS, 50))
    return np.hstack([X, X[:, ::-1], X, X[:, ::-1]])


def signed_duplicates(rng):
    X = rng.normal(size=(ROWS, 50))
    return np.hstack([X, -X, -X[:, ::-1], X])


def unequal_norms(rng):
    return rng.normal(size=(ROWS, COLS)) * 10.0 ** rng.uniform(-6, 6, COLS)


def orthogonal(rng):
    """A reflection, which mixes all coordinates."""
    v = rng.normal(size=COLS)
    return np.eye(COLS) - np.outer(v, v) * (2 / (v @ v))


def nearly_parallel(rng):
    return rng.normal(size=(ROWS, 1)) + 1e-7 * rng.normal(size=(ROWS, COLS))


def outliers(rng):
    """A row that dwarfs the others: columns rounded to a byte keep little but it."""
    X = rng.normal(size=(ROWS, COLS))
    X[ROWS // 2] *= 1e3
    return X


def far_from_zero(rng):
    return rng.normal(size=(ROWS, COLS)) + 50 * rng.normal(size=COLS)


def tiny_numbers(rng):
    return 1e-60 * rng.normal(size=(ROWS, COLS))


def huge_numbers(rng):
    return 1e60 * rng.normal(size=(ROWS, COLS))


def sparse_columns(rng):
    return rng.normal(size=(200, 500)) * (rng.random((200, 500)) < 0.1)


MATRICES = [
    gaussian, ties, near_ties, near_ties_of_norms, duplicates, signed_duplicates, unequal_norms,
    orthogonal, nearly_parallel, sparse_columns, outliers, far_from_zero,
]  # fmt: skip
every_matrix = pytest.mark.parametrize("matrix", MATRICES, ids=lambda make: make.__name__)
every_method = pytest.mark.parametrize("method", METHODS)
every_loss = pytest.mark.parametrize("loss", LOSSES)


@pytest.fixture(scope="module")
def problem(make_target):
    """A function that draws a matrix and targets, and tells the smoothness."""

    @functools.cache
    def draw(matrix, loss, seed):
        rng = np.random.default_rng(seed)
        X = matrix(rng)
        prediction = X[:, [1, 8, 33, 77]] @ np.array([1.0, -1.0, 0.7, 0.5])
        y = make_target(loss, prediction / max(prediction.std(), 1e-300), rng)
        return X, y, smoothness(X, loss)

    return draw


@pytest.mark.parametrize("factor", [None, 0.7])
@every_method
@every_loss
@every_matrix
def test_every_iterate_is_the_same(matrix, loss, method, factor, problem, all_designs):
    X, y, beta = problem(matrix, loss, 0)
    step = None if factor is None else factor / beta
    for design in all_designs(X):
        assert_screening_changes_nothing(
            design, y, 6, loss=loss, method=method, step=step, max_iter=40
        )


@every_loss
def test_screening_is_at_work_where_it_is_tested(loss, problem, stored):
    X, y, beta = problem(gaussian, loss, 0)
    for storage in ("row-major", "column-major", "csc_array"):
        ours, plain = assert_screening_changes_nothing(
            stored(X, storage), y, 6, loss=loss, step=0.7 / beta, max_iter=40
        )
        assert ours.n_gradients < 0.9 * plain.n_gradients


@pytest.mark.parametrize("storage", ["row-major", "column-major", "csc_array", "csr_array"])
@every_matrix
def test_float32_with_centring_and_scaling(matrix, storage, stored, problem):
    for loss in LOSSES:
        X, y, _ = problem(matrix, loss, 1)
        design = regiht.Design(stored(X, storage, np.float32), center=True, scale=True)
        for step in (None, 0.2):
            assert_screening_changes_nothing(design, y, 5, loss=loss, step=step, max_iter=30)


@pytest.mark.parametrize("factor", [1.5, 1.9, 1.99, 2.0, 2.01, 2.2, 4.0, 30.0])
@every_method
def test_steps_near_divergence(method, factor, problem):
    for matrix in (gaussian, ties, duplicates):
        for loss in LOSSES:
            X, y, beta = problem(matrix, loss, 2)
            step = factor / beta
            assert_screening_changes_nothing(
                np.asfortranarray(X), y, 8, loss=loss, method=method, step=step, max_iter=80
            )


@pytest.mark.parametrize("factor", [1.0, 1.9, 2.0])
@pytest.mark.parametrize(
    "matrix", [near_ties, unequal_norms, outliers, far_from_zero, tiny_numbers, huge_numbers],
    ids=lambda make: make.__name__,
)  # fmt: skip
def test_rough_columns_of_runs_whose_supports_keep_changing(matrix, factor, problem, stored):
    """Long enough for rough products, with steps that leave no reference near."""
    for loss in ("squared", "logistic"):
        X, y, beta = problem(matrix, loss, 16)
        for storage in ("row-major", "column-major"):
            for s in (1, 8, 30):
                assert_screening_changes_nothing(
                    stored(X, storage), y, s, loss=loss, step=factor / beta, max_iter=60
                )


@pytest.mark.parametrize("round_threshold", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("safeguard", [False, True])
def test_weights_that_cross_the_rounding_threshold(safeguard, round_threshold, problem):
    """First weights within bits of the threshold, and steps that take them through it soon."""
    for loss in LOSSES:
        X, y, beta = problem(gaussian, loss, 3)
        rng = np.random.default_rng(4)
        near = round_threshold + EPS * rng.integers(-2, 3, COLS)
        w0 = np.clip(np.where(rng.random(COLS) < 0.5, near, rng.uniform(0.5, 1, COLS)), 0, 1)
        for weight_step in (0.05, 1.0, 6.0):
            ours, _ = assert_screening_changes_nothing(
                np.asfortranarray(X), y, 6, loss=loss, step=1 / beta, w0=w0,
                weight_step=weight_step, round_threshold=round_threshold, safeguard=safeguard,
                max_iter=60,
            )  # fmt: skip
        assert np.count_nonzero(ours.weights) < np.count_nonzero(w0)


@pytest.mark.parametrize("keep", [[119], [0, 1, 2], [5, 50, 60, 70, 80, 90]])
@every_method
@every_matrix
def test_kept_columns(matrix, method, keep, problem):
    for loss in ("squared", "logistic"):
        X, y, beta = problem(matrix, loss, 5)
        for step in (None, 1 / beta):
            ours, _ = assert_screening_changes_nothing(
                sparse.csc_array(X), y, 6, loss=loss, method=method, step=step, keep=keep,
                max_iter=40,
            )  # fmt: skip
            assert set(keep) <= set(ours.support.tolist())


@pytest.mark.parametrize("spread", [0, 3, 12])
@every_loss
def test_sample_weights_and_ridge(loss, spread, problem, all_designs):
    X, y, beta = problem(gaussian, loss, 6)
    rng = np.random.default_rng(7)
    weights = 10.0 ** rng.uniform(-spread, 0, ROWS) * (rng.random(ROWS) < 0.8)
    for design in all_designs(X, center=True):
        for step in (None, 1 / beta):
            assert_screening_changes_nothing(
                design, y, 5, loss=loss, ridge=0.5, step=step, sample_weight=weights, max_iter=40
            )


@pytest.mark.parametrize("mean", [2e3, 1e6])
@every_method
@every_loss
def test_centred_columns_whose_mean_dwarfs_their_spread(loss, method, mean, problem):
    """Rounding is that of the mean, not that of what is left when it is taken away."""
    X, y, _ = problem(gaussian, loss, 8)
    signs = np.where(np.arange(COLS) % 2, -1.0, 1.0)
    for shifted in (X, duplicates(np.random.default_rng(9))):
        for scale in (False, True):
            design = regiht.Design(np.asfortranarray(shifted + mean * signs), True, scale)
            factor = 1.0 if scale else ROWS
            for step in (None, 0.1 / factor, 1.0 / factor):
                assert_screening_changes_nothing(
                    design, y, 6, loss=loss, method=method, step=step, max_iter=60
                )


@pytest.mark.parametrize("mean", [0.0, 2e3, 1e6])
@pytest.mark.parametrize("weighted", [False, True])
@every_method
def test_supports_made_of_rounding_errors(method, weighted, mean):
    """An exact fit with columns to spare: they are chosen by the last bits of the residual.

    There a bound has to cover the rounding of the residual itself, which scales with the target
    and the predictions and not with the residual that is left of them.
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(70, 160)) + mean
        design = regiht.Design(np.asfortranarray(X), center=mean > 0, scale=True)
        coef = np.zeros(160)
        coef[rng.choice(160, 2, replace=False)] = [3.0, -2.0]
        A, _, _ = reference.standardize(X, mean > 0, True)
        beta = smoothness(A, "squared")
        for factor in (1.0, 2.0):
            assert_screening_changes_nothing(
                design, design.matvec(coef), 6, method=method, step=factor / beta,
                weight_step=0.06, max_iter=500, sample_weight=np.ones(70) if weighted else None,
            )  # fmt: skip


def test_runs_through_the_whole_gram_matrix(make_target):
    """Narrow and squared: the entries outside are read off, and no column is evaluated again."""
    rng = np.random.default_rng(10)
    X = rng.normal(size=(300, 40))
    y = make_target("squared", X[:, :3].sum(axis=1), rng)
    for design in (regiht.Design(X), regiht.Design(X + 100, center=True, scale=True)):
        for method in METHODS:
            for step in (None, 1e-3):
                ours, plain = assert_screening_changes_nothing(
                    design, y, 5, method=method, step=step, max_iter=100
                )
                assert ours.n_gradients == plain.n_gradients <= 4


@pytest.mark.parametrize("standardized", [False, True])
@every_method
@every_loss
def test_no_entry_that_should_have_entered_was_left_out(loss, method, standardized, problem):
    """Each iterate follows from the one before it, by numpy: all that is larger has come in."""
    X, y, _ = problem(gaussian, loss, 11)
    A, _, _ = reference.standardize(X, standardized, standardized)
    objective, step, s = reference.LinearObjective(A, y, loss), 1 / smoothness(A, loss), 6
    ours, _, xs, ws = trace(
        X, y, s, loss=loss, method=method, step=step, max_iter=50, center=standardized,
        scale=standardized,
    )  # fmt: skip
    assert ours.n_gradients < ours.n_iter
    x, w = np.zeros(COLS), np.ones(COLS)
    for following, weights in zip(xs, ws, strict=True):
        moved = x - step * objective.gradient(x)
        if method == "regiht":
            moved = (1 - w / 2) * x - step / 2 * objective.gradient(x)
        chosen = following != 0
        assert chosen.sum() == s
        np.testing.assert_allclose(following[chosen], moved[chosen], rtol=1e-9)
        assert np.abs(moved[~chosen]).max() <= np.abs(moved[chosen]).min() * (1 + 1e-9)
        x, w = following, weights


@every_method
@every_loss
def test_without_screening_every_iteration_is_a_full_gradient(loss, method, problem):
    X, y, beta = problem(gaussian, loss, 12)
    for options in ({}, {"sample_weight": np.ones(ROWS)}, {"ridge": 1.0}, {"center": True}):
        result = regiht.solve(
            X, y, 4, loss=loss, method=method, step=0.1 / beta, max_iter=23,
            screening=False, **options,
        )  # fmt: skip
        assert result.n_gradients == result.n_iter == 23


@pytest.mark.parametrize("weighted", [False, True])
def test_few_gradients_on_a_well_separated_problem(weighted):
    """Orthonormal columns and 16 coefficients of ±1, IHT with step ½.

    The error of iterate t is 2⁻ᵗ in each coefficient, so ‖r − r₀‖ ≤ 4·2⁻ᵗ from a reference at
    t on. Gradient entries outside are 0, and to enter they must reach (1 − 2⁻ᵗ)/½ ≥ 1 after the
    first step. So with a reference at t = 3 nothing can enter any more: at most the gradients at
    t = 0, 1, 2 and 3 are evaluated, whatever the number of iterations.
    """
    rng = np.random.default_rng(13)
    X = np.asfortranarray(orthogonal(rng))
    coef = np.zeros(COLS)
    coef[rng.choice(COLS, 16, replace=False)] = rng.choice([-1.0, 1.0], 16)
    ours, plain = assert_screening_changes_nothing(
        X, X @ coef, 16, method="iht", step=0.5, max_iter=20,
        sample_weight=np.ones(COLS) if weighted else None,
    )  # fmt: skip
    assert ours.n_gradients <= 4
    assert plain.n_gradients == plain.n_iter == 20
    np.testing.assert_allclose(ours.x, coef, atol=1e-5)


@every_method
def test_few_gradients_on_text(method):
    problem = datasets.rcv1_like(300, 2000, 9000, seed=14)
    design = regiht.Design(problem.X, center=True, scale=True)
    ours, plain = assert_screening_changes_nothing(
        design, problem.y, 10, loss="logistic", method=method, ridge=0.1, step=0.4, max_iter=200
    )
    assert ours.n_gradients < 20 < plain.n_gradients == 200


class Counting:
    """A function of one's own that counts its gradients."""

    def __init__(self, objective):
        self.objective, self.calls = objective, 0

    def value(self, x):
        return self.objective.value(x)

    def gradient(self, x):
        self.calls += 1
        return self.objective.gradient(x)


@pytest.mark.parametrize("safeguard", [False, True])
@pytest.mark.parametrize("factor", [None, 0.5, 6.0])
@every_method
def test_gradients_are_counted_as_they_are_called(method, factor, safeguard, problem):
    for loss in LOSSES:
        X, y, beta = problem(gaussian, loss, 15)
        counting = Counting(reference.LinearObjective(X, y, loss))
        step = None if factor is None else factor / beta
        result = regiht.minimize(
            counting, COLS, 5, method=method, step=step, safeguard=safeguard, max_iter=30
        )
        assert result.n_gradients == counting.calls
        if step is not None:
            assert counting.calls == result.n_iter

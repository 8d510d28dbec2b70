"""The numpy reference against mathematics: derivatives, hand-made examples and the theorem."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from regiht import datasets, reference
from regiht._solving import registry

TARGETS = {"real": (-2.0, 0.3), "nonnegative": (0.0, 3.0), "binary": (0.0, 1.0)}


def prediction_grid(loss: str) -> tuple[np.ndarray, np.ndarray]:
    """Predictions and targets that stay clear of the kinks of the second derivative."""
    targets = TARGETS[registry.LOSSES[loss].targets]
    z, b = (g.ravel() for g in np.meshgrid(np.linspace(-4.05, 4.05, 60), targets))
    sides = [reference.LOSSES[loss].curvature(z + shift, b) for shift in (-0.01, 0.01)]
    near_kink = np.abs(sides[0] - sides[1]) > 0.1 * (1 + np.maximum(*sides))
    return z[~near_kink], b[~near_kink]


@pytest.mark.parametrize("loss", reference.LOSSES)
def test_derivatives_match_finite_differences(loss):
    functions, (z, b), h = reference.LOSSES[loss], prediction_grid(loss), 1e-5

    def slope(function):
        return (function(z + h, b) - function(z - h, b)) / (2 * h)

    np.testing.assert_allclose(
        functions.derivative(z, b), slope(functions.value), rtol=1e-7, atol=1e-7
    )
    np.testing.assert_allclose(
        functions.curvature(z, b), slope(functions.derivative), rtol=1e-7, atol=1e-7
    )
    assert np.all(functions.curvature(z, b) >= 0)
    assert np.all(functions.curvature(z, b) <= functions.max_curvature)


@pytest.mark.parametrize("loss", reference.LOSSES)
def test_huge_predictions_give_exact_limits(loss):
    functions = reference.LOSSES[loss]
    z, b = np.array([-1e4, -1e4, 1e4, 1e4]), np.array([0.0, 1.0, 0.0, 1.0])
    value = functions.value(z, b)
    assert not np.isnan(np.concatenate([value, functions.derivative(z, b)])).any()
    if loss == "logistic":
        np.testing.assert_array_equal(value, [0, 1e4, 1e4, 0])
        np.testing.assert_array_equal(functions.derivative(z, b), [0, -1, 1, 0])
    if loss == "poisson":
        np.testing.assert_array_equal(value, [0, 1e4, np.inf, np.inf])


def test_logistic_loss_of_a_sure_prediction_does_not_cancel():
    value = reference.LOSSES["logistic"].value(np.array([40.0]), np.array([1.0]))
    np.testing.assert_allclose(value, np.exp(-40.0), rtol=1e-14)


vectors = hnp.arrays(
    np.float64,
    st.integers(1, 12),
    elements=st.one_of(st.integers(-3, 3).map(float), st.floats(-1e300, 1e300)),
)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(x=vectors, s=st.integers(0, 14), data=st.data())
def test_hard_threshold_is_what_sorting_says(x, s, data):
    indices = st.sets(st.integers(0, len(x) - 1), max_size=min(s, len(x)))
    keep = data.draw(indices)
    result = reference.hard_threshold(x, s, sorted(keep))
    ranking = sorted(range(len(x)), key=lambda i: (i not in keep, -abs(x[i]), i))
    expected = np.zeros(len(x))
    expected[ranking[:s]] = x[ranking[:s]]
    np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(reference.hard_threshold(result, s, sorted(keep)), result)


def test_hard_threshold_by_hand():
    x = np.array([1.0, -2.0, 2.0, 0.5, 2.0])
    np.testing.assert_array_equal(reference.hard_threshold(x, 0), np.zeros(5))
    np.testing.assert_array_equal(reference.hard_threshold(x, 2), [0, -2, 2, 0, 0])
    np.testing.assert_array_equal(reference.hard_threshold(x, 2, keep=[3]), [0, -2, 0, 0.5, 0])
    np.testing.assert_array_equal(reference.hard_threshold(x, 9), x)
    diverged = reference.hard_threshold(np.array([1.0, np.nan, np.inf]), 2)
    np.testing.assert_array_equal(diverged, [0, np.nan, np.inf])


@pytest.mark.parametrize(("s", "keep"), [(-1, []), (1, [0, 1]), (2, [-1]), (2, [3])])
def test_hard_threshold_refuses_impossible_requests(s, keep):
    with pytest.raises(ValueError, match=r"^(s|keep) must"):
        reference.hard_threshold(np.ones(3), s, keep)


def awkward_matrix() -> np.ndarray:
    """Sparse columns, a constant one, a zero one, and one whose mean dwarfs its variance."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 7)) * (rng.random((40, 7)) < 0.3)
    X[:, 2] = 0.1  # forty times 0.1 doesn't sum to 4 exactly
    X[:, 4] = 0.0
    X[:, 5] = 1e8 + rng.integers(0, 3, 40)
    return X


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix])
def test_implicit_standardization_equals_the_explicit_copy(center, scale, form):
    X = awkward_matrix()
    explicit, means, scales = reference.standardize(X, center, scale)
    implicit = reference.ImplicitStandardized(form(X), center, scale)
    np.testing.assert_allclose(implicit.means, means, rtol=1e-14)
    np.testing.assert_allclose(implicit.scales, scales, rtol=1e-12)
    # Column 5 is 1e8 plus a few units: a product with it carries rounding of that size.
    largest = np.abs(X * scales).max()
    rng = np.random.default_rng(0)
    x, v = rng.standard_normal(7), rng.standard_normal(40)
    np.testing.assert_allclose(implicit @ x, explicit @ x, rtol=1e-12, atol=1e-14 * largest)
    tolerance = 1e-13 * largest
    np.testing.assert_allclose(implicit.T @ v, explicit.T @ v, rtol=1e-12, atol=tolerance)


def test_standardized_columns_have_the_promised_norms_and_means():
    X = awkward_matrix()
    A, means, scales = reference.standardize(X, True, True)
    rounding = len(X) * np.finfo(float).eps * np.abs(X * scales).max()
    np.testing.assert_allclose(A.sum(axis=0), 0, atol=rounding)
    np.testing.assert_allclose(np.linalg.norm(A, axis=0), [1, 1, 0, 1, 0, 1, 1], rtol=1e-12)
    np.testing.assert_array_equal(A[:, [2, 4]], 0)
    np.testing.assert_array_equal(scales == 0, [0, 0, 1, 0, 1, 0, 0])
    assert means[2] == X[0, 2]
    A, means, scales = reference.standardize(X, False, True)
    np.testing.assert_allclose(np.linalg.norm(A, axis=0), [1, 1, 1, 1, 0, 1, 1], rtol=1e-12)
    np.testing.assert_array_equal(means, 0)
    np.testing.assert_array_equal(scales == 0, [0, 0, 0, 0, 1, 0, 0])


def test_norms_of_nearly_constant_columns_do_not_cancel():
    X = np.full((100, 1), 1e8)
    X[::2] += 1.0  # deviations of one half: squared norm 25
    for form in (np.array, sparse.csr_matrix):
        scales = reference.ImplicitStandardized(form(X), True, True).scales
        np.testing.assert_allclose(scales, 1 / 5, rtol=1e-12)


def test_sparse_duplicates_and_stored_zeros_count_once():
    values, columns, starts = [1.0, 2.0, 0.0, 5.0], [0, 0, 1, 1], [0, 2, 3, 4, 4]
    X = sparse.csr_matrix((values, columns, starts), shape=(4, 2))
    implicit = reference.ImplicitStandardized(X, True, True)
    _, means, scales = reference.standardize(X.toarray(), True, True)
    np.testing.assert_allclose(implicit.means, means, rtol=1e-15)
    np.testing.assert_allclose(implicit.scales, scales, rtol=1e-14)


@pytest.mark.parametrize("loss", reference.LOSSES)
@pytest.mark.parametrize("form", [np.float32, np.float64, "csr", "standardized"])
def test_gradient_is_the_slope_of_the_value(loss, form):
    rng = np.random.default_rng(7)
    X = rng.standard_normal((15, 4)).astype(np.float32 if form == np.float32 else np.float64)
    if form == "csr":
        X = sparse.csr_matrix(X)
    if form == "standardized":
        X = reference.ImplicitStandardized(X, True, True)
    y, weight = rng.integers(0, 2, 15), rng.random(15)
    objective = reference.LinearObjective(X, y, loss, ridge=0.3, sample_weight=weight)
    x, h = 0.4 * rng.standard_normal(4), 1e-6
    slope = [(objective.value(x + h * e) - objective.value(x - h * e)) / (2 * h) for e in np.eye(4)]
    assert objective.gradient(x).dtype == np.float64
    np.testing.assert_allclose(objective.gradient(x), slope, rtol=1e-6, atol=1e-7)


def test_objective_is_a_weighted_sum_plus_ridge():
    objective = reference.LinearObjective(
        np.eye(2), [1.0, 5.0], ridge=2.0, sample_weight=[1.0, 10.0]
    )
    # 1/2 (3-1)^2 + 10/2 (4-5)^2 + 2/2 (9+16)
    assert objective.value(np.array([3.0, 4.0])) == 2 + 5 + 25
    np.testing.assert_array_equal(objective.gradient(np.array([3.0, 4.0])), [2 + 6, -10 + 8])


TARGET = np.array([4.0, 3.0, 1.0])
DISTANCE = reference.LinearObjective(np.eye(3), TARGET)  # f(x) = 1/2 ||x - TARGET||^2


def test_two_iterations_of_iht_by_hand():
    result = reference.iht(DISTANCE, 3, 1, step=0.5, max_iter=2)
    # H_1(1/2 target) = (2, 0, 0), then 2 - 1/2 (2 - 4) = 3 in the first entry.
    np.testing.assert_array_equal(result.x, [3, 0, 0])
    np.testing.assert_array_equal(result.history_fun, [(4 + 9 + 1) / 2, (1 + 9 + 1) / 2])
    assert (result.fun, result.n_iter) == (5.5, 2)


def test_three_iterations_of_regularized_iht_by_hand():
    options = {"step": 1.0, "weight_step": 0.5}
    first = reference.regularized_iht(DISTANCE, 3, 2, max_iter=1, **options)
    # x = 0 has no regularization, so the weights stay: x = H_2(1/2 target).
    np.testing.assert_array_equal(first.x, [2, 1.5, 0])
    np.testing.assert_array_equal(first.weights, [1, 1, 1])
    np.testing.assert_allclose(first.history_regularized_fun, [3.625 + 6.25 / 2])
    second = reference.regularized_iht(DISTANCE, 3, 2, max_iter=2, **options)
    # 1/2 x - 1/2 (x - target) is 1/2 target again. Shares of w x^2: 4/6.25 and 2.25/6.25.
    np.testing.assert_array_equal(second.x, [2, 1.5, 0])
    np.testing.assert_allclose(second.weights, [0.68, 0.82, 1])
    third = reference.regularized_iht(DISTANCE, 3, 2, max_iter=3, **options)
    # (1 - 0.34) 2 - 1/2 (2 - 4) and (1 - 0.41) 1.5 - 1/2 (1.5 - 3).
    np.testing.assert_allclose(third.x, [2.32, 1.635, 0])
    # Still from the old x: 0.68 (2)^2 = 2.72 and 0.82 (1.5)^2 = 1.845 of 4.565 together.
    # 0.68 (1 - 1/2 2.72/4.565) = 0.477 is rounded to 0.
    np.testing.assert_allclose(third.weights, [0, 0.82 * (1 - 0.5 * 1.845 / 4.565), 1])
    np.testing.assert_allclose(third.history_fun[-1], (1.68**2 + 1.365**2 + 1) / 2)


def test_a_weight_of_exactly_one_half_is_rounded_by_the_listing_only():
    objective = reference.LinearObjective(np.eye(1), [2.0])
    options = {"step": 1.0, "max_iter": 1, "weight_step": 0.5, "x0": np.array([1.0])}
    assert reference.regularized_iht(objective, 1, 1, **options).weights[0] == 0.0
    assert reference.regularized_iht(objective, 1, 1, safeguard=True, **options).weights[0] == 0.5


def test_kept_features_stay_and_dense_starts_are_thresholded():
    for solver in (reference.iht, reference.regularized_iht):
        result = solver(DISTANCE, 3, 2, step=0.5, max_iter=4, keep=[2])
        np.testing.assert_array_equal(np.flatnonzero(result.x), [0, 2])
        start = solver(DISTANCE, 3, 1, step=0.5, max_iter=0, x0=[1.0, -5.0, 2.0])
        np.testing.assert_array_equal(start.x, [0, -5, 0])


def test_iht_never_leaves_the_bad_start_and_regularized_iht_does():
    problem = datasets.hard_instance()
    objective = reference.LinearObjective(problem.X, problem.y)
    n, start = len(problem.y), problem.x_bad
    stuck = reference.iht(objective, n, 440, step=1 / problem.beta, max_iter=50, x0=start)
    np.testing.assert_array_equal(stuck.x, start)
    freed = reference.regularized_iht(
        objective, n, 440, step=1 / problem.beta, max_iter=400, x0=start
    )
    assert 0.70 < 1 - freed.fun / stuck.fun < 0.82
    assert np.count_nonzero(freed.x[problem.blocks[0]]) == 2


def test_a_noiseless_planted_solution_is_a_fixed_point_of_iht():
    problem = datasets.recovery(40, 60, 4, seed=2)
    objective = reference.LinearObjective(problem.X, problem.X @ problem.coef)
    result = reference.iht(objective, 60, 4, step=0.25, max_iter=5, x0=problem.coef)
    np.testing.assert_array_equal(result.x, problem.coef)


@pytest.mark.parametrize("safeguard", [False, True])
def test_weights_never_rise_and_keep_to_their_range(safeguard):
    problem = datasets.recovery(50, 120, 8, seed=5, noise=0.1)
    objective = reference.LinearObjective(problem.X, problem.y)
    options = {"step": 1 / 8, "weight_step": 8 / 60, "safeguard": safeguard}
    x, w = np.zeros(120), np.ones(120)
    for _ in range(60):
        result = reference.regularized_iht(objective, 120, 8, max_iter=1, x0=x, w0=w, **options)
        assert np.all(result.weights <= w)
        assert np.all((result.weights == 0) | (result.weights >= 0.5))
        assert np.count_nonzero(result.x) <= 8
        x, w = result.x, result.weights
    assert 0 < np.count_nonzero(w == 0) < 120
    # Carrying x and w from call to call is the same as one long run.
    whole = reference.regularized_iht(objective, 120, 8, max_iter=60, **options)
    np.testing.assert_array_equal(whole.x, x)
    np.testing.assert_array_equal(whole.weights, w)


def test_the_safeguarded_regularized_value_never_rises():
    problem = datasets.recovery(50, 120, 8, seed=6, noise=0.1)
    objective = reference.LinearObjective(problem.X, problem.y)
    # A step far above 1/beta, so that the safeguard has something to do.
    options = {"step": 1.5, "max_iter": 80, "weight_step": 0.1}
    guarded = reference.regularized_iht(objective, 120, 8, safeguard=True, **options)
    assert np.all(np.diff(guarded.history_regularized_fun) <= 0)
    free = reference.regularized_iht(objective, 120, 8, **options)
    assert np.any(np.diff(free.history_regularized_fun) > 0)


@pytest.mark.parametrize("safeguard", [False, True])
def test_the_default_weight_step_is_that_of_the_paper(safeguard):
    problem = datasets.tiny()
    objective = reference.LinearObjective(problem.X, problem.y)
    options = {"step": 1 / 3, "max_iter": 40, "safeguard": safeguard}
    explicit = 3 / 160 if safeguard else 3 / 40
    default = reference.regularized_iht(objective, 50, 3, **options)
    given_step = reference.regularized_iht(objective, 50, 3, weight_step=explicit, **options)
    np.testing.assert_array_equal(default.weights, given_step.weights)
    assert default.weights.min() < 1


def test_history_can_be_left_out():
    problem = datasets.tiny()
    objective = reference.LinearObjective(problem.X, problem.y)
    for solver in (reference.iht, reference.regularized_iht):
        silent = solver(objective, 50, 3, step=1 / 3, max_iter=20, history=False)
        recorded = solver(objective, 50, 3, step=1 / 3, max_iter=20)
        assert (len(silent.history_fun), len(recorded.history_fun)) == (0, 20)
        assert silent.fun == recorded.fun == recorded.history_fun[-1]


@pytest.mark.parametrize("rotated", [False, True])
def test_the_theorem_holds_from_a_bad_start(rotated):
    """Sparsity (128 kappa + 192) s, T = 64 (kappa + 1) log(.../eps), c = s'/(4T)."""
    rng = np.random.default_rng(11)
    n, s, kappa, epsilon = 400, 1, 1.1, 1e-4
    A = np.diag(np.sqrt(np.linspace(1, kappa, n)))
    if rotated:
        # A reflection mixes all coordinates and keeps the singular values.
        v = rng.standard_normal(n)
        A = A - np.outer(A @ v, v) * (2 / (v @ v))
    x_star = np.zeros(n)
    x_star[17] = 30.0
    objective = reference.LinearObjective(A, A @ x_star + 0.3 * rng.standard_normal(n))
    sparsity = int(np.ceil((128 * kappa + 192) * s))
    start = np.zeros(n)
    start[np.delete(np.arange(n), 17)[:sparsity]] = rng.standard_normal(sparsity)
    gap = objective.value(start) + kappa / 2 * (start @ start) - objective.value(x_star)
    iterations = int(np.ceil(64 * (kappa + 1) * np.log(gap / epsilon)))
    result = reference.regularized_iht(
        objective,
        n,
        sparsity,
        step=1 / kappa,
        max_iter=iterations,
        x0=start,
        safeguard=True,
        history=False,
    )
    assert np.count_nonzero(result.x) <= sparsity < n
    assert result.fun <= objective.value(x_star) + epsilon

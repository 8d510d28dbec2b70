"""Every solver against `regiht.reference`, to 1e-9: losses, storages, standardization, options.

float32 data agree to 1e-9 too: they are promoted value by value, and all sums are float64.
"""

import functools

import numpy as np
import pytest

import regiht
from regiht import datasets, reference

METHODS, LOSSES = ("iht", "regiht"), regiht.losses()
ROWS, COLS, S = 60, 90, 7
STORAGES = ("row-major", "column-major", "csr_matrix", "csr_array", "csc_matrix", "csc_array")


@pytest.fixture(scope="module")
def problems(make_target):
    """One problem for each loss: sparse values, an empty and a constant column."""
    rng = np.random.default_rng(20)
    X = rng.standard_normal((ROWS, COLS)) * (rng.random((ROWS, COLS)) < 0.3)
    X[:, 10], X[:, 20] = 0.0, 0.7
    X = X.astype(np.float32).astype(np.float64)  # so that float32 stores the same numbers
    coef = np.zeros(COLS)
    coef[rng.choice(COLS, S, replace=False)] = rng.choice([-1.0, 1.0], S) * rng.uniform(0.5, 1, S)
    return {loss: (X, make_target(loss, X @ coef, rng)) for loss in LOSSES}


def smoothness(X, loss, **standardization):
    """An upper bound of beta that is safe for every loss, Poisson's included."""
    options = {"center": False, "scale": False} | standardization
    A, _, _ = reference.standardize(X, **options)
    curvature = reference.LOSSES[loss].max_curvature
    return np.linalg.norm(A, 2) ** 2 * (curvature if np.isfinite(curvature) else 4.0)


def test_the_reference_knows_every_loss():
    assert set(LOSSES) == set(reference.LOSSES)


@pytest.fixture(scope="module")
def standardized_run(problems, solve_by_reference):
    """A function that runs the reference on centred and scaled columns; says how to repeat it."""

    @functools.cache
    def run(method, loss):
        X, y = problems[loss]
        options = {
            "method": method, "loss": loss, "center": True, "scale": True, "ridge": 0.1,
            "step": 1.5 / smoothness(X, loss, center=True, scale=True), "max_iter": 50,
        }  # fmt: skip
        return X, y, options, solve_by_reference(X, y, S, **options)

    return run


@pytest.mark.pairs
@pytest.mark.parametrize("index_dtype", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
def test_every_storage(
    method, loss, storage, dtype, index_dtype, standardized_run, stored, assert_agrees
):
    X, y, options, expected = standardized_run(method, loss)
    matrix = stored(X, storage, dtype, index_dtype)
    assert_agrees(regiht.solve(matrix, y, S, history=True, **options), expected)


@pytest.mark.pairs
@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
def test_every_standardization(
    method, loss, scale, center, problems, all_designs, solve_by_reference, assert_agrees
):
    X, y = problems[loss]
    ways = {"center": center, "scale": scale}
    options = {"method": method, "loss": loss, "max_iter": 40}
    options["step"] = 1.0 / smoothness(X, loss, **ways)
    expected = solve_by_reference(X, y, S, **options, **ways)
    for design in all_designs(X, **ways):
        assert_agrees(regiht.solve(design, y, S, history=True, **options), expected)


@pytest.mark.pairs
@pytest.mark.parametrize("factor", [0.03, 0.3, 1.0, 1.9])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
def test_every_step_size(method, loss, factor, problems, stored, solve_by_reference, assert_agrees):
    X, y = problems[loss]
    step = factor / smoothness(X, loss)
    options = {"method": method, "loss": loss, "step": step, "max_iter": 80}
    expected = solve_by_reference(X, y, S, **options)
    for storage in ("row-major", "csc_matrix"):
        assert_agrees(regiht.solve(stored(X, storage), y, S, history=True, **options), expected)


RNG = np.random.default_rng(7)
OPTIONS = {
    "ridge": {"ridge": 3.0},
    "sample_weight": {"sample_weight": RNG.uniform(0, 2, ROWS)},
    "zero_sample_weights": {"sample_weight": (RNG.random(ROWS) < 0.7).astype(float)},
    "keep": {"keep": [0, 33, 89]},
    "keep_all": {"keep": [2, 3, 5, 7, 11, 13, 17]},
    "keep_empty_column": {"keep": [10]},
    "x0": {"x0": np.where(np.arange(COLS) % 20 == 3, 0.3, 0.0)},
    "dense_x0": {"x0": RNG.standard_normal(COLS) / 5},
    "x0_and_keep": {"x0": RNG.standard_normal(COLS) / 5, "keep": [1, 44]},
    "w0": {"w0": RNG.uniform(0.5, 1, COLS)},
    "w0_below_the_threshold": {"w0": RNG.uniform(0, 1, COLS)},
    "w0_zero": {"w0": np.zeros(COLS)},
    "x0_and_w0": {"x0": RNG.standard_normal(COLS) / 5, "w0": RNG.uniform(0, 1, COLS)},
    "weight_step": {"weight_step": 0.9},
    "weight_step_beyond_one": {"weight_step": 5.0},
    "weight_step_zero": {"weight_step": 0.0},
    "round_threshold": {"round_threshold": 0.8},
    "round_threshold_zero": {"round_threshold": 0.0},
    "round_threshold_one": {"round_threshold": 1.0},
    "safeguard": {"safeguard": True},
    "safeguard_from_x0": {"safeguard": True, "x0": RNG.standard_normal(COLS) / 4},
    "safeguard_weight_step": {"safeguard": True, "weight_step": 0.5, "round_threshold": 0.7},
    "everything": {
        "ridge": 0.5, "sample_weight": RNG.uniform(0, 2, ROWS), "keep": [4, 50],
        "x0": RNG.standard_normal(COLS) / 5, "w0": RNG.uniform(0, 1, COLS), "safeguard": True,
        "weight_step": 0.4, "round_threshold": 0.6, "center": True, "scale": True,
    },
}  # fmt: skip


@pytest.mark.pairs
@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
def test_every_option(method, loss, name, problems, stored, solve_by_reference, assert_agrees):
    X, y = problems[loss]
    options = {"method": method, "loss": loss, "max_iter": 40} | OPTIONS[name]
    ways = {way: options.get(way, False) for way in ("center", "scale")}
    options["step"] = 0.8 / (2 * smoothness(X, loss, **ways) + options.get("ridge", 0.0))
    keep = options.get("keep", ())
    expected = solve_by_reference(X, y, S, **options)
    for storage in ("column-major", "csr_array"):
        result = regiht.solve(stored(X, storage), y, S, history=True, **options)
        assert_agrees(result, expected, keep)


@pytest.mark.parametrize("s", [1, 2, 30, COLS])
@pytest.mark.parametrize("method", METHODS)
def test_every_sparsity(method, s, problems, stored, solve_by_reference, assert_agrees):
    X, y = problems["squared"]
    options = {"method": method, "step": 1 / smoothness(X, "squared"), "max_iter": 60}
    expected = solve_by_reference(X, y, s, **options)
    for storage in ("row-major", "csc_array"):
        assert_agrees(regiht.solve(stored(X, storage), y, s, history=True, **options), expected)


@pytest.mark.parametrize("safeguard", [False, True])
def test_a_weight_exactly_at_the_threshold(safeguard, solve_by_reference, assert_agrees):
    """One feature, c = 1/2: its weight becomes exactly 1/2, which only the listing rounds."""
    X, y = np.eye(3), np.array([1.0, 0.0, 0.0])
    options = {"step": 0.5, "max_iter": 2, "weight_step": 0.5, "safeguard": safeguard}
    result = regiht.solve(X, y, 1, history=True, **options)
    assert result.weights.tolist() == [0.5 if safeguard else 0.0, 1.0, 1.0]
    assert_agrees(result, solve_by_reference(X, y, 1, **options))


@pytest.mark.parametrize("loss", ["squared", "logistic", "huber"])
def test_a_safeguard_that_refuses_steps(loss, problems, solve_by_reference, assert_agrees):
    X, y = problems[loss]
    options = {"loss": loss, "step": 6 / smoothness(X, loss), "max_iter": 60, "safeguard": True}
    expected = solve_by_reference(X, y, S, **options)
    refused = np.diff(expected.history_fun) == 0
    assert 0 < refused.sum() < 59
    assert_agrees(regiht.solve(X, y, S, history=True, **options), expected)


def test_a_prepared_design_gives_the_same_bits(problems, stored):
    X, y = problems["logistic"]
    matrix = stored(X, "csc_matrix", np.float32)
    design = regiht.Design(matrix, center=True, scale=True)
    ours = regiht.solve(design, y, S, loss="logistic", max_iter=60)
    theirs = regiht.solve(matrix, y, S, loss="logistic", max_iter=60, center=True, scale=True)
    np.testing.assert_array_equal(ours.x, theirs.x)
    np.testing.assert_array_equal(ours.coef, theirs.coef)
    assert ours.intercept == theirs.intercept


@pytest.mark.parametrize("loss", LOSSES)
def test_coef_and_intercept_predict_what_fun_judges(loss, problems, stored):
    X, y = problems[loss]
    result = regiht.solve(stored(X, "csr_array"), y, S, loss=loss, center=True, scale=True)
    losses = reference.LOSSES[loss].value(X @ result.coef + result.intercept, y)
    np.testing.assert_allclose(losses.sum(), result.fun, rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("loss", LOSSES)
def test_gradient_count_without_screening_is_one_a_step(loss, method, problems):
    """With sample weights: without, least squares this narrow never reads a column again."""
    X, y = problems[loss]
    result = regiht.solve(
        X, y, S, loss=loss, method=method, step=0.5 / smoothness(X, loss), max_iter=25,
        screening=False, sample_weight=np.ones(len(y)),
    )  # fmt: skip
    assert result.n_gradients == result.n_iter == 25


@pytest.mark.parametrize("method", METHODS)
def test_least_squares_on_a_gram_matrix_reads_the_columns_once(method, problems):
    X, y = problems["squared"]
    step = 0.5 / smoothness(X, "squared")
    result = regiht.solve(X, y, S, method=method, step=step, max_iter=25, screening=False)
    assert (result.n_gradients, result.n_iter) == (1, 25)


@pytest.mark.parametrize("step", [None, 0.4, 1.6])
@pytest.mark.parametrize("standardized", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_screening_changes_no_support(method, standardized, step, all_designs):
    problem = datasets.rcv1_like(300, 2000, 9000, seed=1)
    saved = 0.0
    for design in all_designs(problem.X.toarray(), center=standardized, scale=standardized):
        runs = []
        for screening in (True, False):
            supports = []
            result = regiht.solve(
                design, problem.y, 10, loss="logistic", method=method, ridge=0.1, step=step,
                max_iter=100, screening=screening,
                callback=lambda it, seen=supports: seen.append(it.support.tolist()),
            )  # fmt: skip
            runs.append((supports, result))
        (ours, screened), (theirs, plain) = runs
        assert ours == theirs
        np.testing.assert_allclose(screened.x, plain.x, rtol=1e-12, atol=0)
        np.testing.assert_array_equal(screened.support, plain.support)
        np.testing.assert_allclose(screened.fun, plain.fun, rtol=1e-13)
        saved += plain.n_gradients - screened.n_gradients
    assert saved > 0

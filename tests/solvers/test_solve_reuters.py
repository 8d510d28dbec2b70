"""The solvers on real text equal the numpy reference: Reuters news, logistic loss, s = 10."""

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import reference

pytestmark = pytest.mark.data

S, RIDGE, ITERATIONS = 10, 0.1, 200
STEPS = {"4/s": 4 / S, "16/s": 16 / S}


def with_int64_indices(X):
    X = X.copy()
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


STORED_AS = {
    "csr-float64": lambda X: X.astype(np.float64),
    "csc-float64": lambda X: X.astype(np.float64).tocsc(),
    "csr-float32": lambda X: X,
    "csc-float32": lambda X: X.tocsc(),
    "csr-int64": lambda X: with_int64_indices(X.astype(np.float64)),
    "csc-int64": lambda X: with_int64_indices(X.astype(np.float64).tocsc()),
    "csr_array-float32-int64": lambda X: sparse.csr_array(with_int64_indices(X)),
}


@pytest.fixture(scope="module")
def reuters(real_data):
    X, y = real_data("reuters")
    assert X.dtype == np.float32  # its values in float64 are the very same numbers
    return X, y


@pytest.fixture(scope="module")
def objective(reuters):
    X, y = reuters
    A = reference.ImplicitStandardized(X.tocsc(), center=True, scale=True)
    return reference.LinearObjective(A, y, "logistic", RIDGE)


@pytest.fixture(scope="module")
def expected(objective, reuters):
    n = reuters[0].shape[1]
    options = {"max_iter": ITERATIONS, "history": False}
    return {
        (method, name): solver(objective, n, S, step=step, **options)
        for method, solver in [("iht", reference.iht), ("regiht", reference.regularized_iht)]
        for name, step in STEPS.items()
    }


def solve(X, y, **options):
    return regiht.solve(
        X, y, S, loss="logistic", ridge=RIDGE, center=True, scale=True, max_iter=ITERATIONS,
        **options,
    )  # fmt: skip


@pytest.mark.parametrize("stored_as", STORED_AS)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("method", ["iht", "regiht"])
def test_equals_the_reference(method, step, stored_as, reuters, expected):
    X, y = reuters
    wanted = expected[method, step]
    result = solve(STORED_AS[stored_as](X), y, method=method, step=STEPS[step])
    np.testing.assert_array_equal(result.support, np.flatnonzero(wanted.x))
    assert result.support.size == S
    np.testing.assert_allclose(result.x, wanted.x, rtol=1e-8, atol=0)
    np.testing.assert_allclose(result.weights, wanted.weights, rtol=1e-8)
    np.testing.assert_allclose(result.fun, wanted.fun, rtol=1e-8)
    assert result.n_iter == ITERATIONS or result.status == "stationary"


@pytest.mark.parametrize("step", STEPS)
def test_screening_saves_most_gradients_and_changes_nothing(step, reuters):
    X, y = reuters
    design = regiht.Design(X, center=True, scale=True)
    options = {"loss": "logistic", "ridge": RIDGE, "step": STEPS[step], "max_iter": ITERATIONS}
    screened = regiht.solve(design, y, S, **options)
    plain = regiht.solve(design, y, S, screening=False, **options)
    np.testing.assert_array_equal(screened.support, plain.support)
    np.testing.assert_allclose(screened.x, plain.x, rtol=1e-12, atol=0)
    assert plain.n_gradients == ITERATIONS
    assert screened.n_gradients < ITERATIONS / 5


def test_a_step_of_its_own_choice_is_at_least_as_good(reuters, expected):
    result = solve(*reuters)
    assert result.success
    assert result.fun <= 1.01 * min(run.fun for run in expected.values())

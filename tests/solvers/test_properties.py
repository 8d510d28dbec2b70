"""Mathematical properties of every solver, on problems that Hypothesis draws."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse

import regiht
from regiht import reference
from regiht._solving import registry

METHODS, LOSSES = ("iht", "regiht"), regiht.losses()


@dataclass(frozen=True)
class Case:
    """A problem small enough to think about. Its arrays follow from the numbers shown."""

    seed: int
    rows: int
    cols: int
    s: int
    density: float
    loss: str
    X: np.ndarray = field(repr=False, compare=False)
    y: np.ndarray = field(repr=False, compare=False)

    def step(self, factor: float = 1.0, **standardization) -> float:
        """A multiple of 1/beta; where beta is unbounded (Poisson), of something small."""
        options = {"center": False, "scale": False} | standardization
        A, _, _ = reference.standardize(self.X, **options)
        curvature = reference.LOSSES[self.loss].max_curvature
        bound = np.linalg.norm(A, 2) ** 2 * (curvature if np.isfinite(curvature) else 20.0)
        return factor / bound if bound > 0 else factor


def draw_target(rng, loss, rows):
    kind = registry.LOSSES[loss].targets
    if kind == "binary":
        return rng.integers(0, 2, rows).astype(float)
    return rng.poisson(1.0, rows).astype(float) if kind == "nonnegative" else rng.normal(size=rows)


@st.composite
def cases(draw, losses=tuple(LOSSES)):
    rows, cols = draw(st.integers(1, 25)), draw(st.integers(1, 40))
    s, density = draw(st.integers(1, cols)), draw(st.sampled_from([0.2, 0.6, 1.0]))
    loss, seed = draw(st.sampled_from(losses)), draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, cols)) * (rng.random((rows, cols)) < density)
    return Case(seed, rows, cols, s, density, loss, X, draw_target(rng, loss, rows))


methods = st.sampled_from(METHODS)
steps = st.sampled_from([None, 0.1, 1.0, 1.9])


def trace(X, y, s, **options):
    """Solve and return the result with all iterates and weights."""
    xs, ws = [], []

    def record(iteration):
        xs.append(iteration.x)
        ws.append(iteration.weights)

    result = regiht.solve(X, y, s, callback=record, **options)
    return result, xs, ws


def assert_same_solution(a, b, order=None):
    """Equal to rounding; order[j] is the place in b of column j of a."""
    order = np.arange(len(a.x)) if order is None else order
    size = max(np.abs(a.x).max(), np.finfo(float).tiny)
    np.testing.assert_allclose(a.x, b.x[order], rtol=1e-9, atol=1e-9 * size)
    np.testing.assert_allclose(a.weights, b.weights[order], rtol=1e-9)
    np.testing.assert_allclose(a.fun, b.fun, rtol=1e-9, atol=1e-12)


@given(case=cases(), method=methods, factor=st.sampled_from([None, 0.1, 1.0, 3.0, 50.0]))
def test_no_iterate_has_more_than_s_nonzeros(case, method, factor):
    step = None if factor is None else case.step(factor)
    result, xs, _ = trace(
        case.X, case.y, case.s, loss=case.loss, method=method, step=step, max_iter=30
    )
    assert all(np.count_nonzero(x) <= case.s for x in [*xs, result.x])
    np.testing.assert_array_equal(result.support, np.flatnonzero(result.x))
    assert np.isfinite(result.x).all()
    objective = reference.LinearObjective(case.X, case.y, case.loss)
    np.testing.assert_allclose(result.fun, objective.value(result.x), rtol=1e-9, atol=1e-12)


@given(
    case=cases(),
    factor=st.sampled_from([None, 0.1, 1.0, 3.0]),
    weight_step=st.sampled_from([None, 0.2, 1.0, 4.0]),
    safeguard=st.booleans(),
)
def test_weights_are_zero_or_at_least_half_and_never_rise(case, factor, weight_step, safeguard):
    step = None if factor is None else case.step(factor)
    result, _, ws = trace(
        case.X, case.y, case.s, loss=case.loss, step=step, weight_step=weight_step,
        safeguard=safeguard, max_iter=30,
    )  # fmt: skip
    before = np.ones(case.cols)
    for w in ws:
        assert np.all((w == 0) | ((w >= 0.5) & (w <= 1)))
        assert np.all(w <= before)
        before = w
    np.testing.assert_array_equal(result.weights, before)


@given(case=cases(), factor=st.sampled_from([0.1, 1.0, 3.0, 20.0]), start=st.booleans())
def test_safeguarded_regularized_value_never_rises(case, factor, start):
    step = case.step(factor)
    x0 = np.random.default_rng(case.seed).normal(size=case.cols) / 10 if start else None
    _, xs, ws = trace(
        case.X, case.y, case.s, loss=case.loss, step=step, safeguard=True, max_iter=40, x0=x0
    )
    objective = reference.LinearObjective(case.X, case.y, case.loss)

    def regularized(x, w):
        return objective.value(x) + np.sum(w * x**2) / (2 * step)

    x = np.zeros(case.cols) if x0 is None else reference.hard_threshold(x0, case.s)
    for following, w in zip(xs, ws, strict=True):
        # Both sides with the new weights, as Algorithm 1 compares them.
        assert regularized(following, w) <= regularized(x, w) * (1 + 1e-12) + 1e-12
        x = following


@given(case=cases(), method=methods, factor=st.sampled_from([0.1, 1.0]))
def test_sparse_storage_gives_the_dense_solution(case, method, factor):
    options = {"loss": case.loss, "method": method, "step": case.step(factor), "max_iter": 30}
    dense = regiht.solve(case.X, case.y, case.s, **options)
    for kind in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        assert_same_solution(regiht.solve(kind(case.X), case.y, case.s, **options), dense)


@given(case=cases(), method=methods, center=st.booleans(), shift=st.sampled_from([0.0, 1.0, 50.0]))
def test_implicit_standardization_equals_an_explicit_copy(case, method, center, shift):
    # Columns with a single entry, or a constant target, leave ties that rounding would decide.
    X = case.X[:, np.count_nonzero(case.X, axis=0) > 1] + shift
    assume(case.rows > 3 and X.shape[1] > 0 and np.ptp(case.y) > 0)
    explicit, means, scales = reference.standardize(X, center, True)
    options = {"loss": case.loss, "method": method, "max_iter": 30}
    options["step"] = case.step(0.5, center=center, scale=True) / (1 if center else case.cols)
    s = min(case.s, X.shape[1])
    copy = regiht.solve(explicit, case.y, s, **options)
    for matrix in (X, sparse.csc_array(X)):
        implicit = regiht.solve(matrix, case.y, s, center=center, scale=True, **options)
        assert_same_solution(implicit, copy)
        np.testing.assert_allclose(implicit.coef, implicit.x * scales, rtol=1e-9)
        np.testing.assert_allclose(
            implicit.intercept, -means @ implicit.coef, rtol=1e-9, atol=1e-12
        )


@given(case=cases(), method=methods, permutation_seed=st.integers(0, 100))
def test_permuted_columns_give_the_permuted_solution(case, method, permutation_seed):
    order = np.random.default_rng(permutation_seed).permutation(case.cols)
    options = {"loss": case.loss, "method": method, "step": case.step(), "max_iter": 30}
    straight = regiht.solve(case.X, case.y, case.s, **options)
    permuted = regiht.solve(case.X[:, order], case.y, case.s, **options)
    assert_same_solution(permuted, straight, order)


@given(case=cases(), method=methods)
def test_permuted_rows_change_nothing(case, method):
    order = np.random.default_rng(case.seed).permutation(case.rows)
    options = {"loss": case.loss, "method": method, "step": case.step(), "max_iter": 30}
    straight = regiht.solve(case.X, case.y, case.s, **options)
    permuted = regiht.solve(case.X[order], case.y[order], case.s, **options)
    assert_same_solution(permuted, straight)


@given(case=cases(losses=["squared"]), method=methods, factor=steps, power=st.integers(-40, 40))
def test_squared_loss_scales_with_the_target(case, method, factor, power):
    """A power of two multiplies every intermediate result exactly, so even the bits follow."""
    step = None if factor is None else case.step(factor)
    options = {"method": method, "step": step, "ridge": 0.1, "max_iter": 40}
    one = regiht.solve(case.X, case.y, case.s, **options)
    other = regiht.solve(case.X, case.y * 2.0**power, case.s, **options)
    np.testing.assert_array_equal(other.x, one.x * 2.0**power)
    np.testing.assert_array_equal(other.weights, one.weights)
    assert other.fun == one.fun * 4.0**power


@given(case=cases(), method=methods, factor=steps)
def test_a_weight_of_two_is_a_repeated_row(case, method, factor):
    step = None if factor is None else case.step(factor / 2)
    options = {"loss": case.loss, "method": method, "step": step, "max_iter": 20}
    weighted = regiht.solve(
        case.X, case.y, case.s, sample_weight=np.full(case.rows, 2.0), **options
    )
    doubled = regiht.solve(np.tile(case.X, (2, 1)), np.tile(case.y, 2), case.s, **options)
    if step is not None:
        assert_same_solution(weighted, doubled)
    else:  # the solver's choices depend on the last bits
        np.testing.assert_allclose(weighted.fun, doubled.fun, rtol=0.1, atol=1e-9)


@given(case=cases(losses=["squared"]), method=methods)
def test_a_noiseless_solution_stays_put_without_weights(case, method):
    coef = np.zeros(case.cols)
    coef[: case.s] = 1.0
    result = regiht.solve(
        case.X, case.X @ coef, case.s, method=method, step=case.step(0.9), x0=coef,
        w0=np.zeros(case.cols), max_iter=20,
    )  # fmt: skip
    np.testing.assert_allclose(result.x, coef, atol=1e-13)


@given(case=cases(losses=["squared"]), method=methods)
def test_all_features_allowed_gives_least_squares(case, method):
    ridge = 0.5
    result = regiht.solve(
        case.X, case.y, case.cols, method=method, ridge=ridge, max_iter=3000, w0=np.zeros(case.cols)
    )
    matrix = case.X.T @ case.X + ridge * np.eye(case.cols)
    np.testing.assert_allclose(result.x, np.linalg.solve(matrix, case.X.T @ case.y), atol=1e-6)


@pytest.mark.pairs
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1)])
@pytest.mark.parametrize("step", [None, 0.1])
def test_single_rows_and_columns(method, loss, shape, step, all_designs, solve_by_reference):
    rng = np.random.default_rng(3)
    X, y = rng.uniform(0.5, 1, shape), draw_target(rng, loss, shape[0])
    options = {"loss": loss, "method": method, "ridge": 0.2, "max_iter": 60}
    at_zero = reference.LinearObjective(X, y, loss).value(np.zeros(shape[1]))
    for design in all_designs(X):
        result = regiht.solve(design, y, 1, step=step, **options)
        assert result.support.size <= 1
        assert result.fun <= at_zero
        if step is not None:
            expected = solve_by_reference(X, y, 1, step=step, **options)
            np.testing.assert_allclose(result.x, expected.x, rtol=1e-9)


@pytest.mark.parametrize("center_and_scale", [(True, False), (True, True)])
@pytest.mark.parametrize("method", METHODS)
def test_constant_columns_are_never_selected(method, center_and_scale, all_designs):
    center, scale = center_and_scale
    rng = np.random.default_rng(4)
    X, constants = rng.normal(size=(50, 12)), {1: 0.1, 4: 1 / 3, 6: -1e8, 9: 0.0, 11: 1e-300}
    for j, value in constants.items():
        X[:, j] = value
    y = rng.normal(size=50) + 5
    for design in all_designs(X, center=center, scale=scale):
        for step in (None, 0.01):
            seen = set()
            result = regiht.solve(
                design, y, 12, method=method, step=step, max_iter=50,
                callback=lambda it, s=seen: s.update(it.support.tolist()),
            )  # fmt: skip
            assert seen == set(range(12)) - set(constants)
            assert not result.coef[list(constants)].any()
            assert np.isfinite(result.intercept)


def test_a_constant_column_that_is_kept_stays_zero(all_designs):
    X = np.column_stack([np.full(30, 0.1), np.random.default_rng(0).normal(size=(30, 5))])
    for design in all_designs(X, center=True, scale=True):
        result = regiht.solve(design, X[:, 3], 2, keep=[0])
        assert result.support.tolist() == [0, 3]
        assert result.x[0] == result.coef[0] == 0

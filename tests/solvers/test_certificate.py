"""Lower bounds: never above the optimum, which exhaustive search and exact arithmetic tell."""

import inspect
import itertools
import operator
import pickle
from fractions import Fraction

import numpy as np
import pytest

import regiht
from regiht import reference

LOSSES = regiht.losses()
PROBLEMS_PER_LOSS = 80


def least_value(objective, columns):
    """The least value on these columns, by Newton's method, to rounding."""
    A, y, loss, weights = (
        objective.A[:, columns],
        objective.y,
        objective.loss,
        objective.sample_weight,
    )
    part = reference.LinearObjective(A, y, loss, objective.ridge, weights)
    x = np.zeros(len(columns))
    for _ in range(200):
        gradient = part.gradient(x)
        value = part.value(x)
        if gradient @ gradient <= 2e-15 * objective.ridge * max(abs(value), 1e-3):
            return value  # f − f* ≤ ‖∇f‖²/(2·ridge)
        curvature = weights * loss.curvature(A @ x, y)
        hessian = (A * curvature[:, None]).T @ A + objective.ridge * np.eye(len(x))
        direction, length = np.linalg.solve(hessian, gradient), 1.0
        while not part.value(x - length * direction) <= value + 1e-14 * abs(value):
            length /= 2
        x = x - length * direction
    raise AssertionError("Newton's method did not converge")


def exhaustive_optimum(objective, n, s, keep):
    """The least value over all supports of size s that hold the kept columns."""
    others = [j for j in range(n) if j not in keep]
    return min(
        least_value(objective, sorted([*keep, *chosen]))
        for chosen in itertools.combinations(others, s - len(keep))
    )


def draw_problem(rng, loss, make_target):
    """Small data of some correlation, with every option that the bound has to respect."""
    rows, n = int(rng.integers(3, 16)), int(rng.integers(1, 8))
    s = int(rng.integers(1, n + 1))
    X = rng.standard_normal((rows, n)) + rng.uniform(0, 3) * rng.standard_normal((rows, 1))
    y = make_target(loss, X @ (rng.standard_normal(n) * (rng.random(n) < 0.5)), rng)
    options = {
        "loss": loss,
        "ridge": float(10 ** rng.uniform(-2.5, 1.5)),
        "center": bool(rng.random() < 0.4),
        "scale": bool(rng.random() < 0.4),
    }
    if rng.random() < 0.5:
        options["sample_weight"] = rng.uniform(0, 3, rows) * (rng.random(rows) < 0.8)
        options["sample_weight"][0] = 1.0
    if rng.random() < 0.4:
        options["keep"] = sorted(rng.choice(n, int(rng.integers(1, s + 1)), replace=False))
    return X, y, s, options


@pytest.mark.parametrize("loss", LOSSES)
def test_never_above_the_exhaustive_optimum(loss, make_target):
    rng = np.random.default_rng(LOSSES.index(loss))
    gaps = []
    for _ in range(PROBLEMS_PER_LOSS):
        X, y, s, options = draw_problem(rng, loss, make_target)
        A, _, _ = reference.standardize(X, options["center"], options["scale"])
        objective = reference.LinearObjective(
            A, y, loss, options["ridge"], options.get("sample_weight")
        )
        optimum = exhaustive_optimum(objective, X.shape[1], s, options.get("keep", []))
        # A poor solution to start from makes a worse bound, never a wrong one.
        for max_iter in (0, 3, 800):
            result = regiht.solve(X, y, s, certify=True, max_iter=max_iter, **options)
            assert result.lower_bound <= optimum
            assert result.lower_bound <= result.fun + 1e-12 * max(1.0, abs(result.fun))
        gaps.append((optimum - result.lower_bound) / abs(optimum))
    assert np.median(gaps) < 0.1  # and it is worth something


def rational(numbers):
    return [Fraction(float(number)) for number in numbers]


def solve_exactly(system):
    """Gauss and Jordan for a positive definite matrix with the right side as last column."""
    size = len(system)
    for j in range(size):
        system[j] = [entry / system[j][j] for entry in system[j]]
        for k in range(size):
            if k != j:
                factor = system[k][j]
                system[k] = [
                    entry - factor * pivot
                    for entry, pivot in zip(system[k], system[j], strict=True)
                ]
    return [row[-1] for row in system]


def exact_optimum(columns, y, weights, s, ridge):
    """The optimum of the squared loss over all supports, in rational arithmetic."""
    weighted = [[w * a for w, a in zip(weights, column, strict=True)] for column in columns]
    target = sum(w * v * v for w, v in zip(weights, y, strict=True))
    values = []
    for support in itertools.combinations(range(len(columns)), s):
        gram = [
            [sum(map(operator.mul, weighted[j], columns[k])) + ridge * (j == k) for k in support]
            for j in support
        ]
        correlations = [sum(map(operator.mul, weighted[j], y)) for j in support]
        x = solve_exactly([[*row, c] for row, c in zip(gram, correlations, strict=True)])
        values.append((target - sum(map(operator.mul, correlations, x))) / 2)
    return min(values)


def exact_columns(design, X):
    """The columns of the design as the numbers that it holds say."""
    n = X.shape[1]
    means = rational(np.zeros(n) if design.means is None else design.means)
    factors = rational(np.ones(n) if design.factors is None else design.factors)
    return [[(a - means[j]) * factors[j] for a in rational(X[:, j])] for j in range(n)]


@pytest.mark.parametrize("standardized", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_never_above_the_exact_optimum(scale, offset, standardized):
    """Rounding included: where the bound is tight, the margin alone keeps it below."""
    rng = np.random.default_rng(5)
    rows, n = 9, 4
    for trial in range(12):
        s = 1 + trial % 4
        X = scale * (rng.standard_normal((rows, n)) + (1e4 if standardized else 0.0))
        X = X.astype(np.float32) if trial % 3 == 0 else X
        y = offset + rng.standard_normal(rows)
        weights = rng.uniform(0, 2, rows) if trial % 2 else np.ones(rows)
        ridge = float((1.0 if standardized else scale**2) * 10 ** rng.uniform(-3, 2))
        design = regiht.Design(X, center=standardized, scale=standardized)
        options = {"sample_weight": weights} if trial % 2 else {}
        result = regiht.solve(design, y, s, ridge=ridge, certify=True, **options)
        exact = exact_optimum(
            exact_columns(design, X), rational(y), rational(weights), s, Fraction(ridge)
        )
        assert Fraction(result.lower_bound) <= exact
        if s == n:
            assert exact - Fraction(result.lower_bound) <= Fraction(1e-8) * exact


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
def test_all_columns_leave_no_gap(loss, weighted, make_target):
    """Without a constraint the dual is as high as the primal is low."""
    rng = np.random.default_rng(11)
    X = rng.standard_normal((40, 6))
    y = make_target(loss, X @ rng.standard_normal(6), rng)
    weights = rng.uniform(0, 2, 40) if weighted else None
    result = regiht.solve(X, y, 6, loss=loss, ridge=0.3, sample_weight=weights, certify=True)
    assert 0.0 <= result.gap <= 1e-9


def test_strong_ridge_leaves_no_gap():
    """Columns at right angles: the relaxation picks the best s of them and is exact."""
    rng = np.random.default_rng(3)
    Q, _ = np.linalg.qr(rng.standard_normal((30, 8)))
    y = Q @ np.array([8.0, 7, 6, 5, 1, 0.5, 0.2, 0.1])
    result = regiht.solve(Q, y, 4, ridge=2.0, certify=True)
    assert result.support.tolist() == [0, 1, 2, 3]
    assert result.gap <= 1e-9


def make_regression(rows=30, cols=50, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols))
    return X, X[:, :3].sum(axis=1) + 0.1 * rng.standard_normal(rows)


def test_gap_is_what_it_says():
    X, y = make_regression()
    result = regiht.solve(X, y, 3, ridge=0.5, certify=True)
    assert result.gap == (result.fun - result.lower_bound) / result.fun
    assert result.gap > 0.0
    again = pickle.loads(pickle.dumps(result))
    assert (again.lower_bound, again.gap) == (result.lower_bound, result.gap)


def test_not_asked_no_certificate():
    X, y = make_regression()
    result = regiht.solve(X, y, 3, ridge=0.5)
    assert result.lower_bound is None
    assert result.gap is None
    assert "certificate" not in result.message
    assert "certify" not in inspect.signature(regiht.minimize).parameters


def test_without_ridge_it_says_that_there_is_none():
    X, y = make_regression()
    result = regiht.solve(X, y, 3, certify=True)
    assert result.lower_bound is None
    assert result.gap is None
    assert result.message == f"{result.status.message} {result.notes[0]}"
    assert "No certificate is available" in result.message


def test_certificate_changes_nothing_else():
    X, y = make_regression()
    plain = regiht.solve(X, y, 3, ridge=0.5, history=True)
    result = regiht.solve(X, y, 3, ridge=0.5, history=True, certify=True)
    np.testing.assert_array_equal(result.x, plain.x)
    assert (result.fun, result.n_iter, result.n_gradients, result.status, result.message) == (
        plain.fun, plain.n_iter, plain.n_gradients, plain.status, plain.message,
    )  # fmt: skip


@pytest.mark.parametrize("loss", LOSSES)
def test_same_bits_for_any_number_of_threads(loss, make_target, all_designs):
    rng = np.random.default_rng(8)
    X = rng.standard_normal((9000, 12)) * (rng.random((9000, 12)) < 0.5)
    y = make_target(loss, X[:, 0], rng)
    for design in all_designs(X, center=True, scale=True):
        bounds = {
            regiht.solve(
                design, y, 2, loss=loss, ridge=1.0, max_iter=50, certify=True, n_threads=threads
            ).lower_bound
            for threads in (1, 2, 3, 1)
        }
        assert len(bounds) == 1


def test_odd_problems():
    zero = regiht.solve(np.ones((5, 2)), np.zeros(5), 1, ridge=1.0, certify=True)
    assert (zero.fun, zero.lower_bound, zero.gap) == (0.0, 0.0, 0.0)
    empty = regiht.solve(np.zeros((5, 3)), np.arange(5.0), 2, ridge=1e-12, certify=True)
    assert empty.lower_bound <= empty.fun == 15.0
    assert empty.gap <= 1e-12
    one = regiht.solve([[2.0]], [3.0], 1, ridge=4.0, certify=True)
    assert one.lower_bound <= 2.25  # ½·9·4/(4 + 4)
    assert one.gap <= 1e-9
    constant = np.column_stack([np.ones(6), np.arange(6.0), np.arange(6.0)])
    result = regiht.solve(constant, np.arange(6.0), 1, ridge=1.0, center=True, certify=True)
    assert result.gap <= 1e-9


def test_numbers_that_overflow_give_no_bound_rather_than_a_wrong_one():
    X, y = make_regression()
    result = regiht.solve(1e200 * X, y, 3, ridge=1e-300, certify=True)
    assert result.lower_bound >= 0.0  # squares are not negative, whatever overflows
    assert result.lower_bound <= 0.5 * y @ y
    # A run that diverged has no value, but the problem has a bound.
    counts = np.abs(np.rint(y))
    diverged = regiht.solve(X, counts, 3, loss="poisson", ridge=1.0, step=50.0, certify=True)
    good = regiht.solve(X, counts, 3, loss="poisson", ridge=1.0)
    assert diverged.lower_bound <= good.fun


def test_time_limit_leaves_a_bound():
    X, y = make_regression(200, 400)
    result = regiht.solve(X, y, 5, ridge=0.01, certify=True, time_limit=1e-9)
    assert np.isfinite(result.lower_bound)
    assert result.lower_bound <= regiht.solve(X, y, 5, ridge=0.01).fun


@pytest.mark.parametrize("certify", [1, "yes", None])
def test_certify_is_checked(certify):
    X, y = make_regression()
    with pytest.raises(regiht.InvalidArgumentError, match="certify"):
        regiht.solve(X, y, 3, ridge=1.0, certify=certify)

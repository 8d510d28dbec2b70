"""Every loss that the library lists: against finite differences, the reference and more digits."""

import decimal

import numpy as np
import pytest

import regiht
from regiht import _core, reference
from regiht._solving import registry

every_loss = pytest.mark.parametrize("loss", regiht.losses())
TARGETS = {
    "real": np.array([-3.0, -0.2, 0.0, 1.0, 40.0]),
    "binary": np.array([0.0, 1.0]),
    "nonnegative": np.array([0.0, 0.5, 1.0, 7.0]),
}


def grid(loss, predictions):
    """Return every prediction with every kind of target."""
    z, b = np.meshgrid(np.asarray(predictions, float), TARGETS[registry.LOSSES[loss].targets])
    return z.ravel(), b.ravel()


def value(loss, z, b):
    """Return the value at each sample by itself."""
    return np.array(
        [_core.loss_evaluate(loss, z[i : i + 1], b[i : i + 1])[0] for i in range(z.size)]
    )


def derivative(loss, z, b):
    return _core.loss_evaluate(loss, z, b)[1]


def away_from_kinks(loss, z, b, h):
    """Leave out the samples whose curvature is not the same on both sides."""
    sides = [_core.loss_curvature(loss, z + shift, b) for shift in (-2 * h, 2 * h)]
    smooth = np.abs(sides[0] - sides[1]) < 0.1
    return z[smooth], b[smooth]


def test_names_are_those_of_the_reference():
    assert set(regiht.losses()) == set(reference.LOSSES)
    assert len(set(regiht.losses())) == len(regiht.losses())
    regiht.losses().clear()
    assert regiht.losses()


@every_loss
def test_derivative_and_curvature_are_slopes(loss):
    h = 1e-5
    z, b = away_from_kinks(loss, *grid(loss, np.linspace(-6, 6, 121) + 0.0123), h)
    slope = (value(loss, z + h, b) - value(loss, z - h, b)) / (2 * h)
    np.testing.assert_allclose(derivative(loss, z, b), slope, rtol=1e-7, atol=1e-7)
    slope = (derivative(loss, z + h, b) - derivative(loss, z - h, b)) / (2 * h)
    np.testing.assert_allclose(_core.loss_curvature(loss, z, b), slope, rtol=1e-7, atol=1e-7)


@every_loss
@pytest.mark.parametrize("scale", [1e-8, 1.0, 30.0, 700.0, 1e4])
def test_same_numbers_as_the_reference(loss, scale):
    z, b = grid(loss, scale * np.linspace(-1, 1, 201))
    functions = reference.LOSSES[loss]
    close = {"rtol": 1e-14, "atol": 1e-14 * min(scale, 1.0)}
    np.testing.assert_allclose(value(loss, z, b), functions.value(z, b), **close)
    np.testing.assert_allclose(_core.loss_curvature(loss, z, b), functions.curvature(z, b), **close)
    # Two exponentials may differ in their last bit, and what a target leaves of them by as much.
    close["atol"] = close["atol"] + 2 * np.finfo(float).eps * np.abs(b)
    assert np.isclose(derivative(loss, z, b), functions.derivative(z, b), **close).all()
    assert registry.LOSSES[loss].max_curvature == functions.max_curvature


@every_loss
@pytest.mark.parametrize("size", [30.0, 700.0, 709.0, 745.0, 1e4, 1e100, 1e150])
def test_huge_predictions_are_stable(loss, size):
    z, b = grid(loss, [-size, size])
    results = value(loss, z, b), derivative(loss, z, b), _core.loss_curvature(loss, z, b)
    assert not np.isnan(results).any()
    if registry.LOSSES[loss].link == "log":  # eᶻ leaves the finite numbers, as it must
        assert np.isinf(results[0][z > 709.9]).all()
        assert np.isfinite(np.array(results)[:, z < 0]).all()
    else:
        assert np.isfinite(results).all()


def test_limits_of_the_logistic_loss():
    z, b = np.array([-1e4, -1e4, 1e4, 1e4, 0.0]), np.array([0.0, 1.0, 0.0, 1.0, 1.0])
    close = {"rtol": 1e-15, "atol": 1e-300}
    np.testing.assert_allclose(value("logistic", z, b), [0, 1e4, 1e4, 0, np.log(2)], **close)
    np.testing.assert_allclose(derivative("logistic", z, b), [0, -1, 1, 0, -0.5], **close)
    curvature = _core.loss_curvature("logistic", z, b)
    np.testing.assert_allclose(curvature, [0, 0, 0, 0, 0.25], **close)


def exact_logistic(z, b):
    """Value, derivative and curvature with far more digits than a float."""
    with decimal.localcontext() as context:
        context.prec, context.Emin, context.Emax = 400, -99999, 99999
        margin = decimal.Decimal(z) if b == 0 else -decimal.Decimal(z)
        growth = margin.exp()
        p = growth / (1 + growth)
        return float((1 + growth).ln()), float(p if b == 0 else -p), float(p * (1 - p))


def test_logistic_loss_has_all_its_digits():
    """Relative accuracy, in the tails too, where 1 − p and log(1 + p) would cancel."""
    rng = np.random.default_rng(40)
    points = [0.0, 1e-300, 1e-17, 1e-8, 0.5, 1.0, 17.0, 36.7, 37.5, 120.0, 600.0, 700.0]
    z = np.concatenate([points, -np.array(points), rng.normal(scale=30, size=60)])
    for label in (0.0, 1.0):
        b = np.full(z.size, label)
        exact = np.array([exact_logistic(point, label) for point in z]).T
        np.testing.assert_allclose(value("logistic", z, b), exact[0], rtol=1e-15)
        np.testing.assert_allclose(derivative("logistic", z, b), exact[1], rtol=2e-15)
        np.testing.assert_allclose(_core.loss_curvature("logistic", z, b), exact[2], rtol=3e-15)


def entropy(q):
    return q * q.ln() if q > 0 else q


# Each conjugate by its formula, for decimals.
CONJUGATES = {
    "squared": lambda u, b: u * u / 2 + u * b,
    "huber": lambda u, b: u * u / 2 + u * b,
    "squared-hinge": lambda u, b: u * u / 2 - (1 - 2 * b) * u,
    "logistic": lambda u, b: entropy((1 - 2 * b) * u) + entropy(1 - (1 - 2 * b) * u),
    "poisson": lambda u, b: entropy(u + b) - (u + b),
}


@pytest.mark.parametrize("loss", CONJUGATES)
def test_conjugate_has_the_accuracy_it_claims(loss):
    rng = np.random.default_rng(43)
    z, b = grid(loss, np.concatenate([rng.normal(scale=4, size=300), 10.0 ** -np.arange(12)]))
    slopes = derivative(loss, z, b)
    values, magnitudes = _core.loss_conjugate(loss, slopes, b)
    with decimal.localcontext() as context:
        context.prec = 60
        for slope, target, value_, magnitude in zip(slopes, b, values, magnitudes, strict=True):
            exact = CONJUGATES[loss](decimal.Decimal(slope), decimal.Decimal(target))
            allowed = decimal.Decimal(8 * np.finfo(float).eps * magnitude)
            assert abs(decimal.Decimal(value_) - exact) <= allowed


@every_loss
def test_conjugate_is_the_largest_difference(loss):
    """ℓ(z) + ℓ*(u) ≥ u·z for all z and u, with equality at u = ℓ′(z)."""
    z, b = grid(loss, np.linspace(-6, 6, 61))
    slope = derivative(loss, z, b)
    at_slope, _ = _core.loss_conjugate(loss, slope, b)
    np.testing.assert_allclose(at_slope + value(loss, z, b), slope * z, rtol=1e-12, atol=1e-12)
    for u in np.linspace(-3, 3, 41):
        conjugate, _ = _core.loss_conjugate(loss, np.full(z.size, u), b)
        assert (conjugate + value(loss, z, b) >= u * z - 1e-12).all()


@pytest.mark.parametrize(
    ("loss", "slope", "target"),
    [
        ("logistic", 1.0 + 1e-15, 0.0),
        ("logistic", -1e-300, 0.0),
        ("logistic", 1e-300, 1.0),
        ("logistic", -1.0 - 1e-15, 1.0),
        ("poisson", -2.0 - 1e-15, 2.0),
        ("huber", 1.36, 0.0),
        ("squared-hinge", 1e-300, 1.0),
        ("squared-hinge", -1e-300, 0.0),
        ("squared-hinge", np.nan, 0.0),
        ("logistic", np.nan, 1.0),
    ],
)
def test_conjugate_is_infinite_where_no_slope_is(loss, slope, target):
    conjugate, magnitude = _core.loss_conjugate(loss, np.array([slope]), np.array([target]))
    assert conjugate[0] == magnitude[0] == np.inf


@every_loss
def test_convex_and_below_the_curvature_bound(loss):
    rng = np.random.default_rng(41)
    targets = TARGETS[registry.LOSSES[loss].targets]
    b = rng.choice(targets, 400)
    left, right = rng.normal(scale=5, size=(2, 400))
    middle = (left + right) / 2
    chord = (value(loss, left, b) + value(loss, right, b)) / 2
    assert np.all(value(loss, middle, b) <= chord + 1e-12 * (1 + np.abs(chord)))
    low, high = np.minimum(left, right), np.maximum(left, right)
    rise = derivative(loss, high, b) - derivative(loss, low, b)
    assert np.all(rise >= -1e-12)
    bound = registry.LOSSES[loss].max_curvature
    assert np.all(rise <= bound * (high - low) + 1e-12)
    curvature = _core.loss_curvature(loss, left, b)
    assert np.all((curvature >= 0) & (curvature <= bound))
    assert np.all(_core.loss_curvature(loss, *grid(loss, np.linspace(-900, 900, 501))) <= bound)


@every_loss
def test_loss_is_smallest_where_its_derivative_vanishes(loss):
    z, b = grid(loss, np.linspace(-3, 3, 601))
    smallest = {t: value(loss, z[b == t], b[b == t]).min() for t in np.unique(b)}
    flat = np.abs(derivative(loss, z, b)) < 1e-12
    np.testing.assert_allclose(value(loss, z, b)[flat], [smallest[t] for t in b[flat]], atol=1e-12)


@every_loss
@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 4095, 4096, 4097, 9000])
def test_value_is_the_sum_over_samples(loss, size):
    rng = np.random.default_rng(42)
    z, b = rng.normal(size=size), rng.choice(TARGETS[registry.LOSSES[loss].targets], size)
    total, slopes = _core.loss_evaluate(loss, z, b)
    functions = reference.LOSSES[loss]
    np.testing.assert_allclose(total, functions.value(z, b).sum(), rtol=1e-13)
    np.testing.assert_allclose(slopes, functions.derivative(z, b), rtol=1e-13, atol=1e-15)


@every_loss
def test_targets_are_told_apart(loss):
    kind = registry.LOSSES[loss].targets
    good = np.repeat(TARGETS[kind], 3)
    assert _core.first_bad_target(loss, good) == -1
    bad = {"binary": [0.5, -1.0, 2.0, 1 + 1e-15], "nonnegative": [-1.0, -5e-324], "real": []}[kind]
    for target in bad:
        assert _core.first_bad_target(loss, np.append(good, [target, target])) == good.size
    if kind != "real":
        with pytest.raises(regiht.InvalidArgumentError, match="y"):
            regiht.solve(np.eye(3), [0.0, 1.0, -1.0], 1, loss=loss)
    assert _core.first_bad_target(loss, np.array([-0.0])) == -1


def test_unknown_loss_is_an_error():
    with pytest.raises(ValueError, match="unknown loss"):
        _core.loss_evaluate("nothing", np.ones(1), np.ones(1))


@pytest.mark.parametrize("method", ["iht", "regiht"])
@pytest.mark.parametrize("step", [1e3, 1e300])
def test_exploding_poisson_run_reports_divergence(method, step):
    X = np.random.default_rng(43).uniform(0.5, 1.5, size=(30, 4))
    y = np.full(30, 5.0)
    result = regiht.solve(X, y, 2, loss="poisson", method=method, step=step, max_iter=50)
    assert result.status == "diverged"
    assert not result.success
    assert np.isfinite(result.fun)
    assert np.isfinite(result.x).all()
    assert result.fun <= 30.0  # Σ e⁰ at the start: the best iterate seen is returned


@pytest.mark.parametrize("method", ["iht", "regiht"])
def test_start_beyond_the_finite_numbers_reports_divergence(method):
    X = np.ones((5, 2))
    result = regiht.solve(X, np.ones(5), 1, loss="poisson", method=method, x0=[1e4, 0.0])
    assert result.status == "diverged"
    assert result.n_iter == 0


@pytest.mark.parametrize("method", ["iht", "regiht"])
@every_loss
def test_chosen_steps_work_for_every_loss(method, loss):
    rng = np.random.default_rng(44)
    X = rng.normal(size=(80, 12))
    z = X[:, 3] - X[:, 8]
    y = {"real": z, "binary": (z > 0).astype(float), "nonnegative": np.round(np.exp(z))}[
        registry.LOSSES[loss].targets
    ]
    result = regiht.solve(X, y, 2, loss=loss, method=method, ridge=0.1)
    assert result.success
    assert result.support.tolist() == [3, 8]
    gradient = X.T @ derivative(loss, X @ result.x, y) + 0.1 * result.x
    at_zero = X.T @ derivative(loss, 0 * y, y)
    assert np.abs(gradient[result.support]).max() < 1e-5 * np.abs(at_zero).max()

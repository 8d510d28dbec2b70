"""Standard errors and intervals, against the formulas of textbooks and the likelihood itself."""

from __future__ import annotations

import doctest
import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, sparse, stats

pytest.importorskip("sklearn", minversion="1.6")

import regiht
from regiht import reference
from regiht.estimators import _inference

BENCH = Path(__file__).resolve().parents[2] / "bench" / "interval_coverage.py"


@pytest.fixture(scope="module")
def least_squares(regression):
    X, y = regression
    model = regiht.SparseRegressor(3).fit(X, y)
    return X, y, model, np.column_stack([np.ones(len(y)), X[:, model.support_]])


def test_squared_loss_has_the_standard_errors_of_least_squares(least_squares):
    X, y, model, A = least_squares
    found = model.inference(X, y, level=0.9)
    coef = np.linalg.lstsq(A, y)[0]
    residual = y - A @ coef
    covariance = np.linalg.inv(A.T @ A) * (residual @ residual) / (120 - 4)
    np.testing.assert_allclose(found.estimates, coef, rtol=1e-8)
    np.testing.assert_allclose(found.covariance, covariance, rtol=1e-8)
    reach = stats.t(116).ppf(0.95) * np.sqrt(np.diag(covariance))
    np.testing.assert_allclose(found.intervals, np.c_[coef - reach, coef + reach], rtol=1e-8)
    np.testing.assert_array_equal(found.support, model.support_)
    np.testing.assert_allclose(found.estimates[1:], model.coef_[model.support_], rtol=1e-8)
    np.testing.assert_allclose(found.deviations, X[:, model.support_].std(axis=0), rtol=1e-12)


def test_robust_errors_are_those_of_leaving_rows_out(least_squares):
    """HC3 is the sum over rows of the squared change of the coefficients without the row."""
    X, y, model, A = least_squares
    found = model.inference(X, y, covariance="robust")
    coef = np.linalg.lstsq(A, y)[0]
    changes = [np.linalg.lstsq(np.delete(A, i, 0), np.delete(y, i))[0] - coef for i in range(120)]
    np.testing.assert_allclose(found.covariance, np.transpose(changes) @ changes, rtol=1e-7)


@pytest.mark.parametrize("loss", ["logistic", "poisson"])
@pytest.mark.parametrize("intercept", [True, False])
def test_errors_are_the_inverse_hessian_of_the_likelihood(loss, intercept, make_target):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 6)) * [1, 10, 0.1, 1, 1, 1] + 0.2
    y = make_target(loss, X[:, 0] - 0.05 * X[:, 1], rng)
    kind = regiht.SparseClassifier if loss == "logistic" else regiht.SparseRegressor
    model = kind(2, loss=loss, fit_intercept=intercept).fit(X, y)
    found = model.inference(X, y)
    A = X[:, model.support_]
    A = np.column_stack([np.ones(300), A]) if intercept else A
    objective = reference.LinearObjective(A, y, loss)
    best = optimize.minimize(
        objective.value, found.estimates, jac=objective.gradient, options={"gtol": 1e-9}
    ).x
    np.testing.assert_allclose(found.estimates, best, rtol=1e-6)
    steps = 1e-5 * np.eye(best.size)
    hessian = [(objective.gradient(best + e) - objective.gradient(best - e)) / 2e-5 for e in steps]
    np.testing.assert_allclose(found.covariance, np.linalg.inv(hessian), rtol=1e-5)
    half = stats.norm.ppf(0.975) * found.standard_errors
    np.testing.assert_allclose(found.intervals[:, 1] - found.estimates, half, rtol=1e-9)
    assert found.names[0] == ("(intercept)" if intercept else f"x{model.support_[0]}")


def test_huber_has_the_sandwich(regression):
    X, y = regression
    y = y + np.where(np.arange(120) % 10 == 0, 30.0, 0.0)
    model = regiht.SparseRegressor(2, loss="huber").fit(X, y)
    found = model.inference(X, y)
    A = np.column_stack([np.ones(120), X[:, model.support_]])
    slopes = np.clip(A @ found.estimates - y, -1.35, 1.35)
    np.testing.assert_allclose(A.T @ slopes / np.abs(A).sum(axis=0), 0.0, atol=1e-8)
    inner = np.abs(A @ found.estimates - y) <= 1.35
    bread = np.linalg.inv(A[inner].T @ A[inner])
    leverage = np.where(inner, np.einsum("ij,jk,ik->i", A, bread, A), 0.0)
    meat = A.T @ ((slopes / (1 - leverage))[:, None] ** 2 * A)
    np.testing.assert_allclose(found.covariance, bread @ meat @ bread, rtol=1e-7)
    assert found.robust
    with pytest.raises(regiht.InvalidArgumentError, match="Huber"):
        model.inference(X, y, covariance="model")


@pytest.mark.parametrize("covariance", ["model", "robust"])
def test_a_weight_of_two_is_a_row_given_twice(regression, covariance):
    X, y = regression
    weights = np.random.default_rng(0).integers(0, 3, size=120)
    model = regiht.SparseRegressor(3).fit(X, y)
    weighted = model.inference(X, y, weights, covariance=covariance)
    rows = np.repeat(np.arange(120), weights)
    repeated = model.inference(X[rows], y[rows], covariance=covariance)
    np.testing.assert_allclose(weighted.estimates, repeated.estimates, rtol=1e-9)
    np.testing.assert_allclose(weighted.intervals, repeated.intervals, rtol=1e-9)


def test_units_change_intervals_as_they_change_coefficients(classification):
    X, y = classification
    units = np.geomspace(1e-6, 1e6, 15)
    model = regiht.SparseClassifier(2).fit(X, y)
    scaled = regiht.SparseClassifier(2).fit(X * units, y)
    found, other = model.inference(X, y), scaled.inference(sparse.csr_array(X * units), y)
    np.testing.assert_allclose(
        other.intervals[1:] * units[model.support_, None], found.intervals[1:], rtol=1e-6
    )
    np.testing.assert_allclose(other.intervals[0], found.intervals[0], rtol=1e-6)


def test_split_selects_and_estimates_on_other_rows(regression):
    X, y = regression
    model = regiht.SparseRegressor(2)
    found = model.inference(X, y, split=True, rng=3)
    assert not hasattr(model, "coef_")
    assert (found.rows_selecting, found.rows_estimating) == (60, 60)
    np.testing.assert_array_equal(found.support, [2, 9])
    again = model.inference(X, y, split=True, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(found.estimates, again.estimates)
    # Targets of the other half change the estimate, and cannot change the selection.
    other = model.inference(X, y, split=True, rng=4)
    assert (found.estimates != other.estimates).all()
    seven = model.inference(X[:7], y[:7], split=True)
    assert (seven.rows_selecting, seven.rows_estimating) == (3, 4)


def test_the_first_line_says_what_the_intervals_are_worth(regression):
    X, y = regression
    model = regiht.SparseRegressor(2).fit(X, y)
    conditional = model.inference(X, y)
    assert repr(conditional).startswith("Conditional on the selection: ")
    assert conditional.is_conditional
    valid = model.inference(X, y, split=True)
    first, second, header, *rows = valid.summary().splitlines()
    assert first == (
        "Valid after the selection: 60 rows selected the features, 60 others estimate them."
    )
    assert "robust" in second
    assert "95 % interval" in header
    assert [re.split("  +", row)[0] for row in rows] == ["(intercept)", "x2", "x9"]


def test_names_and_table(regression):
    pd = pytest.importorskip("pandas")
    X, y = regression
    frame = pd.DataFrame(X, columns=[f"feature {j}" for j in range(15)])
    found = regiht.SparseRegressor(2).fit(frame, y).inference(frame, y)
    table = found.to_pandas()
    assert table["feature"].tolist() == ["(intercept)", "feature 2", "feature 9"]
    np.testing.assert_array_equal(table[["lower", "upper"]], found.intervals)


def test_an_array_has_no_names_so_they_are_given(regression):
    X, y = regression
    model = regiht.SparseRegressor(2).fit(X, y)
    names = [f"feature {j}" for j in range(15)]
    found = model.inference(X, y, feature_names=names)
    assert found.names == ["(intercept)", "feature 2", "feature 9"]
    assert "feature 9" in found.summary()
    with pytest.raises(regiht.InvalidArgumentError, match="feature_names must name every column"):
        model.inference(X, y, feature_names=names[:3])


def test_text_labels_and_the_cross_validated_model(classification):
    X, y = classification
    model = regiht.SparseClassifierCV([2], cv=3).fit(X, y)
    found = model.inference(X, y)
    np.testing.assert_allclose(found.estimates[1:], model.coef_[0, model.support_], rtol=0.01)
    with pytest.raises(regiht.InvalidArgumentError, match="class 'maybe'"):
        model.inference(X, np.where(y == "no", "maybe", y))


def test_what_has_no_standard_errors_is_refused(regression, classification):
    X, y = regression
    model = regiht.SparseRegressor(2).fit(X, y)
    with pytest.raises(regiht.InvalidArgumentError, match="3 samples are too few"):
        model.inference(X[:3], y[:3])
    constant = X.copy()
    constant[:, 9] = 1.0
    with pytest.raises(regiht.InvalidArgumentError, match="linearly dependent or constant"):
        model.inference(constant, y)
    for level in (0.0, 1.0, 95):
        with pytest.raises(regiht.InvalidArgumentError, match="level"):
            model.inference(X, y, level=level)
    X, y = classification
    hinge = regiht.SparseClassifier(2, loss="squared-hinge").fit(X, y)
    with pytest.raises(regiht.InvalidArgumentError, match="no distribution"):
        hinge.inference(X, y)
    separated = np.where(X[:, 2] > 2, "yes", "no")
    apart = regiht.SparseClassifier(1).fit(X, separated)
    with pytest.raises(regiht.InvalidArgumentError, match="separate without error"):
        apart.inference(X, separated)
    marked = np.column_stack([X[:, :3], (y == "yes") & (np.arange(400) % 7 == 0)])
    halfway = regiht.SparseClassifier(2, keep=[3], ridge=1e-3).fit(marked, y)
    with pytest.raises(regiht.InvalidArgumentError, match="no finite coefficients"):
        halfway.inference(marked, y)
    three = regiht.SparseClassifier(1).fit(X, np.digitize(X[:, 2], [1, 3]))
    with pytest.raises(regiht.InvalidArgumentError, match="fit one of them against the rest"):
        three.inference(X, np.digitize(X[:, 2], [1, 3]))
    nothing = regiht.SparseRegressor(1).fit(np.ones((5, 2)), np.arange(5.0))
    with pytest.raises(regiht.InvalidArgumentError, match="no selected feature"):
        nothing.inference(np.ones((5, 2)), np.arange(5.0))


def test_the_picture_shows_intervals_in_one_scale(regression):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    X, y = regression
    found = regiht.SparseRegressor(3).fit(X, y).inference(X, y)
    figure, (left, right) = plt.subplots(1, 2, layout="constrained")
    found.plot(left)
    figure.canvas.draw()
    assert not right.has_data()
    drawn = {tuple(line.get_xdata()) for line in left.get_lines()[::2] if line.get_marker() != "o"}
    expected = found.intervals[1:] * found.deviations[:, None]
    assert {tuple(each) for each in expected} <= drawn
    sizes = np.abs(found.estimates[1:] * found.deviations)
    shown = [label.get_text() for label in left.get_yticklabels()]
    assert shown == [found.names[1 + j] for j in np.argsort(-sizes)]
    assert "conditional" in left.get_title()
    plt.close("all")


@pytest.fixture(scope="module")
def coverage():
    if not BENCH.exists():
        pytest.skip("the simulation is in bench, which is not here")
    spec = importlib.util.spec_from_file_location("coverage_of_intervals", BENCH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their annotations up there
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize(
    "name", ["noise", "weak signals", "features missing, correlated", "logistic"]
)
def test_split_intervals_cover_as_often_as_they_say(name, coverage):
    shares = coverage.simulate(coverage.PROBLEMS[name], 60)
    error = shares["split"].std() / np.sqrt(shares["split"].size)
    assert abs(shares["split"].mean() - 0.95) < 3.5 * error
    if name == "noise":
        assert shares["conditional"].mean() < 0.5  # why the first line warns


def test_the_example_of_the_docstring_runs():
    outcome = doctest.testmod(_inference)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_weights_of_another_length_were_an_index_error():
    X = np.random.default_rng(0).normal(size=(60, 5))
    model = regiht.SparseRegressor(2).fit(X, X[:, 0])
    with pytest.raises(regiht.InvalidArgumentError, match=r"sample_weight must have one entry"):
        model.inference(X, X[:, 0], sample_weight=np.ones(5), split=True)

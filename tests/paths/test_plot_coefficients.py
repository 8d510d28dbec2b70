"""Pictures of the coefficients of one model."""

from __future__ import annotations

import numpy as np
import pytest

import regiht
from regiht.plotting import plot_coefficients, plot_model

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def bars(ax):
    """Lengths of the bars by the name of the feature, one for each class."""
    ax.figure.canvas.draw()
    names = [text.get_text() for text in ax.get_yticklabels()]
    return {
        name: [container[k].get_width() for container in ax.containers]
        for k, name in enumerate(names)
    }


def test_values_of_several_classes_are_drawn_under_their_own_names():
    coef = np.array([[1.0, -2.0, 0.5], [0.0, 4.0, 3.0]])
    ax = plot_coefficients(["a", "b", "c"], coef, labels=["no", "yes"])
    assert bars(ax) == {"b": [-2.0, 4.0], "c": [0.5, 3.0], "a": [1.0, 0.0]}
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["no", "yes"]
    assert bars(plot_coefficients(["a", "b"], [1.0, 2.0])) == {"b": [2.0], "a": [1.0]}


@pytest.mark.parametrize("values", [np.ones((3, 2)), np.ones(6), np.ones(2), np.ones((1, 1, 3))])
def test_values_that_do_not_belong_to_the_names_are_refused(values):
    with pytest.raises(regiht.InvalidArgumentError, match="one entry for each of the 3 names"):
        plot_coefficients(["a", "b", "c"], values)
    with pytest.raises(regiht.InvalidArgumentError, match="labels must name every row"):
        plot_coefficients(["a"], [[1.0], [2.0]], labels=["one"])


def test_the_axis_says_what_the_values_are():
    assert plot_coefficients(["a"], [1.0]).get_xlabel() == "coefficient"
    assert plot_coefficients(["a"], [1.0], xlabel="odds").get_xlabel() == "odds"


def test_an_estimator_draws_its_coefficients_with_and_without_standard_deviations():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("sklearn", minversion="1.6")
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 4)) * [1, 10, 100, 1], columns=list("abcd"))
    model = regiht.SparseRegressor(2).fit(X, 3 * X["b"] - X["d"])
    assert bars(model.plot()) == {
        "b": [pytest.approx(3.0)],
        "d": [pytest.approx(-1.0)],
    }
    scaled = model.plot(X=X)
    assert scaled.get_xlabel() == "coefficient × standard deviation"
    assert bars(scaled) == {
        "b": [pytest.approx(3.0 * X["b"].std(ddof=0))],
        "d": [pytest.approx(-X["d"].std(ddof=0))],
    }
    assert set(bars(model.plot(feature_names=list("wxyz")))) == {"x", "z"}
    with pytest.raises(regiht.InvalidArgumentError, match="fitted sparse estimator"):
        plot_model(regiht.SparseRegressor())


def test_a_cross_validated_estimator_draws_scores_or_coefficients():
    pytest.importorskip("sklearn", minversion="1.6")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4))
    y = np.digitize(X[:, 1] + 0.1 * rng.normal(size=90), [-0.5, 0.5])
    model = regiht.SparseClassifierCV([1, 2], cv=3).fit(X, y)
    assert "score" in model.plot().get_ylabel()
    shown = bars(model.plot(what="coefficients"))
    assert shown["x1"] == pytest.approx(model.coef_[:, 1])
    with pytest.raises(regiht.InvalidArgumentError, match="what must be one of"):
        model.plot(what="score")

"""Pictures of paths, of cross-validation and of stability."""

from __future__ import annotations

import numpy as np
import pytest

import regiht
from regiht.plotting import plot_cross_validation, plot_path, plot_stability

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    import matplotlib.pyplot as plt  # noqa: PLC0415

    plt.close("all")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 14)) + 1
    return X, 2 * X[:, 1] - X[:, 6] + rng.normal(size=80)


@pytest.fixture(scope="module")
def model(data):
    pytest.importorskip("sklearn", minversion="1.6")
    return regiht.SparseRegressorCV(5, cv=4, rule="best").fit(*data)


def drawn(ax):
    ax.figure.canvas.draw()
    return ax


def test_path_draws_standardized_coefficients_with_names(data):
    X, y = data
    names = [f"feature {j}" for j in range(14)]
    path = regiht.sparse_path(X, y, 12, feature_names=names)
    ax = drawn(path.plot())
    named = {line.get_label(): line for line in ax.get_lines() if line.get_label() in names}
    ends = {name: np.abs(path[-1].coef[j]) * X[:, j].std() for j, name in enumerate(names)}
    assert set(named) == set(sorted(ends, key=ends.get)[-7:])
    shown = named["feature 6"].get_ydata()
    expected = np.array([model.coef[6] for model in path]) * X[:, 6].std()
    inside = expected != 0
    np.testing.assert_allclose(shown[inside], expected[inside], rtol=1e-9)
    assert {text.get_text() for text in ax.texts} >= set(named)
    assert any("EBIC: 2" in text.get_text() for text in ax.texts)
    assert ax.get_xlabel() == "number of features"
    assert "standard deviation" in ax.get_ylabel()
    assert ax.get_title()
    looks = [(line.get_color(), line.get_linestyle()) for line in named.values()]
    assert len(set(looks)) == 7


def test_path_without_standardization_or_criterion(data):
    X, y = data
    plain = drawn(plot_path(regiht.sparse_path(X, y, 3, standardize=False)))
    assert plain.get_ylabel() == "coefficient"
    hinge = regiht.sparse_path(X, y > 0, 1, loss="squared-hinge")
    assert not any("EBIC" in text.get_text() for text in drawn(hinge.plot()).texts)
    nothing = drawn(regiht.sparse_path(X, np.ones(80), 2).plot(criterion=None))
    assert nothing.get_lines()


def test_cross_validation_draws_folds_means_and_the_choice(model):
    ax = drawn(model.plot())
    lines = [line for line in ax.get_lines() if len(line.get_xdata()) == 5]
    np.testing.assert_array_equal([line.get_ydata() for line in lines[:4]], model.scores_)
    (bars,) = ax.containers
    np.testing.assert_array_equal(bars.lines[0].get_ydata(), model.mean_scores_)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert any(f"chosen: {model.n_nonzero_coefs_} (best)" in label for label in labels)
    assert ax.get_ylabel() == "score: R²"


def test_stability_counts_folds(model):
    ax = drawn(plot_stability(model))
    chosen = [fold[model.n_nonzero_coefs_ - 1] for fold in model.fold_supports_]
    counts = {f"x{j}": sum(j in fold for fold in chosen) for j in np.unique(np.concatenate(chosen))}
    labels = [text.get_text() for text in ax.get_yticklabels()]
    widths = [int(bar.get_width()) for bar in ax.patches]
    assert dict(zip(labels, widths, strict=True)) == counts
    assert widths == sorted(widths, reverse=True)
    long = plot_stability([np.arange(40)], feature_names=["n" * 50] * 40)
    assert drawn(long).get_title() == "Selected in every fold: 40 of 40 features (15 not shown)"
    assert all(len(text.get_text()) <= 24 for text in long.get_yticklabels())


def test_other_things_are_refused():
    with pytest.raises(regiht.InvalidArgumentError, match="SparsePath; got int"):
        plot_path(3)
    with pytest.raises(regiht.InvalidArgumentError, match="fitted estimator"):
        plot_cross_validation(object())
    with pytest.raises(regiht.InvalidArgumentError, match="at least one fold"):
        plot_stability([])

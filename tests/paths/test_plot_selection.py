"""Pictures of paths, of cross-validation and of stability."""

from __future__ import annotations

import numpy as np
import pytest

import regiht
from regiht.plotting import plot_cross_validation, plot_path, plot_stability

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


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
    assert set(named) == {names[j] for j in path.best("ebic").support}
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
    assert len(set(looks)) == 2
    last = drawn(path.plot(criterion=None))
    ends = {name: np.abs(path[-1].coef[j]) * X[:, j].std() for j, name in enumerate(names)}
    labels = {line.get_label() for line in last.get_lines()} & set(names)
    assert labels == set(sorted(ends, key=ends.get)[-7:])


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


def test_a_choice_of_no_features_is_drawn_at_0():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(100, 20)), rng.normal(size=100)
    path = regiht.sparse_path(X, y, 5)
    ax = drawn(path.plot())
    assert any("EBIC: 0" in text.get_text() for text in ax.texts)
    assert ax.get_xlim()[0] < 0
    pytest.importorskip("sklearn", minversion="1.6")
    chosen = regiht.SparseRegressorCV(5).fit(X, y)
    labels = [text.get_text() for text in drawn(chosen.plot()).get_legend().get_texts()]
    assert {"no features", "chosen: 0 (one standard error)"} <= set(labels)
    assert "0 of 0 features" in drawn(plot_stability(chosen)).get_title()


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


def boxes(ax):
    renderer = ax.figure.canvas.get_renderer()
    # Of the text alone, without the line that leads to it.
    return [matplotlib.text.Text.get_window_extent(text, renderer) for text in ax.texts]


@pytest.mark.parametrize("size", [(10, 4), (7, 2), (5, 3)])
def test_names_of_a_path_in_a_subplot_stay_inside_and_do_not_overprint(data, size):
    import matplotlib.pyplot as plt  # noqa: PLC0415

    X, y = data
    path = regiht.sparse_path(X, y, 12, feature_names=[f"some feature {j}" for j in range(14)])
    _, both = plt.subplots(1, 2, figsize=size, layout="constrained")
    for ax, criterion in zip(both, ("ebic", None), strict=True):
        drawn(path.plot(ax, criterion=criterion))
        assert ax.texts
        for k, box in enumerate(boxes(ax)):
            assert ax.bbox.x0 <= box.x0
            assert box.x1 <= ax.bbox.x1
            assert ax.bbox.y0 <= box.y0
            assert box.y1 <= ax.bbox.y1
            assert not any(box.overlaps(other) for other in boxes(ax)[:k])


def test_the_axis_ran_through_the_name_of_a_feature_that_had_left(data):
    ax = plot_path(regiht.sparse_path(*data, 5))
    names = [text for text in ax.texts if text.get_text().strip()]
    assert len(names) > 2
    axis = next(line for line in ax.lines if np.array_equal(line.get_ydata(), [0.0, 0.0]))
    for name in names:
        assert name.get_bbox_patch().get_facecolor() == ax.get_facecolor()
        assert name.get_zorder() > axis.get_zorder()


def test_huge_coefficients_at_the_end_do_not_flatten_the_marked_model():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 20))
    X[:, 10:] = X[:, :10] + 1e-5 * rng.normal(size=(60, 10))  # copies that are not quite
    y = X[:, 0] + 2 * X[:, 1] + rng.normal(size=60)
    path = regiht.sparse_path(X, y, 20)
    marked = path.standardized_coef()[int(np.argmin(path.ebic))]
    assert np.abs(path.standardized_coef()).max() > 100 * np.abs(marked).max()
    ax = drawn(path.plot())
    low, high = ax.get_ylim()
    assert high - low < 15 * np.abs(marked).max()
    assert "cut off" in ax.get_title()


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_nothing_is_drawn_in_the_colour_of_the_background(data, model, style):
    import matplotlib.pyplot as plt  # noqa: PLC0415
    from matplotlib.colors import to_rgb  # noqa: PLC0415

    with plt.style.context(style):
        path = regiht.sparse_path(*data, 12)
        for ax in (path.plot(criterion=None), model.plot(), model.plot(what="coefficients")):
            drawn(ax)
            background = np.array(to_rgb(ax.get_facecolor()))
            parts = [*ax.get_lines(), *ax.texts]
            assert parts
            for part in parts:
                assert np.abs(np.array(to_rgb(part.get_color())) - background).max() > 0.2


def test_other_things_are_refused():
    with pytest.raises(regiht.InvalidArgumentError, match="SparsePath; got int"):
        plot_path(3)
    with pytest.raises(regiht.InvalidArgumentError, match="fitted estimator"):
        plot_cross_validation(object())
    with pytest.raises(regiht.InvalidArgumentError, match="at least one fold"):
        plot_stability([])

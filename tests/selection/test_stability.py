"""Stability selection by complementary pairs."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import Lasso
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import regiht
from regiht._selection import stability
from regiht._selection.subsamples import complementary_halves


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 12))
    return X, X[:, 2] - X[:, 7] + 0.5 * rng.normal(size=80)


@pytest.fixture(scope="module")
def found(data):
    return regiht.stability_selection(regiht.SparseRegressor(3), *data, n_pairs=8, rng=4)


def test_halves_of_a_pair_share_no_sample_and_have_the_same_classes():
    strata = np.repeat([0, 1, 2], [31, 10, 3])
    first, second = complementary_halves(strata, np.random.default_rng(0))
    assert np.intersect1d(first, second).size == 0
    for half in (first, second):
        assert np.bincount(strata[half]).tolist() == [15, 5, 1]


def test_every_sample_is_as_often_in_a_half_as_any_other():
    generators = np.random.default_rng(0).spawn(2000)
    drawn = [complementary_halves(np.zeros(7, int), rng) for rng in generators]
    counts = np.bincount(np.concatenate([half for pair in drawn for half in pair]))
    # Each is in one of two halves of three with probability 6/7; five standard deviations.
    assert np.abs(counts - 2000 * 6 / 7).max() < 5 * np.sqrt(2000 * 6 / 49)


def test_probabilities_are_the_shares_of_halves(data, found):
    X, y = data
    supports = [
        regiht.SparseRegressor(3).fit(X[half], y[half]).get_support()
        for rng in np.random.default_rng(4).spawn(8)
        for half in complementary_halves(np.zeros(80, int), rng)
    ]
    masks = np.array(supports).reshape(8, 2, 12)
    np.testing.assert_array_equal(found.probabilities, masks.mean(axis=(0, 1)))
    np.testing.assert_array_equal(found.pair_probabilities, masks.all(axis=1).mean(axis=0))
    assert found.mean_selected == 3.0
    assert found.support.tolist() == [2, 7]
    assert found.complete


def test_both_halves_select_at_least_twice_the_share_less_one(found):
    """The inequality that the bounds rest on, Lemma 6 of the article."""
    assert (found.pair_probabilities >= 2 * found.probabilities - 1 - 1e-12).all()


def test_the_bound_holds_on_noise():
    """Of exchangeable noise every feature is selected by chance."""
    rng, counts = np.random.default_rng(0), []
    for _ in range(40):
        X, y = rng.normal(size=(40, 12)), rng.normal(size=40)
        chosen = regiht.stability_selection(
            regiht.SparseRegressor(3, method="omp"), X, y, n_pairs=10, threshold=0.6, rng=rng
        )
        counts.append(chosen.support.size)
    error = np.std(counts) / np.sqrt(len(counts))
    assert error > 0.0
    assert np.mean(counts) - 2 * error < chosen.unimodal_error_bound < chosen.error_bound


def test_threads_and_generators_change_nothing(data, found):
    model = regiht.SparseRegressor(3)
    again = regiht.stability_selection(
        model, *data, n_pairs=8, rng=np.random.default_rng(4), n_jobs=2
    )
    np.testing.assert_array_equal(again.pair_probabilities, found.pair_probabilities)
    other = regiht.stability_selection(model, *data, n_pairs=8, rng=5)
    assert (other.pair_probabilities != found.pair_probabilities).any()
    assert not hasattr(model, "coef_")


def test_a_time_limit_keeps_whole_pairs(data):
    short = regiht.stability_selection(regiht.SparseRegressor(3), *data, time_limit=1e-9)
    assert (short.n_pairs, short.complete) == (1, False)
    assert set(np.unique(2 * short.probabilities)) <= {0.0, 1.0, 2.0}


def test_another_threshold_fits_nothing_again(found):
    strict = found.at(1.0)
    assert strict.error_bound == pytest.approx(9 / 12)
    assert strict.probabilities is found.probabilities
    limited = found.limited_to(1.0)
    assert limited.error_bound <= 1.0 < found.at(limited.threshold - 1 / 16).error_bound
    assert found.limited_to(1.0, unimodal=True).threshold <= limited.threshold
    with pytest.raises(regiht.InvalidArgumentError, match="cannot be reached"):
        found.limited_to(0.1)


def test_rare_classes_are_in_both_halves(classification):
    X, y = classification
    rare = np.flatnonzero(y == "yes")[:4]
    rows = np.concatenate([np.flatnonzero(y == "no"), rare])
    model = regiht.SparseClassifier(2, method="omp", ridge=0.1)
    assert regiht.stability_selection(model, X[rows], y[rows], n_pairs=5).complete
    with pytest.raises(regiht.InvalidArgumentError, match="class 'yes' has one sample"):
        regiht.stability_selection(model, X[rows[:-3]], y[rows[:-3]])


def test_frames_keep_their_names_and_sparse_data_stays_sparse(data, found):
    pd = pytest.importorskip("pandas")
    X, y = data
    names = [f"feature {j}" for j in range(12)]
    frame = pd.DataFrame(X, columns=names, index=np.arange(80)[::-1])
    named = regiht.stability_selection(
        regiht.SparseRegressor(3), frame, pd.Series(y, index=frame.index), n_pairs=8, rng=4
    )
    np.testing.assert_array_equal(named.probabilities, found.probabilities)
    table = named.to_pandas()
    assert table["feature"][:2].tolist() == ["feature 2", "feature 7"]
    assert table["stable"].sum() == 2
    assert "feature 2, feature 7" in repr(named)
    thin = regiht.stability_selection(
        regiht.SparseRegressor(3), sparse.csr_array(X), y, n_pairs=8, rng=4
    )
    np.testing.assert_array_equal(thin.probabilities, found.probabilities)


def test_weights_reach_the_fits(data):
    """Rows of weight zero do not count, wherever they are drawn."""
    X, y = data
    weights = np.r_[np.ones(40), np.zeros(40)]
    spoiled = np.r_[y[:40], 100 * X[40:, 5]]
    for model in (regiht.SparseRegressor(2), make_pipeline(regiht.SparseRegressor(2))):
        found = regiht.stability_selection(model, X, spoiled, n_pairs=5, sample_weight=weights)
        assert found.support.tolist() == [2, 7]


def test_pipelines_and_other_estimators_select_too(data):
    X, y = data
    lasso = make_pipeline(StandardScaler(), Lasso(alpha=0.3))
    assert regiht.stability_selection(lasso, X, y, n_pairs=5).support.tolist() == [2, 7]
    squares = make_pipeline(PolynomialFeatures(include_bias=False), regiht.SparseRegressor(2))
    found = regiht.stability_selection(squares, X, y, n_pairs=5)
    assert [found.feature_names[j] for j in found.support] == ["x2", "x7"]
    assert len(found.feature_names) == 12 + 78


def test_what_cannot_be_counted_is_refused(data):
    X, y = data
    with pytest.raises(regiht.InvalidArgumentError, match="KNeighborsRegressor does neither"):
        regiht.stability_selection(KNeighborsRegressor(), X, y)
    words = [f"word{k} word{k + 1}" for k in range(20)]
    text = make_pipeline(CountVectorizer(max_df=0.9), regiht.SparseRegressor(2))
    with pytest.raises(regiht.InvalidArgumentError, match="such as vectorizers"):
        regiht.stability_selection(text, words, np.arange(20.0))
    for wrong in (
        {"threshold": 0.5},
        {"threshold": 1.2},
        {"n_pairs": 0},
        {"rng": -1},
        {"rng": "a"},
    ):
        with pytest.raises(regiht.InvalidArgumentError, match=next(iter(wrong))):
            regiht.stability_selection(regiht.SparseRegressor(2), X, y, **wrong)


def test_the_picture_shows_probabilities_and_the_threshold(found):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    figure, (left, right) = plt.subplots(1, 2, layout="constrained")
    ax = found.plot(left)
    figure.canvas.draw()
    assert ax is left
    assert not right.has_data()
    widths = [bar.get_width() for bar in ax.patches]
    np.testing.assert_array_equal(
        widths, np.sort(found.probabilities[found.probabilities > 0])[::-1]
    )
    assert [label.get_text() for label in ax.get_yticklabels()][:2] == ["x2", "x7"]
    assert "Stable: 2 of 12" in ax.get_title()
    assert ax.get_lines()[0].get_xdata()[0] == found.threshold
    plt.close("all")


def test_the_example_of_the_docstring_runs():
    outcome = doctest.testmod(stability)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_targets_of_another_length_cut_the_samples():
    X = np.random.default_rng(0).normal(size=(60, 5))
    for y in (X[:20, 0], np.append(X[:, 0], 1.0), 3.0):
        with pytest.raises(regiht.InvalidArgumentError, match=r"y must have one entry .* X \(60\)"):
            regiht.stability_selection(regiht.SparseRegressor(2), X, y, n_pairs=2)


def test_what_is_no_estimator_raised_an_error_of_scikit_learn():
    X = np.random.default_rng(0).normal(size=(60, 5))
    for wrong in (X, None, regiht.SparseRegressor):
        with pytest.raises(regiht.InvalidArgumentError, match="estimator must be an estimator"):
            regiht.stability_selection(wrong, X, X[:, 0])

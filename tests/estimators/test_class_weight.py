"""Weights of classes, and generators as a random state."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.model_selection import StratifiedKFold

import regiht


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    return X, np.where(X[:, 1] + rng.normal(size=200) > 1.2, "rare", "common")


def test_balanced_classes_count_the_same_in_all(data):
    X, y = data
    share = (y == "rare").mean()
    assert share < 0.3
    weights = np.where(y == "rare", 0.5 / share, 0.5 / (1 - share))
    balanced = regiht.SparseClassifier(2, class_weight="balanced").fit(X, y)
    expected = regiht.SparseClassifier(2).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(balanced.coef_, expected.coef_, rtol=1e-9)
    plain = regiht.SparseClassifier(2).fit(X, y)
    assert (balanced.predict(X) == "rare").sum() > (plain.predict(X) == "rare").sum()


def test_weights_by_label_multiply_those_of_samples(data):
    X, y = data
    ours = np.random.default_rng(1).integers(1, 4, size=200).astype(float)
    model = regiht.SparseClassifier(2, class_weight={"rare": 3.0}).fit(X, y, sample_weight=ours)
    expected = regiht.SparseClassifier(2).fit(
        X, y, sample_weight=ours * np.where(y == "rare", 3.0, 1.0)
    )
    np.testing.assert_array_equal(model.coef_, expected.coef_)


def test_a_sample_of_weight_two_is_one_given_twice_when_balanced(data):
    X, y = data
    twice = np.random.default_rng(2).integers(1, 3, size=200)
    model = regiht.SparseClassifier(2, class_weight="balanced", ridge=0.1)
    weighted = model.fit(X, y, sample_weight=twice).coef_
    repeated = model.fit(np.repeat(X, twice, axis=0), np.repeat(y, twice)).coef_
    np.testing.assert_allclose(weighted, repeated, rtol=1e-5)


def test_held_out_scores_do_not_know_of_class_weights(data):
    X, y = data
    model = regiht.SparseClassifierCV([1, 2], class_weight="balanced", cv=3).fit(X, y)
    train, test = next(StratifiedKFold(3).split(X, y))
    factors = 200 / (2 * np.array([(y == each).sum() for each in model.classes_]))
    weights = factors[(y == "rare").astype(int)]
    alone = regiht.SparseClassifier(2).fit(X[train], y[train], sample_weight=weights[train])
    assert model.scores_[0, 1] == pytest.approx((alone.predict(X[test]) == y[test]).mean())


def test_several_classes_and_numbers_as_labels(data, tmp_path):
    X, _ = data
    y = np.digitize(X[:, 0], [0.0, 1.0])
    model = regiht.SparseClassifier(1, class_weight={2: 5.0}).fit(X, y)
    expected = regiht.SparseClassifier(1).fit(X, y, sample_weight=np.where(y == 2, 5.0, 1.0))
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    regiht.save_model(model, tmp_path / "model.json")
    again = regiht.load_model(tmp_path / "model.json")
    assert again.class_weight == {2: 5.0}
    np.testing.assert_array_equal(again.fit(X, y).coef_, model.coef_)


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ("balance", "class_weight must be 'balanced'"),
        ([1.0, 2.0], "class_weight must be 'balanced'"),
        ({"seldom": 2.0}, "names 'seldom', which is not a label"),
        ({"rare": -1.0}, r"class_weight\['rare'\] must be"),
        ({"rare": 0.0, "common": 0.0}, "must not be zero for every row"),
    ],
)
def test_other_weights_are_refused(data, class_weight, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.SparseClassifier(class_weight=class_weight).fit(*data)


def test_a_generator_is_a_random_state(data):
    X, y = data
    target = (y == "rare").astype(float)
    first, again = (
        regiht.SparseRegressor(2, method="arht", random_state=np.random.default_rng(4))
        .fit(X, target).coef_
        for _ in range(2)
    )  # fmt: skip
    np.testing.assert_array_equal(first, again)
    seed = int(np.random.default_rng(5).integers(2**63))
    drawn = regiht.solve(X, target, 2, method="arht", seed=np.random.default_rng(5))
    np.testing.assert_array_equal(drawn.x, regiht.solve(X, target, 2, method="arht", seed=seed).x)

"""Positive coefficients and groups of features in the estimators and in paths."""

import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import regiht

# No classifier: the checks ask for an accuracy that needs negative coefficients.
ESTIMATORS = [
    regiht.SparseRegressor(positive=True),
    regiht.SparseRegressorCV(n_nonzero_coefs=[1, 3], cv=3, positive=True),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture
def data():
    """Three groups of three columns, of which the first and the last matter."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 9)) * 10.0 ** rng.uniform(-1, 1, 9) + 3.0
    unit = (X - X.mean(axis=0)) / X.std(axis=0)
    signal = unit[:, :3] @ [1.0, -1.0, 0.5] + unit[:, 6:] @ [1.0, 1.0, -1.0]
    return X, signal + 0.1 * rng.standard_normal(120)


LABELS = list("aaabbbccc")
WANTED = [0, 1, 2, 6, 7, 8]


def test_groups_by_labels_names_and_lists(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    names = [f"x{j}" for j in range(9)]
    frame = pd.DataFrame(X, columns=names)
    for groups in (
        LABELS, np.array(LABELS), pd.Series(LABELS), dict(zip(names, LABELS, strict=True)),
        [names[:3], names[3:6], names[6:]], [[0, 1, 2], [3, 4, 5], [6, 7, 8]],
    ):  # fmt: skip
        model = regiht.SparseRegressor(2, groups=groups).fit(frame, y)
        assert model.support_.tolist() == WANTED
        assert model.get_feature_names_out().tolist() == [names[j] for j in WANTED]
        assert model.score(frame, y) > 0.95
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
        assert clone(model).groups is not None
    with pytest.raises(regiht.InvalidArgumentError, match="'x9', which is not a column of X"):
        regiht.SparseRegressor(2, groups={"x9": 1}).fit(frame, y)


def test_more_groups_than_there_are_is_all_of_them(data):
    X, y = data
    assert regiht.SparseRegressor(20, groups=LABELS).fit(X, y).support_.size == 9


def test_kept_and_excluded_features_with_groups(data):
    X, y = data
    kept = regiht.SparseRegressor(1, groups=LABELS, keep=[4]).fit(X, y)
    assert kept.support_.tolist() == [3, 4, 5]
    excluded = regiht.SparseRegressor(2, groups=LABELS, exclude=[7]).fit(X, y)
    assert excluded.support_.tolist() == [0, 1, 2, 6, 8]
    with pytest.raises(regiht.InvalidArgumentError, match="keep lists 2 groups and s allows 1"):
        regiht.SparseRegressor(1, groups=LABELS, keep=[0, 4]).fit(X, y)


def test_cross_validation_counts_groups(data):
    X, y = data
    model = regiht.SparseRegressorCV(groups=LABELS, cv=3).fit(X, y)
    assert model.n_nonzero_coefs_grid_.tolist() == [1, 2, 3]
    assert model.n_nonzero_coefs_ >= 2
    assert set(WANTED) <= set(model.support_.tolist())
    labels = y > 0
    model = regiht.SparseClassifierCV([1, 2], groups=LABELS, positive=True, cv=3).fit(X, labels)
    assert np.all(model.coef_ >= 0.0)


def test_classes_with_groups(data):
    X, y = data
    classes = np.digitize(y, [-1.0, 1.0])
    model = regiht.SparseClassifier(2, groups=LABELS).fit(X, classes)
    for coef in model.coef_:
        assert len({LABELS[j] for j in np.flatnonzero(coef)}) <= 2
    assert (
        regiht.SparseClassifier(2, groups=LABELS, warm_start=True)
        .fit(X, classes)
        .fit(X, classes)
        .support_.tolist()
        == model.support_.tolist()
    )


@pytest.mark.parametrize("method", ["omp", "best"])
def test_paths_with_constraints(method, data):
    X, y = data
    path = regiht.sparse_path(X, y, 5, method=method, groups=LABELS)
    assert path.s.tolist() == [1, 2, 3]
    assert [each.support.size for each in path] == [3, 6, 9]
    assert path.n_nonzero.tolist() == [3, 6, 9]
    assert path.best("bic").support.tolist() == WANTED
    kept = regiht.sparse_path(X, y, 5, method=method, groups=LABELS, keep=[4])
    assert kept.s.tolist() == [1, 2, 3]
    assert kept[0].support.tolist() == [3, 4, 5]
    positive = regiht.sparse_path(X, y, 5, method=method, positive=True)
    assert len(positive) == 5
    assert np.all(positive.coef.toarray() >= 0.0)
    for s, each in zip(positive.s, positive, strict=True):
        alone = regiht.solve(
            X, y, int(s), method=method, positive=True, intercept=True, center=True, scale=True,
            refit=True,
        )  # fmt: skip
        np.testing.assert_allclose(each.fun, alone.fun, rtol=1e-10)


def test_positive_models_have_the_signs_that_are_asked_for(data):
    X, y = data
    model = regiht.SparseRegressor(9, positive=True).fit(X, y)
    assert model.coef_.min() >= 0.0
    assert set(model.support_) <= set(range(9))
    free = regiht.SparseRegressor(9).fit(X, y)
    assert free.coef_.min() < 0.0
    assert free.objective_ < model.objective_
    with pytest.raises(regiht.InvalidArgumentError, match="'arht' does not support positive"):
        regiht.SparseRegressor(2, method="arht", positive=True).fit(X, y)


def test_models_with_constraints_are_saved(data, tmp_path):
    X, y = data
    model = regiht.SparseRegressor(2, groups=LABELS, positive=True).fit(X, y)
    for name in ("model.json", "model.npz"):
        regiht.save_model(model, tmp_path / name)
        loaded = regiht.load_model(tmp_path / name)
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))

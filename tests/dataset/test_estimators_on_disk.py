"""Estimators, paths and cross-validation on a directory, against the same in memory."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

import regiht
from regiht import SparseClassifier, SparseClassifierCV, SparseRegressor, SparseRegressorCV, dataset


@pytest.fixture
def labelled(problem, tmp_path):
    """Labels of text, of two and of three classes, in a directory."""
    X, y = problem
    labels = np.where(y > 0, "good", "bad")
    dataset.write(tmp_path / "labelled", X, labels)
    return X, labels, tmp_path / "labelled"


@pytest.mark.parametrize("give", [str, lambda path: path, regiht.Design.open])
def test_a_classifier_has_the_bits_of_the_matrix_in_memory(labelled, give):
    X, labels, path = labelled
    expected = SparseClassifier(3).fit(X, labels)
    found = SparseClassifier(3).fit(give(path))
    assert np.array_equal(found.coef_, expected.coef_)
    assert np.array_equal(found.intercept_, expected.intercept_)
    assert found.classes_.tolist() == ["bad", "good"]
    assert np.array_equal(found.predict(give(path)), expected.predict(X))
    np.testing.assert_allclose(
        found.predict_proba(give(path)), expected.predict_proba(X), rtol=1e-12
    )
    assert found.score(give(path), labels) == expected.score(X, labels)


def test_solves_refused_to_take_the_targets_of_a_directory(problem, directory):
    X, y = problem
    assert np.array_equal(regiht.solve(directory, None, 3).x, regiht.solve(X, y, 3).x)
    design = regiht.Design.open(directory)
    grid = regiht.solve_grid(design, None, [2, 3])
    assert np.array_equal(grid[1].x, regiht.solve(X, y, 3).x)
    with pytest.raises(regiht.InvalidArgumentError, match="y must not be None, except for"):
        regiht.solve(X, None, 3)


def test_weights_and_several_classes(problem, tmp_path):
    X, _ = problem
    y = np.arange(400) % 3
    weights = np.random.default_rng(0).integers(0, 3, 400).astype(float)
    dataset.write(tmp_path / "data", X, y)
    for options in ({}, {"class_weight": "balanced"}):
        expected = SparseClassifier(2, **options).fit(X, y, weights)
        found = SparseClassifier(2, **options).fit(tmp_path / "data", None, weights)
        assert np.array_equal(found.coef_, expected.coef_)


def test_a_regressor_knows_names(problem, directory):
    X, y = problem
    expected = SparseRegressor(4, keep=[11], exclude=[3]).fit(X, y)
    found = SparseRegressor(4, keep=["word11"], exclude=["word3"]).fit(directory)
    assert np.array_equal(found.coef_, expected.coef_)
    assert found.get_feature_names_out().tolist() == [f"word{j}" for j in expected.support_]
    several = np.stack([y, 1 - 2 * y], axis=1)
    two = SparseRegressor(2).fit(directory, several)
    assert np.array_equal(two.coef_, SparseRegressor(2).fit(X, several).coef_)
    assert two.predict(directory).shape == (400, 2)


def test_paths_have_the_bits_of_the_matrix_in_memory(problem, directory):
    X, y = problem
    expected = regiht.sparse_path(X, y, 5, loss="logistic")
    found = regiht.sparse_path(directory, None, 5, loss="logistic")
    assert np.array_equal(found.coef.toarray(), expected.coef.toarray())
    assert found.feature_names[3] == "word3"
    assert found.estimator("ebic").predict(directory).shape == (400,)


@pytest.mark.parametrize("weighted", [False, True])
def test_cross_validation_by_masks_is_cross_validation_by_copies(problem, directory, weighted):
    X, y = problem
    weights = np.random.default_rng(1).integers(1, 4, 400).astype(float) if weighted else None
    for kind in (SparseClassifierCV, SparseRegressorCV):
        model = kind(4, cv=KFold(3))
        expected = model.fit(X, y, weights)
        scores, folds = expected.scores_, expected.fold_supports_
        found = kind(4, cv=KFold(3)).fit(directory, None, weights)
        np.testing.assert_allclose(found.scores_, scores, rtol=1e-9)
        assert found.n_nonzero_coefs_ == expected.n_nonzero_coefs_
        assert all(
            np.array_equal(a, b)
            for one, other in zip(found.fold_supports_, folds, strict=True)
            for a, b in zip(one, other, strict=True)
        )
        assert np.array_equal(found.coef_, expected.coef_)


def test_rows_that_a_fold_repeats_count_twice(problem, directory):
    X, y = problem
    rng = np.random.default_rng(0)
    folds = [(rng.integers(0, 300, 300), np.arange(300, 400)) for _ in range(2)]
    expected = SparseClassifierCV([2, 4], cv=folds, scoring="neg_log_loss").fit(X, y)
    found = SparseClassifierCV([2, 4], cv=folds, scoring="neg_log_loss").fit(directory)
    np.testing.assert_allclose(found.scores_, expected.scores_, rtol=1e-8)


def test_the_default_grid(directory):
    found = SparseRegressorCV(cv=2, method="omp").fit(directory)
    assert found.n_nonzero_coefs_grid_[-1] == 30


def test_designs_in_memory_are_taken_too(problem):
    X, y = problem
    expected = SparseRegressor(3).fit(X, y)
    found = SparseRegressor(3).fit(regiht.Design(X), y)
    assert np.array_equal(found.coef_, expected.coef_)


def test_solve_takes_a_directory(problem, directory):
    X, y = problem
    expected = regiht.solve(X, y, 3, center=True, scale=True)
    found = regiht.solve(directory, y, 3, center=True, scale=True)
    assert np.array_equal(found.x, expected.x)


def test_what_cannot_be_is_refused_in_a_sentence(problem, directory, tmp_path):
    X, y = problem
    dataset.write(tmp_path / "bare", X)
    dataset.write(tmp_path / "narrow", X[:, :5], y)
    dataset.write(tmp_path / "renamed", X, feature_names=[f"w{j}" for j in range(60)])
    model = SparseRegressor(3)
    with pytest.raises(regiht.InvalidArgumentError, match="without center, scale and exclude"):
        model.fit(regiht.Design.open(directory, True, True))
    with pytest.raises(ValueError, match="requires y to be passed"):
        model.fit(tmp_path / "bare")
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(directory, y[1:])
    model.fit(directory)
    with pytest.raises(regiht.InvalidArgumentError, match="X has 5 features"):
        model.predict(tmp_path / "narrow")
    with pytest.raises(regiht.InvalidArgumentError, match="other feature names"):
        model.predict(tmp_path / "renamed")
    with pytest.raises(regiht.InvalidArgumentError, match="does not exist"):
        model.fit("nothing")
    with pytest.raises(regiht.InvalidArgumentError, match="from a directory"):
        model.transform(directory)
    with pytest.raises(regiht.InvalidArgumentError, match="from a directory"):
        model.inference(directory, y)
    with pytest.raises(regiht.InvalidArgumentError, match="from a directory"):
        regiht.near_best(directory, y, 2)
    with pytest.raises(regiht.InvalidArgumentError, match="from a directory"):
        regiht.stability_selection(model, directory, y)

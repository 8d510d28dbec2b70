"""SparseRegressor and SparseClassifier beyond scikit-learn's own checks."""

from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression

import regiht
from regiht import SparseClassifier, SparseRegressor
from regiht._solving import registry


def test_two_features_are_those_of_exhaustive_search(regression):
    X, y = regression
    model = SparseRegressor(2).fit(X, y)

    def error(columns):
        fitted = LinearRegression().fit(X[:, columns], y)
        return ((y - fitted.predict(X[:, columns])) ** 2).sum()

    best = min(itertools.combinations(range(15), 2), key=error)
    assert model.support_.tolist() == list(best)
    exact = LinearRegression().fit(X[:, best], y)
    np.testing.assert_allclose(model.coef_[list(best)], exact.coef_, rtol=1e-6)
    np.testing.assert_allclose(model.intercept_, exact.intercept_, rtol=1e-6)
    np.testing.assert_allclose(2 * model.objective_, error(best), rtol=1e-7)


def test_logistic_coefficients_are_those_of_the_chosen_columns(classification):
    X, y = classification
    model = SparseClassifier(2, ridge=0.0).fit(X, y)
    assert model.support_.tolist() == [2, 9]
    exact = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(X[:, [2, 9]], y)
    np.testing.assert_allclose(model.coef_[:, [2, 9]], exact.coef_, rtol=1e-4)
    np.testing.assert_allclose(model.intercept_, exact.intercept_, rtol=1e-4)
    np.testing.assert_allclose(model.predict_proba(X), exact.predict_proba(X[:, [2, 9]]), atol=1e-5)
    assert model.score(X, y) == exact.score(X[:, [2, 9]], y)


@pytest.mark.parametrize("loss", registry.REGRESSION_LOSSES)
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("standardize", [True, False])
def test_regressor_is_the_solve_that_it_says(loss, fit_intercept, standardize, make_target):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 9)) + 1
    y = make_target(loss, X[:, 1] - 0.5 * X[:, 4], rng)
    model = SparseRegressor(
        3, loss=loss, fit_intercept=fit_intercept, standardize=standardize, ridge=0.01, max_iter=50
    ).fit(X, y)
    result = regiht.solve(  # by columns, as estimators fit
        np.asfortranarray(X), y, 3, loss=loss, method=model.method, center=fit_intercept,
        scale=standardize, intercept=fit_intercept, ridge=0.01, max_iter=50, refit=True,
    )  # fmt: skip
    np.testing.assert_array_equal(model.coef_, result.coef)
    assert (model.intercept_, model.objective_) == (result.intercept, result.fun)
    assert (model.n_iter_, model.status_) == (result.n_iter, result.status)
    linear = X @ result.coef + result.intercept
    mean = {"identity": linear, "log": np.exp(linear)}[registry.LOSSES[loss].link]
    np.testing.assert_allclose(model.predict(X), mean)


@pytest.mark.parametrize("make", [SparseRegressor, SparseClassifier])
def test_all_containers_give_the_same_model(make, stored):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 8)) * (rng.random((60, 8)) < 0.6)
    y = (X[:, 1] - X[:, 5] > 0).astype(int)
    dense = make(3, ridge=0.1).fit(X, y)
    for storage in ("column-major", "csr_matrix", "csr_array", "csc_matrix", "csc_array"):
        for width in (np.int32, np.int64):
            other = stored(X, storage, index_dtype=width)
            model = make(3, ridge=0.1).fit(other, y)
            np.testing.assert_allclose(model.coef_, dense.coef_, rtol=1e-6, atol=1e-9)
            np.testing.assert_allclose(model.predict(other), model.predict(X), atol=1e-12)
    single = make(3, ridge=0.1).fit(X.astype(np.float32), y)
    np.testing.assert_array_equal(single.support_, dense.support_)


def test_inverse_transform_puts_columns_back(regression):
    X, y = regression
    model = SparseRegressor(2).fit(X, y)
    back = model.inverse_transform(model.transform(X))
    np.testing.assert_array_equal(back[:, model.get_support()], X[:, [2, 9]])
    assert not back[:, ~model.get_support()].any()
    assert model.get_support(indices=True).tolist() == [2, 9]


@pytest.mark.parametrize("make", [SparseRegressor, SparseClassifier])
def test_a_weight_of_two_is_a_sample_given_twice(make):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 10)) * np.arange(1, 11)
    y = (X[:, 1] / 2 - X[:, 5] / 6 + rng.logistic(size=60) > 0).astype(int)
    weights = rng.integers(0, 4, size=60)
    weighted = make(3, ridge=0.01, max_iter=4000).fit(X, y, sample_weight=weights)
    repeated = make(3, ridge=0.01, max_iter=4000).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    np.testing.assert_array_equal(weighted.support_, repeated.support_)
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-6)
    np.testing.assert_allclose(weighted.intercept_, repeated.intercept_, rtol=1e-6)


def test_scale_of_the_columns_does_not_matter_if_standardized(regression):
    X, y = regression
    factors = 10.0 ** np.arange(-7, 8)
    here, there = SparseRegressor(3).fit(X, y), SparseRegressor(3).fit(X * factors, y)
    np.testing.assert_array_equal(here.support_, there.support_)
    np.testing.assert_allclose(here.coef_, there.coef_ * factors, rtol=1e-6)


def test_several_classes_are_one_against_the_rest(classification):
    X, _ = classification
    rng = np.random.default_rng(5)
    y = np.array(["a", "b", "c"])[np.argmax(X[:, :3] * 3 + rng.gumbel(size=(400, 3)), axis=1)]
    model = SparseClassifier(2).fit(X, y)
    assert model.coef_.shape == (3, 15)
    assert (np.count_nonzero(model.coef_, axis=1) <= 2).all()
    assert len(model.status_) == len(model.n_iter_) == len(model.objective_) == 3
    np.testing.assert_array_equal(model.support_, np.flatnonzero(model.coef_.any(axis=0)))
    for k, name in enumerate("abc"):
        alone = SparseClassifier(2).fit(X, y == name)
        np.testing.assert_array_equal(model.coef_[k], alone.coef_[0])
        assert model.intercept_[k] == alone.intercept_[0]
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    np.testing.assert_array_equal(
        model.predict(X), model.classes_[model.predict_proba(X).argmax(axis=1)]
    )


def test_probabilities_of_far_points_stay_finite(classification):
    X, y = classification
    model = SparseClassifier(2).fit(X, y)
    far = np.full((1, 15), 1e6) * np.sign(model.coef_)
    assert np.isfinite(model.predict_log_proba(far)).all()
    assert model.predict_proba(far).tolist() == [[0.0, 1.0]]


def test_squared_hinge_has_no_probabilities(classification):
    X, y = classification
    model = SparseClassifier(2, loss="squared-hinge").fit(X, y)
    assert not hasattr(model, "predict_proba")
    assert not hasattr(model, "predict_log_proba")
    assert model.score(X, y) > 0.8
    with pytest.raises(AttributeError, match="no attribute 'predict_proba'") as raised:
        model.predict_proba(X)
    assert "loss='logistic'" in str(raised.value.__cause__)


def test_more_features_than_columns_means_all(regression):
    X, y = regression
    np.testing.assert_array_equal(
        SparseRegressor(1000).fit(X, y).coef_, SparseRegressor(15).fit(X, y).coef_
    )
    constant = np.column_stack([X[:, :3], np.ones(len(X))])
    assert SparseRegressor(4).fit(constant, y).support_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("weights", [None, [1, 1, 1, 0]])
def test_one_class_is_refused(weights):
    y = ["a", "a", "a", "a" if weights is None else "b"]
    with pytest.raises(ValueError, match=r"at least 2 classes.*'a'"):
        SparseClassifier().fit(np.eye(4), y, sample_weight=weights)


def test_a_class_without_weight_is_refused():
    with pytest.raises(ValueError, match=r"class 'c' has no sample"):
        SparseClassifier().fit(np.eye(4), list("aabc"), sample_weight=[1, 1, 1, 0])


def test_before_the_fit_nothing_is_selected():
    for call in (SparseRegressor().get_support, lambda: SparseRegressor().predict(np.eye(2))):
        with pytest.raises(NotFittedError):
            call()


def test_tiny_inputs():
    assert SparseRegressor().fit([[1.0], [2.0]], [3.0, 5.0]).predict([[3.0]]) == pytest.approx(7)
    assert SparseRegressor().fit(np.ones((3, 2)), [1.0, 2.0, 3.0]).intercept_ == 2.0
    model = SparseClassifier(1, ridge=0.1).fit(sparse.csr_matrix([[0.0], [1.0]]), [False, True])
    assert model.predict([[0.0], [1.0]]).tolist() == [False, True]


def test_importing_the_package_does_not_import_scikit_learn(tmp_path):
    code = "import sys, regiht; sys.exit('sklearn' in sys.modules or 'pandas' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_missing_scikit_learn_says_how_to_get_it(tmp_path):
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import regiht\n"
        "try: regiht.SparseRegressor\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert 'pip install "regiht[sklearn]"' in done.stdout

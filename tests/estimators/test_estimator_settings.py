"""Parameters of the estimators that say how to solve, not what."""

from __future__ import annotations

import sys

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import regiht
from regiht import SparseClassifier, SparseClassifierCV, SparseRegressor, SparseRegressorCV

# A step so small that x changes in every one of a practically endless number of iterations.
ENDLESS = {"method": "iht", "options": {"step": 1e-13}, "max_iter": 10**12}

ESTIMATORS = (SparseRegressor, SparseClassifier, SparseRegressorCV, SparseClassifierCV)


def test_warm_start_begins_where_the_last_fit_ended(regression):
    X, y = regression
    model = SparseRegressor(2, warm_start=True, method="iht").fit(X, y)
    first, iterations = model.coef_.copy(), model.n_iter_
    model.fit(X, y)
    assert model.n_iter_ < iterations
    np.testing.assert_allclose(model.coef_, first, rtol=1e-7)
    model.fit(X[:, :10], y)  # another shape starts afresh
    assert model.coef_.shape == (10,)


@pytest.mark.parametrize("make", [SparseRegressor, SparseClassifier])
def test_a_warm_start_keeps_the_answer_of_the_best_method(make, classification):
    X, y = classification
    target = np.unique(y, return_inverse=True)[1]
    model = make(3, warm_start=True).fit(X, target)
    first = model.objective_
    assert model.fit(X, target).objective_ <= first * (1 + 1e-12)
    several = make(3, warm_start=True).fit(X, np.arange(len(X)) % 3)
    np.testing.assert_array_equal(several.support_, several.fit(X, np.arange(len(X)) % 3).support_)


@pytest.mark.parametrize("make", ESTIMATORS)
def test_threads_do_not_change_the_answer(make, classification):
    X, y = classification
    target = np.unique(y, return_inverse=True)[1]
    one, two, all_cores = (make(4, n_jobs=n).fit(X, target) for n in (1, 2, -1))
    np.testing.assert_array_equal(one.coef_, two.coef_)
    np.testing.assert_array_equal(one.coef_, all_cores.coef_)
    assert one.intercept_ == two.intercept_ == all_cores.intercept_


def test_random_state_decides_what_a_random_method_draws():
    differing = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(20, 40))
        y = X[:, :6].sum(axis=1) + rng.normal(size=20)
        fits = [SparseRegressor(6, method="arht", random_state=k).fit(X, y) for k in (0, 0, 1, 2)]
        np.testing.assert_array_equal(fits[0].coef_, fits[1].coef_)
        default = SparseRegressor(6, method="arht").fit(X, y)
        np.testing.assert_array_equal(fits[0].coef_, default.coef_)
        differing += len({fit.n_iter_ for fit in fits}) > 1
        # The same generator again goes on drawing; one in the same state draws the same.
        states = [np.random.RandomState(5) for _ in range(2)]
        here, there = (SparseRegressor(6, method="arht", random_state=s).fit(X, y) for s in states)
        np.testing.assert_array_equal(here.coef_, there.coef_)
    assert differing > 0


def test_a_method_that_is_not_random_draws_nothing(regression):
    X, y = regression
    state = np.random.RandomState(5)
    SparseRegressor(2, random_state=state).fit(X, y)
    assert state.randint(1000) == np.random.RandomState(5).randint(1000)


@pytest.mark.parametrize("name", ["random_state", "huber_threshold"])
def test_a_parameter_that_was_not_needed_could_have_any_value(regression, name):
    X, y = regression
    with pytest.raises(ValueError, match=f"{name} must be .* got 'often'"):
        SparseRegressor(2, **{name: "often"}).fit(X, y)


@pytest.mark.parametrize("make", ESTIMATORS)
def test_a_time_limit_ends_every_fit(make, classification):
    X, y = classification
    target = np.unique(y, return_inverse=True)[1]
    cross_validated = {"cv": 2} if make in (SparseRegressorCV, SparseClassifierCV) else {}
    model = make(2, time_limit=0.05, verbose=False, **ENDLESS, **cross_validated)
    with pytest.warns(ConvergenceWarning, match=r"time_limit=0.05 ended .* Give it more time"):
        model.fit(X, target)
    if not cross_validated:  # there no features at all may predict best
        assert model.status_ is regiht.Status.TIME_LIMIT
        assert model.coef_.any()


def test_no_class_is_left_without_its_share_of_a_time_limit():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 30))
    y = np.argmax(X[:, :5] + 0.1 * rng.normal(size=(200, 5)), axis=1)
    model = SparseClassifier(3, time_limit=0.5, **ENDLESS)
    with pytest.warns(ConvergenceWarning, match="5 of 5 parts of the fit") as warned:
        model.fit(X, y)
    assert len(warned) == 1
    assert (model.n_iter_ > 1).all()
    assert (model.coef_ != 0).sum(axis=1).tolist() == [3] * 5


def test_parameters_are_not_changed_and_clones_agree(regression):
    X, y = regression
    keep, options = [3], {"weight_step": 0.01}
    model = SparseRegressor(4, keep=keep, options=options).fit(X, y)
    assert (keep, options) == ([3], {"weight_step": 0.01})
    np.testing.assert_array_equal(clone(model).fit(X, y).coef_, model.coef_)


def test_the_best_method_tells_of_runners_up(regression):
    X, y = regression
    model = SparseRegressor(3, method="best").fit(X, y)
    assert all(other.fun >= model.objective_ for other in model.alternatives_)
    swapped = SparseRegressor(3, method="omp", options={"polish": "swap"}).fit(X, y)
    assert swapped.swap_optimal_
    assert not hasattr(SparseRegressor(3, method="omp").fit(X, y), "swap_optimal_")


def test_options_reach_the_solver(regression):
    X, y = regression
    model = SparseRegressor(3, options={"step": 0.1}, max_iter=7, method="iht").fit(X, y)
    assert model.n_iter_ == 7


def test_certificates_are_for_the_fit_and_not_for_the_folds(regression):
    X, y = regression
    options = {"certify": True}
    model = SparseRegressor(2, ridge=0.1, options=options).fit(X, y)
    alone = regiht.solve(
        np.asfortranarray(X), y, 2, method=model.method, center=True, scale=True, intercept=True,
        ridge=0.1, refit=True, certify=True,
    )  # fmt: skip
    assert (model.gap_, model.lower_bound_) == (alone.gap, alone.lower_bound)
    chosen = SparseRegressorCV([2], ridge=0.1, options=options, cv=3).fit(X, y)
    assert chosen.gap_ == model.gap_
    classes = np.digitize(y, np.quantile(y, [0.3, 0.6]))
    several = SparseClassifier(2, ridge=0.1, options=options, fit_intercept=False).fit(X, classes)
    assert several.gap_.shape == (3,)
    assert (several.lower_bound_ <= several.objective_).all()
    with pytest.raises(regiht.InvalidArgumentError, match="path must not have certify"):
        regiht.sparse_path(X, y, 2, ridge=0.1, options=options)


def test_a_callback_of_ones_own_hears_of_every_iteration(regression):
    seen = []
    model = SparseRegressor(2, options={"callback": seen.append}).fit(*regression)
    assert len(seen) == model.n_iter_


def test_divergence_warns(regression):
    X, y = regression
    with pytest.warns(Warning, match="SparseRegressor: "):
        SparseRegressor(3, options={"step": 1e6}, method="iht").fit(X, y)


@pytest.mark.parametrize("verbose", [True, False])
def test_verbose_shows_progress_on_a_terminal(regression, capsys, monkeypatch, verbose):
    X, y = regression
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with pytest.warns(ConvergenceWarning, match="time_limit=0.3 ended the fit"):
        SparseRegressor(3, verbose=verbose, time_limit=0.3, **ENDLESS).fit(X, y)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert ("f = " in captured.err) is verbose


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_nonzero_coefs": 0}, "n_nonzero_coefs must be at least 1"),
        ({"n_nonzero_coefs": 2.5}, "n_nonzero_coefs must be an integer"),
        ({"loss": "logistic"}, "loss must be one of 'squared'"),
        ({"method": "magic"}, "method must be one of"),
        ({"ridge": -1.0}, "ridge must be"),
        ({"keep": ["age"]}, "keep lists names"),
        ({"keep": "age"}, "keep must list columns"),
        ({"keep": [99]}, "keep must list columns between 0 and 14"),
        ({"keep": [1], "exclude": [1, 2]}, "column 1 is listed in both"),
        ({"keep": [1, 2, 3], "n_nonzero_coefs": 2}, "keep lists 3 columns"),
        ({"exclude": list(range(15))}, "must leave some column"),
        ({"options": {"ridge": 1.0}}, "options must not repeat .*ridge"),
        ({"options": {"polsih": "swap"}}, "key of options must be .*Did you mean 'polish'"),
        ({"options": {"x0": np.ones(15)}}, "key of options must be one of"),
        ({"options": ["polish"]}, "options must be a dict"),
        ({"fit_intercept": 1}, "fit_intercept must be True or False"),
        ({"time_limit": -1.0}, "time_limit must be"),
    ],
)
def test_wrong_parameters_are_named(regression, parameters, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        SparseRegressor(**parameters).fit(*regression)


def test_names_that_do_not_exist_are_named(regression):
    pd = pytest.importorskip("pandas")
    X, y = regression
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(15)])
    with pytest.raises(regiht.InvalidArgumentError, match="exclude lists 'age', which is no"):
        SparseRegressor(exclude=["age"]).fit(frame, y)


def test_verbose_moves_with_several_classes(classification, capsys, monkeypatch):
    X, _ = classification
    classes = np.digitize(X[:, 0], np.quantile(X[:, 0], [0.3, 0.6]))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    SparseClassifier(2, verbose=True).fit(X, classes)
    assert "3/3" in capsys.readouterr().err


@pytest.mark.parametrize("n_jobs", [0, 1.5, "a", 10**9])
def test_numbers_of_jobs_were_called_threads_or_compared_with_text(n_jobs):
    X = np.random.default_rng(0).normal(size=(30, 4))
    y = X[:, 0]
    fits = [
        lambda: regiht.SparseRegressor(2, n_jobs=n_jobs).fit(X, y),
        lambda: regiht.SparseRegressorCV([1, 2], n_jobs=n_jobs).fit(X, y),
        lambda: regiht.stability_selection(regiht.SparseRegressor(2), X, y, n_jobs=n_jobs),
    ]
    for fit in fits:
        with pytest.raises(regiht.InvalidArgumentError, match="n_jobs must"):
            fit()


def test_a_warm_start_that_is_no_flag_was_taken_for_one():
    with pytest.raises(regiht.InvalidArgumentError, match="warm_start must be True or False"):
        regiht.SparseRegressor(1, warm_start="no").fit([[1.0], [2.0]], [1.0, 2.0])

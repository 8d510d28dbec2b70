"""The scikit-learn side of matrix completion."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.utils.estimator_checks import parametrize_with_checks

import regiht
from regiht.lowrank import Completion, LowRankCompletion, LowRankCompletionCV, rank_path


class WithoutPredict:
    """`predict` takes pairs of positions, which scikit-learn's checks cannot know: hidden here."""

    @property
    def predict(self):
        raise AttributeError


class CheckedCompletion(WithoutPredict, LowRankCompletion):
    pass


class CheckedCompletionCV(WithoutPredict, LowRankCompletionCV):
    pass


@parametrize_with_checks(
    [CheckedCompletion(), CheckedCompletionCV(ranks=(1, 2), cv=2, max_iter=30, refine=5)]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def planted(seed=0, shape=(80, 60), rank=3, noise=0.05, part=0.4, effects=1.0):
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((shape[0], rank)) @ rng.standard_normal((rank, shape[1]))
    rows, cols = rng.standard_normal(shape[0]), rng.standard_normal(shape[1])
    M += effects * (3.0 + rows[:, None] + cols)
    seen = rng.random(shape) < part
    return M, seen, M + noise * rng.standard_normal(shape)


def test_three_ways_to_give_the_entries_agree():
    _, seen, noisy = planted()
    rows, cols = np.nonzero(seen)
    dense = np.where(seen, noisy, np.nan)
    stored = sparse.csr_array((noisy[seen], (rows, cols)), shape=noisy.shape)
    pairs = np.column_stack([rows, cols])[::7]
    wanted = LowRankCompletion(rank=3).fit(dense).predict(pairs)
    for X in (stored, stored.tocoo(), stored.tocsc(), (rows, cols, noisy[seen])):
        found = LowRankCompletion(rank=3).fit(X).predict(pairs)
        np.testing.assert_allclose(found, wanted, atol=1e-3)


def test_unseen_entries_are_predicted_and_scored():
    M, seen, noisy = planted()
    model = LowRankCompletion(rank=5).fit(np.where(seen, noisy, np.nan))
    rows, cols = np.nonzero(~seen)
    guess = model.predict(np.column_stack([rows, cols]))
    assert np.sqrt(np.mean((guess - M[rows, cols]) ** 2)) < 0.15
    assert model.score(np.where(seen, np.nan, noisy)) > 0.99
    assert model.score((rows, cols, M[rows, cols])) > 0.99
    assert model.components_.shape == (5, 60)
    assert model.embedding_.shape == (80, 5)
    assert model.rank_ == 5
    plain = LowRankCompletion(rank=3, center=False).fit(np.where(seen, noisy, np.nan))
    assert plain.mean_ == 0.0
    assert plain.score(np.where(seen, np.nan, noisy)) < model.score(np.where(seen, np.nan, noisy))


def test_transform_and_back_gives_rows_new_and_old_with_their_effects():
    M, seen, noisy = planted()
    X = np.where(seen, noisy, np.nan)
    model = LowRankCompletion(rank=5, refine=300, tol=1e-9).fit(X[:60])
    rows, cols = np.indices((60, 60))
    fitted = model.predict(np.column_stack([rows.ravel(), cols.ravel()])).reshape(60, 60)
    again = model.inverse_transform(model.transform(X[:60]))
    assert np.sqrt(np.mean((again - fitted) ** 2)) < 0.05
    new = model.transform(X[60:])
    assert new.shape == (20, 6)
    assert np.sqrt(np.mean((M[60:] - model.inverse_transform(new)) ** 2)) < 0.3
    plain = LowRankCompletion(rank=5, center=False).fit(X[:60])
    assert plain.transform(X[60:]).shape == (20, 5)


def test_the_rank_is_chosen_by_cross_validation():
    _, seen, noisy = planted(noise=0.3, effects=0.0)
    model = LowRankCompletionCV(ranks=(1, 2, 3, 4, 5), cv=3, center=False)
    model.fit(np.where(seen, noisy, np.nan))
    assert model.rank_ == 3
    assert model.path_.losses.shape == (3, 5)


def test_the_rank_and_ridge_of_the_lowest_held_out_loss_are_chosen():
    _, seen, noisy = planted(noise=1.0, effects=0.0, part=0.3)
    X, ridges = np.where(seen, noisy, np.nan), [0.1, 0.3, 1.0]
    model = LowRankCompletionCV(ranks=(1, 3), ridges=ridges[::-1], cv=3, center=False).fit(X)
    rows, cols = np.nonzero(seen)
    paths = [
        rank_path(Completion(rows, cols, X[seen], X.shape, ridge=ridge), [1, 3], folds=3)
        for ridge in ridges
    ]
    # Warm starts spare most of the work, and end where solves from nothing do.
    np.testing.assert_allclose(model.losses_, [path.loss for path in paths], rtol=2e-2)
    best = int(np.argmin([path.loss.min() for path in paths]))
    assert (model.ridge_, model.rank_) == (ridges[best], paths[best].rank)
    np.testing.assert_array_equal(model.path_.loss, model.losses_[best])
    again = LowRankCompletion(model.rank_, ridge=model.ridge_, center=False).fit(X)
    np.testing.assert_array_equal(again.embedding_, model.embedding_)
    np.testing.assert_array_equal(again.transform(X), model.transform(X))


def test_without_ridges_only_the_one_given_is_tried():
    _, seen, noisy = planted()
    model = LowRankCompletionCV(ranks=(1, 2), cv=2, ridge=0.3).fit(np.where(seen, noisy, np.nan))
    assert model.ridge_ == 0.3
    assert model.losses_.shape == (1, 2)


@pytest.mark.parametrize("ridges", [(), (-1.0,), ("much",)])
def test_bad_ridges_are_named(ridges):
    _, seen, noisy = planted()
    with pytest.raises(regiht.InvalidArgumentError, match="ridges"):
        LowRankCompletionCV(ridges=ridges).fit(np.where(seen, noisy, np.nan))


def test_the_scores_of_a_grid_search_were_all_nan():
    _, seen, noisy = planted(effects=0.0)
    X = np.where(seen, noisy, np.nan)
    grid = {"rank": [1, 3], "ridge": [0.0, 5.0]}
    for cv in (3, KFold(5, shuffle=True, random_state=0)):
        search = GridSearchCV(LowRankCompletion(center=False), grid, cv=cv, error_score="raise")
        search.fit(X)
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()
        assert search.best_params_ == {"rank": 3, "ridge": 0.0}
        assert search.best_score_ > 0.9


def test_rows_are_scored_by_guesses_from_their_other_entries():
    _, seen, noisy = planted()
    X = np.where(seen, noisy, np.nan)
    model = LowRankCompletion(rank=4, ridge=0.1).fit(X[:60])
    new = X[60:]
    guess = np.full(new.shape, np.nan)
    for row in range(new.shape[0]):
        places = np.flatnonzero(~np.isnan(new[row]))
        for judged, kept in ((places[::2], places[1::2]), (places[1::2], places[::2])):
            known = np.full((1, new.shape[1]), np.nan)
            known[0, kept] = new[row, kept]
            guess[row, judged] = model.complete(known)[0, judged]
    known = ~np.isnan(new)
    error = np.sum((new[known] - guess[known]) ** 2)
    wanted = 1.0 - error / np.sum((new[known] - new[known].mean()) ** 2)
    assert model.score(new) == pytest.approx(wanted)
    assert model.score_rows(new) == model.score(new)
    assert model.score_rows(sparse.csr_array(np.nan_to_num(new))) == pytest.approx(wanted)
    assert np.isfinite(
        model.score_rows(np.where(np.arange(60) == 7, 1.0, np.full((2, 60), np.nan)))
    )


def test_the_estimators_are_public_names_of_the_package_too():
    assert regiht.LowRankCompletion is LowRankCompletion
    assert regiht.LowRankCompletionCV is LowRankCompletionCV


def test_models_are_cloned_and_pickled():
    _, seen, noisy = planted()
    model = LowRankCompletion(rank=2, ridge=0.5).fit(np.where(seen, noisy, np.nan))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict([[0, 1]]), model.predict([[0, 1]]))
    assert clone(model).get_params() == model.get_params()
    assert clone(LowRankCompletionCV(ranks=(2, 3))).ranks == (2, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.predict([0, 1]), "pairs must have two columns"),
        (lambda m: m.predict([[0.5, 1.0]]), "rows must be a vector of integers"),
        (lambda m: m.predict([[80, 1]]), r"rows\[0\] is 80"),
        (lambda m: m.fit(([0], [1])), "tuple"),
        (lambda m: m.fit(([], [], [])), "at least one observed entry"),
        (lambda m: m.fit(np.full((3, 3), np.nan)), "at least one observed entry"),
        (lambda m: m.fit(([0], [1], [np.inf])), "values"),
    ],
)
def test_bad_input_is_named(call, message):
    _, seen, noisy = planted()
    model = LowRankCompletion().fit(np.where(seen, noisy, np.nan))
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        call(model)


def test_without_scikit_learn_the_error_says_what_to_install():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import regiht.lowrank\n"
        "try:\n    regiht.lowrank.LowRankCompletion\n"
        "except ImportError as error:\n    assert 'regiht[sklearn]' in str(error)\n"
        "else:\n    raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_one_entry_of_a_huge_matrix_is_refused_before_effects_are_fitted():
    huge = sparse.coo_array(([1.0], ([0], [2**31 - 2])), shape=(1, 2**31 - 1))
    for X in (huge, ([0], [2**31 - 2], [1.0])):
        with pytest.raises(regiht.InvalidArgumentError, match="too large for 1 observed entries"):
            LowRankCompletion(1).fit(X)

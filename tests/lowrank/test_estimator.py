"""The scikit-learn side of matrix completion."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import regiht
from regiht.lowrank import LowRankCompletion, LowRankCompletionCV


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


def test_transform_embeds_rows_new_and_old():
    M, seen, noisy = planted()
    X = np.where(seen, noisy, np.nan)
    model = LowRankCompletion(rank=5, refine=300, tol=1e-9).fit(X[:60])
    np.testing.assert_allclose(model.transform(X[:60]), model.embedding_, atol=1e-2)
    new = model.transform(X[60:])
    assert new.shape == (20, 5)
    rebuilt = model.inverse_transform(new)
    residual = M[60:] - rebuilt
    # What is left over is the effect of each row.
    residual -= residual.mean(axis=1, keepdims=True)
    assert np.sqrt(np.mean(residual**2)) < 0.3


def test_the_rank_is_chosen_by_cross_validation():
    _, seen, noisy = planted(noise=0.3, effects=0.0)
    model = LowRankCompletionCV(ranks=(1, 2, 3, 4, 5), cv=3, center=False)
    model.fit(np.where(seen, noisy, np.nan))
    assert model.rank_ == 3
    assert model.path_.losses.shape == (3, 5)


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
        (lambda m: m.score(np.ones((3, 60))), "shape that was fitted"),
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

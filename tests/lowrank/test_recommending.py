"""What recommenders need: new rows, names, lists, weights, implicit feedback, files."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

import regiht
from regiht.lowrank import Completion, LowRankCompletion, LowRankCompletionCV, LowRankImputer, solve


def ratings(seed=0, shape=(120, 40), noise=0.5, part=0.3):
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((shape[0], 2)) @ rng.standard_normal((2, shape[1]))
    M += 3.0 + rng.standard_normal((shape[0], 1)) + rng.standard_normal(shape[1])
    return M, np.where(rng.random(shape) < part, M + noise * rng.standard_normal(shape), np.nan)


def triple(X, names=False):
    rows, cols = np.nonzero(~np.isnan(X))
    values = X[rows, cols]
    if not names:
        return rows, cols, values
    return (
        np.array([f"user {i:03d}" for i in rows]),
        np.array([f"item {j:02d}" for j in cols]),
        values,
    )


def rmse(error):
    return np.sqrt(np.mean(error**2))


def test_new_rows_with_few_ratings_were_worse_than_means():
    M, X = ratings(noise=1.0)
    model = LowRankCompletion(rank=2).fit(X[:100])
    new = X[100:].copy()
    for row in new:
        row[np.flatnonzero(~np.isnan(row))[3:]] = np.nan
    rest = new - model.mean_ - model.column_effects_
    shrunk = np.nansum(rest, axis=1) / (np.sum(~np.isnan(new), axis=1) + 1.0)
    means = model.mean_ + model.column_effects_ + shrunk[:, None]
    unseen = np.isnan(new)
    guess = model.inverse_transform(model.transform(new))
    assert rmse((guess - M[100:])[unseen]) < rmse((means - M[100:])[unseen])


def test_a_row_without_entries_gets_what_the_average_row_has():
    _, X = ratings()
    model = LowRankCompletion(rank=2).fit(X)
    new = np.full((2, X.shape[1]), np.nan)
    new[1, 3] = 4.0
    empty = model.complete(new)[0]
    rows = model.inverse_transform(np.column_stack([model.row_effects_, model.embedding_]))
    np.testing.assert_allclose(empty, rows.mean(axis=0), atol=0.15)
    assert model.complete(new)[1, 3] == 4.0


def test_the_fold_in_is_the_minimum_of_the_shrunken_least_squares():
    _, X = ratings()
    model = LowRankCompletion(rank=2).fit(X)
    row = X[5:6]
    kept = np.flatnonzero(~np.isnan(row[0]))
    basis = np.column_stack([np.ones(X.shape[1]), model.components_.T])[kept]
    y = row[0, kept] - model.mean_ - model.column_effects_[kept]
    P, m = model._prior.precision, model._prior.mean
    wanted = np.linalg.solve(basis.T @ basis + P, basis.T @ y + P @ m)
    np.testing.assert_allclose(model.transform(row)[0], wanted, rtol=1e-10)


def test_partial_fit_adds_rows_as_transform_sees_them():
    _, X = ratings()
    model = LowRankCompletion(rank=2).partial_fit(X[:100]).partial_fit(X[100:])
    fresh = LowRankCompletion(rank=2).fit(X[:100])
    assert model.embedding_.shape == (120, 2)
    np.testing.assert_array_equal(model.embedding_[:100], fresh.embedding_)
    wanted = fresh.inverse_transform(fresh.transform(X[100:]))
    found = model.predict(np.array([[119, j] for j in range(40)]))
    np.testing.assert_allclose(found, wanted[19], rtol=1e-12)
    seen = np.flatnonzero(~np.isnan(X[119]))
    assert not np.intersect1d(model.recommend(119, 40)[0], seen).size


@pytest.mark.parametrize("center", [True, False])
def test_a_new_column_is_the_minimum_of_the_shrunken_least_squares(center):
    _, X = ratings()
    model = LowRankCompletion(rank=2, center=center).fit(X[:, :35])
    U, P, m = model.embedding_, model._column_prior.precision, model._column_prior.mean
    model.partial_fit_columns(X[:, 35:])
    assert model.n_features_in_ == 40
    for j in (35, 39):
        kept = np.flatnonzero(~np.isnan(X[:, j]))
        basis = np.column_stack([np.ones(120), U])[kept] if center else U[kept]
        y = X[kept, j] - model.mean_ - model.row_effects_[kept]
        wanted = np.linalg.solve(basis.T @ basis + P, basis.T @ y + P @ m)
        effect = [model.column_effects_[j]] if center else []
        np.testing.assert_allclose([*effect, *model.components_[:, j]], wanted, rtol=1e-9)
        assert j not in model.recommend(int(kept[0]), 40)[0]


def test_new_columns_were_guessed_by_the_row_alone():
    M, X = ratings(shape=(120, 60))
    model = LowRankCompletion(rank=2).fit(X[:, :50])
    sparse = csr_array(np.nan_to_num(X[:, 50:]))
    means = np.broadcast_to((model.mean_ + model.row_effects_)[:, None], (120, 10))
    guess = model.partial_fit_columns(sparse).inverse_transform(
        np.column_stack([model.row_effects_, model.embedding_])
    )[:, 50:]
    unseen = np.isnan(X[:, 50:])
    assert rmse((guess - M[:, 50:])[unseen]) < 0.5 * rmse((means - M[:, 50:])[unseen])


def test_a_column_without_entries_gets_what_the_average_column_has():
    _, X = ratings(shape=(60, 120))
    model = LowRankCompletion(rank=2).fit(X)
    average = (model.column_effects_[:, None] + model.components_.T @ model.embedding_.T).mean(0)
    model.partial_fit_columns(([0], [1], [3.0]))
    guess = model.predict([[i, 120] for i in range(60)]) - model.mean_ - model.row_effects_
    np.testing.assert_allclose(guess, average, atol=0.15)


def test_new_columns_with_names_are_added_and_saved(tmp_path):
    _, X = ratings()
    rows, cols, values = triple(X, names=True)
    old = cols < "item 35"
    model = LowRankCompletion(rank=2).fit((rows[old], cols[old], values[old]))
    plain = LowRankCompletion(rank=2).fit(X[:, :35])
    model.save(tmp_path / "model.npz")
    again = LowRankCompletion.load(tmp_path / "model.npz")
    for each in (model, again):
        each.partial_fit_columns(
            (np.append(rows[~old], "nobody"), np.append(cols[~old], "item 35"),
             np.append(values[~old], 9.0))
        )  # fmt: skip
        assert each.column_names_[-1] == "item 39"
    plain.partial_fit_columns(X[:, 35:])
    wanted = plain.predict([[3, 39]])
    np.testing.assert_allclose(model.predict([["user 003", "item 39"]]), wanted, rtol=1e-6)
    np.testing.assert_array_equal(again.components_, model.components_)
    with pytest.raises(regiht.InvalidArgumentError, match="'item 39' is known already"):
        model.partial_fit_columns((["user 000"], ["item 39"], [1.0]))


def test_new_columns_that_do_not_fit_are_refused():
    _, X = ratings()
    with pytest.raises(NotFittedError):
        LowRankCompletion().partial_fit_columns(X)
    model = LowRankCompletion(rank=2).fit(X)
    with pytest.raises(regiht.InvalidArgumentError, match="must have 120 rows; got 5"):
        model.partial_fit_columns(X[:5])
    with pytest.raises(regiht.InvalidArgumentError, match="NaN or infinity"):
        model.partial_fit_columns(np.full((120, 1), np.inf))
    framed = LowRankCompletion(rank=2).fit(X)
    framed.feature_names_in_ = np.array([f"item {j}" for j in range(40)])
    with pytest.raises(regiht.InvalidArgumentError, match="data frame"):
        framed.partial_fit_columns(X[:, :2])


def test_a_model_of_int32_numbers_was_saved_in_a_file_that_did_not_load(tmp_path):
    _, X = ratings()
    rows, cols, values = triple(X)
    model = LowRankCompletion(rank=2).fit((rows.astype(np.int32), cols.astype(np.int32), values))
    model.save(tmp_path / "model.npz")
    again = LowRankCompletion.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(again.predict([[3, 5]]), model.predict([[3, 5]]))


def test_recommendations_are_the_highest_guesses_not_seen():
    _, X = ratings()
    model = LowRankCompletion(rank=2).fit(X)
    scores = model.predict([[7, j] for j in range(40)])
    columns, found = model.recommend(7, 5, exclude_seen=False)
    np.testing.assert_array_equal(columns, np.argsort(-scores)[:5])
    np.testing.assert_allclose(found, np.sort(scores)[::-1][:5])
    unseen = np.flatnonzero(np.isnan(X[7]))
    columns, found = model.recommend(7, 100)
    assert set(columns) == set(unseen)
    assert (np.diff(found) <= 0.0).all()


def test_similar_columns_are_those_at_the_smallest_angle():
    _, X = ratings()
    model = LowRankCompletion(rank=2).fit(X)
    A = model.embedding_ @ model.components_
    unit = A / np.linalg.norm(A, axis=0)
    cosines = unit.T @ unit[:, 4]
    columns, found = model.similar(4, 3)
    order = np.argsort(-cosines)
    np.testing.assert_array_equal(columns, order[order != 4][:3])
    np.testing.assert_allclose(found, cosines[columns], rtol=1e-10)


def test_rows_and_columns_may_have_names():
    _, X = ratings()
    plain = LowRankCompletion(rank=2).fit(triple(X))
    model = LowRankCompletion(rank=2).fit(triple(X, names=True))
    pairs = [["user 003", "item 05"], ["user 110", "item 39"]]
    np.testing.assert_array_equal(model.predict(pairs), plain.predict([[3, 5], [110, 39]]))
    columns, scores = model.recommend("user 007", 3)
    numbers, wanted = plain.recommend(7, 3)
    assert list(columns) == [f"item {j:02d}" for j in numbers]
    np.testing.assert_array_equal(scores, wanted)
    assert model.score(triple(X, names=True)) == plain.score(triple(X))
    integers = LowRankCompletion(rank=2, named=True)
    rows, cols, values = triple(X)
    integers.fit((1000 - rows, 7 * cols, values))
    np.testing.assert_allclose(integers.predict([[997, 35]]), plain.predict([[3, 5]]), rtol=1e-5)


def test_names_that_are_not_known_get_what_is_known_of_the_others():
    _, X = ratings()
    model = LowRankCompletion(rank=2).fit(triple(X, names=True))
    pairs = [["nobody", "item 05"], ["user 003", "nothing"], ["nobody", "nothing"]]
    first, second, both = model.predict(pairs)
    prior = model.inverse_transform(model._prior.mean[None, :])[0]
    assert first == pytest.approx(prior[5])
    assert second == pytest.approx(model.mean_ + model.row_effects_[3])
    assert both == pytest.approx(model.mean_ + model._prior.mean[0])


def test_new_rows_with_names_are_added():
    _, X = ratings()
    rows, cols, values = triple(X, names=True)
    old = rows < "user 100"
    model = LowRankCompletion(rank=2).fit((rows[old], cols[old], values[old]))
    model.partial_fit((rows[~old], cols[~old], values[~old]))
    assert model.row_names_[-1] == "user 119"
    assert np.isfinite(model.predict([["user 119", "item 00"]])).all()
    with pytest.raises(regiht.InvalidArgumentError, match="user 119' is known already"):
        model.partial_fit((["user 119"], ["item 00"], [1.0]))
    with pytest.raises(
        regiht.InvalidArgumentError, match=r"'user 777' is not known.* by partial_fit"
    ):
        model.recommend("user 777")


def test_entries_of_weight_zero_count_for_nothing_and_of_weight_two_twice():
    _, X = ratings()
    rows, cols, values = triple(X)
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 3, values.size).astype(float)
    where = np.repeat(np.arange(values.size), weights.astype(int))
    weighted = solve(Completion(rows, cols, values, X.shape, weights=weights, ridge=0.1), 2)
    repeated = solve(Completion(rows[where], cols[where], values[where], X.shape, ridge=0.1), 2)
    assert weighted.fun == pytest.approx(repeated.fun, rel=1e-5)
    model = LowRankCompletion(rank=2, ridge=0.1).fit((rows, cols, values), weights=weights)
    again = LowRankCompletion(rank=2, ridge=0.1, shape=X.shape)
    again.fit((rows[where], cols[where], values[where]))
    np.testing.assert_allclose(model.column_effects_, again.column_effects_, atol=1e-10)


def test_unseen_entries_count_as_zeros_of_little_weight():
    rng = np.random.default_rng(2)
    seen = rng.random((30, 20)) < 0.2
    rows, cols = np.nonzero(seen)
    weights = rng.uniform(2.0, 5.0, rows.size)
    objective = Completion(
        rows, cols, np.ones(rows.size), seen.shape, weights=weights, unseen_weight=0.5
    )
    found = solve(objective, 3)
    A = found.matrix()
    value = 0.5 * np.sum(weights * (A[rows, cols] - 1.0) ** 2) + 0.25 * np.sum(A[~seen] ** 2)
    assert found.fun == pytest.approx(value, rel=1e-12)
    dense = np.where(seen, 1.0, 0.0)
    every = np.full(seen.shape, 0.5)
    every[rows, cols] = weights
    known = solve(regiht.lowrank.Weighted(dense, every), 3, method="alternating", start=A)
    assert found.fun * (1.0 - 1e-4) <= known.fun <= found.fun * (1.0 + 1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unseen_weight": 2.0}, "weights must be above unseen_weight"),
        ({"weights": [1.0, -1.0]}, "weights must not be negative"),
        ({"weights": [0.0, 0.0]}, "weights must not be zero"),
        ({"weights": [1.0]}, "weights must be a vector of 2"),
        ({"factor_penalty": -1.0}, "factor_penalty"),
    ],
)
def test_bad_options_of_observations_are_named(options, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        Completion([0, 1], [0, 1], [1.0, 2.0], (3, 3), **options)


def test_implicit_feedback_is_not_centred():
    _, X = ratings()
    with pytest.raises(regiht.InvalidArgumentError, match="center must be False"):
        LowRankCompletion(unseen_weight=0.1).fit(X)
    model = LowRankCompletion(unseen_weight=0.1, center=False).fit(triple(X))
    assert np.isfinite(model.transform(X)).all()


@pytest.mark.parametrize("names", [False, True])
def test_a_saved_model_guesses_as_before(tmp_path, names):
    _, X = ratings()
    model = LowRankCompletion(rank=2, ridge=0.1).fit(triple(X, names=names))
    model.save(tmp_path / "model.npz")
    again = LowRankCompletion.load(tmp_path / "model.npz")
    pairs = [["user 003", "item 05"]] if names else [[3, 5]]
    np.testing.assert_array_equal(again.predict(pairs), model.predict(pairs))
    np.testing.assert_array_equal(again.complete(X[:5]), model.complete(X[:5]))
    row = "user 007" if names else 7
    np.testing.assert_array_equal(again.recommend(row)[0], model.recommend(row)[0])
    assert again.get_params() == model.get_params()


def test_a_saved_cross_validation_is_read_as_the_model_it_chose(tmp_path):
    _, X = ratings()
    model = LowRankCompletionCV(ranks=(1, 2), ridges=(0.0, 0.3), cv=2).fit(X)
    model.save(tmp_path / "model.npz")
    again = LowRankCompletion.load(tmp_path / "model.npz")
    assert (again.rank, again.ridge) == (model.rank_, model.ridge_)
    np.testing.assert_array_equal(again.predict([[3, 5]]), model.predict([[3, 5]]))


def test_files_that_are_no_models_are_refused(tmp_path):
    path = tmp_path / "model.npz"
    with pytest.raises(regiht.InvalidArgumentError, match="fitted"):
        LowRankCompletion().save(path)
    np.savez(path, other=np.zeros(3))
    with pytest.raises(regiht.InvalidArgumentError, match="no low-rank model"):
        LowRankCompletion.load(path)
    _, X = ratings()
    model = LowRankCompletion(rank=2).fit(X)
    with pytest.raises(regiht.InvalidArgumentError, match="npz"):
        model.save(tmp_path / "model.pkl")
    model.save(path)
    with np.load(path) as arrays:
        changed = dict(arrays)
    changed["embedding_"] = changed["embedding_"][:5]
    np.savez(path, **changed)
    with pytest.raises(regiht.InvalidArgumentError, match="do not fit together"):
        LowRankCompletion.load(path)


@parametrize_with_checks([LowRankImputer()])
def test_scikit_learn_checks_of_the_imputer(estimator, check):
    check(estimator)


def test_the_imputer_fills_in_better_than_means_whatever_the_units():
    M, X = ratings(noise=0.1, part=0.5)
    units = np.geomspace(1e-3, 1e3, X.shape[1])
    filled = LowRankImputer(rank=3).fit_transform(X * units) / units
    unseen = np.isnan(X)
    np.testing.assert_array_equal(filled[~unseen], (X * units / units)[~unseen])
    means = np.broadcast_to(np.nanmean(X, axis=0), X.shape)
    assert rmse((filled - M)[unseen]) < 0.3 * rmse((means - M)[unseen])

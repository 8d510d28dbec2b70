"""Data frames: what is taken, what is refused, and names that are kept all the way."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import regiht

pd = pytest.importorskip("pandas")
N = 60


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    pytest.importorskip("pyarrow")
    return pd.DataFrame({
        "height": rng.normal(size=N),
        "flag": rng.random(N) < 0.5,
        "count": pd.array(rng.integers(0, 9, N), dtype="Int64"),
        "share": pd.array(rng.random(N), dtype="Float64"),
        "maybe": pd.array(rng.random(N) < 0.3, dtype="boolean"),
        "arrow": pd.array(rng.random(N), dtype="double[pyarrow]"),
        "arrow flag": pd.array(rng.random(N) < 0.5, dtype="bool[pyarrow]"),
        "object": pd.Series(rng.integers(0, 5, N), dtype=object),
    })  # fmt: skip


@pytest.fixture(scope="module")
def plain(frame):
    return np.column_stack([np.array(frame[name].tolist(), dtype=float) for name in frame])


@pytest.fixture(scope="module")
def y(plain):
    return plain[:, 2] - 3 * plain[:, 4] + plain[:, 6] + 0.1 * np.cos(np.arange(N))


def kinds(frame):
    polars, arrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    numbers = frame.drop(columns="object").assign(object=frame["object"].astype(float))
    table = arrow.Table.from_pandas(numbers)
    return {"pandas": frame, "polars": polars.from_arrow(table), "arrow": table}


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_bool_and_nullable_columns_are_numbers(frame, plain, y, kind):
    X = kinds(frame)[kind]
    expected = regiht.solve(plain, y, 3, refit=True)
    result = regiht.solve(X, y, 3, refit=True)
    np.testing.assert_allclose(result.coef, expected.coef, rtol=1e-9)
    assert list(result.feature_names) == list(frame.columns)
    path = regiht.sparse_path(X, y, 3)
    np.testing.assert_allclose(path[-1].coef, regiht.sparse_path(plain, y, 3)[-1].coef, rtol=1e-9)
    assert path.feature_names == list(frame.columns)
    assert path[0].feature_names == list(frame.columns)
    design = regiht.Design(X, center=True, exclude=["count"])
    assert design.feature_names == list(frame.columns)
    assert 2 not in regiht.solve(design, y, 5).support
    again = pickle.loads(pickle.dumps(design))
    assert again.feature_names == design.feature_names


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_estimators_take_the_same_frames(frame, plain, y, kind):
    pytest.importorskip("sklearn", minversion="1.6")
    X = kinds(frame)[kind]
    model = regiht.SparseRegressor(3).fit(X, y)
    np.testing.assert_allclose(model.coef_, regiht.SparseRegressor(3).fit(plain, y).coef_)
    np.testing.assert_allclose(model.predict(X), plain @ model.coef_ + model.intercept_)


@pytest.mark.parametrize(
    ("column", "what"),
    [
        (pd.Categorical(np.arange(N) % 3), "categories"),
        (pd.Categorical(list("12" * (N // 2))), "categories"),
        (list("xy" * (N // 2)), "text"),
        (list("12" * (N // 2)), "text"),
        (pd.Series(["1", 2] * (N // 2), dtype=object), "text"),
        (pd.Timestamp("2020-01-01"), "dates"),
        (pd.to_timedelta(np.arange(N)), "dates"),
    ],
)
def test_columns_that_are_no_numbers_are_refused_by_name(y, column, what):
    X = pd.DataFrame({"a": np.sin(np.arange(N)), "b": column, "c": column})
    message = rf"got objects in its columns 'b' \({what}\), 'c' \({what}\)\. Encode them"
    for fit in (regiht.solve, regiht.sparse_path):
        with pytest.raises(regiht.InvalidArgumentError, match=message):
            fit(X, y, 1)
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.Design(X)
    pytest.importorskip("sklearn", minversion="1.6")
    for make in (regiht.SparseRegressor, regiht.SparseClassifierCV):
        with pytest.raises(regiht.InvalidArgumentError, match=message):
            make().fit(X, y > 0)
    model = regiht.SparseRegressor(1).fit(pd.DataFrame(np.eye(N)[:, :3], columns=list("abc")), y)
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        model.predict(X)


def test_categories_of_polars_and_arrow_are_refused(y):
    polars, arrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    X = pd.DataFrame({"a": np.sin(np.arange(N)), "b": pd.Categorical(list("uv" * (N // 2)))})
    for other in (polars.from_pandas(X), arrow.Table.from_pandas(X)):
        with pytest.raises(regiht.InvalidArgumentError, match=r"'b' \(categories\)"):
            regiht.solve(other, y, 1)


def test_missing_numbers_are_named_as_such(frame, y):
    X = frame.copy()
    X.loc[3, "count"] = pd.NA
    with pytest.raises(regiht.InvalidArgumentError, match=r"NaN or infinity; X\[3, 2\] is nan"):
        regiht.solve(X, y, 1)


def test_a_frame_of_sparse_columns_stays_sparse():
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.random(N, 5, density=0.3, format="csc", random_state=0)
    design = regiht.Design(pd.DataFrame.sparse.from_spmatrix(X, columns=list("vwxyz")))
    assert design.layout == "csc"
    assert design.feature_names == list("vwxyz")
    np.testing.assert_array_equal(design.matvec(np.ones(5)), X @ np.ones(5))


def test_memory_of_a_frame_of_one_type_is_still_borrowed():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(N, 3)))
    assert not regiht.Design(X).copied


def test_names_may_stand_for_columns_in_solve(frame, y):
    kept = regiht.solve(frame, y, 2, keep=["share"], method="omp")
    assert 3 in kept.support
    together = regiht.solve(frame, y, 1, groups={"height": "a", "count": "a"}, method="omp")
    assert together.support.tolist() in ([0, 2], [4], [6])
    grid = regiht.solve_grid(frame, y, [1, 2], keep=["share"])
    assert all(3 in result.support for result in grid)
    with pytest.raises(regiht.InvalidArgumentError, match="'shar', which is not a column"):
        regiht.solve(frame, y, 2, keep=["shar"])


def test_runners_up_have_names_and_coefficients_for_the_frame_as_given():
    pytest.importorskip("sklearn", minversion="1.6")
    rng = np.random.default_rng(0)
    plain = rng.normal(size=(N, 30)) + 2 * rng.normal(size=(N, 1))
    y = plain[:, ::7].sum(axis=1) + 3 * rng.normal(size=N)
    frame = pd.DataFrame(plain, columns=[f"column {j}" for j in range(30)])
    model = regiht.SparseRegressor(4).fit(frame, y)
    assert model.alternatives_
    for other in model.alternatives_:
        assert other.features == tuple(frame.columns[other.support])
        columns = np.column_stack([np.ones(N), plain[:, other.support]])
        expected = np.linalg.lstsq(columns, y, rcond=None)[0][1:]
        np.testing.assert_allclose(other.coef, expected, rtol=1e-6)
    bare = regiht.solve(plain, y, 4, method="best").alternatives[0]
    assert bare.features is None
    np.testing.assert_array_equal(bare.coef, bare.values)


def test_imaginary_parts_of_a_frame_were_dropped():
    frame = pd.DataFrame({"a": [1 + 2j, 3, 4], "b": [1.0, 2.0, 3.0]})
    with pytest.raises(regiht.InvalidArgumentError, match=r"'a' \(complex numbers\)"):
        regiht.solve(frame, [1, 2, 3], 1)


def test_lists_in_a_frame_and_empty_frames_raised_errors_of_numpy():
    frame = pd.DataFrame({"a": [[1], [2], [3]], "b": [1.0, 2.0, 3.0]})
    with pytest.raises(regiht.InvalidArgumentError, match="its column 'a' has something else"):
        regiht.solve(frame, [1, 2, 3], 1)
    with pytest.raises(regiht.InvalidArgumentError, match="at least one row and one column"):
        regiht.solve(pd.DataFrame(), [], 1)
    polars = pytest.importorskip("polars")
    with pytest.raises(regiht.InvalidArgumentError, match=r"'a' \(lists\)"):
        regiht.solve(polars.DataFrame({"a": [[1], [2]], "b": [1.0, 2.0]}), [1, 2], 1)


def test_a_lazy_frame_was_not_recognized():
    polars = pytest.importorskip("polars")
    lazy = polars.DataFrame({"a": [1.0, 2.0], "b": [2.0, 1.0]}).lazy()
    for fit in (
        lambda: regiht.solve(lazy, [1, 2], 1),
        lambda: regiht.SparseRegressor().fit(lazy, [1, 2]),
    ):
        with pytest.raises(regiht.InvalidArgumentError, match=r"X is a LazyFrame.*X\.collect\(\)"):
            fit()


def test_of_columns_with_one_name_the_first_was_kept():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 3)), columns=["a", "a", "b"])
    with pytest.raises(regiht.InvalidArgumentError, match="'a', which is the name of several"):
        regiht.solve(frame, np.arange(20.0), 2, keep=["a"])
    assert 2 in regiht.solve(frame, np.arange(20.0), 2, keep=["b"]).support
    assert 0 in regiht.solve(frame, np.arange(20.0), 2, keep=[0, "b"]).support

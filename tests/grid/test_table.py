"""The table of a grid tells what was asked and what came out."""

import copy
import pickle
import sys
from itertools import product

import numpy as np
import pytest
from scipy import sparse

import regiht


def test_the_order_is_that_of_the_product(table):
    asked = list(product([2, 4, 3], [1e-3, np.nan, 3e-3], [np.nan, 0.1]))
    columns = np.array([table.table[name] for name in ("s", "step", "weight_step")]).T
    np.testing.assert_array_equal(columns, asked)
    for (s, step, _), entry in zip(asked, table, strict=True):
        assert entry.support.size == s
        assert np.isnan(step) or entry.step == step


def test_the_fields_of_a_grid(table):
    types = {name: table.table.dtype[name] for name in table.table.dtype.names}
    assert list(types) == [
        "s", "step", "weight_step", "fun", "n_nonzero", "n_iter", "n_gradients", "status",
        "success",
    ]  # fmt: skip
    for name in ("s", "n_nonzero", "n_iter"):
        assert types[name] == np.int64
    for name in ("step", "weight_step", "fun", "n_gradients"):
        assert types[name] == np.float64
    assert types["status"].kind == "U"
    assert types["success"] == np.bool_
    assert table.table.shape == (18,)


def test_the_table_says_what_the_entries_say(table):
    for row, entry in zip(table.table, table, strict=True):
        assert row["fun"] == entry.fun
        assert row["n_nonzero"] == entry.support.size
        assert (row["n_iter"], row["n_gradients"]) == (entry.n_iter, entry.n_gradients)
        assert row["status"] == entry.status
        assert row["success"] == entry.success


def test_the_longest_status_fits_the_table(wide):
    mixed = regiht.solve_grid(*wide, 3, step=[1e-3, 1e6], max_iter=20)
    assert mixed.table["status"].tolist() == ["completed", "diverged"]
    assert mixed.table["success"].tolist() == [True, False]


def test_the_fields_of_a_batch(wide):
    X, y = wide
    batch = regiht.solve_batch(X, np.column_stack([y, -y]), 3, max_iter=10)
    assert batch.table.dtype.names[0] == "target"
    assert not {"s", "step", "weight_step"} & set(batch.table.dtype.names)
    assert batch.table["target"].tolist() == [0, 1]
    np.testing.assert_array_equal(batch[1].x, -batch[0].x)


@pytest.mark.parametrize(
    "values", [[2, 3], (2, 3), range(2, 4), np.array([2, 3]), np.array([2, 3], np.int8)]
)
def test_any_sequence_lists_values(values, wide):
    assert regiht.solve_grid(*wide, values, max_iter=5).table["s"].tolist() == [2, 3]


def test_single_values_make_a_table_of_one(wide, assert_same_entry):
    one = regiht.solve_grid(*wide, np.int64(3), step=np.float32(0.5**10), max_iter=5)
    assert (len(one), one.table["step"][0]) == (1, 0.5**10)
    assert np.isnan(one.table["weight_step"][0])
    assert_same_entry(one[0], regiht.solve(*wide, 3, step=0.5**10, max_iter=5))


def test_a_table_is_a_sequence(table):
    entries = list(table)
    assert len(table) == len(entries) == 18
    assert all(isinstance(entry, regiht.Result) for entry in entries)
    assert table[-1] is entries[17]
    assert table[2:5] == entries[2:5]
    assert list(reversed(table)) == entries[::-1]
    assert (entries[3] in table, table.index(entries[3])) == (True, 3)
    with pytest.raises(IndexError):
        table[18]


def test_the_best_is_the_lowest(table):
    fun, s = table.table["fun"], table.table["s"]
    assert table.best_index() == np.argmin(fun)
    assert table.best() is table[int(np.argmin(fun))]
    for each in (2, 3, 4):
        assert table.best(each).fun == fun[s == each].min()
        assert s[table.best_index(each)] == each
    assert f"{fun.min():.6g}" in repr(table)
    assert "18 solves" in repr(table)


def test_the_first_of_equals_is_the_best(wide):
    twice = regiht.solve_grid(*wide, [3, 3], step=[1e-3, 1e-3], max_iter=5)
    assert twice.best_index() == twice.best_index(3) == 0


def test_the_best_for_each_s(table):
    best = table.best_per_s()
    assert best["s"].tolist() == [2, 3, 4]
    assert best.dtype == table.table.dtype
    rows = [table.best_index(s) for s in (2, 3, 4)]
    assert best.tobytes() == table.table[rows].tobytes()  # as NaN does not equal itself


def test_a_value_beyond_the_finite_numbers_is_never_the_best():
    X, x0 = np.ones((5, 2)), [1e4, 1e4]
    table = regiht.solve_grid(X, np.ones(5), [2, 1], loss="poisson", x0=x0, max_iter=3)
    assert np.isinf(table.table["fun"]).all()
    assert table.best_index() == 0
    Y = np.column_stack([np.full(5, 3.0), np.ones(5)])
    batch = regiht.solve_batch(X, Y, 1, loss="poisson", max_iter=3)
    assert np.isfinite(batch.best().fun)


@pytest.mark.parametrize("s", [5, 0, -1])
def test_an_s_that_was_not_asked_for_has_no_best(s, table):
    with pytest.raises(regiht.InvalidArgumentError, match=f"s={s} is not in the grid"):
        table.best(s)


def test_a_batch_has_no_best_for_an_s(wide):
    X, y = wide
    batch = regiht.solve_batch(X, y[:, None], 3, max_iter=5)
    assert batch.best() is batch[0]
    with pytest.raises(regiht.InvalidArgumentError, match="not in the grid"):
        batch.best(3)


def test_coefficients_come_as_csr(table, text):
    design, y = text
    standardized = regiht.solve_grid(design, y, [2, 5], loss="logistic", max_iter=20)
    for each, cols in ((table, 150), (standardized, 600)):
        assert isinstance(each.coef, sparse.csr_array)
        assert each.coef.shape == (len(each), cols)
        np.testing.assert_array_equal(each.coef.toarray(), [entry.coef for entry in each])
        assert each.coef.nnz == each.table["n_nonzero"].sum()


def test_entries_have_no_weights_and_no_history_unless_asked(table, wide):
    assert all(entry.weights is None and entry.history is None for entry in table)
    recorded = regiht.solve_grid(*wide, [2, 3], step=1e-3, max_iter=7, history=True)
    for entry in recorded:
        assert set(entry.history) == {"fun", "regularized_fun", "support_changes", "elapsed"}
        assert {array.shape for array in entry.history.values()} == {(7,)}
        assert entry.history["fun"][-1] == entry.fun


def test_as_a_data_frame(table):
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert tuple(frame.columns) == table.table.dtype.names
    for name in frame.columns:
        np.testing.assert_array_equal(frame[name].to_numpy(), table.table[name])
    assert frame["success"].dtype == bool
    assert frame["step"].isna().sum() == 6


def test_without_pandas_the_error_helps(table, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        table.to_pandas()


@pytest.mark.parametrize("copying", [lambda t: pickle.loads(pickle.dumps(t)), copy.deepcopy])
def test_a_table_survives_copying(copying, table, assert_same_entry):
    twin = copying(table)
    assert twin.table.tobytes() == table.table.tobytes()  # as NaN does not equal itself
    assert twin.table.dtype == table.table.dtype
    for ours, theirs in zip(twin, table, strict=True):
        assert_same_entry(ours, theirs)
        assert isinstance(ours.status, regiht.Status)
    assert twin.best_index() == table.best_index()
    assert repr(twin) == repr(table)

"""Grids and batches: every entry is the single solve, and the table tells what was asked."""

import copy
import io
import os
import pickle
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import datasets

METHODS = ("iht", "regiht")
THREADS = (1, 2, 3)
PATIENCE = 120  # seconds after which a hanging child is a failure
# Steps so small that x changes in every one of a practically endless number of iterations.
ENDLESS = {"method": "iht", "max_iter": 10**12}
ENDLESS_STEPS = [1e-17, 2e-17, 3e-17, 4e-17]


def assert_same_entry(entry, single):
    """All but the weights, which entries of a table do not have, and the clock."""
    for name in ("x", "support", "coef"):
        np.testing.assert_array_equal(getattr(entry, name), getattr(single, name))
    for name in ("fun", "n_iter", "n_gradients", "status", "step", "intercept"):
        assert getattr(entry, name) == getattr(single, name), name
    assert (entry.history is None) == (single.history is None)
    if entry.history is not None:
        for name in ("fun", "regularized_fun", "support_changes"):
            np.testing.assert_array_equal(entry.history[name], single.history[name])


def draw(seed, rows, cols):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, cols))
    return X, X[:, :4] @ np.array([3.0, -2.0, 1.0, 0.5]) + 0.3 * rng.normal(size=rows)


@pytest.fixture(scope="module")
def wide():
    """More columns than rows: least squares on the inner products of the active columns."""
    return draw(1, 60, 150)


@pytest.fixture(scope="module")
def narrow():
    """Few columns: the whole Gram matrix is used if s·max_iter is large, and not if it is small."""
    return draw(2, 400, 60)


@pytest.fixture(scope="module")
def text():
    problem = datasets.rcv1_like(200, 600, 4000, seed=3)
    return regiht.Design(problem.X, center=True, scale=True), problem.y


@pytest.fixture(scope="module")
def table(wide):
    return regiht.solve_grid(
        *wide, [2, 4, 3], step=[1e-3, None, 3e-3], weight_step=[None, 0.1], max_iter=30
    )


def grid_and_singles(matrix, y, s, step, weight_step, n_threads, **options):
    grid = regiht.solve_grid(
        matrix, y, s, step=step, weight_step=weight_step, n_threads=n_threads, **options
    )
    singles = [
        regiht.solve(matrix, y, each_s, step=each_step, weight_step=each_weight_step, **options)
        for each_s, each_step, each_weight_step in product(s, step, weight_step)
    ]
    assert len(grid) == len(singles)
    return grid, singles


@pytest.mark.parametrize("n_threads", THREADS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", ["wide", "narrow"])
def test_entries_of_a_least_squares_grid_are_single_solves(shape, method, n_threads, request):
    X, y = request.getfixturevalue(shape)
    grid, singles = grid_and_singles(
        X, y, [1, 3, 5, 9], [None, 1e-4, 1e-3], [None, 0.2], n_threads,
        method=method, max_iter=50, ridge=0.1,
    )  # fmt: skip
    for entry, single in zip(grid, singles, strict=True):
        assert_same_entry(entry, single)


@pytest.mark.parametrize("n_threads", THREADS)
@pytest.mark.parametrize("method", METHODS)
def test_entries_of_a_sparse_logistic_grid_are_single_solves(method, n_threads, text):
    grid, singles = grid_and_singles(
        *text, [2, 6], [None, 0.5, 4.0], [None, 0.1], n_threads,
        method=method, loss="logistic", ridge=0.1, max_iter=40,
    )  # fmt: skip
    for entry, single in zip(grid, singles, strict=True):
        assert_same_entry(entry, single)
    assert any(entry.intercept != 0.0 for entry in grid)


@pytest.mark.parametrize("loss", regiht.losses())
def test_every_option_reaches_every_entry(loss, wide, make_target):
    X, _ = wide
    rng = np.random.default_rng(4)
    y = make_target(loss, 0.2 * X[:, :3].sum(axis=1), rng)
    options = {
        "loss": loss, "ridge": 0.2, "max_iter": 25, "tol": 1e-3, "round_threshold": 0.7,
        "x0": 0.01 * rng.normal(size=150), "w0": rng.uniform(0.5, 1, 150), "safeguard": True,
        "screening": False, "sample_weight": rng.uniform(0, 2, 60), "keep": [140, 7],
        "center": True, "scale": True, "history": True,
    }  # fmt: skip
    grid, singles = grid_and_singles(X, y, [2, 5], [None, 0.02], [0.05], 2, **options)
    batch = regiht.solve_batch(X, y[:, None], 5, step=0.02, weight_step=0.05, **options)
    for entry, single in zip([*grid, *batch], [*singles, singles[-1]], strict=True):
        assert_same_entry(entry, single)
        assert {7, 140} <= set(entry.support.tolist())


@pytest.mark.parametrize("n_threads", THREADS)
@pytest.mark.parametrize("shape", ["wide", "narrow"])
@pytest.mark.parametrize("step", [None, 1e-3])
def test_entries_of_a_batch_are_single_solves(step, shape, n_threads, request):
    X, y = request.getfixturevalue(shape)
    Y = np.column_stack([y, X[:, 5] - X[:, 20], np.random.default_rng(5).normal(size=len(y))])
    batch = regiht.solve_batch(X, Y, 6, step=step, max_iter=50, n_threads=n_threads)
    for k, entry in enumerate(batch):
        assert_same_entry(entry, regiht.solve(X, Y[:, k], 6, step=step, max_iter=50))


@pytest.mark.parametrize("n_threads", THREADS)
def test_entries_of_a_sparse_logistic_batch_are_single_solves(n_threads, text):
    design, y = text
    Y = np.column_stack([y, 1 - y, np.roll(y, 1)])
    options = {"loss": "logistic", "ridge": 0.1, "max_iter": 40}
    batch = regiht.solve_batch(design, Y, 5, n_threads=n_threads, **options)
    for k, entry in enumerate(batch):
        assert_same_entry(entry, regiht.solve(design, Y[:, k], 5, **options))


@pytest.mark.parametrize(
    "stored_as", [np.asarray, np.asfortranarray, lambda Y: Y.astype(np.float32), np.ndarray.tolist]
)
def test_targets_of_a_batch_may_be_stored_in_any_way(stored_as, wide):
    X, _ = wide
    Y = np.random.default_rng(6).integers(-3, 4, size=(60, 4)).astype(float)
    expected = regiht.solve_batch(X, Y, 3, max_iter=20)
    for ours, theirs in zip(
        regiht.solve_batch(X, stored_as(Y), 3, max_iter=20), expected, strict=True
    ):
        assert_same_entry(ours, theirs)


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


def test_single_values_make_a_table_of_one(wide):
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
def test_a_table_survives_copying(copying, table):
    twin = copying(table)
    assert twin.table.tobytes() == table.table.tobytes()  # as NaN does not equal itself
    assert twin.table.dtype == table.table.dtype
    for ours, theirs in zip(twin, table, strict=True):
        assert_same_entry(ours, theirs)
        assert isinstance(ours.status, regiht.Status)
    assert twin.best_index() == table.best_index()
    assert repr(twin) == repr(table)


BAD_GRIDS = {
    "no-s": ({"s": []}, "s must not be an empty list"),
    "no-steps": ({"step": ()}, "^step must not be an empty list"),
    "no-weight-steps": ({"weight_step": np.array([])}, "weight_step must not be an empty list"),
    "s-of-zero": ({"s": [2, 0]}, "s must be between 1 and 150; got 0"),
    "s-too-large": ({"s": [2, 151]}, "s must be between 1 and 150; got 151"),
    "s-not-whole": ({"s": [2, 2.5]}, "s must be an integer .* got 2.5"),
    "s-none": ({"s": [2, None]}, "s must be an integer .* got None"),
    "s-text": ({"s": "2"}, "s must be an integer .* got '2'"),
    "s-of-two-dimensions": ({"s": np.ones((2, 2), int)}, "s must be an integer"),
    "step-negative": ({"step": [0.1, -0.5]}, "^step must be .* got -0.5"),
    "step-nan": ({"step": [None, np.nan]}, "^step must be .* got nan"),
    "step-text": ({"step": [0.1, "0.2"]}, "^step must be a number .* got '0.2'"),
    "weight-step-negative": ({"weight_step": [None, -1]}, "weight_step must be .* got -1"),
    "weight-step-infinite": ({"weight_step": [np.inf]}, "weight_step must be .* got inf"),
    "keep-beyond-one-s": ({"s": [3, 1], "keep": [4, 5]}, "keep lists 2 columns and s allows 1"),
    "loss": ({"loss": "logistc"}, "loss must be .* Did you mean 'logistic'"),
    "method": ({"method": "ith"}, "method must be .* Did you mean 'iht'"),
    "time-limit": ({"time_limit": 0}, "time_limit must be"),
    "threads": ({"n_threads": 0}, "n_threads must be"),
    "progress": ({"progress": 1}, "progress must be True or False"),
    "screening": ({"screening": None}, "screening must be True or False"),
    "ridge": ({"ridge": -1.0}, "ridge must be"),
    "labels": ({"loss": "logistic"}, r"labels 0 and 1 .* in y; y\[0\]"),
}


@pytest.mark.parametrize("name", BAD_GRIDS)
def test_a_bad_grid_is_explained(name, wide):
    options, message = BAD_GRIDS[name]
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.solve_grid(*wide, **({"s": 3} | options))


def test_a_bad_target_of_a_grid_is_explained(wide):
    X, y = wide
    with pytest.raises(regiht.InvalidArgumentError, match="y must have one entry for every row"):
        regiht.solve_grid(X, y[:-1], [1, 2])
    with pytest.raises(regiht.InvalidArgumentError, match=r"y\[4\] is nan"):
        regiht.solve_grid(X, np.where(np.arange(60) == 4, np.nan, y), [1, 2])
    with pytest.raises(regiht.InvalidArgumentError, match="center and scale belong to the Design"):
        regiht.solve_grid(regiht.Design(X), y, [1, 2], center=True)


BAD_BATCHES = {
    "vector": (np.zeros(60), r"Y must have one row for every row of X \(60\) .* shape \(60,\)"),
    "transposed": (np.zeros((3, 60)), r"Y must have .* shape \(3, 60\)"),
    "no-targets": (np.zeros((60, 0)), r"Y must have .* shape \(60, 0\)"),
    "cube": (np.zeros((60, 2, 2)), "Y must have"),
    "text": (np.full((60, 2), "a"), "Y must hold real numbers"),
    "ragged": ([[1.0], [1.0, 2.0]], "Y must be a rectangular array"),
}


@pytest.mark.parametrize("name", BAD_BATCHES)
def test_a_bad_batch_is_explained(name, wide):
    X, _ = wide
    Y, message = BAD_BATCHES[name]
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.solve_batch(X, Y, 3)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_the_place_of_a_bad_target_is_named(bad, order, wide):
    X, _ = wide
    Y = np.zeros((60, 3), order=order)
    Y[17, 2] = bad
    with pytest.raises(regiht.InvalidArgumentError, match=rf"Y\[17, 2\] is {bad}"):
        regiht.solve_batch(X, Y, 3)


def test_labels_are_checked_in_each_column(wide):
    X, _ = wide
    Y = np.zeros((60, 3))
    Y[5, 1] = 2.0
    with pytest.raises(regiht.InvalidArgumentError, match=r"Y\[:, 1\]\[5\] is 2.0"):
        regiht.solve_batch(X, Y, 3, loss="logistic")
    with pytest.raises(regiht.InvalidArgumentError, match=r"not negative in Y\[:, 1\]"):
        regiht.solve_batch(X, -Y, 3, loss="poisson")


def test_a_batch_takes_one_s_only(wide):
    X, y = wide
    with pytest.raises(regiht.InvalidArgumentError, match="s must be an integer"):
        regiht.solve_batch(X, y[:, None], [2, 3])


def test_the_time_limit_is_that_of_the_whole_grid(wide):
    """One thread spends it all on the first entry; the others make the one iteration that is due.

    The steps differ, so that no entry could borrow the answer of another.
    """
    table = regiht.solve_grid(*wide, 3, step=ENDLESS_STEPS, time_limit=0.2, n_threads=1, **ENDLESS)
    assert set(table.table["status"]) == {"time_limit"}
    assert not table.table["success"].any()
    assert table.table["n_iter"][0] > 1
    assert table.table["n_iter"][1:].tolist() == [1, 1, 1]


def test_the_time_limit_holds_on_several_threads(wide):
    table = regiht.solve_grid(*wide, 3, step=ENDLESS_STEPS, time_limit=0.2, n_threads=4, **ENDLESS)
    assert set(table.table["status"]) == {"time_limit"}
    X, y = wide
    batch = regiht.solve_batch(
        X, np.column_stack([y] * 3), 3, step=1e-17, time_limit=0.2, n_threads=2, **ENDLESS
    )
    assert set(batch.table["status"]) == {"time_limit"}


@pytest.mark.parametrize("seconds", [1e6, 1e10, 1e300])
def test_a_generous_time_limit_changes_nothing(seconds, wide):
    limited = regiht.solve_grid(*wide, [2, 3], max_iter=20, time_limit=seconds)
    for entry, free in zip(limited, regiht.solve_grid(*wide, [2, 3], max_iter=20), strict=True):
        assert_same_entry(entry, free)


def test_progress_is_written_to_stderr_and_changes_nothing(wide, capsys):
    plain = regiht.solve_grid(*wide, [2, 3, 4], max_iter=20)
    assert capsys.readouterr() == ("", "")
    shown = regiht.solve_grid(*wide, [2, 3, 4], max_iter=20, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "3/3" in err
    assert err.endswith("\r")  # the line is wiped at the end
    for entry, expected in zip(shown, plain, strict=True):
        assert_same_entry(entry, expected)


def test_progress_of_a_grid_shows_no_value_it_does_not_know(wide, capsys):
    regiht.solve_grid(*wide, [2, 3], max_iter=20, progress=True)
    assert "nan" not in capsys.readouterr().err


class BrokenStream(io.StringIO):
    """Standard error that cannot be written to."""

    def write(self, text):
        raise BrokenPipeError(text)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_what_the_progress_bar_raises_ends_the_grid(n_threads, wide, monkeypatch):
    """The entries are endless, so that the call returns at all shows that they were stopped."""
    monkeypatch.setattr(sys, "stderr", BrokenStream())
    with pytest.raises(BrokenPipeError):
        regiht.solve_grid(
            *wide, 3, step=ENDLESS_STEPS, n_threads=n_threads, progress=True, **ENDLESS
        )
    monkeypatch.undo()
    assert regiht.solve_grid(*wide, [2, 3], max_iter=5).table["n_iter"].all()


def test_python_threads_may_run_grids_at_once(wide, narrow):
    designs = [(regiht.Design(X), y) for X, y in (wide, narrow)]

    def run(k):
        design, y = designs[k % 2]
        return regiht.solve_grid(design, y, [2, 7], step=[None, 1e-3], max_iter=50, n_threads=2)

    # First all at once, on designs that hold nothing yet.
    with ThreadPoolExecutor(4) as pool:
        tables = list(pool.map(run, range(8)))
    for k, table in enumerate(tables):
        for entry, expected in zip(table, run(k), strict=True):
            assert_same_entry(entry, expected)


@pytest.mark.parametrize("loss", ["squared", "huber"])
@pytest.mark.parametrize("method", METHODS)
def test_what_was_solved_before_on_a_design_changes_no_bit(method, loss, narrow):
    """The Gram matrix that a grid leaves behind is not used where a fresh Design has none."""
    X, y = narrow
    used = regiht.Design(X, center=True, scale=True)
    regiht.solve_grid(used, y, [1, 10, 30], max_iter=200, loss=loss, method=method)
    regiht.solve_batch(used, np.column_stack([y, -y]), 20, loss=loss, screening=False)
    for s, max_iter in product((1, 4, 5, 12), (10, 50)):
        options = {"loss": loss, "method": method, "max_iter": max_iter, "history": True}
        fresh = regiht.Design(X, center=True, scale=True)
        expected = regiht.solve(fresh, y, s, **options)
        assert_same_entry(regiht.solve(used, y, s, **options), expected)
        assert_same_entry(regiht.solve_grid(used, y, [s, 40], **options)[0], expected)


def test_no_argument_is_changed(wide):
    X, y = (array.copy() for array in wide)
    s, step = [2, 3], [None, 1e-3]
    regiht.solve_grid(X, y, s, step=step, max_iter=5)
    regiht.solve_batch(X, y[:, None], 2, max_iter=5)
    assert (s, step) == ([2, 3], [None, 1e-3])
    np.testing.assert_array_equal(X, wide[0])
    np.testing.assert_array_equal(y, wide[1])


INTERRUPTED = """
import signal, sys, threading
import numpy as np
import regiht

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 200))
y = X[:, :3] @ np.ones(3) + 0.1 * rng.normal(size=300)
main = threading.main_thread()

def is_solving():
    frame = sys._current_frames()[main.ident]
    return frame.f_code.co_name == "_solve_many"

def announce():
    while not is_solving():
        pass
    print("solving", flush=True)

def fit():
    return regiht.solve_grid(X, y, [3, 5], step=[None, 1e-3], max_iter=20, n_threads=2)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job may ignore it
expected = fit()
threading.Thread(target=announce, daemon=True).start()
endless = {"method": "iht", "max_iter": 10**12}
try:
    CALL
except KeyboardInterrupt:
    print("interrupted")
same = all((a.x == b.x).all() for a, b in zip(fit(), expected))
print("healthy" if same else "ill")
"""
INTERRUPTED_CALLS = {
    "one-thread": "regiht.solve_grid(X, y, [3, 5], step=[1e-17, 2e-17], n_threads=1, **endless)",
    "two-threads": "regiht.solve_grid(X, y, range(1, 9), step=1e-17, n_threads=2, **endless)",
    "progress": "regiht.solve_grid(X, y, [3, 5], step=1e-17, progress=True, **endless)",
    "batch": "regiht.solve_batch(X, np.column_stack([y, -y, 2 * y]), 3, step=1e-17, **endless)",
}


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to one process")
@pytest.mark.parametrize("name", INTERRUPTED_CALLS)
def test_ctrl_c_ends_a_grid_and_leaves_the_process_healthy(name, tmp_path):
    script = tmp_path / "child.py"
    script.write_text(textwrap.dedent(INTERRUPTED).replace("CALL", INTERRUPTED_CALLS[name]))
    child = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        if child.stdout.readline() == "solving\n":
            child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        pytest.fail(f"the child hangs; it said {out!r} and {err!r}")
    assert (child.returncode, out.split()) == (0, ["interrupted", "healthy"]), err


FEW_THREADS = """
import resource
import numpy as np
import regiht

rng = np.random.default_rng(0)
X, Y = rng.normal(size=(50, 200)), rng.normal(size=(50, 400))
options = {"step": 1e-3, "max_iter": 2000}
expected = regiht.solve_batch(X, Y, 3, n_threads=1, **options)
with open("/proc/self/statm") as pages:
    limit = int(pages.read().split()[0]) * resource.getpagesize() + 200 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
batch = regiht.solve_batch(X, Y, 3, n_threads=400, **options)
print(all((a.x == b.x).all() for a, b in zip(batch, expected)))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the address space")
@pytest.mark.skipif("san.so" in os.environ.get("LD_PRELOAD", ""), reason="sanitizers need room")
def test_a_system_that_grants_few_threads_does_not_end_the_process(tmp_path):
    """The stacks of 400 threads do not fit; those that there are share the work."""
    script = tmp_path / "child.py"
    script.write_text(FEW_THREADS)
    run = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert (run.returncode, run.stdout.split()) == (0, ["True"]), run.stderr

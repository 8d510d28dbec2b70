"""Time limits, progress and threads of grids and batches."""

import io
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import regiht

# Steps so small that x changes in every one of a practically endless number of iterations.
ENDLESS = {"method": "iht", "max_iter": 10**12}
ENDLESS_STEPS = [1e-17, 2e-17, 3e-17, 4e-17]


def test_the_entries_of_a_grid_share_its_time_limit(wide):
    """On one thread the first would run for ever, and the others would make one iteration each.

    The steps differ, so that no entry could borrow the answer of another.
    """
    table = regiht.solve_grid(*wide, 3, step=ENDLESS_STEPS, time_limit=0.2, n_threads=1, **ENDLESS)
    assert set(table.table["status"]) == {"time_limit"}
    assert not table.table["success"].any()
    assert (table.table["n_iter"] > 1).all()


def test_the_time_limit_holds_on_several_threads(wide):
    table = regiht.solve_grid(*wide, 3, step=ENDLESS_STEPS, time_limit=0.2, n_threads=4, **ENDLESS)
    assert set(table.table["status"]) == {"time_limit"}
    X, y = wide
    batch = regiht.solve_batch(
        X, np.column_stack([y] * 3), 3, step=1e-17, time_limit=0.2, n_threads=2, **ENDLESS
    )
    assert set(batch.table["status"]) == {"time_limit"}


@pytest.mark.parametrize("seconds", [1e6, 1e10, 1e300])
def test_a_generous_time_limit_changes_nothing(seconds, wide, assert_same_entry):
    limited = regiht.solve_grid(*wide, [2, 3], max_iter=20, time_limit=seconds)
    for entry, free in zip(limited, regiht.solve_grid(*wide, [2, 3], max_iter=20), strict=True):
        assert_same_entry(entry, free)


def test_progress_is_written_to_stderr_and_changes_nothing(wide, capsys, assert_same_entry):
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


def test_python_threads_may_run_grids_at_once(wide, narrow, assert_same_entry):
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

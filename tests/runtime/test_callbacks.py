"""Callbacks, history, progress, time limits and pickling of what a run needs and returns."""

import copy
import pickle
import subprocess
import sys
import time

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import datasets, reference

METHODS = ("iht", "regiht")
# A step so small that x changes in every one of a practically endless number of iterations.
ENDLESS = {"method": "iht", "step": 1e-13, "max_iter": 10**12}


@pytest.fixture
def tiny():
    return datasets.tiny()


def test_the_callback_sees_every_iteration(tiny):
    seen = []
    result = regiht.solve(
        tiny.X, tiny.y, 3, step=0.3, max_iter=30, history=True, callback=seen.append
    )
    assert [iteration.number for iteration in seen] == list(range(1, 31))
    for name in ("fun", "regularized_fun", "support_changes", "elapsed"):
        values = [getattr(iteration, name) for iteration in seen]
        np.testing.assert_array_equal(values, result.history[name])
    np.testing.assert_array_equal(seen[-1].x, result.x)
    np.testing.assert_array_equal(seen[-1].support, result.support)
    assert np.all(np.diff(result.history["elapsed"]) >= 0)
    assert result.history["elapsed"][0] >= 0


def test_progress_can_be_a_function_of_ones_own(tiny):
    seen = []

    def note(done, value):
        seen.append((done, value))
        if len(seen) == 3:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        regiht.solve(tiny.X, tiny.y, 3, progress=note, **ENDLESS)
    assert seen[0][0] < seen[1][0] < seen[2][0]
    assert np.isfinite([value for _, value in seen]).all()
    seen.clear()
    with pytest.raises(ZeroDivisionError):
        regiht.solve_grid(tiny.X, tiny.y, [2, 3], progress=note, **ENDLESS)
    assert [done for done, _ in seen] == [0, 0, 0]


@pytest.mark.parametrize("method", METHODS)
def test_what_the_callback_sees_is_consistent(method, tiny):
    objective = reference.LinearObjective(tiny.X, tiny.y)
    before = set()

    def check(iteration):
        nonlocal before
        x, w = iteration.x, iteration.weights
        np.testing.assert_allclose(iteration.fun, objective.value(x), rtol=1e-9)
        penalty = np.sum(w * x**2) / (2 * 0.3)
        np.testing.assert_allclose(
            iteration.regularized_fun, objective.value(x) + penalty, rtol=1e-9
        )
        np.testing.assert_array_equal(iteration.support, np.flatnonzero(x))
        support = set(iteration.support.tolist())
        assert iteration.support_changes == len(support - before)
        before = support

    regiht.solve(tiny.X, tiny.y, 3, method=method, step=0.3, max_iter=40, callback=check)
    assert before


def test_an_iteration_cannot_be_written_to(tiny):
    def spoil(iteration):
        with pytest.raises(AttributeError):
            iteration.fun = 0.0
        iteration.x[:] = 1e6
        iteration.weights[:] = 1e6
        iteration.support[:] = 0

    spoiled = regiht.solve(tiny.X, tiny.y, 3, step=0.3, max_iter=20, callback=spoil)
    plain = regiht.solve(tiny.X, tiny.y, 3, step=0.3, max_iter=20)
    np.testing.assert_array_equal(spoiled.x, plain.x)
    np.testing.assert_array_equal(spoiled.weights, plain.weights)


@pytest.mark.parametrize("answer", [True, 1, "yes", [0]])
def test_a_true_answer_stops_the_run(answer, tiny):
    stopped = regiht.solve(
        tiny.X, tiny.y, 3, step=0.3, weight_step=0.1,
        callback=lambda it: answer if it.number == 5 else None,
    )  # fmt: skip
    assert (stopped.status, stopped.n_iter) == ("stopped", 5)
    assert not stopped.success
    five = regiht.solve(tiny.X, tiny.y, 3, step=0.3, weight_step=0.1, max_iter=5)
    np.testing.assert_array_equal(stopped.x, five.x)
    np.testing.assert_array_equal(stopped.weights, five.weights)


@pytest.mark.parametrize("answer", [False, None, 0, "", []])
def test_a_false_answer_goes_on(answer, tiny):
    result = regiht.solve(tiny.X, tiny.y, 3, step=0.3, max_iter=7, callback=lambda _: answer)
    assert (result.status, result.n_iter) == ("completed", 7)


@pytest.mark.parametrize("error", [KeyError, StopIteration, KeyboardInterrupt, SystemExit])
def test_what_the_callback_raises_passes_through(error, tiny):
    raised = error("from the callback")

    def fail(iteration):
        if iteration.number == 3:
            raise raised

    with pytest.raises(error) as caught:
        regiht.solve(tiny.X, tiny.y, 3, callback=fail)
    assert caught.value is raised
    assert regiht.solve(tiny.X, tiny.y, 3).success


def test_an_answer_without_a_truth_value_raises(tiny):
    with pytest.raises(ValueError, match="truth value"):
        regiht.solve(tiny.X, tiny.y, 3, callback=lambda _: np.ones(2))


def test_an_iteration_outlives_the_run_but_its_weights_do_not(tiny):
    seen = []
    regiht.solve(tiny.X, tiny.y, 3, max_iter=4, callback=seen.append)
    assert np.count_nonzero(seen[0].x) == 3
    assert seen[0].support.size == 3
    with pytest.raises(RuntimeError, match="during the callback"):
        _ = seen[0].weights


def test_weights_cannot_be_read_after_a_callback_that_raised():
    """They were freed memory once, so another process looks."""
    script = """if True:
        import regiht
        seen, problem = [], regiht.datasets.tiny()
        def fail(iteration):
            seen.append(iteration)
            raise KeyError
        try:
            regiht.solve(problem.X, problem.y, 3, callback=fail)
        except KeyError:
            pass
        try:
            seen[0].weights
        except RuntimeError as error:
            print(error)
    """
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert "during the callback" in run.stdout, run.stderr


def test_a_callback_may_solve(tiny):
    inner = []

    def nested(_):
        inner.append(regiht.solve(tiny.X, tiny.y, 2, max_iter=20).fun)

    outer = regiht.solve(tiny.X, tiny.y, 3, max_iter=5, callback=nested)
    np.testing.assert_array_equal(outer.x, regiht.solve(tiny.X, tiny.y, 3, max_iter=5).x)
    assert set(inner) == {regiht.solve(tiny.X, tiny.y, 2, max_iter=20).fun}


def test_the_time_limit_stops_an_endless_run():
    result = regiht.solve(np.ones((50, 1)), np.ones(50), 1, time_limit=0.02, **ENDLESS)
    assert result.status == "time_limit"
    assert not result.success
    assert result.n_iter > 0


def test_the_time_limit_returns_the_best_iterate():
    """A large step on a loss of bounded slope leaps about without exploding."""
    X = np.random.default_rng(0).normal(size=(30, 20))
    y = np.random.default_rng(1).integers(0, 2, 30).astype(float)
    result = regiht.solve(
        X, y, 5, loss="logistic", method="iht", ridge=0.01, step=0.3, max_iter=10**9,
        time_limit=0.3, history=True,
    )  # fmt: skip
    assert result.status == "time_limit"
    assert result.fun == result.history["fun"].min() < result.history["fun"][-1]
    objective = reference.LinearObjective(X, y, "logistic", 0.01)
    np.testing.assert_allclose(result.fun, objective.value(result.x), rtol=1e-9)


def test_a_time_limit_makes_one_iteration_at_least(tiny):
    result = regiht.solve(tiny.X, tiny.y, 3, time_limit=1e-12)
    assert (result.status, result.n_iter) == ("time_limit", 1)


def test_a_generous_time_limit_changes_nothing(tiny):
    limited = regiht.solve(tiny.X, tiny.y, 3, time_limit=1e6)
    free = regiht.solve(tiny.X, tiny.y, 3)
    np.testing.assert_array_equal(limited.x, free.x)
    assert limited.status == free.status


def test_progress_is_written_to_stderr_and_changes_nothing(tiny, capsys):
    def take_time(iteration):
        end = time.monotonic() + 0.1
        while iteration.number == 3 and time.monotonic() < end:
            pass

    options = {"max_iter": 40, "step": 0.3, "callback": take_time}
    plain = regiht.solve(tiny.X, tiny.y, 3, **options)
    assert capsys.readouterr() == ("", "")
    shown = regiht.solve(tiny.X, tiny.y, 3, progress=True, **options)
    out, err = capsys.readouterr()
    assert out == ""
    assert "/40" in err
    assert err.endswith("\r")  # the line is wiped at the end
    np.testing.assert_array_equal(shown.x, plain.x)
    np.testing.assert_array_equal(shown.weights, plain.weights)


def test_history_is_kept_only_if_asked_for(tiny):
    assert regiht.solve(tiny.X, tiny.y, 3).history is None
    history = regiht.solve(tiny.X, tiny.y, 3, step=0.3, max_iter=9, history=True).history
    assert set(history) == {"fun", "regularized_fun", "support_changes", "elapsed"}
    assert {array.shape for array in history.values()} == {(9,)}


@pytest.mark.parametrize("step", [None, 0.3])
@pytest.mark.parametrize("method", METHODS)
def test_no_iterations_return_the_start(method, step, tiny):
    x0 = np.arange(50.0)
    result = regiht.solve(
        tiny.X, tiny.y, 3, method=method, step=step, max_iter=0, x0=x0, history=True
    )
    np.testing.assert_array_equal(result.x, np.where(x0 >= 47, x0, 0))
    np.testing.assert_allclose(result.fun, 0.5 * np.sum((tiny.X @ result.x - tiny.y) ** 2))
    assert (result.status, result.n_iter, result.n_gradients) == ("completed", 0, 0)
    assert all(array.size == 0 for array in result.history.values())


@pytest.mark.parametrize("copying", [pickle, copy], ids=["pickle", "deepcopy"])
@pytest.mark.parametrize("history", [False, True])
def test_a_result_survives_copying(copying, history, tiny):
    result = regiht.solve(tiny.X, tiny.y, 3, center=True, scale=True, history=history)
    twin = pickle.loads(pickle.dumps(result)) if copying is pickle else copy.deepcopy(result)
    for name in ("x", "support", "weights", "coef"):
        np.testing.assert_array_equal(getattr(twin, name), getattr(result, name))
    for name in ("fun", "n_iter", "n_gradients", "status", "step", "intercept", "message"):
        assert getattr(twin, name) == getattr(result, name)
    assert isinstance(twin.status, regiht.Status)
    assert (twin.history is None) == (not history)
    assert repr(twin) == repr(result)


LARGE = np.random.default_rng(0).normal(size=(60, 30))
STORED = {
    "row-major": LARGE,
    "column-major": np.asfortranarray(LARGE),
    "row-major-float32": LARGE.astype(np.float32),
    "row-major-with-gaps": LARGE[:, 3:28],
    "column-major-with-gaps": np.asfortranarray(LARGE)[5:55],
    "read-only": np.frombuffer(LARGE.tobytes()).reshape(LARGE.shape),
    "csc": sparse.csc_array(LARGE),
    "csc-float32": sparse.csc_matrix(LARGE.astype(np.float32)),
    "csr": sparse.csr_array(LARGE),
}


@pytest.mark.parametrize("standardized", [False, True])
@pytest.mark.parametrize("layout", ["auto", "as-is"])
@pytest.mark.parametrize("name", STORED)
def test_a_design_survives_pickling(name, layout, standardized):
    X = STORED[name]
    design = regiht.Design(X, center=standardized, scale=standardized, layout=layout)
    twin = pickle.loads(pickle.dumps(design))
    assert repr(twin) == repr(design)
    assert (twin.shape, twin.dtype, twin.layout) == (design.shape, design.dtype, design.layout)
    y = LARGE[: X.shape[0], 4]
    ours, theirs = regiht.solve(twin, y, 4), regiht.solve(design, y, 4)
    np.testing.assert_array_equal(ours.x, theirs.x)
    np.testing.assert_array_equal(ours.coef, theirs.coef)
    assert ours.intercept == theirs.intercept

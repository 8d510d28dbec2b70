"""How `regiht.lowrank.solve` behaves: options, callbacks, limits, odd shapes, bits."""

import pickle
import re
import subprocess
import sys
import time

import numpy as np
import pytest

import regiht
from regiht import lowrank

METHODS = lowrank.methods()


def problem(seed=0, shape=(20, 15), rank=3, part=0.6):
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((shape[0], rank)) @ rng.standard_normal((rank, shape[1]))
    M += 0.1 * rng.standard_normal(shape)
    rows, cols = np.nonzero(rng.random(shape) < part)
    return lowrank.Completion(rows, cols, M[rows, cols], shape)


def test_methods_are_listed_and_the_package_loads_lazily():
    assert METHODS == [
        "best", "greedy", "local-search", "regularized-local-search", "regularized-iht",
        "alternating",
    ]  # fmt: skip
    code = "import sys, regiht; assert 'regiht.lowrank' not in sys.modules; regiht.lowrank.solve"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "import sys, regiht.lowrank; assert 'sklearn' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("method", METHODS)
def test_the_result_says_what_it_is(method):
    objective = problem()
    result = lowrank.solve(objective, 4, method=method, history=True, max_iter=30)
    assert result.U.shape == (20, result.rank)
    assert result.V.shape == (15, result.rank)
    assert 1 <= result.rank <= 4
    assert np.all(np.diff(result.s) <= 0)
    np.testing.assert_allclose(result.U.T @ result.U, np.eye(result.rank), atol=1e-10)
    np.testing.assert_allclose(result.V.T @ result.V, np.eye(result.rank), atol=1e-10)
    np.testing.assert_allclose(result.matrix(), (result.U * result.s) @ result.V.T)
    A = lowrank.Factors(result.U, result.s, result.V)
    assert result.fun == pytest.approx(objective.value(A))
    assert isinstance(result.status, regiht.Status)
    assert result.success
    assert result.message
    rows, cols = np.array([3, 0, 3]), np.array([14, 2, 1])
    np.testing.assert_allclose(result.predict(rows, cols), result.matrix()[rows, cols])
    for name in ("fun", "regularized_fun", "method", "branch", "rank", "target", "elapsed"):
        assert result.history[name].shape == (result.n_iter,)
    assert result.fun <= result.history["fun"].min() * (1 + 1e-9)
    assert "rank=" in repr(result)
    if method != "best":
        assert (result.weights is not None) == method.startswith("regularized")
        assert set(result.history["method"]) == {method}


@pytest.mark.parametrize("method", METHODS)
def test_the_callback_sees_every_iteration_and_may_stop(method):
    seen = []
    result = lowrank.solve(
        problem(), 3, method=method, max_iter=20, history=True, callback=seen.append
    )
    assert [it.number for it in seen] == list(range(1, result.n_iter + 1))
    np.testing.assert_array_equal([it.fun for it in seen], result.history["fun"])
    np.testing.assert_array_equal([it.branch for it in seen], result.history["branch"])
    stopped = lowrank.solve(problem(), 3, method=method, callback=lambda it: it.number == 2)
    assert stopped.status == "stopped"
    assert stopped.n_iter == 2
    assert not stopped.success
    assert stopped.fun <= min(it.fun for it in seen[:2]) * (1 + 1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_errors_of_the_callback_pass_through(method):
    def fail(_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        lowrank.solve(problem(), 3, method=method, callback=fail)


def test_a_time_limit_ends_the_run():
    slow = lambda it: time.sleep(0.02)  # noqa: E731
    for method in METHODS:
        result = lowrank.solve(
            problem(), 3, method=method, callback=slow, time_limit=0.01, max_iter=10**6
        )
        assert result.status == "time_limit"
        assert result.n_iter == 1


def test_progress_is_drawn_and_wiped(capsys):
    plain = lowrank.solve(problem(), 3, method="regularized-iht")
    assert capsys.readouterr().err == ""
    shown = lowrank.solve(problem(), 3, method="regularized-iht", progress=True)
    assert "f = " in capsys.readouterr().err
    np.testing.assert_array_equal(plain.matrix(), shown.matrix())


@pytest.mark.parametrize("method", METHODS)
def test_the_progress_bar_said_45_of_18(method, capsys):
    slow = lambda it: time.sleep(0.06)  # noqa: E731  (longer than between two drawings)
    found = lowrank.solve(
        problem(), 3, method=method, max_iter=4, refine=6, bisections=2, tol=0.0, callback=slow,
        progress=True,
    )  # fmt: skip
    drawn = capsys.readouterr().err
    shares = [(int(done), int(most)) for done, most in re.findall(r"(\d+)/(\d+)", drawn)]
    if method == "best":
        assert f"{found.n_iter} iterations" in drawn
        assert not shares
    else:
        assert shares[-1][0] == found.n_iter
        assert all(done <= most for done, most in shares)


@pytest.mark.parametrize("method", METHODS)
def test_progress_may_be_a_function(method):
    seen = []
    lowrank.solve(problem(), 3, method=method, progress=lambda done, fun: seen.append((done, fun)))
    assert seen[0][0] == 1
    assert np.isfinite(seen[0][1])

    def fail(*_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        lowrank.solve(problem(), 3, method=method, progress=fail)


INTERRUPTED = """
import os, signal, threading, numpy as np
from regiht import lowrank
rng = np.random.default_rng(0)
rows, cols = rng.integers(0, 3000, 200_000), rng.integers(0, 2000, 200_000)
objective = lowrank.Completion(rows, cols, rng.standard_normal(200_000), (3000, 2000))
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job may ignore it
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    lowrank.solve(objective, 20, method="regularized-iht", max_iter=10**6, tol=0.0)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
def test_ctrl_c_ends_a_solve():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "interrupted\n"


@pytest.mark.parametrize("method", METHODS)
def test_bits_are_the_same_again_and_for_any_number_of_threads(method):
    rng = np.random.default_rng(3)
    rows, cols = rng.integers(0, 400, 30_000), rng.integers(0, 300, 30_000)
    objective = lowrank.Completion(rows, cols, rng.standard_normal(30_000), (400, 300))
    options = {"method": method, "max_iter": 6, "target_value": 0.0}
    first = lowrank.solve(objective, 4, n_threads=1, **options)
    for threads in (1, 2, 5):
        again = lowrank.solve(objective, 4, n_threads=threads, **options)
        np.testing.assert_array_equal(again.U, first.U)
        np.testing.assert_array_equal(again.s, first.s)
        np.testing.assert_array_equal(again.V, first.V)


def test_results_can_be_pickled_and_plotted():
    result = lowrank.solve(problem(), 3, method="regularized-iht", history=True)
    again = pickle.loads(pickle.dumps(result))
    np.testing.assert_array_equal(again.matrix(), result.matrix())
    assert again.status is result.status
    pytest.importorskip("matplotlib").use("Agg")
    ax = result.plot()
    assert len(ax.lines) == 1
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), result.history["fun"])
    import matplotlib.pyplot as plt  # noqa: PLC0415

    plt.close("all")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", [(1, 7), (7, 1), (1, 1), (2, 9)])
def test_thin_matrices(method, shape):
    M = np.arange(1.0, 1.0 + shape[0] * shape[1]).reshape(shape)
    for rank in range(1, min(shape) + 1):
        best = lowrank.truncate_rank(M, rank)
        found = lowrank.solve(lowrank.FullObservation(M), rank, method=method, tol=1e-12)
        np.testing.assert_allclose(found.matrix(), best, atol=1e-4)
        rows, cols = (index.ravel() for index in np.indices(shape))
        seen = lowrank.Completion(rows, cols, M.ravel(), shape)
        found = lowrank.solve(seen, rank, method=method, tol=1e-12)
        np.testing.assert_allclose(found.matrix(), best, atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_zero_matrix_and_no_observations(method):
    zero = lowrank.solve(lowrank.FullObservation(np.zeros((4, 3))), 2, method=method)
    assert zero.rank == 0
    assert zero.fun == 0.0
    np.testing.assert_array_equal(zero.matrix(), np.zeros((4, 3)))
    nothing = lowrank.Completion([], [], [], (4, 3))
    found = lowrank.solve(nothing, 2, method=method)
    assert found.rank == 0
    assert found.fun == 0.0


@pytest.mark.parametrize("method", METHODS)
def test_a_rank_deficient_matrix_gets_its_own_rank(method):
    M = np.outer(np.arange(1.0, 6.0), [1.0, -2.0, 0.5])
    found = lowrank.solve(lowrank.FullObservation(M), 3, method=method, tol=1e-12)
    np.testing.assert_allclose(found.matrix(), M, atol=1e-5)
    assert found.s[1:].sum() < 1e-4


def test_rows_and_columns_without_observations_stay_zero():
    objective = lowrank.Completion([0, 0, 2, 2], [0, 1, 0, 1], [1.0, 2.0, 2.0, 4.0], (4, 3))
    found = lowrank.solve(objective, 1, method="regularized-iht")
    A = found.matrix()
    np.testing.assert_allclose(A[:, 2], 0.0, atol=1e-12)
    np.testing.assert_allclose(A[[1, 3]], 0.0, atol=1e-12)
    np.testing.assert_allclose(A[[0, 2]][:, :2], [[1.0, 2.0], [2.0, 4.0]], atol=1e-5)


def test_a_start_is_used_and_cut_to_the_rank():
    objective = problem()
    good = lowrank.solve(objective, 3, method="regularized-iht", refine=300, tol=1e-12)
    for start in (good, good.matrix(), (good.U, good.s, good.V)):
        again = lowrank.solve(objective, 3, method="local-search", start=start, max_iter=0)
        np.testing.assert_allclose(again.matrix(), good.matrix(), atol=1e-4)
    cut = lowrank.solve(objective, 2, method="greedy", start=good, max_iter=0)
    assert cut.rank == 2


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_other_types_and_layouts(dtype):
    M = np.arange(12.0).reshape(4, 3)
    wide = np.zeros((4, 6), dtype=dtype)
    wide[:, ::2] = M
    wide.setflags(write=False)
    plain = lowrank.solve(lowrank.FullObservation(M), 1, method="greedy")
    odd = lowrank.solve(lowrank.FullObservation(wide[:, ::2]), 1, method="greedy")
    np.testing.assert_array_equal(plain.matrix(), odd.matrix())
    rows, cols = np.nonzero(np.ones_like(M))
    small = lowrank.Completion(
        rows.astype(np.uint8), cols.astype(np.int16), M.ravel().astype(dtype), (4, 3)
    )
    full = lowrank.Completion(rows, cols, M.ravel(), (4, 3))
    A = lowrank.solve(small, 1, method="regularized-iht").matrix()
    np.testing.assert_array_equal(A, lowrank.solve(full, 1, method="regularized-iht").matrix())


@pytest.mark.parametrize("method", METHODS)
def test_values_too_large_to_square_are_reported(method):
    huge = lowrank.FullObservation(np.full((4, 3), 1e200))
    with np.errstate(over="ignore", invalid="ignore"):
        result = lowrank.solve(huge, 1, method=method, max_iter=3, target_value=0.0)
    assert result.status == "diverged"
    assert not result.success


def test_a_step_that_is_too_large_diverges_with_the_best_matrix_seen():
    with np.errstate(over="ignore", invalid="ignore"):
        result = lowrank.solve(
            problem(), 3, method="regularized-iht", step=100.0, max_iter=2000, refine=0
        )
    assert result.status == "diverged"
    assert np.isfinite(result.fun)


INVALID = [
    ({"rank": 0}, "rank"),
    ({"rank": 16}, "rank"),
    ({"rank": 1.5}, "rank"),
    ({"method": "greed"}, "greedy"),
    ({"target_rank": 4}, "target_rank"),
    ({"target_value": np.nan}, "target_value"),
    ({"max_iter": -1}, "max_iter"),
    ({"tol": -1.0}, "tol"),
    ({"condition": 0.5}, "condition"),
    ({"sufficient_progress": -0.1}, "sufficient_progress"),
    ({"reoptimize": 1}, "reoptimize"),
    ({"bisections": 0}, "bisections"),
    ({"step": 0.0}, "step"),
    ({"weight_step": -1.0}, "weight_step"),
    ({"round_threshold": 1.5}, "round_threshold"),
    ({"weighted_part": 1.5}, "weighted_part"),
    ({"refine": -1}, "refine"),
    ({"history": "yes"}, "history"),
    ({"callback": 3}, "callback"),
    ({"progress": "yes"}, "progress"),
    ({"time_limit": 0.0}, "time_limit"),
    ({"n_threads": 0}, "n_threads"),
    ({"start": np.ones((3, 3))}, "start"),
    ({"start": np.full((20, 15), np.nan)}, "start"),
    ({"start": (np.ones((20, 1)), np.ones(2), np.ones((15, 1)))}, "start"),
]


@pytest.mark.parametrize(("options", "message"), INVALID, ids=lambda x: str(x)[:30])
def test_bad_options_are_named(options, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        lowrank.solve(problem(), **{"rank": 3, **options})


class Nameless:
    shape = (3, 2)


BAD_OBJECTIVES = [
    (lambda: lowrank.FullObservation([1.0, 2.0]), "M must be a matrix"),
    (lambda: lowrank.FullObservation(np.zeros((0, 3))), "M must be a matrix"),
    (lambda: lowrank.FullObservation([[1.0, np.inf]]), r"M\[0, 1\]"),
    (lambda: lowrank.FullObservation([[1.0]], ridge=-1.0), "ridge"),
    (lambda: lowrank.Weighted([[1.0]], [[1.0, 2.0]]), "weights must have the shape"),
    (lambda: lowrank.Weighted([[1.0, 1.0]], [[1.0, -2.0]]), r"weights\[0, 1\]"),
    (lambda: lowrank.Weighted([[1.0]], [[0.0]]), "weights must not be zero"),
    (lambda: lowrank.Completion([0], [0], [1.0], 3), "shape"),
    (lambda: lowrank.Completion([0], [0], [1.0], (0, 3)), r"shape\[0\]"),
    (lambda: lowrank.Completion([3], [0], [1.0], (3, 3)), r"rows\[0\] is 3"),
    (lambda: lowrank.Completion([0], [-1], [1.0], (3, 3)), r"cols\[0\] is -1"),
    (lambda: lowrank.Completion([0.5], [1], [1.0], (3, 3)), "rows must be a vector of integers"),
    (lambda: lowrank.Completion([0, 1], [1], [1.0], (3, 3)), "same length"),
    (lambda: lowrank.Completion([0], [1], [1.0, 2.0], (3, 3)), "values"),
    (lambda: lowrank.Completion([0], [1], [np.nan], (3, 3)), r"values\[0\]"),
    (lambda: lowrank.OneBit([0], [1], [0.0], (3, 3)), r"signs\[0\]"),
    (lambda: lowrank.Measurements(np.zeros((3, 4)), np.zeros(3)), "shape must be given"),
    (lambda: lowrank.Measurements(np.zeros((3, 4)), np.zeros(3), shape=(3, 2)), "6 columns"),
    (lambda: lowrank.Measurements(np.zeros((3, 2, 2)), np.zeros(2)), "y must be"),
    (lambda: lowrank.Measurements(np.zeros(3), np.zeros(3)), "C must have"),
    (lambda: lowrank.solve(Nameless(), 1), "method value"),
    (lambda: lowrank.truncate_rank(np.ones((3, 2)), 3), "rank"),
]


@pytest.mark.parametrize(("build", "message"), BAD_OBJECTIVES, ids=lambda x: str(x)[:20])
def test_bad_objectives_are_named(build, message):
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        build()

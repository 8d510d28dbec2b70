"""Threads, processes and signals around a solve: the GIL, fork and spawn, Ctrl-C."""

import os
import signal
import subprocess
import sys
import sysconfig
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import regiht
from regiht import datasets

PATIENCE = 120  # seconds after which a hanging child is a failure

# What the children share. ENDLESS changes x in every one of its iterations.
PREAMBLE = """
import os, signal, sys, threading
import numpy as np
import regiht

rng = np.random.default_rng(0)
X = rng.normal(size=(9000, 40))
y = X[:, :3] @ np.ones(3) + 0.1 * rng.normal(size=9000)
ENDLESS = {"method": "iht", "step": 1e-17, "max_iter": 10**12}

def fit():
    return regiht.solve(X, y, 5, max_iter=20, n_threads=3)

def is_solving(thread):
    frame = sys._current_frames().get(thread.ident)
    return frame is not None and frame.f_code.co_name == "run_linear"
"""


def start(body, tmp_path):
    """Start a script in a process of its own, as a file that spawned children can import."""
    script = tmp_path / "child.py"
    script.write_text(PREAMBLE + textwrap.dedent(body))
    # Python warns of any fork while threads exist; ours are of no concern to the child.
    return subprocess.Popen(
        [sys.executable, "-W", "ignore::DeprecationWarning", str(script)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finish(child):
    try:
        out, err = child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        pytest.fail(f"the child hangs; it said {out!r} and {err!r}")
    assert child.returncode == 0, err
    return out.split()


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(5000, 60))
    return X, X[:, 10:14] @ np.ones(4) + rng.normal(size=5000)


def solve_one(problem, s, n_threads=2):
    return regiht.solve(*problem, s, max_iter=30, n_threads=n_threads)


@pytest.mark.parametrize("shared", [False, True])
def test_threads_solving_at_once_get_the_bits_of_serial_runs(shared, problem):
    X, y = problem
    matrix = regiht.Design(X, center=True, scale=True) if shared else X
    sparsities = [1, 3, 5, 8] * 4
    serial = {s: solve_one((matrix, y), s, n_threads=1) for s in set(sparsities)}
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda s: solve_one((matrix, y), s), sparsities))
    for s, result in zip(sparsities, results, strict=True):
        np.testing.assert_array_equal(result.x, serial[s].x)
        np.testing.assert_array_equal(result.weights, serial[s].weights)
        assert result.status == serial[s].status


def test_a_thread_with_callback_and_progress_gets_the_same_bits(problem, capsys):
    seen, results = [], []

    def work():
        results.append(regiht.solve(*problem, 4, max_iter=15, progress=True, callback=seen.append))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    capsys.readouterr()
    np.testing.assert_array_equal(results[0].x, regiht.solve(*problem, 4, max_iter=15).x)
    assert len(seen) == results[0].n_iter


def test_what_a_callback_raises_in_a_thread_stays_there():
    tiny = datasets.tiny()

    def fail(_):
        raise LookupError

    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(regiht.solve, tiny.X, tiny.y, 3, callback=fail) for _ in range(4)]
        assert all(isinstance(future.exception(), LookupError) for future in futures)
    assert regiht.solve(tiny.X, tiny.y, 3).success


def test_other_threads_run_during_a_solve(tmp_path):
    """With the GIL held, the count would not finish before the solve does."""
    body = """
    ended = []

    def work():
        regiht.solve(X[:100], y[:100], 5, time_limit=30, **ENDLESS)
        ended.append(True)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while not is_solving(thread):
        pass
    count = 0
    while count < 1_000_000:
        count += 1
    print("blocked" if ended else "free", flush=True)
    os._exit(0)
    """
    assert finish(start(body, tmp_path)) == ["free"]


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to one process")
@pytest.mark.parametrize("options", ["", "n_threads=2, ", "callback=lambda it: None, "])
def test_ctrl_c_ends_a_solve_and_leaves_the_process_healthy(options, tmp_path):
    """The solve is endless, so that it ends at all shows that the signal was heard."""
    body = f"""
    main = threading.main_thread()

    def announce():
        while not is_solving(main):
            pass
        print("solving", flush=True)

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job may ignore it
    expected = fit()
    threading.Thread(target=announce, daemon=True).start()
    try:
        regiht.solve(X, y, 5, {options}**ENDLESS)
    except KeyboardInterrupt:
        print("interrupted")
    again = fit()
    print("healthy" if (again.x == expected.x).all() else "ill")
    """
    child = start(body, tmp_path)
    if child.stdout.readline() == "solving\n":
        child.send_signal(signal.SIGINT)
    assert finish(child) == ["interrupted", "healthy"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_can_solve_after_the_parent_used_threads(tmp_path):
    body = """
    expected = fit()
    child = os.fork()
    if child == 0:
        os._exit(0 if (fit().x == expected.x).all() else 1)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), int((fit().x == expected.x).all()))
    """
    assert finish(start(body, tmp_path)) == ["0", "1"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_during_a_solve_can_solve(tmp_path):
    body = """
    expected = fit()
    thread = threading.Thread(
        target=lambda: regiht.solve(X, y, 5, n_threads=3, time_limit=60, **ENDLESS), daemon=True
    )
    thread.start()
    while not is_solving(thread):
        pass
    child = os.fork()
    if child == 0:
        os._exit(0 if (fit().x == expected.x).all() else 1)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
    os._exit(0)
    """
    assert finish(start(body, tmp_path)) == ["0"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_by_a_thread_hears_signals(tmp_path):
    """The thread that forked is the main one there, and only that one handles signals."""
    body = """
    def fork():
        child = os.fork()
        if child > 0:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.alarm(1)
        threading.Timer(60, os._exit, (1,)).start()
        try:
            regiht.solve(X, y, 5, **ENDLESS)
        except KeyboardInterrupt:
            os._exit(0)

    fit()
    thread = threading.Thread(target=lambda: print(fork()))
    thread.start()
    thread.join()
    """
    assert finish(start(body, tmp_path)) == ["0"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_while_a_thread_prepares_its_design_can_solve(tmp_path):
    body = """
    wide = rng.normal(size=(6000, 250))
    expected = regiht.solve(wide, wide[:, 0], 3, max_iter=5).x
    codes = []
    for _ in range(8):
        design = regiht.Design(wide)
        thread = threading.Thread(target=regiht.solve, args=(design, wide[:, 0], 3))
        thread.start()
        while not is_solving(thread) and thread.is_alive():
            pass
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            found = regiht.solve(design, wide[:, 0], 3, max_iter=5).x
            os._exit(0 if (found == expected).all() else 1)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        thread.join()
    print(*sorted(set(codes)))
    """
    assert finish(start(body, tmp_path)) == ["0"]


@pytest.mark.parametrize(
    "endless",
    [
        "regiht.solve(X, y, 5, callback=lambda _: False, **ENDLESS)",
        "regiht.solve(X, y, 5, **ENDLESS)",
        "regiht.minimize(Slow(), 3, 1, **ENDLESS)",
    ],
)
def test_a_daemon_thread_in_a_solve_does_not_disturb_the_end_of_the_process(endless, tmp_path):
    body = f"""
    import time

    class Slow:
        def value(self, x):
            return float(x @ x - x[0])

        def gradient(self, x):
            return 2 * x - np.eye(3)[0]

    thread = threading.Thread(target=lambda: {endless}, daemon=True)
    thread.start()
    time.sleep(0.2)
    print("end")
    """
    for _ in range(3):
        child = start(body, tmp_path)
        out, err = child.communicate(timeout=PATIENCE)
        assert (child.returncode, out.split(), err) == (0, ["end"], "")


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_process_pools_can_solve(way, tmp_path):
    if way == "fork" and not hasattr(os, "fork"):
        pytest.skip("needs fork")
    body = f"""
    import multiprocessing

    def work(design):
        return regiht.solve(design, y, 5, max_iter=20, n_threads=3)

    if __name__ == "__main__":
        design = regiht.Design(X, center=True, scale=True)
        expected = work(design)
        with multiprocessing.get_context("{way}").Pool(2) as pool:
            results = pool.map(work, [design] * 3)
        print(*(int((result.x == expected.x).all()) for result in results))
    """
    assert finish(start(body, tmp_path)) == ["1", "1", "1"]


@pytest.mark.parametrize("max_iter", [1, 50, 800])  # the first two keep the GIL
def test_short_solves_in_many_threads_share_a_fresh_design(max_iter):
    problem = datasets.tiny()
    expected = regiht.solve(problem.X, problem.y, 3, max_iter=max_iter)
    design = regiht.Design(problem.X)
    barrier = threading.Barrier(8)

    def work(number):
        barrier.wait()
        seen = []
        for _ in range(20):
            options = {"callback": seen.append} if number % 2 else {}
            result = regiht.solve(design, problem.y, 3, max_iter=max_iter, **options)
        return result, len(seen)

    with ThreadPoolExecutor(8) as pool:
        for number, (result, iterations) in enumerate(pool.map(work, range(8))):
            np.testing.assert_array_equal(result.x, expected.x)
            np.testing.assert_array_equal(result.weights, expected.weights)
            assert iterations == (20 * expected.n_iter if number % 2 else 0)


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="needs a free-threaded interpreter"
)
def test_a_free_threaded_interpreter_stays_so_when_the_package_is_imported():
    dependencies = "import numpy, scipy.sparse, sys; was = sys._is_gil_enabled()"
    code = f"{dependencies}; import regiht; sys.exit(sys._is_gil_enabled() and not was)"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)

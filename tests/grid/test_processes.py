"""Grids in a process of their own: Ctrl-C, and a system with few threads to give."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

PATIENCE = 120  # seconds after which a hanging child is a failure


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
    return frame.f_code.co_name == "run_many"

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

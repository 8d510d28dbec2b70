"""What happens when memory runs out."""

import subprocess
import sys
from pathlib import Path

import pytest

CHILD = """
import resource, time
import numpy as np
import regiht

rng = np.random.default_rng(0)
X = rng.normal(size=(4000, 250))
y = X[:, 0].copy()
regiht.solve(X, y, 1, n_threads=4)
time.sleep(0.3)  # threads have all they need for a start now
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
failed = 0
for spare in range(0, 8_000_000, 250_000):
    resource.setrlimit(resource.RLIMIT_AS, (used + spare, resource.RLIM_INFINITY))
    try:
        regiht.solve(X, y, 1, n_threads=4)
    except MemoryError:
        failed += 1
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print("some failed" if failed else "none failed", regiht.solve(X, y, 1, n_threads=4).support[0])
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
def test_too_little_memory_for_a_gram_matrix_on_several_threads_is_a_memory_error():
    run = subprocess.run(
        [sys.executable, "-c", CHILD], capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "some failed 0"

"""Conversion and fits of more data than the process may have memory."""

import json
import os
import subprocess
import sys

import pytest

import regiht

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="limits private memory as Linux does"
)

# Writes and fits a problem while the memory of the process may grow by only so much.
_LIMITED = """
import json, resource, sys, threading
from pathlib import Path
import numpy as np
from scipy import sparse
import regiht, regiht.dataset

path, megabytes, entries, mode = sys.argv[1], *map(int, sys.argv[2:4]), sys.argv[4]

threading.stack_size(1 << 18)  # stacks count in full, used or not

def own():  # what counts for the limit
    return int(Path("/proc/self/status").read_text().split("VmData:")[1].split()[0]) << 10

regiht.solve(np.eye(3), np.ones(3), 1)  # the threads of the pool have their stacks now
limit = own() + (megabytes << 20)
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
try:
    np.ones(megabytes << 18)  # twice as much
except MemoryError:
    pass
else:
    sys.exit("the limit does not hold")

ROWS, COLS, CHUNK, PER_ROW = entries // 50, 20_000, 10_000, 50

def chunks():
    rng = np.random.default_rng(0)
    stretch = COLS // PER_ROW
    for _ in range(ROWS // CHUNK):
        columns = rng.integers(0, stretch, (CHUNK, PER_ROW)) + stretch * np.arange(PER_ROW)
        values = rng.random((CHUNK, PER_ROW), np.float32)
        X = sparse.csr_array((CHUNK, COLS), dtype=np.float32)
        X.data, X.indices = values.ravel(), columns.astype(np.int32).ravel()
        X.indptr = np.arange(0, X.data.size + 1, PER_ROW, dtype=np.int32)
        score = X[:, :8] @ np.full(8, 40.0)
        yield X, (score + rng.logistic(size=CHUNK) > 1.0).astype(float)

if mode == "write":
    regiht.dataset.write(path, chunks(), memory=64 << 20)
else:
    design = regiht.Design.open(path, center=True, scale=True)
    result = regiht.solve(design, design.y, 8, loss="logistic", max_iter=30, intercept=True)
    print(json.dumps({
        "support": result.support.tolist(), "coef": result.coef[result.support].tolist(),
        "bytes": regiht.dataset.open(path).n_bytes,
    }))
"""


def limited(path, megabytes, entries, mode):
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, path, str(megabytes), str(entries), mode],
        capture_output=True, text=True, check=False,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "REGIHT_NUM_THREADS": "2"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else None


def check_fit_within(path, megabytes, entries):
    limited(path, megabytes, entries, "write")
    found = limited(path, megabytes, entries, "fit")
    assert found["bytes"] > (megabytes << 20)
    return found


def test_more_data_than_memory(tmp_path):
    path = tmp_path / "data"
    found = check_fit_within(path, 128, 24_000_000)
    matrix = regiht.dataset.open(path).matrix
    matrix = type(matrix)((matrix.data.copy(), matrix.indices.copy(), matrix.indptr.copy()))
    inside = regiht.Design(matrix, center=True, scale=True)
    y = regiht.dataset.open(path).y
    expected = regiht.solve(inside, y, 8, loss="logistic", max_iter=30, intercept=True)
    assert found["support"] == expected.support.tolist() == list(range(8))
    assert found["coef"] == expected.coef[expected.support].tolist()


@pytest.mark.slow
def test_six_gigabytes_within_two(tmp_path):
    """``pytest -m slow tests/dataset/test_little_memory.py``: needs 13 GB of disk, some minutes."""
    found = check_fit_within(tmp_path / "data", 2048, 750_000_000)
    assert found["support"] == list(range(8))

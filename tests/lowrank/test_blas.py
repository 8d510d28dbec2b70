"""Low rank and the threads of numpy's BLAS library."""

import os
import subprocess
import sys

import pytest

CODE = """
import numpy as np
from regiht import lowrank

rng = np.random.default_rng(0)
M = rng.standard_normal((300, 4)) @ rng.standard_normal((4, 250))
M += 0.1 * rng.standard_normal(M.shape)
rows, cols = np.nonzero(rng.random(M.shape) < 0.2)
C = rng.standard_normal((150, 12, 11))
for objective in (
    lowrank.Completion(rows, cols, M[rows, cols], M.shape),
    lowrank.Completion(rows, cols, M[rows, cols], M.shape, factor_penalty=1.0),
    lowrank.Weighted(M, rng.uniform(0.5, 2.0, M.shape)),
    lowrank.Measurements(C, rng.standard_normal(150)),
    lowrank.OneBit(rows, cols, np.sign(M[rows, cols]), M.shape, ridge=0.1),
):
    found = lowrank.solve(objective, 4, max_iter=8, refine=5)
    print(found.fun.hex(), [float(value).hex() for value in found.s])
"""


def run(**settings):
    environment = {**os.environ, **settings}
    return subprocess.run(
        [sys.executable, "-c", CODE], env=environment, check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.parametrize("threads", ["2", "4"])
def test_the_answer_changed_with_the_threads_of_blas(threads):
    one = run(OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", OMP_NUM_THREADS="1")
    assert one.count("\n") == 5
    assert run(**dict.fromkeys(["OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], threads)) == one

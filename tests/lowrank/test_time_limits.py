"""Time limits end sweeps and corrective steps halfway, not only between iterations."""

import numpy as np
import pytest
from scipy import sparse

from regiht import _core, lowrank


def test_a_time_limit_waited_for_the_end_of_a_sweep(monkeypatch):
    monkeypatch.setattr("regiht.lowrank._run._MOMENT", 0.0)
    M = np.random.default_rng(3).standard_normal((8, 6))
    C = np.random.default_rng(4).standard_normal((40, 8, 6))
    rows, cols = np.nonzero(np.ones_like(M))
    start = lowrank.Factors.of_matrix(M + 1.0, 2)
    for objective in (
        lowrank.Completion(rows, cols, M.ravel(), M.shape),
        lowrank.OneBit(rows, cols, np.sign(M.ravel()), M.shape),
        lowrank.Weighted(M, 1.0 + M**2),
        lowrank.Measurements(C, C.reshape(40, -1) @ M.ravel()),
        lowrank.Measurements(sparse.csr_array(C.reshape(40, -1)), np.ones(40), shape=M.shape),
    ):
        for method in lowrank.methods():
            result = lowrank.solve(objective, 3, method=method, start=start, time_limit=1e-9)
            assert result.status == "time_limit"
            np.testing.assert_allclose(result.matrix(), start.matrix(), atol=1e-12)


def test_limits_of_the_core_end_with_their_block():
    M = np.random.default_rng(5).standard_normal((8, 6))
    solve = lambda: lowrank.Weighted(M, 1.0 + M**2).refined(start)  # noqa: E731
    start = lowrank.Factors.of_matrix(M + 1.0, 2)
    free = solve()
    with _core.TimeLimit(0.0):
        with pytest.raises(_core.TimeIsUpError):
            solve()
        with _core.TimeLimit(np.inf):
            np.testing.assert_array_equal(solve().U, free.U)
        with pytest.raises(_core.TimeIsUpError):
            _core.poll()
    np.testing.assert_array_equal(solve().U, free.U)

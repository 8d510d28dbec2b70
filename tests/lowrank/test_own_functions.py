"""Functions of one's own in place of an objective."""

import numpy as np
import pytest

import regiht
from regiht import lowrank

METHODS = [method for method in lowrank.methods() if method != "alternating"]  # needs sweeps


class Own:
    shape = (6, 5)
    smoothness = 3.0

    def __init__(self, M):
        self.M = M

    def value(self, A):
        return 1.5 * np.sum((A - self.M) ** 2)

    def gradient(self, A):
        return 3.0 * (A - self.M)


class NaNBeyondOne(Own):
    def value(self, A):
        return np.nan if np.abs(A).max() > 1.0 else super().value(A)


@pytest.mark.parametrize("method", METHODS)
def test_exchanges_to_values_of_nan_were_called_converged(method):
    far = NaNBeyondOne(np.full((6, 5), 5.0))
    result = lowrank.solve(far, 2, method=method, target_value=0.0)
    assert result.status == "diverged"
    assert not result.success


@pytest.mark.parametrize("method", METHODS)
def test_a_function_of_ones_own(method):
    M = np.random.default_rng(5).standard_normal((6, 5))
    found = lowrank.solve(Own(M), 2, method=method, target_value=0.0, max_iter=400, tol=1e-9)
    np.testing.assert_allclose(found.matrix(), lowrank.truncate_rank(M, 2), atol=1e-3)


def test_a_function_without_a_lower_bound_needs_a_target():
    with pytest.raises(regiht.InvalidArgumentError, match=r"target_value.*lower_bound"):
        lowrank.solve(Own(np.ones((6, 5))), 2, method="regularized-local-search")
    assert lowrank.solve(Own(np.ones((6, 5))), 2).fun <= 1e-12

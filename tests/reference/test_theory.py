"""The theorem's parameters, and restricted condition numbers against all supports."""

import dataclasses
import itertools
import math
import pickle

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import reference, theory

GOOD = {"beta": 3.0, "alpha": 1.0, "s": 2, "epsilon": 1e-3, "initial_gap": 50.0}


def test_parameters_are_those_of_the_proof():
    got = theory.parameters(**GOOD)
    assert got.s_prime == 32 * (4 * 3 + 6) * 2
    assert math.ceil(64 * 4 * math.log(50.0 / 1e-3)) == got.T
    assert got.eta == 1 / 6
    # The proof's condition on c, with both ends: 8s(4κ + 6)/T ≤ c ≤ s′/(4T).
    assert got.c == got.s_prime / (4 * got.T) >= 8 * 2 * (4 * 3 + 6) / got.T
    assert pickle.loads(pickle.dumps(got)) == got
    with pytest.raises(dataclasses.FrozenInstanceError):
        got.T = 3


def test_a_start_that_is_good_enough_needs_no_more_than_one_iteration():
    assert theory.parameters(1.0, 1.0, 1, epsilon=2.0, initial_gap=1.0).T == 1


@pytest.mark.parametrize("seed", range(3))
def test_the_theorem_holds_with_these_parameters(seed):
    rng = np.random.default_rng(seed)
    n, kappa, epsilon = 400, 1.2, 1e-3
    A = np.diag(np.sqrt(np.linspace(1, kappa, n)))
    x_star = np.zeros(n)
    x_star[seed] = 20.0
    objective = reference.LinearObjective(A, A @ x_star + 0.2 * rng.standard_normal(n))
    gap = objective.value(np.zeros(n)) - objective.value(x_star)
    chosen = theory.parameters(kappa, 1.0, 1, epsilon, gap)
    assert chosen.s_prime < n
    result = regiht.solve(A, objective.y, **chosen.options())
    assert result.n_iter <= chosen.T
    assert np.count_nonzero(result.x) <= chosen.s_prime
    assert result.fun <= objective.value(x_star) + epsilon


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("beta", 0.0), ("beta", math.inf), ("alpha", -1.0), ("alpha", 4.0), ("alpha", 1e-320),
        ("s", 0), ("s", 1.5), ("epsilon", 0.0), ("initial_gap", -1.0), ("initial_gap", "much"),
    ],
)  # fmt: skip
def test_parameters_are_checked(name, value):
    with pytest.raises(regiht.InvalidArgumentError, match=name):
        theory.parameters(**GOOD | {name: value})


def true_condition(A, s, ridge=0.0):
    spectra = [
        np.linalg.eigvalsh(A[:, columns].T @ A[:, columns])
        for columns in itertools.combinations(range(A.shape[1]), s)
    ]
    return (max(e[-1] for e in spectra) + ridge) / (min(e[0] for e in spectra) + ridge)


@pytest.mark.parametrize("s", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(6))
def test_never_above_the_true_condition_and_seldom_far_below(s, seed):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((30, 10)) + 0.5 * seed * rng.standard_normal((30, 1))
    for ridge in (0.0, 2.0):
        estimate, true = theory.restricted_condition(A, s, ridge=ridge), true_condition(A, s, ridge)
        assert 1.0 <= estimate <= true * (1 + 1e-9)
        assert estimate >= 0.5 * true


def test_greedy_supports_find_what_random_ones_miss():
    """Two columns of 300 that are nearly the same, and a group that points one way."""
    rng = np.random.default_rng(1)
    A = rng.standard_normal((100, 300))
    A[:, 7] = 1e-3 * rng.standard_normal(100)  # the shortest column …
    A[:, 200] = 1.5 * A[:, 7]  # … and its neighbour
    A[:, 200] += 1e-6 * rng.standard_normal(100)
    A[:, 40:44] += 5.0 * rng.standard_normal((100, 1))
    found = theory.restricted_curvature(A, 4, n_supports=0)
    random_only = [
        np.linalg.eigvalsh(A[:, c].T @ A[:, c])
        for c in (rng.choice(300, 4, replace=False) for _ in range(100))
    ]
    assert found.alpha < 1e-3 * min(e[0] for e in random_only)
    group = A[:, 40:44]
    assert found.beta == pytest.approx(np.linalg.eigvalsh(group.T @ group)[-1])


def test_dependent_columns_have_no_condition():
    A = np.random.default_rng(0).standard_normal((20, 6))
    A[:, 3] = A[:, 5]
    assert theory.restricted_condition(A, 2) == math.inf
    assert theory.restricted_condition(np.eye(3)[:, [0, 1, 2, 0]], 4, ridge=1.0) == 3.0


def test_designs_storages_and_seeds():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((40, 15)) * (rng.random((40, 15)) < 0.4)
    X[:, 4] = 0.0  # left out
    dense = theory.restricted_condition(X, 3, seed=5)
    assert math.isfinite(dense)
    assert theory.restricted_condition(X, 3, seed=5) == dense
    assert theory.restricted_condition(sparse.csr_array(X), 3, seed=5) == pytest.approx(dense)
    design = regiht.Design(sparse.csc_array(X), center=True)
    A, _, _ = reference.standardize(X, True, False)
    assert theory.restricted_condition(design, 3) == pytest.approx(
        theory.restricted_condition(A, 3)
    )
    scaled = regiht.Design(X, center=True, scale=True)
    assert theory.restricted_condition(scaled, 1) == pytest.approx(1.0)
    assert theory.restricted_condition([[3.0]], 1) == 1.0


def test_condition_is_checked():
    with pytest.raises(regiht.InvalidArgumentError, match="s must"):
        theory.restricted_condition(np.eye(3), 4)
    with pytest.raises(regiht.InvalidArgumentError, match="not zero"):
        theory.restricted_condition(np.zeros((3, 3)), 1)
    with pytest.raises(regiht.InvalidArgumentError, match="seed"):
        theory.restricted_condition(np.eye(3), 1, seed=-1)


def test_it_is_loaded_when_it_is_asked_for():
    assert regiht.theory is theory
    assert "theory" in regiht.__all__

"""Shah and Samworth's bounds, against the extreme distributions that they are maxima over."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from regiht._selection.error_bounds import unimodal_bound, worst_case_bound


def largest_tail(mean, tail, pairs, *, unimodal):
    """max P(Z ≥ tail) over distributions on {0, 1/B, …, 1} of at most this mean."""
    places = np.arange(pairs + 1) / pairs
    answers = []
    for mode in range(pairs + 1) if unimodal else [None]:
        rises = np.diff(np.eye(pairs + 1), axis=0)  # p[k + 1] − p[k]
        if mode is not None:
            rises[:mode] *= -1.0
        limits = np.vstack([places, rises]) if unimodal else places[None, :]
        found = linprog(
            -(places >= tail - 1e-9).astype(float),
            A_ub=limits, b_ub=np.r_[mean, np.zeros(len(limits) - 1)],
            A_eq=np.ones((1, pairs + 1)), b_eq=[1.0],
        )  # fmt: skip
        if found.success:
            answers.append(-found.fun)
    return max(answers)


@pytest.mark.parametrize("threshold", [0.6, 0.75, 0.9, 1.0])
def test_the_worst_case_is_the_largest_tail_of_any_distribution(threshold):
    """A feature of probability θ is taken by both independent halves with probability θ²."""
    features, selected, pairs = 50, 10, 10
    share = selected / features
    expected = features * largest_tail(share**2, 2 * threshold - 1, pairs, unimodal=False)
    bound = worst_case_bound(threshold, selected, features, pairs)
    assert bound == pytest.approx(expected, rel=1e-9)
    assert bound == pytest.approx(selected**2 / ((2 * threshold - 1) * features))


@pytest.mark.parametrize("threshold", [0.6, 0.7, 0.75, 0.8, 0.9, 1.0])
@pytest.mark.parametrize("share", [0.05, 0.2])
def test_no_unimodal_distribution_exceeds_the_unimodal_bound(threshold, share):
    features, pairs = 100, 20
    tail = largest_tail(share**2, 2 * threshold - 1, pairs, unimodal=True)
    bound = unimodal_bound(threshold, share * features, features, pairs)
    assert features * tail <= bound * (1 + 1e-9)
    # Theorem 2 is sharp up to the parity of B.
    assert features * tail >= 0.9 * bound
    assert bound < worst_case_bound(threshold, share * features, features, pairs)


def test_the_unimodal_bound_is_silent_where_the_theorem_is():
    assert unimodal_bound(0.51, 5, 50, 50) is None  # below ½ + 1/B
    assert unimodal_bound(0.75, 30, 50, 50) is None  # θ > 1/√3
    assert unimodal_bound(0.55, 25, 50, 50) is None  # below ½ + θ²
    assert unimodal_bound(0.75, 25, 50, 50) is not None


def test_a_threshold_between_two_counts_has_the_bound_of_the_next_count():
    """With 4 pairs a share of at least 0.7 is one of at least 6 of 8."""
    assert worst_case_bound(0.7, 4, 40, 4) == worst_case_bound(0.75, 4, 40, 4)
    assert worst_case_bound(0.6, 4, 40, 5) == pytest.approx(16 / (0.2 * 40))

"""How many features complementary pairs select by chance, at most (Shah and Samworth, 2013).

Of p features, a base selection from half of the samples takes q in the mean. Those that it takes
with probability at most θ = q/p, no more often than features drawn at random, are selected by
chance. The bounds are on the expected number of them that reach a threshold.
"""

from __future__ import annotations

import math

# Selections are counted; a threshold such as 0.6 must not miss its own multiple by rounding.
_ROUNDING = 1e-9


def reached_threshold(threshold: float, pairs: int) -> float:
    """Round up to a share of 2·pairs halves: no probability lies between the two."""
    halves = 2 * pairs
    return min(math.ceil(threshold * halves - _ROUNDING) / halves, 1.0)


def worst_case_bound(threshold: float, selected: float, features: int, pairs: int) -> float:
    """Theorem 1, θq/(2τ−1): it holds for every procedure and distribution."""
    reached = reached_threshold(threshold, pairs)
    return selected**2 / ((2.0 * reached - 1.0) * features)


def unimodal_bound(threshold: float, selected: float, features: int, pairs: int) -> float | None:
    """Theorem 2, C(τ, B)·θq.

    It holds if the share of pairs in which both halves select a feature has a unimodal
    distribution, for each of those selected by chance. None where the theorem is silent: for
    thresholds next to ½, and for selections of more than 1/√3 of the features.
    """
    reached, share = reached_threshold(threshold, pairs), selected / features
    lowest = 0.5 + min(share**2, 0.5 / pairs + 0.75 * share**2)
    on_grid = reached >= 0.5 + 1.0 / pairs - _ROUNDING
    if share > 1.0 / math.sqrt(3.0) or reached <= lowest or not on_grid:
        return None
    if reached <= 0.75:
        constant = 0.5 / (2.0 * reached - 1.0 - 0.5 / pairs)
    else:
        constant = 4.0 * (1.0 - reached + 0.5 / pairs) / (1.0 + 1.0 / pairs)
    return constant * share * selected

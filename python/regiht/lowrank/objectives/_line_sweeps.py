"""Sweeps over the factors that solve one small system for each row, then for each column."""

from __future__ import annotations

from regiht import _core
from regiht.lowrank._factors import Factors

# What observations tell about a direction counts from this part of what all entries would tell.
SMALLEST_TOLD = 1e-11


def swept_by_lines(
    entries: _core.ObservedEntries | _core.EveryEntry,
    loss: _core.EntryLoss,
    A: Factors,
    ridge: float,
    max_curvature: float,
    threads: int,
) -> Factors:
    """Each row of one factor is moved to its minimum, then each row of the other.

    For squared loss these are alternating least squares; otherwise the curvature of the loss is
    replaced by its bound, so that f cannot rise.
    """
    if A.rank == 0:
        return A
    shift = SMALLEST_TOLD * max_curvature
    return Factors(*entries.sweep(loss, *A.contiguous(), ridge, shift, threads))


def line_sweep_work(observations: int, shape: tuple[int, int], rank: int) -> float:
    """Multiply-adds: one system of that rank for every line, formed from its observations."""
    return float(observations * rank * (rank + 6) + sum(shape) * rank**3)

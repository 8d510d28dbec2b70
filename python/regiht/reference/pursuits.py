"""What regularized IHT is compared with, in plain numpy, written to be read.

Every function takes a `regiht.reference.LinearObjective` and a sparsity, and returns the vector
found. As in `regiht.reference`, clarity comes before speed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from regiht.reference import LinearObjective, Vector, hard_threshold

Indices = NDArray[np.intp]

NEWTON_STEPS = 200


def columns(objective: LinearObjective, support: Sequence[int] | Indices) -> Vector:
    """Return some columns of the matrix, dense, whatever it is stored as."""
    rows, n = objective.A.shape
    out = np.zeros((rows, len(support)))
    for k, j in enumerate(support):
        unit = np.zeros(n)
        unit[j] = 1.0
        out[:, k] = objective.A @ unit
    return out


def restricted_minimum(objective: LinearObjective, support: Sequence[int] | Indices) -> Vector:
    """Minimise the objective over the vectors that are zero outside the support.

    Newton's method from zero, each step damped as Levenberg and Marquardt do until the value falls.
    Steps are those of least norm, so that for squared loss the answer is, too.
    """
    support = np.asarray(support, dtype=np.intp)
    A, y, ridge = columns(objective, support), objective.y, objective.ridge
    weight, loss = objective.sample_weight, objective.loss
    x = np.zeros(len(support))

    def value(at: Vector) -> float:
        return float(weight @ loss.value(A @ at, y) + 0.5 * ridge * (at @ at))

    damping, lowest = 0.0, value(x)
    for _ in range(NEWTON_STEPS if len(support) else 0):
        prediction = A @ x
        gradient = A.T @ (weight * loss.derivative(prediction, y)) + ridge * x
        curvature = weight * loss.curvature(prediction, y)
        hessian = (A * curvature[:, None]).T @ A + ridge * np.eye(len(x))
        step = np.linalg.lstsq(hessian + damping * np.eye(len(x)), -gradient, rcond=None)[0]
        falls = value(x + step) < lowest
        if not falls and np.linalg.norm(step) <= 1e-14 * np.linalg.norm(x):
            break
        if falls:
            x, lowest = x + step, value(x + step)
            damping = damping / 8 if damping > 1e-12 * np.abs(hessian).max() else 0.0
        else:
            damping = max(4 * damping, 1e-9 * float(np.linalg.norm(gradient)), 1e-300)
    full = np.zeros(objective.A.shape[1])
    full[support] = x
    return full


def _largest_outside(gradient: Vector, inside: Sequence[int] | Indices, count: int) -> Indices:
    """Return the `count` largest entries that are not inside, the lowest index among equals."""
    rest = gradient.copy()
    rest[np.asarray(inside, dtype=np.intp)] = 0.0
    return np.flatnonzero(hard_threshold(rest, count))


def gradient_ranking(objective: LinearObjective, s: int, keep: Sequence[int] = ()) -> Vector:
    """Choose the s largest entries of the gradient at the start: marginal screening."""
    x = restricted_minimum(objective, keep)
    joining = _largest_outside(objective.gradient(x), keep, s - len(keep))
    return restricted_minimum(objective, np.union1d(np.asarray(keep, dtype=np.intp), joining))


def omp(objective: LinearObjective, s: int, keep: Sequence[int] = ()) -> Vector:
    """Orthogonal matching pursuit (Pati, Rezaiifar and Krishnaprasad 1993)."""
    support = np.asarray(keep, dtype=np.intp)
    x = restricted_minimum(objective, support)
    while len(support) < s:
        support = np.union1d(support, _largest_outside(objective.gradient(x), support, 1))
        x = restricted_minimum(objective, support)
    return x


def ompr(objective: LinearObjective, s: int, keep: Sequence[int] = ()) -> Vector:
    """Orthogonal matching pursuit with replacement (Jain, Tewari and Dhillon 2011).

    Departs from the paper in that the entry that leaves is the smallest one after a fit on all
    s + 1, and in that it starts from what `omp` finds.
    """
    x = omp(objective, s, keep)
    while True:
        support = np.flatnonzero(x)
        joined = np.union1d(support, _largest_outside(objective.gradient(x), support, 1))
        wider = restricted_minimum(objective, joined)
        free = np.setdiff1d(joined, np.asarray(keep, dtype=np.intp))
        leaving = free[np.argmin(np.abs(wider[free]))]
        trial = restricted_minimum(objective, np.setdiff1d(joined, [leaving]))
        if leaving not in support or not objective.value(trial) < objective.value(x):
            return x
        x = trial


def htp(objective: LinearObjective, s: int, *, step: float, keep: Sequence[int] = ()) -> Vector:
    """Hard thresholding pursuit (Foucart 2011), until a support comes again."""
    x = restricted_minimum(objective, keep)
    seen: set[tuple[int, ...]] = set()
    while True:
        moved = hard_threshold(x - step * objective.gradient(x), s, keep)
        support = np.union1d(np.flatnonzero(moved), np.asarray(keep, dtype=np.intp)).astype(np.intp)
        if tuple(support) in seen:
            return x
        seen.add(tuple(support))
        x = restricted_minimum(objective, support)


def cosamp(objective: LinearObjective, s: int, keep: Sequence[int] = ()) -> Vector:
    """Compressive sampling matching pursuit (Needell and Tropp 2009).

    Departs from the paper in that what is left after the cut is fitted again, as Bahmani, Raj and
    Boufounos (2013) suggest, and in that it ends when the value no longer falls.
    """
    x = restricted_minimum(objective, keep)
    while True:
        support = np.union1d(np.flatnonzero(x), np.asarray(keep, dtype=np.intp)).astype(np.intp)
        joining = _largest_outside(objective.gradient(x), support, 2 * s)
        wider = restricted_minimum(objective, np.union1d(support, joining))
        cut = np.union1d(np.flatnonzero(hard_threshold(wider, s, keep)), keep).astype(np.intp)
        trial = restricted_minimum(objective, cut)
        if not objective.value(trial) < objective.value(x):
            return x
        x = trial

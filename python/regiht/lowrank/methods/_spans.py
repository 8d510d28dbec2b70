"""Steps that several methods take: the leading direction of a gradient, and spans with it."""

from __future__ import annotations

import numpy as np

from regiht._inputs.checks import FloatArray
from regiht.lowrank._factors import Factors
from regiht.lowrank._leading import leading_triplets
from regiht.lowrank._products import inner, norm, times
from regiht.lowrank._weights import Regularizer
from regiht.lowrank.objectives import LowRankObjective
from regiht.lowrank.objectives._base import Evaluation

_INSIDE = 1e-10


def leading_of_gradient(
    objective: LowRankObjective, at: Evaluation, regularizer: Regularizer | None, threads: int
) -> Factors:
    """H₁(∇g(A)), where g is f without a regularizer."""
    left, right = objective.ridge * at.A.left, at.A.V
    if regularizer is not None:
        more_left, more_right = regularizer.gradient_terms(at.A)
        left, right = np.hstack([left, more_left]), np.hstack([right, more_right])
    return leading_triplets(
        at.gradient(), 1, terms=(left, right), shape=objective.shape, threads=threads
    )


def with_direction(basis: FloatArray, direction: FloatArray) -> FloatArray:
    """Return the orthonormal basis, with one column more unless the direction lies in it."""
    rest = direction[:, None].copy()
    for _ in range(2):
        rest -= times(basis, inner(basis, rest))
    outside = norm(rest)
    if outside <= _INSIDE:
        return basis
    return np.hstack([basis, rest / outside])


def best_in_span(
    objective: LowRankObjective,
    A: Factors,
    direction: Factors | None,
    regularizer: Regularizer | None,
    threads: int,
) -> Factors:
    """The fully corrective step: the best U·X·Vᵀ over the spaces of A and of a direction."""
    U, V = A.U, A.V
    if direction is not None:
        U, V = with_direction(U, direction.U[:, 0]), with_direction(V, direction.V[:, 0])
    if U.shape[1] == 0 or V.shape[1] == 0:
        return Factors.zero(objective.shape)
    X = np.zeros((U.shape[1], V.shape[1]))
    X[: A.rank, : A.rank] = np.diag(A.s)
    X = objective.corrective(U, V, X, regularizer, threads)
    return Factors.of_product(U, X, V)

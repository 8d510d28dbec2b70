"""Objectives of some observed entries. The dense matrix is never formed."""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError
from regiht.lowrank._factors import Factors
from regiht.lowrank._losses import LogisticLoss, SquaredLoss
from regiht.lowrank._penalty import FactorPenalty
from regiht.lowrank._products import inner, outer, qr
from regiht.lowrank.objectives._base import PredictionObjective

# What observations tell about a direction counts from this part of what all entries would tell.
_SMALLEST_TOLD = 1e-11


class Observed(NamedTuple):
    """Checked observations, and what is asked of the matrix besides."""

    where: check.Entries
    target: FloatArray
    weights: FloatArray | None
    ridge: float
    factor_penalty: float = 0.0
    scale_penalty: bool = False
    unseen_weight: float = 0.0

    def effective(self) -> tuple[FloatArray, FloatArray | None, float]:
        """Targets and weights so that unseen zeros are a ridge, and a constant.

        w(z − t)² over the seen entries and w₀z² over the others are, but for a constant, w₀z² over
        all entries and (w − w₀)(z − w·t/(w − w₀))² over the seen ones.
        """
        if self.unseen_weight == 0.0:
            return self.target, self.weights, 0.0
        weights = np.ones_like(self.target) if self.weights is None else self.weights
        excess = weights - self.unseen_weight
        target = weights * self.target / excess
        constant = 0.5 * float(np.sum(weights * self.target**2) - np.sum(excess * target**2))
        return target, excess, constant


class ObservedObjective(PredictionObjective):
    """Predictions are the observed entries, row by row."""

    _is_logistic: ClassVar[bool]

    def __init__(self, given: Observed) -> None:
        self._given = given
        self.shape = given.where.shape
        self.ridge = given.ridge + given.unseen_weight
        self.observations = given.where.rows.size
        self._entries = _core.ObservedEntries(*self.shape, given.where.rows, given.where.cols)
        order = self._entries.order
        target, weights, self._constant = given.effective()
        target, weights = target[order], None if weights is None else weights[order]
        self._core_loss = _core.EntryLoss(self._is_logistic, target, weights)
        self._loss = (
            LogisticLoss(target)
            if self._is_logistic
            else SquaredLoss(target, 1.0 if weights is None else weights)
        )
        self._penalty = self._make_penalty()
        self.factor_penalty = given.factor_penalty
        self._set_curvatures(1.0 if weights is None else float(weights.mean()))

    def _set_curvatures(self, mean_weight: float) -> None:
        curvature = self._loss.max_curvature
        bound = 0.25 if self._is_logistic else 1.0
        mean = bound * mean_weight * self.observations / (self.shape[0] * self.shape[1])
        self.smoothness = curvature * self._entries.most_repeats + self.ridge or 1.0
        self.condition = self.smoothness / (mean + self.ridge) if mean > 0.0 else 1.0

    def _make_penalty(self) -> FactorPenalty:
        where = self._given.where
        if not self._given.scale_penalty:
            scales = [np.ones(size) for size in self.shape]
        else:
            # A line without observations counts as one with one, and its factor is zero anyway.
            scales = [
                np.sqrt(np.maximum(np.bincount(lines, minlength=size), 1.0))
                for lines, size in zip((where.rows, where.cols), self.shape, strict=True)
            ]
        return FactorPenalty(self._given.factor_penalty, *scales)

    def __reduce__(self) -> tuple[Any, ...]:
        """The compiled part is built anew from the observations."""
        return _rebuilt, (type(self), self._given)

    def part(self, chosen: IndexArray) -> Self:
        """Return the objective of some of the observations, by their numbers."""
        given = self._given
        where = check.Entries(given.where.rows[chosen], given.where.cols[chosen], self.shape)
        weights = None if given.weights is None else given.weights[chosen]
        return self._with(where=where, target=given.target[chosen], weights=weights)

    def with_penalties(self, **penalties: float) -> Self:
        """Return the objective of the same observations with another ridge or factor_penalty."""
        return self._with(**penalties)

    def without_factor_penalty(self) -> Self:
        return self if self.factor_penalty == 0.0 else self._with(factor_penalty=0.0)

    def _with(self, **changes: Any) -> Self:
        """Return one like it, which shares the compiled part if it has the same entries."""
        if "where" in changes:
            return _rebuilt(type(self), self._given._replace(**changes))
        other = copy(self)
        other._given = self._given._replace(**changes)
        other.ridge = other._given.ridge + other._given.unseen_weight
        other.factor_penalty = other._given.factor_penalty
        other._penalty = other._make_penalty()
        weights = other._given.weights
        other._set_curvatures(1.0 if weights is None else float(weights.mean()))
        return other

    def value(self, A: Factors, threads: int = 1) -> float:
        loss = self._entries.total_loss(
            self._core_loss, np.ascontiguousarray(A.left), np.ascontiguousarray(A.V), threads
        )
        return self._with_penalties(loss, A)

    def _value_at(self, A: Factors, z: FloatArray, threads: int) -> float:
        return self._with_penalties(self._entries.total_loss_of(self._core_loss, z, threads), A)

    def _with_penalties(self, loss: float, A: Factors) -> float:
        return loss + (0.5 * self.ridge * A.squared_norm + self._constant) + self._penalty.value(A)

    def mean_loss(self, A: Factors, threads: int = 1) -> float:
        """Loss for each seen observation, without penalties and without those not seen."""
        if self._given.unseen_weight == 0.0:
            return super().mean_loss(A, threads)
        order = self._entries.order
        weights = 1.0 if self._given.weights is None else self._given.weights[order]
        judge = SquaredLoss(self._given.target[order], weights)
        return judge.value(self._predict(A.left, A.V, threads)) / self.observations

    def _predict(self, left: FloatArray, right: FloatArray, threads: int) -> FloatArray:
        return self._entries.predict(
            np.ascontiguousarray(left), np.ascontiguousarray(right), threads
        )

    def _adjoint(self, v: FloatArray) -> _core.MatrixOperator:
        return _core.observed_operator(self._entries, v)

    def _adjoint_times(
        self, v: FloatArray, block: FloatArray, transposed: bool, threads: int
    ) -> FloatArray:
        return self._entries.times(v, np.ascontiguousarray(block), transposed, threads)

    def refined(self, A: Factors, threads: int = 1) -> Factors:
        """Each row of one factor is moved to its minimum, then each row of the other.

        For squared loss these are alternating least squares; otherwise the curvature of the loss
        is replaced by its bound, so that f cannot rise.
        """
        if A.rank == 0:
            return A
        if self.factor_penalty > 0.0:
            left, right = self._penalty.balanced(A)
            left = self._stepped(True, left, right, threads)
            right = self._stepped(False, right, left, threads)
            return Factors.of_terms(left, right, threads)
        left = self._stepped(True, A.left, A.V, threads)
        U, R = qr(left, threads)
        right = self._stepped(False, outer(A.V, R, threads), U, threads)
        V, S = qr(right, threads)
        return Factors.of_product(U, np.ascontiguousarray(S.T), V, threads)

    def sweep_work(self, rank: int) -> float:
        """One system of that rank for every row and column, formed from its observations."""
        return float(self.observations * rank * (rank + 6) + sum(self.shape) * rank**3)

    def _stepped(
        self, is_left: bool, factor: FloatArray, other: FloatArray, threads: int
    ) -> FloatArray:
        """Return the best rows of one factor while the other stays."""
        gram = inner(other, other, threads)
        scaled = self._given.scale_penalty
        base = self.ridge * gram
        if not scaled:
            base += self.factor_penalty * np.eye(len(gram))
        return self._entries.alternating_step(
            is_left,
            self._core_loss,
            np.ascontiguousarray(other),
            np.ascontiguousarray(factor),
            base,
            self.factor_penalty if scaled else 0.0,
            _SMALLEST_TOLD * self._loss.max_curvature * float(gram.diagonal().max()),
            threads,
        )


class Completion(ObservedObjective):
    """½ Σ (A[rows, cols] − values)² over the observed entries + (ridge/2)‖A‖².

    Parameters
    ----------
    rows, cols : arrays of int
        Where the entries stand. An entry may be observed several times; each counts.
    values : array
    shape : (int, int)
    weights : array, optional
        Of the observations: ½ Σ weights·(A[rows, cols] − values)². Not negative, not all zero.
    ridge : float
    factor_penalty : float
        λ of alternating least squares: adds (λ/2)(‖L‖² + ‖R‖²) for the factors of A = L·Rᵀ. Of all
        factors the least counts, which is λ times the sum of the singular values of A. Only sweeps
        know of it, so only ``"best"``, ``"regularized-iht"`` and ``"alternating"`` take it.
    scale_penalty : bool
        Multiply the penalty of each row of a factor by the number of its observations.
    unseen_weight : float
        Of all entries that are not listed, whose value counts as zero: implicit feedback. The
        weights of the others must be above it. These entries are never gone through.

    See Also
    --------
    solve : Minimises it.
    Weighted : All entries, some of which count more.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> M = np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 2.0])
    >>> rows, cols = np.nonzero(np.arange(9).reshape(3, 3) != 8)  # all but the last
    >>> known = lowrank.Completion(rows, cols, M[rows, cols], M.shape)
    >>> float(lowrank.solve(known, rank=1).predict([2], [2])[0].round(4))
    6.0
    """

    _is_logistic = False

    def __init__(
        self,
        rows: ArrayLike,
        cols: ArrayLike,
        values: ArrayLike,
        shape: tuple[int, int],
        *,
        weights: ArrayLike | None = None,
        ridge: float = 0.0,
        factor_penalty: float = 0.0,
        scale_penalty: bool = False,
        unseen_weight: float = 0.0,
    ) -> None:
        where = check.check_entries(rows, cols, shape)
        size = where.rows.size
        given = Observed(
            where,
            check.check_values("values", values, size),
            None if weights is None else check.check_observation_weights(weights, size),
            check.check_real("ridge", ridge, least=0.0),
            check.check_real("factor_penalty", factor_penalty, least=0.0),
            check.check_flag("scale_penalty", scale_penalty),
            check.check_real("unseen_weight", unseen_weight, least=0.0),
        )
        least = 1.0 if given.weights is None else float(given.weights.min(initial=np.inf))
        if given.unseen_weight > 0.0 and not least > given.unseen_weight:
            raise InvalidArgumentError(
                f"weights must be above unseen_weight, {given.unseen_weight:g}; one is {least:g}."
            )
        super().__init__(given)
        if given.unseen_weight > 0.0 and self._entries.most_repeats > 1:
            raise InvalidArgumentError("with unseen_weight no entry may be given twice.")


class OneBit(ObservedObjective):
    """Σ log(1 + exp(−signs · A[rows, cols])) over the observed entries + (ridge/2)‖A‖².

    Parameters
    ----------
    rows, cols : arrays of int
        Where the entries stand. An entry may be observed several times; each counts.
    signs : array of −1 and 1, or of booleans
    shape : (int, int)
    ridge : float
        Without it there may be no minimum: a matrix that has all signs right improves for ever.

    See Also
    --------
    solve : Minimises it.
    Completion : For entries that are numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> rng = np.random.default_rng(0)
    >>> M = np.outer(rng.normal(size=30), rng.normal(size=20))
    >>> rows, cols = np.nonzero(rng.random(M.shape) < 0.5)
    >>> likes = lowrank.OneBit(rows, cols, M[rows, cols] > 0, M.shape, ridge=0.1)
    >>> found = lowrank.solve(likes, rank=1)
    >>> bool(np.mean((found.matrix() > 0) == (M > 0)) > 0.9)
    True
    """

    _is_logistic = True

    def __init__(
        self,
        rows: ArrayLike,
        cols: ArrayLike,
        signs: ArrayLike,
        shape: tuple[int, int],
        *,
        ridge: float = 0.0,
    ) -> None:
        where = check.check_entries(rows, cols, shape)
        target = check.check_signs(signs, where.rows.size)
        held = check.check_real("ridge", ridge, least=0.0)
        super().__init__(Observed(where, target, None, held))


Kind = TypeVar("Kind", bound=ObservedObjective)


def _rebuilt(kind: type[Kind], given: Observed) -> Kind:
    """An objective from parts that were checked before."""
    objective = kind.__new__(kind)
    ObservedObjective.__init__(objective, given)
    return objective

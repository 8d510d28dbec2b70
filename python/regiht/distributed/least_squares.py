"""Squared loss over blocks of rows: iterations on the client, from columns of the Gram matrix."""

from __future__ import annotations

import numpy as np

from regiht._inputs.checks import FloatArray, IndexArray
from regiht.distributed import row_block
from regiht.distributed.blocks import Blocks
from regiht.distributed.gram_columns import GramColumns
from regiht.distributed.objective import WORK_OF_A_ROUND
from regiht.distributed.row_block import Point

# Up to so many columns the whole Gram matrix comes with the first round.
_WHOLE = 512

# Columns that are fetched with those that are needed, if they look like coming next.
_AHEAD = 8

# A value this much smaller than the terms it is the sum of has lost too many digits; so has one
# this much smaller than the terms that were summed to those, if columns are nearly dependent.
_DIGITS_KEPT, _INNER_DIGITS_KEPT = 1e-3, 1e-7


class BlockLeastSquares:
    """½Σ wᵢ(aᵢx − bᵢ)² over blocks of rows, plus (ridge/2)‖x‖².

    With d = x − x̄ for a base point x̄ where everything is known, f(x) = f(x̄) + ⟨ḡ, d⟩ + ½dᵀGd and
    ∇f(x) = ḡ + Gd. So the blocks are asked only when a column enters for the first time, and for a
    new base before cancellation costs more than a few digits. An intercept is profiled out: its
    row and column are taken out of G.
    """

    is_quadratic = True

    def __init__(
        self, blocks: Blocks, *, rows: int, cols: int, ridge: float = 0.0, intercept: bool = False
    ) -> None:
        del rows
        self._blocks = blocks
        self._cols = cols
        self._ridge = ridge
        self._with_intercept = intercept
        self._gram = GramColumns(cols)
        self._work = 0.0
        self._begun = blocks.communication.rounds
        self._base = np.zeros(cols)
        self._steepest: FloatArray = np.empty(0)  # magnitudes of the last gradient
        self._take_moments()

    @staticmethod
    def suits(cols: int, s: int) -> bool:
        """Whether the client has room for the columns that a fit of s features needs."""
        return cols <= _WHOLE or max(64, 8 * s) <= GramColumns.room(cols)

    def value(self, x: FloatArray) -> float:
        """Return f(x)."""
        return self._loss(x) + 0.5 * self._ridge * float(np.sum(np.square(x)))

    def gradient(self, x: FloatArray) -> FloatArray:
        """Return ∇f(x)."""
        moved = self._moved(x)
        gradient = self._base_gradient.copy()
        for j in moved.tolist():
            gradient += (x[j] - self._base[j]) * self._gram.column(j)
        self._work += float(moved.size * self._cols)
        self._steepest = np.abs(gradient)
        return gradient + self._ridge * x

    def gradient_at(self, x: FloatArray, columns: IndexArray) -> FloatArray:
        """Return some entries of ∇f(x)."""
        moved = self._moved(x)
        by = (x - self._base)[moved]
        products: FloatArray = np.sum(by[:, None] * self._gram.part(moved, columns), axis=0)
        return self._base_gradient[columns] + products + self._ridge * x[columns]

    def second_derivatives(
        self, x: FloatArray, rows: IndexArray, columns: IndexArray
    ) -> FloatArray:
        """Return the entries of G, and ridge on the diagonal."""
        del x
        ridge: FloatArray = self._ridge * np.equal.outer(rows, columns)
        if self._gram.knows(columns):
            return self._gram.part(columns, rows).T + ridge
        if not self._gram.knows(rows):
            self._fetch(rows)
        return self._gram.part(rows, columns) + ridge

    def curvatures(self, x: FloatArray, columns: IndexArray) -> FloatArray:
        """Return ∂²f/∂xⱼ² for these columns."""
        del x
        return self._squares[columns] + self._ridge

    def approximate_curvatures(self, x: FloatArray) -> FloatArray:
        """Return ∂²f/∂xⱼ² for every column."""
        del x
        return self._squares + self._ridge

    def intercept(self, x: FloatArray) -> float:
        """Return the intercept at x."""
        if not self._with_intercept:
            return 0.0
        return (self._target_sum - float(np.sum(self._sums * x))) / self._total

    def work(self) -> float:
        """Return about what the rounds and the arithmetic here have cost."""
        rounds = self._blocks.communication.rounds - self._begun
        return WORK_OF_A_ROUND * rounds + self._work

    def _take_moments(self) -> None:
        whole = self._cols <= _WHOLE
        answer = self._blocks.sum(row_block.moments, whole, self._with_intercept)
        correlations = answer["correlations"]
        squared_target = float(answer["squared_target"])
        squares = np.diagonal(answer["gram"]) if whole else answer["squares"]
        self._total = self._target_sum = 0.0
        self._sums = np.empty(0)
        if self._with_intercept:
            self._total, self._target_sum = float(answer["total"]), float(answer["target_sum"])
            self._sums = answer["sums"]
            mean = self._target_sum / self._total
            correlations = correlations - self._sums * mean
            squared_target = max(squared_target - self._target_sum * mean, 0.0)
            squares = squares - np.square(self._sums) / self._total
        self._squares: FloatArray = np.maximum(squares, 0.0)
        self._base_value = 0.5 * squared_target
        self._base_gradient: FloatArray = -correlations
        self._steepest = np.abs(correlations)
        if whole:
            every = np.arange(self._cols)
            self._gram.add(every, self._profiled(every, answer["gram"]), every)

    def _profiled(self, columns: IndexArray, gram: FloatArray) -> FloatArray:
        """Rows of G without what the intercept takes."""
        if not self._with_intercept:
            return gram
        return gram - np.outer(self._sums[columns] / self._total, self._sums)

    def _moved(self, x: FloatArray) -> IndexArray:
        """Where x is not at the base; these columns are known afterwards."""
        moved = np.flatnonzero(x != self._base)
        if not self._gram.knows(moved):
            self._fetch(moved)
        return moved

    def _fetch(self, columns: IndexArray) -> None:
        """Ask for columns of G, and for some that may come next."""
        missing = self._gram.missing(columns)
        score = np.square(self._steepest) / np.maximum(self._squares, np.finfo(np.float64).tiny)
        likely = np.argsort(-score, kind="stable")[: missing.size + 4 * _AHEAD]
        ahead = self._gram.missing(np.setdiff1d(likely, columns))[:_AHEAD]
        wanted = np.union1d(missing, ahead)
        gram = self._blocks.sum(row_block.gram_columns, wanted)["gram"]
        self._gram.add(wanted, self._profiled(wanted, gram), columns)

    def _loss(self, x: FloatArray) -> float:
        moved = self._moved(x)
        by = (x - self._base)[moved]
        products = np.sum(by[:, None] * self._gram.part(moved, moved), axis=0)
        linear = float(np.sum(self._base_gradient[moved] * by))
        quadratic = float(np.sum(products * by))
        squares = float(np.sum(self._squares[moved] * np.square(by)))
        largest = max(abs(self._base_value), abs(linear), quadratic)
        self._work += float(moved.size**2) + 1e4
        value = self._base_value + (linear + 0.5 * quadratic)
        exact_from = max(_DIGITS_KEPT * largest, _INNER_DIGITS_KEPT * squares)
        if abs(value) >= exact_from or not moved.size or not np.isfinite(exact_from):
            return value
        self._take_base(x)
        return self._base_value

    def _take_base(self, x: FloatArray) -> None:
        """Make x the base: the value and all of the gradient are computed afresh."""
        columns = np.flatnonzero(x)
        point = Point(columns, x[columns], self.intercept(x))
        answer = self._blocks.sum(row_block.evaluate, point, None, None, None)
        self._base = x.copy()
        self._base_value = float(answer["value"])
        self._base_gradient = answer["gradient"]

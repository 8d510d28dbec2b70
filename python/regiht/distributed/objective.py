"""The loss of a linear model over blocks of rows, as an objective of `regiht.minimize`."""

from __future__ import annotations

import math

import numpy as np

from regiht._inputs.checks import FloatArray, IndexArray
from regiht.distributed import row_block
from regiht.distributed.blocks import Blocks
from regiht.distributed.evaluation import Evaluation
from regiht.distributed.intercept import Intercept
from regiht.distributed.row_block import Point
from regiht.distributed.screening import ColumnNorms, Guess, Reference, column_norms

# Evaluations that are remembered: steps that fail go back to where they came from.
_REMEMBERED = 8

# What a round costs beside its arithmetic, in multiply-adds: about 15 ms.
WORK_OF_A_ROUND = 4.5e7

# The part of all columns from which on the whole gradient is asked for.
_FULL_SHARE = 0.25


class BlockObjective:
    """Σ over blocks of the losses of their rows, plus (ridge/2)‖x‖².

    What goes out are the nonzeros of x and numbers of columns; what comes back are a few numbers
    and the gradient for these columns. Predictions stay where the rows are. With an intercept it
    is chosen anew at every x, as `regiht.solve` does.

    Parameters
    ----------
    blocks : Blocks of ModelBlock
    rows, cols : int
        Of all blocks together.
    ridge : float
    intercept : bool
    is_quadratic : bool
        Whether the loss is.
    screening : bool
        Ask only for gradient entries that can matter. Exact.
    """

    def __init__(
        self,
        blocks: Blocks,
        *,
        rows: int,
        cols: int,
        ridge: float = 0.0,
        intercept: bool = False,
        is_quadratic: bool = False,
        screening: bool = True,
    ) -> None:
        self.is_quadratic = is_quadratic
        self._blocks = blocks
        self._rows, self._cols = rows, cols
        self._ridge = ridge
        self._intercept = Intercept() if intercept else None
        self._screening = screening
        self._known: dict[bytes, Evaluation] = {}
        self._reference: Reference | None = None
        self._norms: ColumnNorms | None = None
        self._guess = Guess()
        self._read_since_reference = 0
        self._begun = blocks.communication.rounds

    def value(self, x: FloatArray) -> float:
        """Return f(x)."""
        return self._at(x).value + 0.5 * self._ridge * float(np.sum(np.square(x)))

    def gradient(self, x: FloatArray) -> FloatArray:
        """Return all of ∇f(x)."""
        return self._full(self._at(x)) + self._ridge * x

    def value_and_gradient(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Return both, in one round."""
        self._at(x, full=True)
        return self.value(x), self.gradient(x)

    def gradient_at(self, x: FloatArray, columns: IndexArray) -> FloatArray:
        """Return some entries of ∇f(x), as a rule those that came with the value."""
        here = self._at(x)
        self._learn(here, columns)
        return here.gradient_at(columns) + self._ridge * x[columns]

    def gradient_reaching(
        self, x: FloatArray, support: IndexArray, magnitude: float
    ) -> tuple[IndexArray, FloatArray]:
        """Return the columns outside the support that can reach a magnitude, and ∇f there."""
        here = self._at(x)
        columns = self._reaching(here, magnitude)
        columns = np.setdiff1d(columns, support, assume_unique=True)
        if here.full is None and columns.size > _FULL_SHARE * self._cols:
            self._full(here)
        if here.full is not None:
            columns = columns[np.abs(here.full[columns]) >= magnitude]
        else:
            self._learn(here, columns)
            self._read_since_reference += columns.size
        return columns, here.gradient_at(columns) + self._ridge * x[columns]

    def largest_off_support(
        self, x: FloatArray, support: IndexArray, count: int
    ) -> tuple[IndexArray, FloatArray]:
        """Return the columns outside the support with the largest entries of ∇f(x)."""
        full = self._full(self._at(x))
        magnitudes = np.abs(full)
        magnitudes[support] = -1.0
        count = min(count, self._cols - support.size)
        columns = np.argpartition(-magnitudes, max(count - 1, 0))[:count].astype(np.int64)
        return columns, full[columns]

    def second_derivatives(
        self, x: FloatArray, rows: IndexArray, columns: IndexArray
    ) -> FloatArray:
        """Return ∂²f/∂xᵢ∂xⱼ for these rows and columns."""
        answer = self._blocks.sum(
            row_block.second_derivatives, self._at(x).point, rows, columns,
            self._intercept is not None,
        )  # fmt: skip
        products: FloatArray = answer["products"]
        if self._intercept is not None and answer["total"] > 0.0:
            # The intercept follows x: H − h hᵀ/c, with what involves it.
            products = products - np.outer(answer["left"], answer["right"] / answer["total"])
        ridge: FloatArray = self._ridge * np.equal.outer(rows, columns)
        return products + ridge

    def curvatures(self, x: FloatArray, columns: IndexArray) -> FloatArray:
        """Return ∂²f/∂xⱼ² for these columns."""
        answer = self._blocks.sum(
            row_block.curvatures, self._at(x).point, columns, self._intercept is not None
        )
        squares: FloatArray = answer["squares"]
        if self._intercept is not None and answer["total"] > 0.0:
            squares = squares - np.square(answer["sums"]) / answer["total"]
        return squares + self._ridge

    def approximate_curvatures(self, x: FloatArray) -> FloatArray:
        """Return ‖aⱼ‖² times the mean curvature of the loss, for every column."""
        total = float(self._blocks.sum(row_block.total_curvature, self._at(x).point)["total"])
        return np.square(self._column_norms().norms) * (total / self._rows) + self._ridge

    def intercept(self, x: FloatArray) -> float:
        """Return the intercept at x."""
        return self._at(x).point.intercept

    def work(self) -> float:
        """Return about what the rounds so far have cost."""
        return WORK_OF_A_ROUND * (self._blocks.communication.rounds - self._begun)

    def _at(self, x: FloatArray, full: bool = False) -> Evaluation:
        """Return what is known at x; evaluate it if that is nothing."""
        columns = np.flatnonzero(x)
        values = x[columns]
        key = columns.tobytes() + values.tobytes()
        here = self._known.pop(key, None)
        if here is None:
            here = self._evaluate(Point(columns, values), full)
        elif full:
            self._full(here)
        self._known[key] = here
        while len(self._known) > _REMEMBERED:
            self._known.pop(next(iter(self._known)))
        return here

    def _evaluate(self, point: Point, full: bool) -> Evaluation:
        """Ask for the value at a point, and for the part of the gradient that will be wanted."""
        self._guess.move()
        full = full or self._wants_reference()
        if self._intercept is None:
            return self._ask(point, None if full else self._expected(point))
        columns = point.columns if full else self._expected(point)
        for at in self._intercept.search(point):
            here = self._ask(at, columns)
        if full:
            self._full(here)
        return here

    def _ask(self, point: Point, columns: IndexArray | None) -> Evaluation:
        reference = self._reference
        answer = self._blocks.sum(
            row_block.evaluate, point, columns,
            None if reference is None else reference.point,
            None if self._intercept is None else self._intercept.reach,
        )  # fmt: skip
        if self._intercept is not None:
            self._intercept.learn(point, answer)
        nothing = np.empty(0, dtype=np.int64)
        here = Evaluation(point, float(answer["value"]), nothing, np.empty(0))
        if reference is not None:
            here.reference, here.distance = reference, math.sqrt(answer["squared_distance"])
        if columns is None:
            self._take_full(here, answer["gradient"], math.sqrt(answer["squared_norm"]))
        else:
            here.add(columns, answer["gradient"])
        return here

    def _expected(self, point: Point) -> IndexArray:
        """The support, and what a step will ask for, if there are steps."""
        if self._reference is None or self._norms is None:
            return point.columns
        guessed = self._guess.columns(self._reference, self._norms, self._rows)
        return np.union1d(point.columns, guessed)

    def _wants_reference(self) -> bool:
        """Whether columns read since the reference add up to all of them."""
        return self._read_since_reference > self._cols

    def _learn(self, here: Evaluation, columns: IndexArray) -> None:
        missing = here.missing(columns)
        if missing.size:
            answer = self._blocks.sum(row_block.evaluate, here.point, missing, None, None)
            here.add(missing, answer["gradient"])

    def _full(self, here: Evaluation) -> FloatArray:
        if here.full is None:
            answer = self._blocks.sum(row_block.evaluate, here.point, None, None, None)
            self._take_full(here, answer["gradient"], math.sqrt(answer["squared_norm"]))
        assert here.full is not None
        return here.full

    def _take_full(self, here: Evaluation, gradient: FloatArray, norm: float) -> None:
        """A whole gradient becomes the reference, if its numbers are any use."""
        here.full = gradient
        if self._screening and math.isfinite(norm) and np.isfinite(gradient).all():
            self._reference = Reference(here.point, np.abs(gradient), norm)
            here.reference, here.distance = self._reference, 0.0
            self._read_since_reference = 0

    def _reaching(self, here: Evaluation, magnitude: float) -> IndexArray:
        """Columns that can reach a magnitude; all of them, where nothing is known."""
        if here.full is None and self._reference is None:
            self._full(here)
        if here.full is not None:
            return np.flatnonzero(~(np.abs(here.full) < magnitude))
        assert self._reference is not None
        if here.reference is not self._reference:
            answer = self._blocks.sum(
                row_block.evaluate, here.point, here.columns[:0], self._reference.point, None
            )
            here.distance = math.sqrt(answer["squared_distance"])
            here.reference = self._reference
        self._guess.learn(magnitude, here.distance)
        return self._reference.reaching(self._column_norms(), self._rows, here.distance, magnitude)

    def _column_norms(self) -> ColumnNorms:
        if self._norms is None:
            self._norms = column_norms(self._blocks)
        return self._norms

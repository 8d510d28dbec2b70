"""Rows in blocks, checked and prepared once, for any number of solves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError
from regiht._solving.options import Options
from regiht.distributed import row_block
from regiht.distributed.blocks import Blocks
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.row_block import RowBlock
from regiht.distributed.statistics import standardization


@dataclass(frozen=True)
class BlockDesign:
    """What `regiht.Design` is for a matrix in memory.

    Attributes
    ----------
    blocks : Blocks of RowBlock
        None of them empty.
    shape : tuple of int
        Of all blocks together.
    feature_names : list of str, optional
    first_rows : dict
        The number of the first row of every block among all rows, by the number of the block.
    means, factors : array, optional
        What is subtracted from each column, and what it is then multiplied with.
    """

    blocks: Blocks
    shape: tuple[int, int]
    feature_names: Sequence[str] | None = None
    first_rows: Mapping[int, int] = field(default_factory=dict)
    means: FloatArray | None = None
    factors: FloatArray | None = None

    @classmethod
    def of(cls, blocks: Blocks, feature_names: Sequence[str] | None = None) -> BlockDesign:
        """Look at loaded blocks, leave out those without rows, and refuse unlike ones."""
        shapes = blocks.map(_shape)
        filled = [k for k, shape in enumerate(shapes) if shape["rows"] > 0]
        if not filled:
            raise InvalidArgumentError("X has no rows: all of its blocks are empty.")
        check.refuse_zero_weights(np.array([shapes[k]["weight"] for k in filled]))
        cols = shapes[filled[0]]["cols"]
        for k in filled:
            if shapes[k]["cols"] != cols:
                raise InvalidArgumentError(
                    f"all blocks of X must have the same columns: block {filled[0]} has {cols} of "
                    f"them and block {k} has {shapes[k]['cols']}."
                )
        if len(filled) < len(blocks):
            blocks = blocks.select(filled)
        rows = 0
        first_rows = {}
        for k in filled:
            first_rows[int(shapes[k]["number"])] = rows
            rows += shapes[k]["rows"]
        return cls(blocks, (rows, cols), feature_names, first_rows)

    def standardized(
        self,
        *,
        center: bool,
        scale: bool,
        shift: bool = False,
        weighted: bool = False,
        exclude: IndexArray | None = None,
    ) -> BlockDesign:
        """Standardize by the means and norms of the columns of all blocks."""
        if not (center or scale or shift) and exclude is None:
            return self
        means, factors = np.zeros(self.shape[1]), np.ones(self.shape[1])
        if center or scale or shift:
            means, factors = standardization(
                self.blocks,
                self.shape[1],
                center=center,
                scale=scale,
                shift=shift,
                weighted=weighted,
            )
        if exclude is not None:
            factors[exclude] = 0.0
        return replace(self, means=means if center or shift else None, factors=factors)

    def masked(self, rows: IndexArray, *, weighted: bool = True) -> BlockDesign:
        """The same blocks, in which only these rows count, each as often as it is listed.

        Nothing is copied but weights. Those that the rows had may be left out.
        """
        counts = np.bincount(rows, minlength=self.shape[0])
        small = counts.astype(np.min_scalar_type(int(counts.max())))
        blocks = self.blocks.derive(row_block.masked, dict(self.first_rows), small, weighted)
        return replace(self, blocks=blocks)

    def separated(self, options: Options) -> Options:
        """Options whose groups and start have lost the columns that cannot be selected."""
        if self.factors is None:
            return options
        excluded = self.factors == 0.0
        if options.groups is not None:
            options = replace(options, groups=check.separate(options.groups, excluded))
        if options.x0 is not None:
            options = replace(options, x0=np.where(excluded, 0.0, options.x0))
        return options


def _shape(block: RowBlock | None) -> Answer:
    """Size and place of a block, and its largest weight."""
    if block is None:
        return {"rows": 0, "cols": 0, "number": 0, "weight": 0.0}
    weight = 1.0 if block.weights is None else float(block.weights.max())
    cols = block.design.shape[1]
    return {"rows": block.rows, "cols": cols, "number": block.number, "weight": weight}

"""A model on blocks, prepared for fits of any number of features."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.groups import most_columns
from regiht._solving.certificate import certified
from regiht._solving.linear import Callback, reporting
from regiht._solving.nested import is_nested, run_nested
from regiht._solving.options import Options
from regiht._solving.prepared_model import FITS_OF_A_PATH, unscaled
from regiht._solving.progress import Progress, ProgressBar
from regiht._solving.result import SEPARATED, Result, Status
from regiht._solving.shared_time import SharedTime
from regiht.distributed import row_block
from regiht.distributed.blocks import Blocks
from regiht.distributed.certificate import ConstrainedModel, lower_bound
from regiht.distributed.communication import Communication
from regiht.distributed.design import BlockDesign
from regiht.distributed.least_squares import BlockLeastSquares
from regiht.distributed.objective import BlockObjective
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.result import DistributedResult
from regiht.distributed.screening import column_norms
from regiht.distributed.shared_answers import SharedAnswers
from regiht.distributed.targets import TargetRule


@dataclass(frozen=True)
class BlockModel:
    """What `PreparedModel` is for a matrix in memory, for one target.

    Attributes
    ----------
    design : BlockDesign
    options : Options
    blocks : Blocks of ModelBlock
    rule : TargetRule
    targets : dict
        The range of the targets that count, and the least weight.
    """

    design: BlockDesign
    options: Options
    blocks: Blocks
    rule: TargetRule
    targets: Answer

    @classmethod
    def of(cls, design: BlockDesign, rule: TargetRule, options: Options) -> BlockModel:
        """Make the targets, where the rows are, and refuse those that have no intercept."""
        loss = options.loss
        blocks = design.blocks.derive(
            row_block.as_model, loss.name, rule, design.means, design.factors
        )
        targets = blocks.sum(row_block.target_range, combine=_wider)
        if options.intercept:
            check.refuse_no_intercept(targets["least"], targets["largest"], loss)
        return cls(design, options, blocks, rule, targets)

    def sharing(self) -> BlockModel:
        """The same for several fits, which share what they ask."""
        return replace(self, blocks=SharedAnswers(self.blocks))

    def fit(
        self,
        s: int,
        options: Options,
        callback: Callback | None = None,
        progress: bool | Progress = False,
        since: Communication | None = None,
    ) -> DistributedResult:
        """Fit a model of at most s features to the targets as they were made.

        ``since`` are the counts from which on communication belongs to this fit.
        """
        counts = self.design.blocks.communication
        begun = copy.copy(counts) if since is None else since
        start = time.monotonic()
        core, cols = options.core(s), self.design.shape[1]
        with reporting(callback, progress, options, lambda: str(counts.since(begun))) as bar:
            raw = _core.solve_objective(
                objective=check.CheckedObjective(self._objective(s, options), cols),
                dimension=cols, method=options.method.name, options=core, callback=callback,
                progress=bar.update, time_limit=options.time_limit,
            )  # fmt: skip
        result = DistributedResult.of_core(raw, self.design.factors, self.design.means)
        assert isinstance(result, DistributedResult)
        separated = options.ridge == 0.0 and options.loss.link == "logit"
        if separated and raw.attained and raw.fun < math.log(2.0) * self.targets["least_weight"]:
            result.__dict__["notes"] = (SEPARATED,)
        if self.design.feature_names is not None:
            result.__dict__["feature_names"] = self.design.feature_names
        if options.certify:
            spent = time.monotonic() - start
            result = self._certified(result, s, options, spent)
        result.__dict__["communication"] = counts.since(begun)
        return result

    def _certified(
        self, result: DistributedResult, s: int, options: Options, spent: float
    ) -> DistributedResult:
        """The result with a lower bound, if there is one; so many seconds are gone."""
        intercept, blocks, rows = options.intercept, self.blocks, self.design.shape[0]
        if intercept and options.loss.is_quadratic and self.design.means is not None:
            # Columns of mean zero leave the intercept to the mean of the targets, whatever x is.
            targets = self.blocks.sum(row_block.target_sum)
            intercept = targets["weighted"] > 0.0
            blocks = self.blocks.derive(row_block.without_mean, targets["sum"] / rows)

        def find() -> float:
            left = None if options.time_limit is None else max(0.0, options.time_limit - spent)
            keep = options.kept(int(s))
            model = ConstrainedModel(
                blocks, column_norms(blocks), rows, options.loss, options.ridge,
                most_columns(options.groups, int(s)),
                np.empty(0, dtype=np.int64) if keep is None else keep,
            )  # fmt: skip
            return lower_bound(model, result.x, result.fun, left)

        found = certified(result, intercept=intercept, ridge=options.ridge, find=find)
        assert isinstance(found, DistributedResult)
        return found

    def null(self) -> Result:
        """The model of no features: the intercept, if there is one."""
        self.options.kept(0)
        nothing = self.options.at_rest(np.zeros(self.options.n), refit=False)
        there = self.fit(1, replace(nothing, groups=None, certify=False))
        return replace(self._unscaled(there), status=Status.FINISHED)

    def fit_path(
        self, sparsities: Sequence[int], progress: bool | Progress = False
    ) -> list[Result]:
        """Fit a model for every s, each on its own; ascending, and only the first may be 0.

        More than a few share the effort of a few, as in memory.
        """
        nothing = [self.null() for s in sparsities if s == 0]
        limited = [min(s, largest_sparsity(self.design, self.options)) for s in sparsities if s > 0]
        options = replace(self.options, certify=False)
        options = options.shared(FITS_OF_A_PATH, max(1, len(limited)))
        if limited and is_nested(options):
            found: list[Result] = run_nested(
                lambda s, chosen, callback: self.fit(
                    s, chosen, callback, progress if chosen is options else False
                ),
                limited, options,
            )  # fmt: skip
        else:
            found = self._one_by_one(limited, options, progress)
        return nothing + [self._unscaled(each) for each in found]

    def _one_by_one(
        self, sparsities: Sequence[int], options: Options, progress: bool | Progress
    ) -> list[Result]:
        found: list[Result] = []
        time = SharedTime(options.time_limit, len(sparsities))
        counts = self.design.blocks.communication
        shown = check.check_progress(progress)
        with ProgressBar(len(sparsities), shown=shown, also=lambda: str(counts)) as bar:
            for s in sparsities:
                found.append(self.fit(s, replace(options, time_limit=time.next())))
                if bar.update:
                    bar.update(len(found), math.nan)
        return found

    def _objective(self, s: int, options: Options) -> BlockLeastSquares | BlockObjective:
        rows, cols = self.design.shape
        shared: dict[str, Any] = {
            "rows": rows, "cols": cols, "ridge": options.ridge, "intercept": options.intercept,
        }  # fmt: skip
        if options.loss.is_quadratic and BlockLeastSquares.suits(cols, int(s)):
            return BlockLeastSquares(self.blocks, **shared)
        return BlockObjective(
            self.blocks, **shared, is_quadratic=options.loss.is_quadratic,
            screening=options.screening,
        )  # fmt: skip

    def _unscaled(self, result: Result) -> Result:
        return unscaled(result, self.rule.factor)


def smallest_sparsity(options: Options) -> int:
    """Count the columns that must be selected, or their groups."""
    return 0 if options.keep is None else check.count_groups(options.groups, options.keep)


def largest_sparsity(design: BlockDesign, options: Options) -> int:
    """Count the columns that can be selected at all, or their groups."""
    usable = np.arange(design.shape[1])
    if design.factors is not None:
        usable = np.flatnonzero(design.factors)
    return max(check.count_groups(options.groups, usable), 1, smallest_sparsity(options))


def _wider(left: Answer, right: Answer) -> Answer:
    return {
        "least": min(left["least"], right["least"]),
        "largest": max(left["largest"], right["largest"]),
        "least_weight": min(left["least_weight"], right["least_weight"]),
    }

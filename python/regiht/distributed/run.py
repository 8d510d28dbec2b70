"""Models on blocks from checked data and options."""

from __future__ import annotations

import copy
import math
from typing import Any

from regiht import _core
from regiht._inputs import checks as check
from regiht._solving.linear import Callback, reporting
from regiht._solving.options import Options
from regiht._solving.progress import Progress
from regiht._solving.result import SEPARATED
from regiht.distributed import row_block
from regiht.distributed.communication import Communication
from regiht.distributed.design import BlockDesign
from regiht.distributed.least_squares import BlockLeastSquares
from regiht.distributed.objective import BlockObjective
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.result import DistributedResult
from regiht.distributed.targets import TargetRule


def run_blocks(
    design: BlockDesign,
    rule: TargetRule,
    s: int,
    options: Options,
    callback: Callback | None = None,
    progress: bool | Progress = False,
    since: Communication | None = None,
) -> DistributedResult:
    """Fit a model of at most s features to the targets that a rule makes.

    ``since`` are the counts from which on communication belongs to this fit.
    """
    core = options.core(s)
    loss = options.loss
    counts = design.blocks.communication
    begun = copy.copy(counts) if since is None else since
    blocks = design.blocks.derive(row_block.as_model, loss.name, rule, design.means, design.factors)
    targets = blocks.sum(row_block.target_range, combine=_wider)
    if options.intercept:
        check.refuse_no_intercept(targets["least"], targets["largest"], loss)
    rows, cols = design.shape
    shared: dict[str, Any] = {
        "rows": rows, "cols": cols, "ridge": options.ridge, "intercept": options.intercept,
    }  # fmt: skip
    objective: BlockLeastSquares | BlockObjective
    if loss.is_quadratic and BlockLeastSquares.suits(cols, int(s)):
        objective = BlockLeastSquares(blocks, **shared)
    else:
        objective = BlockObjective(
            blocks, **shared, is_quadratic=loss.is_quadratic, screening=options.screening
        )
    with reporting(callback, progress, options) as bar:
        raw = _core.solve_objective(
            objective=check.CheckedObjective(objective, cols), dimension=cols,
            method=options.method.name, options=core, callback=callback, progress=bar.update,
            time_limit=options.time_limit,
        )  # fmt: skip
    result = DistributedResult.of_core(raw, design.factors, design.means)
    assert isinstance(result, DistributedResult)
    separated = options.ridge == 0.0 and loss.link == "logit"
    if separated and raw.attained and raw.fun < math.log(2.0) * targets["least_weight"]:
        result.__dict__["notes"] = (SEPARATED,)
    if design.feature_names is not None:
        result.__dict__["feature_names"] = design.feature_names
    result.__dict__["communication"] = counts.since(begun)
    return result


def _wider(left: Answer, right: Answer) -> Answer:
    return {
        "least": min(left["least"], right["least"]),
        "largest": max(left["largest"], right["largest"]),
        "least_weight": min(left["least_weight"], right["least_weight"]),
    }

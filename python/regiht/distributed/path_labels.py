"""Whether the targets of blocks are labels, and of which two classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht import _core
from regiht._inputs import checks as check
from regiht._solving.registry import LOSSES, LossName
from regiht.distributed.blocks import Blocks
from regiht.distributed.ordered_sum import Answer
from regiht.distributed.row_block import RowBlock
from regiht.distributed.targets import TargetRule


def path_targets(
    blocks: Blocks, loss: LossName | None
) -> tuple[LossName, TargetRule, NDArray[Any] | None]:
    """The loss, by default that for classes if targets can only be labels, and what to fit.

    Also what the targets 0 and 1 stand for, if the loss is one for two classes.
    """
    found = blocks.map(_described)
    labelled = any(each["labelled"] for each in found)
    if loss is None:
        loss = "logistic" if labelled else "squared"
    facts = LOSSES[check.check_choice("loss", loss, tuple(LOSSES))]
    if not labelled:
        return loss, TargetRule(), _numbers(facts, found[0]["distinct"].dtype)
    classes, _ = check.check_two_labels(np.concatenate([each["distinct"] for each in found]), facts)
    return loss, TargetRule(label=classes[1]), classes


def _numbers(loss: _core.Loss, dtype: np.dtype[Any]) -> NDArray[Any] | None:
    return np.array([0, 1]).astype(dtype) if loss.targets == "binary" else None


def _described(block: RowBlock) -> Answer:
    """Whether a block has labels, and which; of numbers only one, for its type."""
    target = block.target
    if target.dtype.kind == "O":
        distinct = np.array(list(dict.fromkeys(target.ravel().tolist())), dtype=object)
    else:
        distinct = np.unique(target) if target.dtype.kind in "UST" else target.ravel()[:1]
    return {"labelled": check.holds_labels(target), "distinct": distinct}

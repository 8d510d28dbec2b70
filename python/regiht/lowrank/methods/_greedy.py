"""Greedy: one leading direction of the gradient after the other."""

from __future__ import annotations

from functools import partial

from regiht import _core
from regiht.lowrank._run import LowRankOptions, Observer, Outcome
from regiht.lowrank.methods._exchanges import exchanged
from regiht.lowrank.objectives import LowRankObjective


def greedy(objective: LowRankObjective, options: LowRankOptions, observer: Observer) -> Outcome:
    """Add H₁(∇f(A)) to both spaces and optimise over them, until the rank is reached.

    Branch: ``"step"``. Axiotis and Sviridenko (2021).
    """
    return exchanged(partial(_core.greedy, objective.compiled()), options, observer)

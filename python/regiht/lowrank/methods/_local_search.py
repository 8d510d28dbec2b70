"""Local search: the weakest direction of A against the leading one of the gradient."""

from __future__ import annotations

from functools import partial

from regiht import _core
from regiht.lowrank._run import LowRankOptions, Observer, Outcome
from regiht.lowrank.methods._exchanges import exchanged
from regiht.lowrank.objectives import LowRankObjective


def local_search(
    objective: LowRankObjective, options: LowRankOptions, observer: Observer
) -> Outcome:
    """Optimise over the spaces of H_{r−1}(A) and H₁(∇f(A)), while that lowers f.

    Branch: ``"step"``. Axiotis and Sviridenko (2021).
    """
    return exchanged(partial(_core.local_search, objective.compiled()), options, observer)

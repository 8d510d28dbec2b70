"""Alternating least squares, from a given start or from one gradient step."""

from __future__ import annotations

import math
from dataclasses import replace

from regiht._inputs.checks import InvalidArgumentError
from regiht._solving.result import Status
from regiht.lowrank._run import LowRankOptions, Observer, Outcome, stopped
from regiht.lowrank.methods._regularized_iht import regularized_iht
from regiht.lowrank.methods._sweeps import swept
from regiht.lowrank.objectives import LowRankObjective

# Sweeps that it makes at most unless told otherwise.
USUAL_SWEEPS = 100


def alternating(
    objective: LowRankObjective,
    options: LowRankOptions,
    observer: Observer,
    *,
    to_beat: float = math.inf,
) -> Outcome:
    """Sweep over the factors, each of which is optimised while the other stays.

    A start of lower rank than allowed is brought to it by one step of IHT. What fits a
    neighbouring rank or penalty is a good start. Sweeps end as well where they would not come
    below ``to_beat``. Branches: ``"step"`` and ``"refine"``.
    """
    if not objective.refines:
        raise InvalidArgumentError(
            f"method 'alternating' has no sweeps for {type(objective).__name__}."
        )
    found = stopped(Status.COMPLETED, options.start)
    if options.start.rank < options.rank:
        one_step = replace(options, max_iter=1, refine=0, weighted_part=0.0)
        found = regularized_iht(objective, one_step, observer)
        found = replace(found, weights=None)  # it had no part in the step
    if not found.status.success:
        return found
    return swept(objective, options, observer, found, most=options.max_iter, to_beat=to_beat)

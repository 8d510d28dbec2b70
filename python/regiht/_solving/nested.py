"""Paths of a method whose run for many features passes through the answers for fewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from regiht._core import Iteration
from regiht._inputs.checks import FloatArray, IndexArray
from regiht._solving.linear import Callback
from regiht._solving.options import Options
from regiht._solving.result import Result, Status

# The number of an iteration, its support, and the values there.
Point = tuple[int, IndexArray, FloatArray]

# A fit of at most s features with these options, of whose iterations somebody may hear.
Fit = Callable[[int, Options, Callback | None], Result]


def is_nested(options: Options) -> bool:
    """Whether one run gives the models of all numbers of features.

    Where coefficients must be positive it does not: a feature that enters may drive others out.
    And the number of groups is not that of their features.
    """
    plain = not options.polish and not options.positive and options.groups is None
    return plain and options.method.is_nested


def run_nested(fit: Fit, sparsities: Sequence[int], options: Options) -> list[Result]:
    """Fit a model for every s by one run for the largest; each is its own fit, up to rounding.

    ``n_gradients`` is what the run that they share has spent.
    """
    points: dict[int, Point] = {}

    def remember(iteration: Iteration) -> None:
        support = iteration.support
        points[support.size] = (iteration.number, support, iteration.x[support])

    whole = fit(max(sparsities), options, remember)
    last = max(points, default=0)

    def model(s: int) -> Result:
        point = points.get(min(s, last))
        if point is None:
            return fit(s, options, None)
        start = np.zeros(options.n)
        start[point[1]] = point[2]
        refitted = fit(s, options.at_rest(start, refit=True), None)
        return _as_of(point, whole, refitted)

    # The largest is treated like the others, so that no model depends on which was the largest.
    return [model(s) for s in sparsities]


def _as_of(point: Point, whole: Result, refitted: Result) -> Result:
    """The minimum on the support that the whole run had at a point, told as if it had ended there.

    It is found from where the run stood.
    """
    number, support, _ = point
    return replace(
        refitted,
        n_iter=number,
        n_gradients=whole.n_gradients,
        status=Status.FINISHED if support.size < whole.support.size else whole.status,
        weights=whole.weights,
        step=whole.step,
    )

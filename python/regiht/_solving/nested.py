"""Paths of a method whose run for many features passes through the answers for fewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from regiht._core import Iteration
from regiht._inputs.checks import FloatArray, IndexArray
from regiht._inputs.design import Design
from regiht._solving.result import Result, Status
from regiht._solving.solve import solve

# Matching pursuit adds one feature after another, whatever their number is in the end.
NESTED_METHODS = ("omp",)


def is_nested(settings: Mapping[str, Any]) -> bool:
    """Whether one run gives the models of all numbers of features.

    Where coefficients must be positive it does not: a feature that enters may drive others out.
    And the number of groups is not that of their features.
    """
    if settings.get("polish") or settings["positive"] or settings["groups"] is not None:
        return False
    return settings["method"] in NESTED_METHODS


def solve_nested(
    design: Design, target: FloatArray, sparsities: Sequence[int], settings: Mapping[str, Any]
) -> list[Result]:
    """Solve for every s by one run for the largest; each is its own solve, up to rounding.

    ``n_gradients`` is what the run that they share has spent.
    """
    points: dict[int, tuple[int, IndexArray, FloatArray]] = {}

    def remember(iteration: Iteration) -> None:
        support = iteration.support
        points[support.size] = (iteration.number, support, iteration.x[support])

    whole = solve(design, target, max(sparsities), callback=remember, **settings)
    last = max(points, default=0)
    # The largest is treated like the others, so that no model depends on which was the largest.
    return [
        _refitted(design, target, s, points[min(s, last)], whole, settings)
        if min(s, last) in points
        else solve(design, target, s, **settings)
        for s in sparsities
    ]


def _refitted(
    design: Design,
    target: FloatArray,
    s: int,
    point: tuple[int, IndexArray, FloatArray],
    whole: Result,
    settings: Mapping[str, Any],
) -> Result:
    """The minimum on the support that the run had at s features, from where it stood."""
    number, support, values = point
    start = np.zeros(design.shape[1])
    start[support] = values
    again = dict(settings) | {"method": "iht", "max_iter": 0, "refit": True, "progress": False}
    result = solve(design, target, s, x0=start, **again)
    return replace(
        result,
        n_iter=number,
        n_gradients=whole.n_gradients,
        status=Status.FINISHED if support.size < whole.support.size else whole.status,
        weights=whole.weights,
        step=whole.step,
    )

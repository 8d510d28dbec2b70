"""From checked arrays and parameters to solved models, for one or many s and targets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht._inputs.design import Design
from regiht._inputs.groups import grouping
from regiht._solving.grid import solve_batch, solve_grid
from regiht._solving.nested import is_nested, solve_nested
from regiht._solving.progress import Progress
from regiht._solving.result import Result
from regiht._solving.solve import Callback, solve

# Keyword arguments of `solve` that may be given as options, and those that only it takes. The
# matrix is standardized already, and a warm start says where to begin.
_OPTIONS = signature(solve).parameters.keys() - {"X", "y", "s", "center", "scale", "x0"}
_SINGLE = _OPTIONS - signature(solve_grid).parameters.keys()


@dataclass(frozen=True)
class PreparedModel:
    """A matrix prepared for any number of targets and sparsities, and how to solve.

    Attributes
    ----------
    design : Design
    settings : dict
        Keyword arguments that `solve`, `solve_grid` and `solve_batch` share; groups are numbered.
    standardized : bool
        Whether columns have unit norm.
    single : dict
        Those that only `solve` takes.
    """

    design: Design
    settings: Mapping[str, Any]
    standardized: bool
    single: Mapping[str, Any] = field(default_factory=dict)

    def largest_sparsity(self) -> int:
        """Count the columns that can be selected at all, or their groups."""
        factors = self.design.factors
        usable = np.arange(self.design.shape[1]) if factors is None else np.flatnonzero(factors)
        return max(self.count(usable), 1, self.smallest_sparsity())

    def smallest_sparsity(self) -> int:
        """Count the columns that must be selected, or their groups."""
        keep = check.check_columns("keep", self.settings["keep"], self.design.shape[1])
        return 0 if keep is None else self.count(keep)

    def count(self, columns: check.IndexArray) -> int:
        """Count what s counts."""
        return check.count_groups(self.settings["groups"], columns)

    def limited(self, sparsity: int) -> int:
        """At most s of fewer than s columns is all of them."""
        return min(sparsity, self.largest_sparsity())

    def solve(
        self,
        targets: FloatArray,
        sparsity: int,
        start: FloatArray | None = None,
        callback: Callback | None = None,
    ) -> list[Result]:
        """Solve for every row of targets; ``start`` holds first coefficients for each."""
        s = self.limited(sparsity)
        single = dict(self.single) if callback is None else {**self.single, "callback": callback}
        if len(targets) > 1 and start is None and not single:
            return list(solve_batch(self.design, targets.T, s, **self.settings))
        return [
            solve(
                self.design, target, s, x0=None if start is None else self._solver_x(start[k]),
                **self.settings, **single,
            )
            for k, target in enumerate(targets)
        ]  # fmt: skip

    def model_at(self, target: FloatArray, x: FloatArray) -> Result:
        """The model with these coefficients in the coordinates of the solver, and its intercept."""
        there = {
            "method": "iht", "max_iter": 0, "refit": False, "polish": None, "progress": False,
            "groups": None,
        }  # fmt: skip
        return solve(self.design, target, x.size, x0=x, **(dict(self.settings) | there))

    def solve_path(self, targets: FloatArray, sparsities: Sequence[int]) -> list[list[Result]]:
        """Solve for every s, each on its own: a list over s of lists over targets."""
        limited = [self.limited(s) for s in sparsities]
        by_target: list[Iterable[Result]] = [
            solve_nested(self.design, target, limited, self.settings)
            if is_nested(self.settings)
            else solve_grid(self.design, target, limited, **self.settings)
            for target in targets
        ]
        return [list(results) for results in zip(*by_target, strict=True)]

    def _solver_x(self, coef: FloatArray) -> FloatArray:
        """Coefficients for X as given, in the coordinates of the solver."""
        factors = self.design.factors
        if factors is None:
            return coef
        return np.divide(coef, factors, out=np.zeros_like(coef), where=factors != 0.0)


def prepare_model(
    X: Any,
    *,
    loss: str,
    method: str,
    fit_intercept: bool,
    standardize: bool,
    ridge: float,
    keep: check.IndexArray | None,
    exclude: check.IndexArray | None,
    positive: bool,
    groups: check.Groups | None,
    feature_names: Sequence[str] | None,
    sample_weight: ArrayLike | None,
    max_iter: int | str,
    tol: float,
    time_limit: float | None,
    n_threads: int,
    progress: bool | Progress,
    options: Mapping[str, Any] | None,
) -> PreparedModel:
    """Prepare X; centring is implicit and, with an intercept, changes no prediction."""
    design = Design(
        X,
        center=check.check_flag("fit_intercept", fit_intercept),
        scale=check.check_flag("standardize", standardize),
        exclude=exclude,
        sample_weight=sample_weight,
    )
    settings = {
        "loss": loss, "method": method, "intercept": fit_intercept, "ridge": ridge, "keep": keep,
        "positive": positive, "groups": grouping(groups, design, feature_names),
        "sample_weight": sample_weight, "max_iter": max_iter, "tol": tol,
        "time_limit": time_limit, "n_threads": n_threads, "progress": progress,
    }  # fmt: skip
    given = _checked_options(options, settings)
    shared = {name: value for name, value in given.items() if name not in _SINGLE}
    single = {name: value for name, value in given.items() if name in _SINGLE}
    return PreparedModel(design, {"refit": True} | settings | shared, standardize, single)


def _checked_options(
    options: Mapping[str, Any] | None, settings: Mapping[str, Any]
) -> Mapping[str, Any]:
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise check.InvalidArgumentError(
            f"options must be a dict of keyword arguments; got {type(options).__name__}."
        )
    clash = sorted(settings.keys() & options.keys())
    if clash:
        raise check.InvalidArgumentError(
            f"options must not repeat what is a parameter of its own: {', '.join(clash)}."
        )
    allowed = sorted(_OPTIONS - settings.keys())
    for name in options:
        check.check_choice("a key of options", name, allowed)
    return options

"""From a matrix and checked options to fitted models, for one or many s and targets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray
from regiht._inputs.design import Design
from regiht._inputs.groups import separated
from regiht._inputs.stored_rows import StoredRows
from regiht._solving.linear import Callback, run_linear, run_many
from regiht._solving.nested import is_nested, run_nested
from regiht._solving.options import Options
from regiht._solving.progress import Progress
from regiht._solving.result import Result, Status

# So many single fits have the effort of a path.
FITS_OF_A_PATH = 6

# Where the loss of the core turns from quadratic to linear.
HUBER_THRESHOLD = 1.35


@dataclass(frozen=True)
class PreparedModel:
    """A matrix prepared for any number of targets and sparsities, and how to solve.

    Attributes
    ----------
    design : Design
    options : Options
    standardized : bool
        Whether columns have unit norm.
    weights : array, optional
        Of the samples.
    callback : callable, optional
        What hears of the iterations of single fits.
    progress : bool or callable
        What `solve` takes.
    target_scale : float
        Targets are multiplied with it before, and models divided by it after. With Huber's loss
        that moves its threshold and is exact, under any ridge.
    """

    design: Design
    options: Options
    standardized: bool
    weights: FloatArray | None = None
    callback: Callback | None = None
    progress: bool | Progress = False
    target_scale: float = 1.0

    def largest_sparsity(self) -> int:
        """Count the columns that can be selected at all, or their groups."""
        factors = self.design.factors
        usable = np.arange(self.design.shape[1]) if factors is None else np.flatnonzero(factors)
        return max(self.count(usable), 1, self.smallest_sparsity())

    def smallest_sparsity(self) -> int:
        """Count the columns that must be selected, or their groups."""
        return 0 if self.options.keep is None else self.count(self.options.keep)

    def count(self, columns: IndexArray) -> int:
        """Count what s counts."""
        return check.count_groups(self.options.groups, columns)

    def limited(self, sparsity: int) -> int:
        """At most s of fewer than s columns is all of them."""
        return min(sparsity, self.largest_sparsity())

    def within(self, seconds: float | None) -> PreparedModel:
        """The same with another limit of time."""
        return replace(self, options=replace(self.options, time_limit=seconds))

    def fit(
        self,
        targets: FloatArray,
        sparsity: int,
        start: FloatArray | None = None,
        callback: Callback | None = None,
    ) -> list[Result]:
        """Fit a model to every row of targets; ``start`` holds first coefficients for each."""
        s = self.limited(sparsity)
        if s == 0:
            return [self.null(target) for target in targets]
        heard_by = self.callback if callback is None else callback
        scaled = targets * self.target_scale
        if len(targets) > 1 and start is None and heard_by is None and not self.options.certify:
            runs = [self.options.core(s)]
            results = run_many(self.design, scaled, runs, self.options, self.weights, self.progress)
            return [self._unscaled(each) for each in results]
        return [
            self._unscaled(
                run_linear(
                    self.design, target, s, self._begun(None if start is None else start[k]),
                    self.weights, heard_by, self.progress,
                )
            )
            for k, target in enumerate(scaled)
        ]  # fmt: skip

    def model_at(self, target: FloatArray, x: FloatArray) -> Result:
        """The model with these coefficients in the coordinates of the solver, and its intercept."""
        there = replace(self.options.at_rest(x, refit=False), groups=None, certify=False)
        scaled = target * self.target_scale
        return self._unscaled(run_linear(self.design, scaled, x.size, there, self.weights))

    def null(self, target: FloatArray) -> Result:
        """The model of no features: the intercept, if there is one."""
        self.options.kept(0)
        nothing = self.model_at(target, np.zeros(self.design.shape[1]))
        return replace(nothing, status=Status.FINISHED)

    def fit_path(self, targets: FloatArray, sparsities: Sequence[int]) -> list[list[Result]]:
        """Fit a model for every s, each on its own: a list over s of lists over targets.

        Of these numbers, in ascending order, only the first may be 0. More than a few
        share the effort of a few.
        """
        limited = [self.limited(s) for s in sparsities if s > 0]
        by_target: list[Iterable[Result]] = [
            [self.null(target) for s in sparsities if s == 0]
            + (self._path(target * self.target_scale, limited) if limited else [])
            for target in targets
        ]
        return [list(results) for results in zip(*by_target, strict=True)]

    def _path(self, target: FloatArray, sparsities: Sequence[int]) -> list[Result]:
        options = replace(self.options, certify=False).shared(FITS_OF_A_PATH, len(sparsities))
        if is_nested(options):

            def fit(s: int, chosen: Options, callback: Callback | None) -> Result:
                shown = self.progress if chosen is options else False
                return run_linear(self.design, target, s, chosen, self.weights, callback, shown)

            results = run_nested(fit, sparsities, options)
        else:
            runs = [options.core(s) for s in sparsities]
            results = run_many(
                self.design, target[None, :], runs, options, self.weights, self.progress
            )
        return [self._unscaled(each) for each in results]

    def _unscaled(self, result: Result) -> Result:
        """The result for targets that were not multiplied."""
        return unscaled(result, self.target_scale)

    def _begun(self, coef: FloatArray | None) -> Options:
        """Options that begin with these coefficients for X as given."""
        if coef is None:
            return self.options
        factors = self.design.factors
        if factors is not None:
            coef = np.divide(coef, factors, out=np.zeros_like(coef), where=factors != 0.0)
        return replace(self.options, x0=coef * self.target_scale)


def unscaled(result: Result, target_scale: float) -> Result:
    """The result for targets that were not multiplied with this."""
    if target_scale == 1.0:
        return result
    by = 1.0 / target_scale
    return replace(
        result, x=result.x * by, coef=result.coef * by, intercept=result.intercept * by,
        fun=result.fun * by * by,
        lower_bound=None if result.lower_bound is None else result.lower_bound * by * by,
        alternatives=tuple(
            replace(
                each, values=each.values * by, fun=each.fun * by * by,
                coef=None if each.coef is None else each.coef * by,
            )
            for each in result.alternatives
        ),
    )  # fmt: skip


def huber_scale(loss: str, threshold: float | None) -> float:
    """What to multiply targets with, so that Huber's loss has this threshold; 1 for others."""
    if threshold is None:
        return 1.0
    checked = check.check_real("huber_threshold", threshold, least=0.0, strict=True)
    return HUBER_THRESHOLD / checked if loss == "huber" else 1.0


def _by_columns(X: Any) -> Any:
    """A dense matrix in the order of its columns, which fits read again and again.

    The copy takes one pass, and fits on tall matrices a third of the time.
    """
    is_by_rows = isinstance(X, np.ndarray) and X.ndim == 2 and X.flags.c_contiguous
    return np.asfortranarray(X) if is_by_rows else X


def prepare_model(
    X: Any,
    options: Options,
    *,
    standardize: bool,
    exclude: IndexArray | None,
    weights: FloatArray | None,
    callback: Callback | None = None,
    progress: bool | Progress = False,
    feature_names: Sequence[str] | None = None,
    huber_threshold: float | None = None,
) -> PreparedModel:
    """Prepare X; centring is implicit and, with an intercept, changes no prediction."""
    scale_columns = check.check_flag("standardize", standardize)
    if isinstance(X, StoredRows):
        design = Design.of_dataset(
            X.dataset, options.intercept, scale_columns, exclude=exclude, sample_weight=weights
        )
    else:
        design = Design(
            _by_columns(X), center=options.intercept, scale=scale_columns, exclude=exclude,
            sample_weight=weights, feature_names=feature_names,
        )  # fmt: skip
    here = replace(options, groups=separated(options.groups, design))
    scale = huber_scale(options.loss.name, huber_threshold)
    return PreparedModel(design, here, standardize, weights, callback, progress, scale)

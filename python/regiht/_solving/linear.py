"""Linear models from checked data and options: one, or many on one matrix."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht._inputs.design import Design
from regiht._inputs.groups import most_columns
from regiht._inputs.targets import prepare_target, prepare_targets
from regiht._solving.certificate import certified
from regiht._solving.options import Options
from regiht._solving.progress import Progress, ProgressBar
from regiht._solving.result import SEPARATED, Result

Callback = Callable[[_core.Iteration], Any]

_NO_BAR = ProgressBar(None, shown=False)


def run_linear(
    design: Design,
    target: FloatArray,
    s: int,
    options: Options,
    weights: FloatArray | None = None,
    callback: Callback | None = None,
    progress: bool | Progress = False,
) -> Result:
    """Fit a model of at most s features to a target and the weights of its samples."""
    core = options.core(s)
    loss = options.loss
    values, offset, intercept = prepare_target(
        target, design, loss=loss, sample_weight=weights, intercept=options.intercept
    )
    n_threads = check.check_threads(options.n_threads)
    start = time.perf_counter()
    with reporting(callback, progress, options) as bar:
        raw = _core.solve_linear(
            design._core, loss.name, values, options.method.name, core, options.ridge, weights,
            intercept, options.screening, n_threads, callback, bar.update, options.time_limit,
        )  # fmt: skip
    result = _with_coefficients(raw, design, offset, _separated_below(options, weights))
    if not options.certify:
        return result

    def find() -> float:
        limit = options.time_limit
        return _core.lower_bound(
            design=design._core, loss=loss.name, target=values, x=result.x, fun=result.fun,
            sparsity=most_columns(options.groups, int(s)), keep=options.kept(int(s)),
            ridge=options.ridge, sample_weight=weights, n_threads=n_threads,
            time_limit=None if limit is None else max(0.0, limit - (time.perf_counter() - start)),
        )  # fmt: skip

    return certified(result, intercept=intercept, ridge=options.ridge, find=find)


def run_many(
    design: Design,
    targets: FloatArray,
    runs: Sequence[_core.Options],
    options: Options,
    weights: FloatArray | None = None,
    progress: bool | Progress = False,
) -> list[Result]:
    """Fit a model to every target (a row) in every run, side by side, one thread each.

    Of the options, what the runs do not say counts: the model, the time for all and the threads.
    """
    loss = options.loss
    prepared = prepare_targets(
        targets, design, loss=loss, sample_weight=weights, intercept=options.intercept
    )
    with ProgressBar(len(targets) * len(runs), shown=check.check_progress(progress)) as bar:
        raw = _core.solve_many(
            design=design._core, loss=loss.name, targets=prepared.values,
            method=options.method.name, options=list(runs), ridge=options.ridge,
            sample_weight=weights, intercept=prepared.intercept, screening=options.screening,
            n_threads=check.check_threads(options.n_threads), progress=bar.update,
            time_limit=options.time_limit,
        )  # fmt: skip
    separated = _separated_below(options, weights)
    return [
        _with_coefficients(each, design, prepared.offsets[job // len(runs)], separated)
        for job, each in enumerate(raw)
    ]


def reporting(
    callback: Callback | None,
    progress: bool | Progress,
    options: Options,
    also: Callable[[], str] | None = None,
) -> ProgressBar:
    """Make the bar that a single run shows, with what else it is to write."""
    check.check_callback(callback)
    shown = check.check_progress(progress)
    if shown is False:
        return _NO_BAR
    # Other methods end by rules of their own.
    known = options.method.makes_all_iterations
    return ProgressBar(options.iterations if known else None, shown=shown, also=also)


def _with_coefficients(
    raw: _core.SolveResult, design: Design, offset: float, separated_below: float
) -> Result:
    """What the core found, with coefficients for the matrix as the user gave it."""
    result = Result.of_core(raw, design.factors, design.means, offset)
    if raw.fun < separated_below and raw.attained:
        result.__dict__["notes"] = (SEPARATED,)
    if design.feature_names is not None:
        result.__dict__["feature_names"] = design.feature_names
    return result


def _separated_below(options: Options, weights: FloatArray | None) -> float:
    """A value below which classes are separated for certain, and longer vectors are better still.

    A sample on the wrong side costs log 2 or more, times its weight.
    """
    if options.ridge > 0.0 or options.loss.link != "logit":
        return -math.inf
    return math.log(2.0) * (1.0 if weights is None else float(weights[weights > 0.0].min()))

"""``solve`` for linear models."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.design import Design, as_design
from regiht._inputs.groups import grouping, most_columns
from regiht._inputs.targets import prepare_target
from regiht._solving.certificate import certified
from regiht._solving.progress import Progress, ProgressBar
from regiht._solving.result import Result

LOSSES = tuple(_core.loss_names())
METHODS = tuple(_core.method_names())
POSITIVE_METHODS = tuple(_core.method_names(positive=True))
GROUP_METHODS = tuple(_core.method_names(groups=True))
POLISHES = ("swap",)

Callback = Callable[[_core.Iteration], Any]


def losses() -> list[str]:
    """Names that ``solve(loss=…)`` takes."""
    return list(LOSSES)


def methods() -> list[str]:
    """Names that ``solve(method=…)`` takes."""
    return list(METHODS)


def solve(
    X: ArrayLike | Design | Any,
    y: ArrayLike,
    s: int,
    *,
    loss: str = "squared",
    method: str = "regiht",
    ridge: float = 0.0,
    step: float | None = None,
    weight_step: float | str | None = None,
    max_iter: int | str = "auto",
    tol: float = 0.0,
    round_threshold: float = 0.5,
    x0: ArrayLike | None = None,
    w0: ArrayLike | None = None,
    safeguard: bool = False,
    refit: bool = False,
    polish: str | None = None,
    target_value: float | None = None,
    seed: int = 0,
    screening: bool = True,
    sample_weight: ArrayLike | None = None,
    keep: ArrayLike | None = None,
    positive: bool = False,
    groups: check.Groups | None = None,
    intercept: bool = False,
    center: bool = False,
    scale: bool = False,
    history: bool = False,
    callback: Callback | None = None,
    progress: bool | Progress = False,
    time_limit: float | None = None,
    n_threads: int | None = None,
    certify: bool = False,
) -> Result:
    r"""Fit a linear model of at most s features.

    Minimises Σᵢ sample_weightᵢ · loss((Xx)ᵢ, yᵢ) + (ridge/2)‖x‖² over x with at most s nonzeros.

    Parameters
    ----------
    X : array, scipy sparse matrix or Design of shape (rows, cols)
        Rows are samples, columns are features. See `Design` for what is borrowed and what copied.
    y : array of shape (rows,)
        Targets. Logistic and squared-hinge losses take 0 and 1 (or booleans), Poisson counts.
    s : int
        The number of features allowed, 1 to cols.
    loss : str
        A name from `losses`. Values are sums: ½(z−y)² for ``"squared"``,
        log(1+eᶻ) − yz for ``"logistic"``.
    method : str
        A name from `methods`: ``"regiht"``, the paper's regularized IHT; ``"iht"``; what they are
        compared with, ``"omp"``, ``"ompr"``, ``"arht"``, ``"htp"``, ``"cosamp"``, ``"lasso"``
        and ``"gradient"``; or ``"best"``, which tries several, refits, exchanges features and
        returns the best. See the page on methods.
    ridge : float
        ρ: adds (ρ/2)‖x‖².
    step : float, optional
        1/β, where β is the smoothness of the objective on sparse vectors. IHT moves by
        step·∇f, regularized IHT by ½·step·∇f. With a step given, exactly ``max_iter`` iterations
        are made and the last iterate is returned. By default the solver starts from an estimate
        of the smoothness, adapts, and returns the best iterate it has seen.
    weight_step : float or "adaptive", optional
        c, how fast the adaptive weights fall. Default: s/max_iter, with safeguard s/(4·max_iter).
        ``"adaptive"``: rounds from the same start with c = s/100, s/200, … until slower ones no
        longer help; the best iterate is returned, and ``max_iter`` is only a cap.
        This, ``round_threshold``, ``w0`` and ``safeguard`` mean nothing to a method without
        adaptive weights, such as ``"iht"``.
    max_iter : int or "auto"
        Number of iterations. Auto: 800, and 20 000 with an adaptive ``weight_step``, where it
        counts those of all rounds and is seldom reached.
    tol : float
        Stop when x changes by at most tol·‖x‖ and the adaptive weights have come to rest. 0: never
        for that reason.
    round_threshold : float
        Adaptive weights at or below it become 0.
    x0 : array of shape (cols,), optional
        Where to start, zeros by default; cut to its s largest entries.
    w0 : array of shape (cols,), optional
        First adaptive weights between 0 and 1, ones by default.
    safeguard : bool
        Algorithm 1 to the letter: keep xᵗ whenever the regularized value would rise, and round
        only weights below the threshold.
    refit : bool
        End at the minimum of the objective on the support found. Methods other than ``"iht"``,
        ``"regiht"`` and ``"lasso"`` do so anyway.
    polish : "swap", optional
        Exchange features, one for one and in small blocks, until no exchange lowers the objective;
        ``Result.swap_optimal`` says whether every single exchange was looked at.
    target_value : float, optional
        The value f* of the optimum, which ``"arht"`` aims at; found by bisection if not given.
    seed : int
        For ``"arht"``, which draws at random; the others do not.
    screening : bool
        Leave out gradient entries that provably cannot matter. Exact: it changes the time, never
        the answer.
    sample_weight : array of shape (rows,), optional
        Not negative.
    keep : array of int, optional
        Columns that are always in; they count towards s.
    positive : bool
        No coefficient below zero. The intercept is free. Not for every method: see the page on
        methods.
    groups : array of int or str of shape (cols,), mapping or list of lists, optional
        A label for every column: those that share one enter and leave together, and s counts
        groups, not columns. Or a mapping from column numbers to labels, or lists of column
        numbers; a column that is left out is alone. Not for every method.
    intercept : bool
        Add a constant to the predictions, free of ``ridge`` and not counted in s: at every x the
        one that minimises the loss. Fastest with ``center=True``.
    center, scale : bool
        Standardize the columns implicitly, see `Design`.
    history : bool
        Record every iteration in ``Result.history``.
    callback : callable, optional
        Called after every iteration with an object that has ``number``, ``fun``,
        ``regularized_fun``, ``x``, ``support``, ``weights``, ``support_changes`` and ``elapsed``.
        A true answer stops the run.
    progress : bool or callable
        Show a progress bar on standard error; or call this instead, about every 50 ms, with the
        iterations made (`solve_grid`, `solve_batch`: the solves done) and the objective. What it
        raises ends the run.
    time_limit : float, optional
        Seconds after which to stop with the best iterate seen.
    n_threads : int, optional
        Threads to use; by default what the environment variable ``REGIHT_NUM_THREADS`` says, else
        the cores at hand. The answer is the same to the last bit for any number.
    certify : bool
        Also compute a lower bound on what any model of s features can reach: ``lower_bound`` and
        ``gap`` of the result. It needs ridge > 0. Without ridge no certificate is available:
        both are None, and ``message`` says so. It takes up to 300 full gradients, not counted in
        ``n_gradients``, and what ``time_limit`` leaves.

    Returns
    -------
    Result

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> y = 3 * X[:, 4] - 2 * X[:, 17]
    >>> regiht.solve(X, y, 2).support.tolist()
    [4, 17]
    """
    design = as_design(X, center, scale)
    rows, cols = design.shape
    ridge, screening, intercept, certify, time_limit = _check_model(
        loss, method, ridge, screening, intercept, certify, time_limit
    )
    groups = grouping(groups, design)
    options = make_options(  # by position: names would take a twentieth of the smallest solves
        cols, s, step, weight_step, max_iter, tol, round_threshold, x0, w0, safeguard, keep,
        history, refit, polish, target_value, seed, method, positive, groups,
    )  # fmt: skip
    weights = check.check_sample_weight(sample_weight, rows)
    target, offset, intercept = prepare_target(
        check.check_target(y, rows, loss), design, loss=loss, sample_weight=weights,
        intercept=intercept,
    )  # fmt: skip
    n_threads = check.check_threads(n_threads)
    start = time.perf_counter()
    with reporting(callback, progress, method, max_iter, weight_step) as bar:
        raw = _core.solve_linear(
            design._core, loss, target, method, options, ridge, weights, intercept, screening,
            n_threads, callback, bar.update, time_limit,
        )  # fmt: skip
    result = make_result(raw, design, offset)
    if not certify:
        return result
    left = None if time_limit is None else max(0.0, time_limit - (time.perf_counter() - start))
    return certified(
        result, intercept=intercept, ridge=ridge, design=design._core, loss=loss,
        target=target, sparsity=most_columns(groups, int(s)),
        keep=check.check_keep(keep, cols, int(s), groups),
        sample_weight=weights, n_threads=n_threads, time_limit=left,
    )  # fmt: skip


@check.remembered
def make_options(
    n: int,
    s: int,
    step: float | None,
    weight_step: float | str | None,
    max_iter: int | str,
    tol: float,
    round_threshold: float,
    x0: ArrayLike | None,
    w0: ArrayLike | None,
    safeguard: bool,
    keep: ArrayLike | None,
    history: bool,
    refit: bool,
    polish: str | None,
    target_value: float | None,
    seed: int,
    method: str,
    positive: bool,
    groups: check.IndexArray | None,
) -> _core.Options:
    """Check the options that all methods share."""
    if groups is None:
        s = check.check_integer("s", s, 1, n)
    else:
        check.check_constraint("groups", True, method, GROUP_METHODS)
        s = check.check_integer("s, which counts groups,", s, 1, int(groups.max()) + 1)
    first_weights = check.check_first_weights(w0, n)
    check.refuse_unlike_weights(first_weights, groups)
    fixed_weight_step, adaptive = check.check_weight_step(weight_step)
    return _core.Options(
        sparsity=s,
        step=None if step is None else check.check_real("step", step, least=0.0, strict=True),
        weight_step=fixed_weight_step,
        adaptive_weight_step=adaptive,
        max_iter=check.check_max_iter(max_iter, weight_step),
        tol=check.check_real("tol", tol, least=0.0),
        round_threshold=check.check_real("round_threshold", round_threshold, least=0.0, most=1.0),
        safeguard=check.check_flag("safeguard", safeguard),
        refit=check.check_flag("refit", refit),
        swap=polish is not None and check.check_choice("polish", polish, POLISHES) == "swap",
        target=None if target_value is None else check.check_real("target_value", target_value),
        seed=check.check_integer("seed", seed, 0, 2**64 - 1),
        history=check.check_flag("history", history),
        keep=check.check_keep(keep, n, s, groups),
        positive=check.check_constraint("positive", positive, method, POSITIVE_METHODS),
        groups=groups,
        x0=check.check_start(x0, n),
        w0=first_weights,
    )


def check_time_limit(time_limit: float | None) -> float | None:
    """Check for None or a number of seconds."""
    if time_limit is None:
        return None
    return check.check_real("time_limit", time_limit, least=0.0, strict=True)


@check.remembered
def _check_model(
    loss: str,
    method: str,
    ridge: float,
    screening: bool,
    intercept: bool,
    certify: bool,
    time_limit: float | None,
) -> tuple[float, bool, bool, bool, float | None]:
    """Check what describes a linear model beside its data."""
    check.check_choice("loss", loss, LOSSES)
    check.check_choice("method", method, METHODS)
    return (
        check.check_real("ridge", ridge, least=0.0),
        check.check_flag("screening", screening),
        check.check_flag("intercept", intercept),
        check.check_flag("certify", certify),
        check_time_limit(time_limit),
    )


_NO_BAR = ProgressBar(None, shown=False)


def reporting(
    callback: object,
    progress: object,
    method: str,
    max_iter: int | str,
    weight_step: float | str | None,
) -> ProgressBar:
    check.check_callback(callback)
    shown = check.check_progress(progress)
    if shown is False:
        return _NO_BAR
    # Other methods end by rules of their own.
    known = method in {"iht", "regiht"}
    return ProgressBar(check.check_max_iter(max_iter, weight_step) if known else None, shown=shown)


def make_result(raw: _core.SolveResult, design: Design, offset: float = 0.0) -> Result:
    """What the core found, with coefficients for the matrix as the user gave it."""
    return Result.of_core(raw, design.factors, design.means, offset)

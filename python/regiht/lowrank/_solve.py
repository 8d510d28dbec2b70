"""``solve`` for matrices of low rank."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import InvalidArgumentError
from regiht._solving.progress import Progress, ProgressBar
from regiht.lowrank._factors import Factors
from regiht.lowrank._result import LowRankResult
from regiht.lowrank._run import Callback, LowRankOptions, Observer, Outcome, run_guarded
from regiht.lowrank.methods import METHODS, Method
from regiht.lowrank.objectives import LowRankObjective, as_objective
from regiht.lowrank.objectives._function import MatrixFunction


def methods() -> list[str]:
    """List the names that ``solve(method=…)`` takes.

    Returns
    -------
    list of str

    See Also
    --------
    regiht.methods : The methods for sparse models.

    Examples
    --------
    >>> from regiht import lowrank
    >>> "best" in lowrank.methods()
    True
    """
    return list(METHODS)


def solve(
    objective: LowRankObjective | MatrixFunction,
    rank: int,
    *,
    method: str = "best",
    target_rank: int | None = None,
    target_value: float | None = None,
    max_iter: int | None = None,
    tol: float = 1e-6,
    start: Any = None,
    condition: float | None = None,
    sufficient_progress: float | None = None,
    reoptimize: bool = True,
    bisections: int = 10,
    step: float | None = None,
    weight_step: float | None = None,
    round_threshold: float = 0.5,
    weighted_part: float = 0.5,
    refine: int = 50,
    history: bool = False,
    callback: Callback | None = None,
    progress: bool | Progress = False,
    time_limit: float | None = None,
    n_threads: int | None = None,
) -> LowRankResult:
    """Minimise a convex function over matrices of at most a given rank.

    Parameters
    ----------
    objective : objective
        `FullObservation`, `Weighted`, `Completion`, `Measurements`, `OneBit`, or any object with
        ``shape``, ``value(A)`` and ``gradient(A)`` for dense A (see `UserFunction`).
    rank : int
        The largest rank, r′ of the paper: 1 to the smaller side.
    method : str
        ``"best"``, which runs several of the others and keeps the lowest value; ``"greedy"``;
        ``"local-search"``; ``"regularized-local-search"``, which is Algorithm 2 of the paper;
        ``"regularized-iht"``, our own; ``"alternating"``, sweeps from a start or from one step.
    target_rank : int, optional
        r of the paper, the rank of the matrix that the answer is compared with. Default: rank.
    target_value : float, optional
        f(A*) of Algorithm 2. By default it is found by bisection.
    max_iter : int, optional
        Largest number of iterations; with a bisection, in each of its runs; for ``"best"``, in
        each method. Default: 200; for regularized IHT 10 to 100, more if there are few
        observations for each degree of freedom of a matrix of that rank, and 1 if there are plenty;
        for ``"alternating"`` 100 sweeps.
    tol : float
        Algorithm 2 ends within tol·(f(0) − target) of the target, local search when a step gains
        less than tol·f, regularized IHT when the matrix moves by less than tol of its norm, and
        its sweeps when they gain less than tol·f.
    start : array of shape (rows, cols), tuple (U, s, V) or LowRankResult, optional
        Where to start; the zero matrix by default. Cut to the given rank.
    condition : float, optional
        κ in Algorithm 2. Default: the objective's own estimate.
    sufficient_progress : float, optional
        The part of Δ = g(A) − f(A*) that a step of Algorithm 2 must gain. Default: the lemma's
        1/(16·κ·target_rank); the paper's listing has 1/rank, which is far stricter.
    reoptimize : bool
        Optimise A over its spaces again after Algorithm 2 has changed the weights, as the lemma
        assumes; False keeps A, as the listing does.
    bisections : int
        Largest number of guesses of f(A*).
    step : float, optional
        1/β in regularized IHT. By default it is chosen by the solver and adapts.
    weight_step : float, optional
        c, how fast the weights of regularized IHT fall. Default: 2·rank/max_iter.
    round_threshold : float
        Weights of regularized IHT at or below it become 0.
    weighted_part : float
        The part of the iterations of regularized IHT after which its weights are dropped.
    refine : int
        Largest number of sweeps over the factors after regularized IHT, and after each method of
        ``"best"``: alternating least squares, for squared losses. 0: none.
    history : bool
        Record every iteration in ``LowRankResult.history``.
    callback : callable, optional
        Called after every iteration with a `LowRankIteration`. Returning a true value stops the
        run.
    progress : bool or callable
        Show a progress bar on standard error; or call this instead, about every 50 ms, with the
        number of iterations and the objective. An exception ends the run.
    time_limit : float, optional
        Seconds after which to stop with the best matrix, within sweeps and products too; one limit
        for the whole of ``"best"``.
    n_threads : int, optional
        Number of threads for the sparse products; the answer is the same for any number.

    Returns
    -------
    LowRankResult

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed.

    See Also
    --------
    rank_path : Several ranks, judged by held-out observations.
    LowRankResult : What it returns.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> M = np.outer([1.0, 2.0, 3.0], [1.0, -1.0])
    >>> lowrank.solve(lowrank.FullObservation(M), 1).matrix().round(6).tolist()
    [[1.0, -1.0], [2.0, -2.0], [3.0, -3.0]]
    """
    function = as_objective(objective)
    chosen = METHODS[check.check_choice("method", method, list(METHODS))]
    rank = check.check_integer("rank", rank, 1, min(function.shape))
    options = _make_options(
        function, chosen, rank, target_rank=target_rank, target_value=target_value,
        max_iter=max_iter,
        tol=tol, start=start, condition=condition, sufficient_progress=sufficient_progress,
        reoptimize=reoptimize, bisections=bisections, step=step, weight_step=weight_step,
        round_threshold=round_threshold, weighted_part=weighted_part, refine=refine,
        n_threads=n_threads,
    )  # fmt: skip
    if method == "regularized-local-search" and options.target_value is None:
        _check_bounded(function)
    if function.factor_penalty > 0.0:
        _check_sweeps(method, options.refine)
    check.check_callback(callback)
    limit = check.check_time_limit(time_limit)
    most = chosen.most_iterations(function, options)
    with ProgressBar(most, shown=check.check_progress(progress)) as bar:
        observer = Observer(
            callback, bar, math.inf if limit is None else limit,
            check.check_flag("history", history), method,
        )  # fmt: skip
        found = run_guarded(chosen.run, function, options, observer)
    if method == "regularized-local-search" and found.status.success and function.refines:
        found = _with_plain_run(function, options, found, observer.seconds_left())
    A = found.A
    return LowRankResult(
        U=A.U,
        s=A.s,
        V=A.V,
        fun=function.value(A, options.threads),
        weights=found.weights,
        n_iter=observer.number,
        status=found.status,
        message=found.message,
        history=observer.history(),
    )


def _make_options(
    objective: LowRankObjective,
    method: Method,
    rank: int,
    *,
    target_rank: int | None,
    target_value: float | None,
    max_iter: int | None,
    tol: float,
    start: Any,
    condition: float | None,
    sufficient_progress: float | None,
    reoptimize: bool,
    bisections: int,
    step: float | None,
    weight_step: float | None,
    round_threshold: float,
    weighted_part: float,
    refine: int,
    n_threads: int | None,
) -> LowRankOptions:
    """Check the options, whichever method they are for."""
    return LowRankOptions(
        rank=rank,
        target_rank=rank
        if target_rank is None
        else check.check_integer("target_rank", target_rank, 1, rank),
        target_value=None
        if target_value is None
        else check.check_real("target_value", target_value),
        max_iter=method.default_max_iter(objective, rank)
        if max_iter is None
        else check.check_integer("max_iter", max_iter, 0),
        gives_max_iter=max_iter is not None,
        tol=check.check_real("tol", tol, least=0.0),
        start=_first_factors(start, objective.shape, rank),
        condition=objective.condition
        if condition is None
        else check.check_real("condition", condition, least=1.0),
        sufficient_progress=_optional("sufficient_progress", sufficient_progress, strict=False),
        reoptimize=check.check_flag("reoptimize", reoptimize),
        bisections=check.check_integer("bisections", bisections, 1),
        step=_optional("step", step, strict=True),
        weight_step=_optional("weight_step", weight_step, strict=False),
        round_threshold=check.check_real("round_threshold", round_threshold, least=0.0, most=1.0),
        weighted_part=check.check_real("weighted_part", weighted_part, least=0.0, most=1.0),
        refine=check.check_integer("refine", refine, 0),
        threads=check.check_threads(n_threads),
    )


def _first_factors(start: Any, shape: tuple[int, int], rank: int) -> Factors:
    """Cut the first matrix to the rank allowed; zero if there is none."""
    first = check.check_first_matrix(start, shape)
    if first is None:
        return Factors.zero(shape)
    if not isinstance(first, tuple):
        return Factors.of_matrix(first, rank)
    U, s, V = first
    return Factors.of_terms(U * s, V).truncated(rank)


def _check_sweeps(method: str, refine: int) -> None:
    if not METHODS[method].sweeps or (refine == 0 and method != "alternating"):
        able = ", ".join(repr(name) for name, known in METHODS.items() if known.sweeps)
        raise InvalidArgumentError(
            f"factor_penalty needs sweeps over the factors: method must be one of {able}, "
            "and refine above 0."
        )


def _with_plain_run(
    objective: LowRankObjective, options: LowRankOptions, found: Outcome, seconds: float
) -> Outcome:
    """Return the outcome of Algorithm 2, which says so where regularized IHT does better."""
    method = "regularized-iht"
    most = METHODS[method].default_max_iter(objective, options.rank)
    with ProgressBar(None, shown=False) as bar:
        silent = Observer(None, bar, seconds, False, method)
        plain = run_guarded(
            METHODS[method].run, objective, replace(options, max_iter=most, step=None), silent
        )
    value, plain_value = (objective.value(run.A, options.threads) for run in (found, plain))
    at_zero = objective.value(Factors.zero(objective.shape), options.threads)
    if not value - plain_value > options.tol * max(abs(value), abs(at_zero)):
        return found
    better = f"{found.message} method={method!r} does better: {plain_value:.6g}."
    return replace(found, message=better)


def _optional(name: str, value: float | None, *, strict: bool) -> float | None:
    return None if value is None else check.check_real(name, value, least=0.0, strict=strict)


def _check_bounded(objective: LowRankObjective) -> None:
    if not math.isfinite(objective.lower_bound):
        raise InvalidArgumentError(
            "target_value must be given, or objective.lower_bound: without a bound from below "
            "there is no range to search for f(A*) in."
        )


def truncate_rank(A: ArrayLike, rank: int) -> Any:
    """H_r(A): the closest matrix of at most the given rank, as a dense array.

    Parameters
    ----------
    A : array of shape (rows, cols)
    rank : int
        From 0 to the smaller side.

    Returns
    -------
    array of shape (rows, cols)

    Raises
    ------
    InvalidArgumentError
        If A is not a matrix of finite numbers, or the rank is outside its range.

    See Also
    --------
    FullObservation : The same as an objective, with a ridge.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> lowrank.truncate_rank(np.diag([3.0, 2.0, 1.0]), 2).round(6).diagonal().tolist()
    [3.0, 2.0, 0.0]
    """
    matrix = check.check_matrix("A", A)
    rank = check.check_integer("rank", rank, 0, min(matrix.shape))
    return Factors.of_matrix(matrix, rank).matrix()

"""``solve`` for linear models.

The signatures are written out, for editors and type checkers; a test holds them to the one list of
options, in the order of which `solve` passes them on.
"""

from __future__ import annotations

from typing import Any, Literal

from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import Rng
from regiht._inputs.design import Design, as_design
from regiht._inputs.groups import grouping, kept_columns, starting_point
from regiht._solving.linear import Callback, run_linear
from regiht._solving.options import check_options
from regiht._solving.progress import Progress
from regiht._solving.registry import Effort, LossName, MethodName, Polish
from regiht._solving.result import Result

WeightStep = float | Literal["adaptive"] | None


def solve(
    X: ArrayLike | Design | Any,
    y: ArrayLike | None,
    s: int,
    *,
    loss: LossName = "squared",
    method: MethodName = "regiht",
    ridge: float = 0.0,
    step: float | None = None,
    weight_step: WeightStep = None,
    max_iter: int | Literal["auto"] = "auto",
    tol: float = 0.0,
    round_threshold: float = 0.5,
    x0: ArrayLike | None = None,
    w0: ArrayLike | None = None,
    safeguard: bool = False,
    refit: bool = False,
    polish: Polish | None = None,
    effort: Effort = "default",
    target_value: float | None = None,
    rng: Rng = 0,
    seed: Rng = None,
    screening: bool = True,
    sample_weight: ArrayLike | None = None,
    keep: ArrayLike | check.Columns | None = None,
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
    r"""Fit a linear model with at most s features.

    Minimises Σᵢ sample_weightᵢ · loss((Xx)ᵢ, yᵢ) + (ridge/2)‖x‖² over x with at most s nonzeros.

    Parameters
    ----------
    X : array, scipy sparse matrix, data frame, Design or path of shape (rows, cols)
        Rows are samples, columns are features. `Design` says what is borrowed and what is copied.
        A path is that of a directory that `regiht.dataset.write` made.
    y : array of shape (rows,)
        Targets: 0 and 1 (or booleans) for the logistic and squared-hinge losses, counts for the
        Poisson loss. None if X is a directory that holds the targets.
    s : int
        The largest number of features, 1 to cols.
    loss : str
        A name from `losses`. Values are sums: ½(z−y)² for ``"squared"``,
        log(1+eᶻ) − yz for ``"logistic"``.
    method : str
        A name from `methods`: ``"regiht"``, the paper's regularized IHT; ``"iht"``; ``"omp"``,
        ``"ompr"``, ``"arht"``, ``"htp"``, ``"cosamp"``, ``"lasso"`` or ``"gradient"``; or
        ``"best"``, which tries several, refits, swaps features and returns the best answer. See
        the page on methods.
    ridge : float
        ρ: adds (ρ/2)‖x‖² to the objective.
    step : float, optional
        1/β, where β is the smoothness of the objective on sparse vectors. IHT moves by
        step·∇f, regularized IHT by ½·step·∇f. With a given step the solver does exactly
        ``max_iter`` iterations and returns the last iterate. By default it starts from an estimate
        of the smoothness, adapts the step, and returns the best iterate.
    weight_step : float or "adaptive", optional
        c, how fast the adaptive weights fall. Default: s/max_iter, with safeguard s/(4·max_iter).
        ``"adaptive"`` runs rounds from the same start with c = s/100, s/200, … until slower ones
        no longer help, and returns the best iterate; ``max_iter`` is then only a cap.
        This, ``round_threshold``, ``w0`` and ``safeguard`` change nothing for a method without
        adaptive weights, such as ``"iht"``; the page on methods says which options each reads.
    max_iter : int or "auto"
        Number of iterations. Auto: 800, or 20 000 for all rounds together with an adaptive
        ``weight_step``, which is seldom reached. For ``"best"`` it limits each run of another
        method, not the whole search; ``time_limit`` does that. Swaps of ``polish`` are extra.
    tol : float
        Stop when x changes by at most tol·‖x‖ and the adaptive weights no longer change. 0: never
        stop for that reason.
    round_threshold : float
        Adaptive weights at or below it become 0.
    x0 : array of shape (cols,), optional
        Where to start, zeros by default; cut to its s largest entries, of columns that are not
        left out.
    w0 : array of shape (cols,), optional
        Initial adaptive weights between 0 and 1, ones by default.
    safeguard : bool
        Follow Algorithm 1 to the letter: keep xᵗ whenever the regularized value would rise, and
        round only weights below the threshold.
    refit : bool
        End at the minimum of the objective on the support found. Methods other than ``"iht"``,
        ``"regiht"`` and ``"lasso"`` always do.
    polish : "swap", optional
        Swap features, one for one and in small blocks, until no swap lowers the objective;
        ``Result.swap_optimal`` says whether every single swap was examined.
    effort : {"quick", "default", "thorough"}
        How much ``"best"`` tries. Default: about a tenth of a second on small data, and on large
        data a multiple of the cost of forward selection. Quick: only the cheapest searches.
        Thorough: everything, which may take minutes. Effort is counted in operations, not in
        seconds, so the answer is the same in every run.
    target_value : float, optional
        The value f* of the optimum, which ``"arht"`` aims at; found by bisection if not given.
        Other methods refuse it.
    rng : int, numpy Generator or None
        Source of randomness for ``"arht"``, the only random method. None: a new one in every call.
    seed : int or numpy Generator, optional
        The older name of ``rng``.
    screening : bool
        Skip gradient entries that provably cannot matter. This changes the time, never the answer.
    sample_weight : array of shape (rows,), optional
        Weights of the rows, not negative.
    keep : list of int or str, optional
        Columns that are always in the model, by number, name or mask; they count towards s.
    positive : bool
        Allow no coefficient below zero. The intercept is free. Some methods refuse it: see the
        page on methods.
    groups : array of int or str of shape (cols,), mapping or list of lists, optional
        A label for every column: columns with the same label enter and leave together, and s
        counts groups, not columns. Or a mapping from column numbers to labels, or lists of column
        numbers; a column that is not listed is its own group. Columns of a data frame may be given
        by name. Some methods refuse it.
    intercept : bool
        Add a constant to the predictions, neither penalised nor counted in s: at every x the one
        that minimises the loss. Fastest with ``center=True``.
    center, scale : bool
        Standardize the columns implicitly, see `Design`.
    history : bool
        Record every iteration in ``Result.history``.
    callback : callable, optional
        Called after every iteration with an object that has ``number``, ``fun``,
        ``regularized_fun``, ``x``, ``support``, ``weights``, ``support_changes`` and ``elapsed``.
        Returning a true value stops the run.
    progress : bool or callable
        Show a progress bar on standard error; or call this instead, about every 50 ms, with the
        number of iterations (`solve_grid`, `solve_batch`: of finished solves) and the objective.
        An exception ends the run.
    time_limit : float, optional
        Seconds after which to stop with the best iterate.
    n_threads : int, optional
        Number of threads; by default the environment variable ``REGIHT_NUM_THREADS``, or else all
        available cores. The answer is the same to the last bit for any number.
    certify : bool
        Also compute a lower bound on the objective of any model with s features: ``lower_bound``
        and ``gap`` of the result. It needs ridge > 0; without it both are None, and ``message``
        says so. It takes up to 300 full gradients, not counted in ``n_gradients``, within what
        remains of ``time_limit``.

    Returns
    -------
    Result

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed; the message says which.

    See Also
    --------
    SparseRegressor, SparseClassifier : The scikit-learn estimators, with an intercept.
    solve_grid, solve_batch : Many solves on one matrix.
    minimize : Your own objective.
    Result : What it returns.

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
    start = starting_point(x0, design)
    options = check_options(  # by position: names would take a twentieth of the smallest solves
        cols, loss, method, ridge, step, weight_step, max_iter, tol, round_threshold, start, w0,
        safeguard, refit, polish, effort, target_value, check.check_seed(rng, seed), screening,
        kept_columns(keep, design), positive, grouping(groups, design), intercept, history,
        time_limit, n_threads, certify,
    )  # fmt: skip
    weights = check.check_sample_weight(sample_weight, rows)
    target = check.check_target(design.y if y is None else y, rows, options.loss)
    return run_linear(design, target, s, options, weights, callback, progress)

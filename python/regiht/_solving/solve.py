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
from regiht._inputs.groups import grouping, kept_columns
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
    r"""Fit a linear model of at most s features.

    Minimises Σᵢ sample_weightᵢ · loss((Xx)ᵢ, yᵢ) + (ridge/2)‖x‖² over x with at most s nonzeros.

    Parameters
    ----------
    X : array, scipy sparse matrix, data frame or Design of shape (rows, cols)
        Rows are samples, columns are features. See `Design` for what is borrowed and what copied.
    y : array of shape (rows,)
        Targets. Logistic and squared-hinge losses take 0 and 1 (or booleans), Poisson counts. None:
        those in the directory that X is.
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
        This, ``round_threshold``, ``w0`` and ``safeguard`` change nothing for a method without
        adaptive weights, such as ``"iht"``; the page on methods says which options each reads.
    max_iter : int or "auto"
        Number of iterations. Auto: 800, and 20 000 with an adaptive ``weight_step``, where it
        counts those of all rounds and is seldom reached. For ``"best"`` it limits each of the runs
        of other methods that it makes, not all of them together; ``time_limit`` does that. What
        ``polish`` exchanges comes on top.
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
    effort : {"quick", "default", "thorough"}
        How much ``"best"`` tries. Default: about a tenth of a second on small data, and on large
        data a multiple of what forward selection takes. Quick: only what is cheapest. Thorough:
        everything, for those who have minutes. Counted in operations, not in seconds, so that the
        answer is the same in every run.
    target_value : float, optional
        The value f* of the optimum, which ``"arht"`` aims at; found by bisection if not given.
        Other methods refuse it.
    rng : int, numpy Generator or None
        For ``"arht"``, which draws at random; the others do not. None: others in every call.
    seed : int or numpy Generator, optional
        The older name of ``rng``.
    screening : bool
        Leave out gradient entries that provably cannot matter. Exact: it changes the time, never
        the answer.
    sample_weight : array of shape (rows,), optional
        Not negative.
    keep : list of int or str, optional
        Columns that are always in, by number or name; they count towards s.
    positive : bool
        No coefficient below zero. The intercept is free. Not for every method: see the page on
        methods.
    groups : array of int or str of shape (cols,), mapping or list of lists, optional
        A label for every column: those that share one enter and leave together, and s counts
        groups, not columns. Or a mapping from column numbers to labels, or lists of column
        numbers; a column that is left out is alone. Columns of a data frame may be named instead.
        Not for every method.
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

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed; the message says which.

    See Also
    --------
    SparseRegressor, SparseClassifier : The same in scikit-learn's terms, with an intercept.
    solve_grid, solve_batch : Many solves on one matrix.
    minimize : A function of one's own.
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
    options = check_options(  # by position: names would take a twentieth of the smallest solves
        cols, loss, method, ridge, step, weight_step, max_iter, tol, round_threshold, x0, w0,
        safeguard, refit, polish, effort, target_value, check.check_seed(rng, seed), screening,
        kept_columns(keep, design), positive, grouping(groups, design), intercept, history,
        time_limit, n_threads, certify,
    )  # fmt: skip
    weights = check.check_sample_weight(sample_weight, rows)
    target = check.check_target(design.y if y is None else y, rows, options.loss)
    return run_linear(design, target, s, options, weights, callback, progress)

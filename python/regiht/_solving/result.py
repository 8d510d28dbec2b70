"""What a solve returns."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from regiht import _core

if TYPE_CHECKING:
    from regiht._inputs.checks import FloatArray, IndexArray

_TEXTS = {name: (message, success) for name, message, success in _core.statuses()}


class Status(StrEnum):
    """Why a solver stopped; every member equals the string of its value.

    Attributes
    ----------
    COMPLETED, STATIONARY, CONVERGED, FINISHED
        Successes: all iterations were done, the iterates no longer change, changes are below the
        tolerance, the method reached its own end.
    CYCLING, DIVERGED, TIME_LIMIT, STOPPED
        Failures: the same iterates kept repeating, the objective exploded, time ran out, a
        callback stopped the run.

    See Also
    --------
    Result.status : The status of a solve.

    Examples
    --------
    >>> import regiht
    >>> status = regiht.Status.TIME_LIMIT
    >>> status == "time_limit", status.success
    (True, False)
    """

    COMPLETED = "completed"
    STATIONARY = "stationary"
    CONVERGED = "converged"
    FINISHED = "finished"
    CYCLING = "cycling"
    DIVERGED = "diverged"
    TIME_LIMIT = "time_limit"
    STOPPED = "stopped"

    @property
    def message(self) -> str:
        """The status in a sentence."""
        return _TEXTS[self.value][0]

    @property
    def success(self) -> bool:
        """Whether the run ended as it should."""
        return _TEXTS[self.value][1]


@dataclass(frozen=True, slots=True, eq=False)
class Alternative:
    """Another support that ``method="best"`` found, refitted.

    Attributes
    ----------
    support : array of int
        Its columns in ascending order.
    values : array of float
        Their entries of x, in the solver's coordinates.
    fun : float
        The objective there.
    coef : array of float, or None
        Their coefficients for X as given; None for `minimize`.
    features : tuple of str, or None
        Their names, if columns have names.

    See Also
    --------
    Result : Holds them as ``alternatives``.
    near_best : All models nearly as good as the best.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(50, 20))
    >>> y = X[:, 3] - X[:, 7] + rng.normal(size=50)
    >>> result = regiht.solve(X, y, 3, method="best")
    >>> other = result.alternatives[0]
    >>> len(other.support), bool(other.fun >= result.fun)
    (3, True)
    """

    support: IndexArray
    values: FloatArray
    fun: float
    coef: FloatArray | None = None
    features: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class Result:
    """The sparse model that a solve found; arrays are made on first access.

    Attributes
    ----------
    x : array of shape (n,)
        The solution in the solver's coordinates, those of the centred and scaled columns if
        ``center`` and ``scale`` were set.
    support : array of int
        The selected columns in ascending order: the nonzeros of x, and the columns of ``keep``;
        with groups, all columns of the selected ones.
    fun : float
        f(x), without adaptive weights; losses are summed over rows.
    weights : array of shape (n,), or None
        The adaptive weights when the run ended; zeros for a method without them; None for entries
        of a grid or a batch.
    n_iter : int
        Number of iterations.
    n_gradients : float
        Full-gradient equivalents spent on columns outside the support; a full pass counts 1, and
        so does one over a rough copy of dense columns, or with a column instead of the residual.
    status : Status
        Why the solver stopped.
    step : float
        The given step, or the last one that the solver chose.
    coef : array of shape (n,)
        The coefficients for X as given: ``X @ coef + intercept`` is the prediction that ``fun``
        evaluates.
    intercept : float
        With ``intercept=True`` the best one; otherwise minus the predicted effect of the column
        means, or 0.0 without centring.
    history : dict of arrays, or None
        With ``history=True`` one entry for every iteration: ``fun``, ``regularized_fun``,
        ``support_changes`` (columns that entered) and ``elapsed`` (seconds).
    rank_deficient : bool
        Whether the columns of the support are linearly dependent, so that the refit is not unique;
        x is then the solution of least norm.
    swap_optimal : bool, or None
        Whether no swap of one selected feature (or group) for another lowers the objective; None
        if that was not checked. Certain for squared loss. For other losses swaps are ranked by a
        second-order model, and the promising ones are tried.
    alternatives : tuple of Alternative
        The runners-up of ``method="best"``, best first; empty for other methods.
    lower_bound : float, or None
        With ``certify=True`` and ridge > 0: no vector with at most s nonzeros (including ``keep``)
        has a lower objective than this, rounding included. Otherwise None.
    notes : tuple of str
        Sentences that ``message`` adds to the status.
    feature_names : list of str, or None
        Names of all columns, if X is a data frame or a Design that has them.

    See Also
    --------
    solve : Returns it.
    explain : The model as a formula.
    Status : Why the solver stopped.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> result = regiht.solve(X, 3 * X[:, 4] - 2 * X[:, 17], 2, method="best")
    >>> result.support.tolist(), result.coef[result.support].round(6).tolist()
    ([4, 17], [3.0, -2.0])
    >>> result.success
    True
    """

    x: FloatArray
    support: IndexArray
    fun: float
    weights: FloatArray | None
    n_iter: int
    n_gradients: float
    status: Status
    step: float
    coef: FloatArray
    intercept: float
    history: dict[str, Any] | None = field(repr=False)
    rank_deficient: bool
    swap_optimal: bool | None
    alternatives: tuple[Alternative, ...]
    notes: tuple[str, ...]
    lower_bound: float | None = None
    feature_names: Sequence[str] | None = field(default=None, repr=False)

    @classmethod
    def of_core(
        cls,
        raw: _core.SolveResult,
        factors: FloatArray | None = None,
        means: FloatArray | None = None,
        offset: float = 0.0,
    ) -> Result:
        """What the core found, for a matrix of these factors and means, its predictions moved."""
        result: Result = object.__new__(cls)
        result.__dict__["_found"] = _Found(raw, factors, means, offset)
        return result

    if not TYPE_CHECKING:  # which would hide misspelt names from the type checker

        def __getattr__(self, name: str) -> Any:
            """Answer a field that was not asked for before, and keep it."""
            found = self.__dict__.get("_found")
            if found is None or name not in _READERS:
                hint = _OF_ESTIMATORS if name in {"predict", "predict_proba", "score"} else ""
                raise AttributeError(
                    f"{type(self).__name__!r} object has no attribute {name!r}{hint}"
                )
            value = self.__dict__[name] = _READERS[name](self, found)
            return value

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @property
    def gap(self) -> float | None:
        """How far ``fun`` can be above the optimum, as a share of it; None without a lower bound.

        ``(fun − lower_bound)/|fun|``, or 0.0 if rounding makes that negative. 0.01 means that no
        model with s features is better by more than 1 %. The bound may be loose, so the gap can be
        far larger than the possible improvement.
        """
        if self.lower_bound is None:
            return None
        if not math.isfinite(self.fun):
            return math.inf
        smallest = sys.float_info.min
        return max(0.0, (self.fun - self.lower_bound) / max(abs(self.fun), smallest))

    @property
    def message(self) -> str:
        """Why the solver stopped, in a sentence, followed by the notes."""
        return " ".join([self.status.message, *self.notes])

    @property
    def success(self) -> bool:
        """Whether the run ended as it should: not cut short, not diverged, not cycling."""
        return self.status.success

    def plot(self, ax: Any = None) -> Any:
        """Plot the objective over the iterations; needs ``history=True`` and matplotlib."""
        from regiht.plotting import plot_convergence  # noqa: PLC0415  (matplotlib is optional)

        return plot_convergence({"objective": self}, ax=ax)

    def __repr__(self) -> str:
        return (
            f"Result(fun={self.fun:.6g}, support={self.support.tolist()}, n_iter={self.n_iter}, "
            f"n_gradients={self.n_gradients:.3g}, status={self.status.value!r})"
        )


_OF_ESTIMATORS = (
    ": estimators have it. SparsePath.estimator turns a model of a path into one, already fitted."
)

NOT_ATTAINED = (
    "The objective still fell when the refit ended: on this support it may have no minimum, "
    "as with classes that are separated without error. A small ridge gives it one. "
    "See the page “Standardization and ridge”."
)

SEPARATED = (
    "On these features the classes are separated without error, so the objective has no minimum: "
    "coefficients grow without bound, and these are where the solver stopped. A small ridge gives "
    "it one. See the page “Standardization and ridge”."
)
RANK_DEFICIENT = (
    "Columns of the support are linearly dependent, so the minimum is not unique: the coefficients "
    "are those of least norm. See the page “Methods”."
)
NEVER_FINITE = (
    "No iterate had a finite objective: if no step was given, numbers in the data, in their "
    "weights or in x0 are too large. Scale them."
)
# Where to read on about a run that did not end as it should.
_PAGES = {
    Status.DIVERGED: "See the page “Guide”.",
    Status.CYCLING: "See the page “Guide”.",
    Status.TIME_LIMIT: "See the page “Effort and limits”.",
}
# Notes on models whose coefficients mean nothing.
UNUSABLE = frozenset({NOT_ATTAINED, SEPARATED})


class _Found(NamedTuple):
    """Where a Result reads its fields, and what leads from x to the coefficients."""

    raw: _core.SolveResult
    factors: FloatArray | None
    means: FloatArray | None
    offset: float


def _read_weights(_: Result, found: _Found) -> FloatArray | None:
    weights = found.raw.weights
    return weights if weights.size else None


def _read_coef(result: Result, found: _Found) -> FloatArray:
    return result.x if found.factors is None else result.x * found.factors


def _read_intercept(result: Result, found: _Found) -> float:
    intercept = found.raw.intercept + found.offset
    return intercept if found.means is None else intercept - float(found.means @ result.coef)


def _read_alternatives(result: Result, found: _Found) -> tuple[Alternative, ...]:
    names = result.feature_names
    return tuple(
        Alternative(
            support, values, fun,
            coef=values if found.factors is None else values * found.factors[support],
            features=None if names is None else tuple(names[j] for j in support),
        )
        for support, values, fun in found.raw.alternatives
    )  # fmt: skip


def _read_notes(result: Result, found: _Found) -> tuple[str, ...]:
    exploded = result.status == Status.DIVERGED and not math.isfinite(result.fun)
    notes = [NEVER_FINITE] if exploded else []
    notes += [_PAGES[result.status]] if result.status in _PAGES else []
    notes += [] if found.raw.attained else [NOT_ATTAINED]
    notes += [RANK_DEFICIENT] if result.rank_deficient else []
    return tuple(notes)


_READERS: dict[str, Callable[[Result, _Found], Any]] = {
    "x": lambda _, found: found.raw.x,
    "support": lambda _, found: found.raw.support,
    "fun": lambda _, found: found.raw.fun,
    "weights": _read_weights,
    "n_iter": lambda _, found: found.raw.n_iter,
    "n_gradients": lambda _, found: found.raw.n_gradients,
    "status": lambda _, found: Status(found.raw.status),
    "step": lambda _, found: found.raw.step,
    "coef": _read_coef,
    "intercept": _read_intercept,
    "history": lambda _, found: found.raw.history,
    "rank_deficient": lambda _, found: found.raw.rank_deficient,
    "swap_optimal": lambda _, found: found.raw.swap_optimal,
    "alternatives": _read_alternatives,
    "notes": _read_notes,
}

"""Excess loss over the dense optimum, as figures 1 and 2 plot it, for grids of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

import regiht
from regiht import datasets, reference
from regiht._solving.registry import LossName, MethodName

Vector = NDArray[np.float64]

METHODS: tuple[MethodName, ...] = ("iht", "regiht")
RIDGE = {"squared": 0.0, "logistic": 0.1}
_BLOCK_ROWS = 16_384


@dataclass(frozen=True)
class Task:
    """A problem as the paper prepares it: columns centred and scaled to unit norm.

    The target of a regression is centred too, which changes f by a constant only: `zero` is f(0)
    after that, and `dense` is f at the dense optimum.
    """

    design: regiht.Design
    X: Any
    y: Vector
    loss: LossName
    zero: float
    dense: float

    @property
    def ridge(self) -> float:
        """ρ of the paper's experiments."""
        return RIDGE[self.loss]

    def excess(self, values: Any) -> Any:
        """(f − f(x**)) / f(0)."""
        return (np.asarray(values, dtype=np.float64) - self.dense) / self.zero

    def grid(
        self, method: MethodName, s: int | Sequence[int], steps: Sequence[float], iterations: int
    ) -> regiht.SolveTable:
        """Solve for all of these steps."""
        return regiht.solve_grid(
            self.design, self.y, s, step=steps, method=method, loss=self.loss, ridge=self.ridge,
            max_iter=iterations,
        )  # fmt: skip

    def solve(self, method: MethodName, s: int, **options: Any) -> regiht.Result:
        """Solve once, with history."""
        return regiht.solve(
            self.design, self.y, s, method=method, loss=self.loss, ridge=self.ridge, history=True,
            **options,
        )  # fmt: skip

    def objective(self) -> reference.LinearObjective:
        """The same function for the listing: dense data is standardized explicitly, as there."""
        if hasattr(self.X, "tocsr"):
            matrix: Any = reference.ImplicitStandardized(self.X, True, True)
        else:
            matrix = reference.standardize(self.X, True, True)[0]
        return reference.LinearObjective(matrix, self.y, self.loss, ridge=self.ridge)


def prepare(problem: datasets.Problem) -> Task:
    """Standardize a problem and find its dense optimum."""
    task = prepare_rows(problem, problem.X.shape[0])
    solve_densely = _dense_squared if task.loss == "squared" else _dense_logistic
    return replace(task, dense=solve_densely(task.X, task.y))


def prepare_rows(problem: datasets.Problem, rows: int) -> Task:
    """Standardize the first rows of a problem; nothing is known of the dense optimum."""
    X, y = problem.X[:rows], problem.y[:rows]
    design = regiht.Design(X, center=True, scale=True)
    if problem.loss == "squared":
        y = y - y.mean()
        zero = 0.5 * float(y @ y)
    else:
        zero = y.size * float(np.log(2.0))
    return Task(design, X, y, problem.loss, zero, dense=float("nan"))


def power_steps(s: int, count: int) -> list[float]:
    """2^i/s for i = 0, 1, …."""
    return [2.0**i / s for i in range(count)]


def _dense_squared(X: Any, y: Vector) -> float:
    """Minimum of ½‖Ax − y‖² over all x, A being X standardized."""
    means = X.mean(axis=0)
    gram, right = np.zeros((X.shape[1], X.shape[1])), np.zeros(X.shape[1])
    for start in range(0, len(y), _BLOCK_ROWS):
        block = X[start : start + _BLOCK_ROWS] - means
        gram += block.T @ block
        right += block.T @ y[start : start + _BLOCK_ROWS]
    scale = np.sqrt(np.diag(gram))
    scale[scale == 0.0] = 1.0
    x = np.linalg.lstsq(gram / np.outer(scale, scale), right / scale, rcond=None)[0] / scale
    # The residual itself, as ½‖y‖² − ½⟨right, x⟩ would cancel; an error in x enters squared.
    return 0.5 * sum(
        float(np.sum(((X[start : start + _BLOCK_ROWS] - means) @ x - part) ** 2))
        for start in range(0, len(y), _BLOCK_ROWS)
        for part in [y[start : start + _BLOCK_ROWS]]
    )


def _dense_logistic(X: Any, y: Vector) -> float:
    """Minimum of the logistic objective over all x, to 1e-9 of f(0).

    The objective is strongly convex with modulus ρ, so ‖∇f‖²/(2ρ) bounds the error.
    """
    ridge = RIDGE["logistic"]
    matrix = reference.ImplicitStandardized(X, True, True)
    objective = reference.LinearObjective(matrix, y, "logistic", ridge=ridge)
    allowed = 1e-9 * y.size * np.log(2.0)
    x = np.zeros(X.shape[1])
    for _ in range(20):
        found = optimize.minimize(
            objective.value, x, jac=objective.gradient, method="L-BFGS-B",
            options={"maxiter": 500, "maxfun": 1000, "ftol": 0.0, "gtol": 0.0, "maxcor": 20},
        )  # fmt: skip
        x = found.x
        if float(np.sum(objective.gradient(x) ** 2)) <= 2.0 * ridge * allowed:
            return float(found.fun)
    raise ArithmeticError("the dense optimum was not reached to the accuracy wanted")

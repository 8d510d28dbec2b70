"""The problems that every benchmark means when it uses a name."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from regiht import datasets, reference

# Real data, as npz files; those that are not there are left out.
# The folder with the real data sets; without it the problems that need them are left out.
DATA = Path(os.environ.get("REGIHT_DATA", "real-data-is-not-here"))


@dataclass(frozen=True)
class BenchProblem:
    """Data, an objective and the settings of the paper's listing.

    The objective is that of `regiht.solve` with these options: a sum of losses over the (implicitly
    standardized) matrix, without an intercept. `factors` maps a sparsity s to the factor of the
    step, factor/s, that suits regularized IHT; plain IHT takes half of it, which is the same move.
    Where the columns are centred and the loss is squared, so is the target: it changes no gradient.
    """

    name: str
    X: Any
    y: Any
    loss: str
    factors: dict[int, float]
    max_iter: int
    ridge: float = 0.0
    standardize: bool = True
    planted: Any = field(default=None, repr=False)
    real: bool = False

    @property
    def kind(self) -> str:
        rows, cols = self.X.shape
        return f"{'real' if self.real else 'generated'}, {rows} × {cols}, {self.loss}"

    def step(self, method: str, s: int, factor: float | None = None) -> float:
        factor = self.factors.get(s, min(self.factors.values())) if factor is None else factor
        return factor / s / (2 if method == "iht" and s in self.factors else 1)

    @cached_property
    def standardized(self) -> Any:
        """The matrix as an operator, never made dense."""
        if not self.standardize:
            return self.X
        return reference.ImplicitStandardized(self.X, center=True, scale=True)

    @cached_property
    def objective(self) -> reference.LinearObjective:
        return reference.LinearObjective(self.standardized, self.y, self.loss, self.ridge)

    @cached_property
    def scaled(self) -> Any:
        """For rivals: columns of unit norm; a sparse matrix is not centred, to stay sparse."""
        if not self.standardize:
            return self.X
        if sparse.issparse(self.X):
            return (self.X @ sparse.diags(self.standardized.scales)).tocsc()
        return np.asfortranarray((self.X - self.standardized.means) * self.standardized.scales)

    def columns(self, support: Any) -> Any:
        """The standardized columns of a support, dense."""
        chosen = self.X[:, support]
        chosen = chosen.toarray() if sparse.issparse(chosen) else np.array(chosen)
        if not self.standardize:
            return chosen
        return (chosen - self.standardized.means[support]) * self.standardized.scales[support]


def _made(
    problem: datasets.Problem, factors: dict[int, float], max_iter: int, **more: Any
) -> BenchProblem:
    planted = None if problem.coef is None else np.flatnonzero(problem.coef)
    name = more.pop("name", problem.name)
    y = problem.y
    if problem.loss == "squared" and more.get("standardize", True):
        y = y - y.mean()
    return BenchProblem(
        name, problem.X, y, problem.loss, factors, max_iter, planted=planted, **more
    )


def _loaded(name: str, loss: str, factors: dict[int, float], **more: Any) -> BenchProblem:
    with np.load(DATA / f"{name}.npz") as arrays:
        y = arrays["y"].astype(np.float64)
        if "X" in arrays:
            X = arrays["X"].astype(np.float64)
        else:
            triple = arrays["data"].astype(np.float64), arrays["indices"], arrays["indptr"]
            X = sparse.csr_matrix(triple, shape=tuple(arrays["shape"]))
    if loss == "squared":
        y -= y.mean()
    return BenchProblem(name, X, y, loss, factors, 800, real=True, **more)


_MAKERS: dict[str, Callable[[int], BenchProblem]] = {
    "rcv1-like": lambda seed: _made(
        datasets.rcv1_like(seed=seed), {10: 16.0, 100: 128.0}, 800, ridge=0.1
    ),
    "year-like": lambda seed: _made(datasets.year_like(seed=seed), {11: 4.0}, 800),
    "wide": lambda seed: _made(datasets.wide(seed=seed), {50: 16.0}, 240, standardize=False),
    "recovery": lambda seed: _made(
        datasets.recovery(seed=seed), {20: 16.0}, 240, standardize=False
    ),
    **{
        f"recovery-{s}": lambda seed, s=s: _made(
            datasets.recovery(s=s, seed=seed),
            {s: 16.0},
            240,
            standardize=False,
            name=f"recovery-{s}",
        )
        for s in (5, 10, 30, 40)
    },
    "tiny": lambda seed: _made(datasets.tiny(seed=seed), {3: 2.0}, 50, standardize=False),
    # Smaller relatives, to try things out.
    "rcv1-small": lambda seed: _made(
        datasets.rcv1_like(3000, 8000, 100_000, seed=seed),
        {10: 16.0},
        800,
        ridge=0.1,
        name="rcv1-small",
    ),
    "year-small": lambda seed: _made(
        datasets.year_like(20_000, seed=seed), {11: 4.0}, 800, name="year-small"
    ),
}
_LOADERS: dict[str, Callable[[], BenchProblem]] = {
    "reuters": lambda: _loaded("reuters", "logistic", {10: 16.0, 100: 128.0}, ridge=0.1),
    "farm_ads": lambda: _loaded("farm_ads", "logistic", {10: 16.0, 100: 128.0}, ridge=0.1),
    "a9a": lambda: _loaded("a9a", "logistic", {10: 16.0}, ridge=0.1),
    "riboflavin": lambda: _loaded("riboflavin", "squared", {5: 4.0, 10: 4.0, 20: 4.0}),
}

NAMES = (*_MAKERS, *_LOADERS)


def available() -> list[str]:
    """The names whose data can be made or is there."""
    return [*_MAKERS, *(name for name in _LOADERS if (DATA / f"{name}.npz").exists())]


def load(name: str, seed: int = 0) -> BenchProblem:
    """Make or read a problem."""
    if name in _MAKERS:
        return _MAKERS[name](seed)
    if name not in _LOADERS:
        raise SystemExit(f"no problem is called {name}; there are {', '.join(NAMES)}")
    if name not in available():
        raise SystemExit(f"{name} needs {name}.npz; set REGIHT_DATA to the folder that has it")
    return _LOADERS[name]()

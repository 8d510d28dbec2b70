"""Tables of data as users have them, for `default.py`: real ones, real text, and Gaussian ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import judge
import numpy as np
import problems
from scipy import sparse

from regiht import reference

RIDGE = {"logistic": 1e-4, "squared": 0.0}


@dataclass(frozen=True)
class Table:
    """Rows and columns with a target, and the numbers of features asked for."""

    name: str
    X: Any
    y: Any
    loss: str
    sparsities: tuple[int, ...]
    kind: str = "table"
    standardize: bool = True

    @property
    def title(self) -> str:
        rows, cols = self.X.shape
        return f"{self.name}, {rows} × {cols}"

    @property
    def ridge(self) -> float:
        return RIDGE[self.loss]

    @cached_property
    def _standardized(self) -> reference.ImplicitStandardized:
        return reference.ImplicitStandardized(self.X, center=True, scale=True)

    @cached_property
    def scaled(self) -> Any:
        """What rivals get, who add an intercept of their own; sparse columns are not centred."""
        if sparse.issparse(self.X):
            return (self.X @ sparse.diags(self._standardized.scales)).tocsc()
        return np.asfortranarray((self.X - self._standardized.means) * self._standardized.scales)

    @cached_property
    def objective(self) -> reference.LinearObjective:
        """Without the intercept: for rivals who ask it where their penalty begins."""
        return reference.LinearObjective(self.scaled, self.y, self.loss, self.ridge)

    def value(self, support: Any) -> float:
        """The least objective on these columns, with an intercept: a column that has no penalty."""
        A = self.scaled[:, support]
        A = A.toarray() if sparse.issparse(A) else A
        if self.loss == "logistic":
            return judge.refit_logistic(A, self.y, self.ridge)
        target = self.y - self.y.mean()
        fitted = A @ np.linalg.lstsq(A, target, rcond=None)[0]
        return float(0.5 * ((target - fitted) ** 2).sum())


def tables() -> Iterator[Callable[[], list[Table]]]:
    """Makers of tables: those whose data are not there make none."""
    yield mushrooms
    yield digits
    yield breast_cancer
    yield gaussian
    yield census
    yield text


def mushrooms() -> list[Table]:
    file = problems.DATA / "mushroom.npz"
    if not file.exists():
        return []
    with np.load(file) as arrays:
        X, y = arrays["X"].astype(float), (arrays["y"] > 0).astype(float)
    return [Table("mushrooms", X, y, "logistic", (3, 5, 10))]


def digits() -> list[Table]:
    from sklearn.datasets import load_digits  # noqa: PLC0415

    data = load_digits()
    return [
        Table(f"digits, {k} or not", data.data, (data.target == k).astype(float), "logistic",
              (5, 20))
        for k in (1, 3, 8)
    ]  # fmt: skip


def breast_cancer() -> list[Table]:
    from sklearn.datasets import load_breast_cancer  # noqa: PLC0415

    data = load_breast_cancer()
    return [Table("breast cancer", data.data, data.target.astype(float), "logistic", (2, 3, 5, 10))]


def gaussian() -> list[Table]:
    made = []
    for rows in (19_000, 21_000, 100_000):
        rng = np.random.default_rng(0)
        X = rng.standard_normal((rows, 50))
        z = X[:, :20] @ (0.5 * rng.standard_normal(20))
        y = (rng.random(rows) < 1 / (1 + np.exp(-z))).astype(float)
        made.append(Table("Gaussian, logistic", X, y, "logistic", (20,), "generated"))
    rng = np.random.default_rng(1)
    X = rng.standard_normal((20_000, 300))
    y = X[:, :20] @ rng.standard_normal(20) + rng.standard_normal(20_000)
    return [*made, Table("Gaussian, squared", X, y, "squared", (20,), "generated")]


def census() -> list[Table]:
    if "a9a" not in problems.available():
        return []
    problem = problems.load("a9a")
    y = (problem.y > 0).astype(float)
    return [Table("census income (a9a)", problem.X.toarray(), y, "logistic", (10,))]


def text() -> list[Table]:
    """Words in columns; the matrix stays sparse."""
    names = {"reuters": "Reuters news", "farm_ads": "farm ads"}
    found = [(names[each], problems.load(each)) for each in names if each in problems.available()]
    return [
        Table(name, problem.X.tocsc(), (problem.y > 0).astype(float), "logistic", (10, 20), "text")
        for name, problem in found
    ]

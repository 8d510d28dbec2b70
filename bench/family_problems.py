"""Families of small problems for `families.py`: the seed alone says what each one is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import problems
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[np.float64]

STANDARDIZED = {"intercept": True, "center": True, "scale": True}
RIDGE = {"squared": 0.0, "logistic": 1e-4}


@dataclass(frozen=True)
class Problem:
    """Features, a target, how many features, and what else `regiht.solve` is told."""

    name: str
    X: Any
    y: Array
    s: int
    options: dict[str, Any] = field(default_factory=dict)


def log_uniform(rng: np.random.Generator, least: int, most: int) -> int:
    return int(np.exp(rng.uniform(np.log(least), np.log(most))))


def monomials(rng: np.random.Generator, rows: int, cols: int) -> Array:
    """Of three variables, up to degree four each; some come twice, but for a little noise."""
    at = rng.uniform(-1, 1, size=(rows, 3))
    X = np.prod(at[:, None, :] ** rng.integers(0, 5, size=(cols, 3))[None], axis=2)
    return X + 1e-9 * rng.normal(size=X.shape)


def spectra(rng: np.random.Generator, rows: int, cols: int) -> Array:
    """Sums of eight smooth bumps, so that neighbouring columns are nearly the same."""
    at = np.linspace(0, 1, cols)
    X = 10 ** rng.uniform(-6, -2) * rng.normal(size=(rows, cols))
    for width in rng.uniform(0.02, 0.2, 8):
        X += rng.random((rows, 1)) * np.exp(-((at - rng.random()) ** 2) / (2 * width**2))
    return X


def factors(rng: np.random.Generator, rows: int, cols: int) -> Array:
    """Three factors and noise of some size."""
    common = rng.normal(size=(rows, 3)) @ rng.normal(size=(3, cols))
    return common + 10 ** rng.uniform(-4, 0) * rng.normal(size=(rows, cols))


def ill_conditioned(rng: np.random.Generator, rows: int, cols: int) -> Array:
    """A condition number of 10 to 10⁸."""
    rank = min(rows, cols)
    left = np.linalg.qr(rng.normal(size=(rows, rank)))[0]
    right = np.linalg.qr(rng.normal(size=(cols, rank)))[0]
    return left * np.geomspace(1, 10 ** -rng.uniform(1, 8), rank) @ right.T


def correlated(seed: int) -> Problem:
    """Columns that are much alike."""
    rng = np.random.default_rng([1, seed])
    rows, cols = log_uniform(rng, 20, 600), log_uniform(rng, 8, 200)
    make = (monomials, spectra, factors, ill_conditioned)[rng.integers(4)]
    X = make(rng, rows, cols)
    s = int(rng.integers(2, max(3, min(cols, rows, 60))))
    loss = ("squared", "squared", "logistic")[rng.integers(3)]
    chosen = rng.choice(cols, s, replace=False)
    z = X[:, chosen] @ rng.normal(size=s)
    z = (z - np.median(z)) / (z.std() + 1e-12) + 0.5 * rng.normal(size=rows)
    y = z if loss == "squared" else (z > 0).astype(float)
    options = {"loss": loss, "ridge": RIDGE[loss], **STANDARDIZED}
    return Problem(f"{make.__name__} {rows}x{cols}, {loss}", np.asfortranarray(X), y, s, options)


def chain(seed: int) -> Problem:
    """Each column like the one before: dense, binary or sparse, with up to two million entries."""
    rng = np.random.default_rng([2, seed])
    rows, cols = log_uniform(rng, 80, 3000), log_uniform(rng, 15, 2500)
    cols = min(cols, 2_000_000 // rows)
    alike = (0.0, 0.5, 0.8, 0.95)[rng.integers(4)]
    X = rng.normal(size=(rows, cols))
    for j in range(1, cols):
        X[:, j] = alike * X[:, j - 1] + np.sqrt(1 - alike**2) * X[:, j]
    kind = ("dense", "binary", "sparse")[rng.integers(3)]
    if kind == "binary":
        X = (rng.uniform(0, 1) < X).astype(float)
    elif kind == "sparse":
        X *= rng.random(X.shape) < 0.1
    s = int(rng.integers(2, min(20, cols // 2) + 1))
    chosen = rng.choice(cols, s, replace=False)
    z = X[:, chosen] @ (rng.choice([-1, 1], s) * (0.5 + rng.random(s)))
    loss = ("squared", "logistic", "logistic")[rng.integers(3)]
    if loss == "squared":
        y = z + rng.choice([0.3, 2]) * rng.normal(size=rows)
    else:
        y = (rng.random(rows) < 1 / (1 + np.exp(-2 * z / z.std()))).astype(float)
    options = {"loss": loss, "ridge": 1e-4, **STANDARDIZED}
    A = sparse.csc_matrix(X) if kind == "sparse" else np.asfortranarray(X)
    return Problem(f"{kind} {rows}x{cols}, {alike}, {loss}", A, y, s, options)


def other_losses(seed: int) -> Problem:
    """More columns than rows, as a rule, and the losses that are not squared."""
    rng = np.random.default_rng([3, seed])
    rows, cols, s = (int(rng.integers(*of)) for of in ((20, 160), (20, 400), (2, 9)))
    loss = ("squared-hinge", "logistic", "poisson", "huber")[rng.integers(4)]
    kind = ("sparse", "binary", "dense")[rng.integers(3)]
    X = rng.normal(size=(rows, cols)) + rng.integers(2) * rng.normal(size=(rows, 1))
    if kind == "sparse":
        X *= rng.random(X.shape) < 0.1
    elif kind == "binary":
        X = (X > 0.5).astype(float)
    z = X[:, :s] @ rng.normal(size=s) + 0.5 * rng.normal(size=rows)
    z -= np.median(z)
    if loss == "huber":
        y = z
    elif loss == "poisson":
        y = rng.poisson(np.exp(np.clip(z, -3, 3))).astype(float)
    else:
        y = (z > 0).astype(float)
    ridge = float(rng.choice([1e-4, 1e-2, 0.1]))
    options = {"loss": loss, "ridge": ridge, "intercept": bool(rng.integers(2))}
    A = sparse.csc_matrix(X) if kind == "sparse" else np.asfortranarray(X)
    return Problem(f"{kind} {rows}x{cols}, {loss}", A, y, s, options)


def thresholds(X: Array) -> Array:
    """Whether each feature is below each of six of its quantiles, as risk scores have them."""
    at = [np.unique(np.quantile(column, np.linspace(0, 1, 8)[1:-1])) for column in X.T]
    columns = [column <= q for column, each in zip(X.T, at, strict=True) for q in each]
    return np.unique(np.stack(columns, 1).astype(float), axis=1)


def real_tables() -> Iterator[Problem]:
    """Those of scikit-learn, and the mushrooms where their file is."""
    from sklearn import datasets  # noqa: PLC0415  (optional)

    def fits(name: str, X: Array, y: Array, loss: str, *sparsities: int) -> Iterator[Problem]:
        options = {"loss": loss, "ridge": RIDGE[loss], **STANDARDIZED}
        for s in sparsities:
            yield Problem(name, np.asfortranarray(X), np.asarray(y, float), s, options)

    file = problems.DATA / "mushroom.npz"
    if file.exists():
        table = np.load(file)
        X, y = table["X"].astype(float), table["y"] > 0
        yield from fits("mushrooms", X, y, "logistic", 2, 3, 4, 5, 6, 8, 10)
    X, y = datasets.load_breast_cancer(return_X_y=True)
    yield from fits("breast cancer", X, y, "logistic", 2, 3, 5, 10)
    yield from fits("breast cancer, thresholds", thresholds(X), y, "logistic", 2, 3, 5, 8, 12)
    X, y = datasets.load_digits(return_X_y=True)
    for digit in range(10):
        yield from fits(f"digits, {digit} or not", X, y == digit, "logistic", 3, 5, 10, 20)
    X, y = datasets.load_wine(return_X_y=True)
    for kind in range(3):
        yield from fits(f"wine, {kind} or not", thresholds(X), y == kind, "logistic", 2, 3, 5)
    X, y = datasets.load_diabetes(return_X_y=True)
    yield from fits("diabetes", thresholds(X), y, "squared", 2, 5, 10, 15)
    yield from fits("diabetes, high or not", thresholds(X), y > 140, "logistic", 2, 5, 10, 15)


MADE: dict[str, Callable[[int], Problem]] = {
    "correlated": correlated,
    "chain": chain,
    "other-losses": other_losses,
}

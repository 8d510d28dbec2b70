"""Certificates of many random small problems against the best of all supports.

    python bench/certificates.py [--problems 100000] [--seconds 300] [--seed 0]

Every loss in turn, with a ridge, and in part sample weights, kept, centred and scaled columns. The
minima on all supports come from Newton's method in numpy, on all of them side by side; none may lie
below the certificate. Ends with 1 at the first that does, and prints its seed.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time

import numpy as np
from measure import print_table
from numpy.typing import NDArray

import regiht
from regiht import reference

Array = NDArray[np.float64]


def draw_target(kind: str, prediction: Array, rng: np.random.Generator) -> Array:
    if kind in ("logistic", "squared-hinge"):
        return (rng.random(len(prediction)) < 1 / (1 + np.exp(-prediction))).astype(float)
    if kind == "poisson":
        return rng.poisson(np.exp(np.clip(prediction, -3, 2))).astype(float)
    return prediction + 0.1 * rng.standard_normal(len(prediction))


def draw_problem(loss: str, rng: np.random.Generator) -> tuple[Array, Array, int, dict]:
    rows, n = int(rng.integers(3, 16)), int(rng.integers(1, 8))
    s = int(rng.integers(1, n + 1))
    X = rng.standard_normal((rows, n)) + rng.uniform(0, 3) * rng.standard_normal((rows, 1))
    y = draw_target(loss, X @ (rng.standard_normal(n) * (rng.random(n) < 0.5)), rng)
    options = {
        "loss": loss,
        "ridge": float(10 ** rng.uniform(-2.5, 1.5)),
        "center": bool(rng.random() < 0.4),
        "scale": bool(rng.random() < 0.4),
        "keep": [],
    }
    if rng.random() < 0.5:
        weights = rng.uniform(0, 3, rows) * (rng.random(rows) < 0.8)
        weights[0] = 1.0
        options["sample_weight"] = weights
    if rng.random() < 0.4:
        options["keep"] = sorted(rng.choice(n, int(rng.integers(1, s + 1)), replace=False))
    return X, y, s, options


def least_values(A: Array, y: Array, supports: Array, options: dict) -> tuple[Array, Array]:
    """Values at points on each support, and how far above the minimum they can be."""
    loss, ridge = reference.LOSSES[options["loss"]], options["ridge"]
    weights = options.get("sample_weight", np.ones(len(y)))
    columns = np.moveaxis(A[:, supports], 0, 1)  # supports × rows × s
    transposed = columns.transpose(0, 2, 1)
    x = np.zeros(supports.shape)

    def value_at(x: Array) -> tuple[Array, Array]:
        z = np.einsum("crs,cs->cr", columns, x)
        return loss.value(z, y) @ weights + 0.5 * ridge * np.sum(x * x, axis=1), z

    value, z = value_at(x)
    for _ in range(100):
        gradient = np.einsum("csr,cr->cs", transposed, weights * loss.derivative(z, y)) + ridge * x
        above = np.sum(gradient**2, axis=1) / (2 * ridge)
        if np.all(above <= 1e-13 * np.maximum(np.abs(value), 1e-3)):
            break
        curvature = weights * loss.curvature(z, y)
        hessian = transposed @ (curvature[:, :, None] * columns) + ridge * np.eye(x.shape[1])
        direction = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        length = np.ones(len(x))
        for _ in range(60):
            trial = x - length[:, None] * direction
            next_value, next_z = value_at(trial)
            rises = ~(next_value <= value + 1e-14 * np.abs(value))
            if not rises.any():
                break
            length[rises] /= 2
        x, value, z = trial, next_value, next_z
    return value, above


def check(loss: str, seed: int) -> tuple[bool, float, bool]:
    """Whether the bound holds, how far it is below, and whether the minima were found."""
    rng = np.random.default_rng(seed)
    X, y, s, options = draw_problem(loss, rng)
    others = [j for j in range(X.shape[1]) if j not in options["keep"]]
    chosen = itertools.combinations(others, s - len(options["keep"]))
    supports = np.array([sorted([*options["keep"], *some]) for some in chosen], dtype=int)
    A = reference.standardize(X, options["center"], options["scale"])[0]
    values, above = least_values(A, y, supports, options)
    best = int(np.argmin(values))
    result = regiht.solve(X, y, s, certify=True, max_iter=int(rng.choice([0, 3, 800])), **options)
    gap = (values[best] - result.lower_bound) / max(abs(values[best]), 1e-300)
    # A value that numpy computes is itself rounded.
    holds = result.lower_bound <= values[best] + 1e-14 * abs(values[best])
    return holds, gap, bool(above[best] <= 1e-10 * max(abs(values[best]), 1e-3))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problems", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=np.inf, help="end after so long")
    parser.add_argument("--seed", type=int, default=0, help="of the first problem")
    arguments = parser.parse_args()
    losses = regiht.losses()
    gaps: dict[str, list[float]] = {loss: [] for loss in losses}
    found = dict.fromkeys(losses, 0)
    start = time.monotonic()
    for number in range(arguments.problems):
        if time.monotonic() - start > arguments.seconds:
            break
        loss, seed = losses[number % len(losses)], arguments.seed + number
        holds, gap, minimum = check(loss, seed)
        if not holds:
            print(f"{loss}, seed {seed}: the bound lies above a value, by {-gap:.2e} of it")
            sys.exit(1)
        gaps[loss].append(gap)
        found[loss] += minimum
    print_table(
        ["loss", "problems", "bounds above", "minima found", "median gap"],
        [[loss, str(len(each)), "0", str(found[loss]), f"{np.median(each) if each else np.nan:.2e}"]
         for loss, each in gaps.items()],
    )  # fmt: skip
    print(f"{sum(map(len, gaps.values()))} problems from seed {arguments.seed} on")


if __name__ == "__main__":
    main()

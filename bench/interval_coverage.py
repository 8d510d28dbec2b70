"""How often intervals of `model.inference` cover the coefficients that they are to cover.

A model selects s of p features; every selected feature counts. Conditional intervals take the
features as given, though the same rows selected them; split ones select from half of the rows and
estimate on the other. What they are to cover is the best model of the selected features under the
true distribution. `±` is one standard error over the runs.

    python bench/interval_coverage.py                 # 2000 runs of each problem, some minutes
    python bench/interval_coverage.py --runs 200
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

import regiht


@dataclass(frozen=True)
class Problem:
    """Gaussian features with correlations ρ^|i−j|, and the true coefficients of the first few."""

    rows: int
    cols: int
    s: int
    coef: tuple[float, ...] = ()
    correlation: float = 0.0
    loss: str = "squared"

    def draw(self, rng):
        steps = np.abs(np.subtract.outer(np.arange(self.cols), np.arange(self.cols)))
        covariance = float(self.correlation) ** steps
        X = rng.normal(size=(self.rows, self.cols)) @ np.linalg.cholesky(covariance).T
        coef = np.zeros(self.cols)
        coef[: len(self.coef)] = self.coef
        if self.loss == "logistic":
            return X, X @ coef + rng.logistic(size=self.rows) > 0.0, coef, covariance
        return X, X @ coef + rng.normal(size=self.rows), coef, covariance

    def aim(self, coef, covariance, support):
        """Coefficients of the best model of these features; None where it is not known."""
        inside = np.ix_(support, support)
        if self.loss == "squared":
            return np.linalg.solve(covariance[inside], covariance[support] @ coef)
        return coef[support] if set(np.flatnonzero(coef)) <= set(support) else None


PROBLEMS = {
    "noise": Problem(100, 50, 3),
    "weak signals": Problem(200, 30, 5, (0.2, -0.2, 0.15)),
    "features missing, correlated": Problem(200, 30, 2, (1.0, -0.7, 0.5, 0.5), 0.6),
    "logistic": Problem(600, 20, 4, (1.5, -1.5), loss="logistic"),
}


def simulate(problem, runs, seed=0, level=0.95):
    """The share of coefficients that is covered, for each run and both kinds of intervals."""
    kind = regiht.SparseClassifier if problem.loss == "logistic" else regiht.SparseRegressor
    shares = {"conditional": [], "split": []}
    for rng in np.random.default_rng(seed).spawn(runs):
        X, y, coef, covariance = problem.draw(rng)
        model = kind(problem.s, method="omp").fit(X, y)
        for name, found in shares.items():
            inference = model.inference(X, y, level=level, split=name == "split", rng=rng)
            aim = problem.aim(coef, covariance, inference.support)
            if aim is not None:
                lower, upper = inference.intervals[1:].T
                found.append(np.mean((lower <= aim) & (aim <= upper)))
    return {name: np.array(found) for name, found in shares.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(f"{'coverage of 95 % intervals':<32}{'conditional':>18}{'split':>18}")
    for name, problem in PROBLEMS.items():
        cells = [
            f"{100 * found.mean():.1f} ± {100 * found.std() / np.sqrt(found.size):.1f} %"
            for found in simulate(problem, arguments.runs, arguments.seed).values()
        ]
        print(f"{name:<32}{cells[0]:>18}{cells[1]:>18}", flush=True)


if __name__ == "__main__":
    main()

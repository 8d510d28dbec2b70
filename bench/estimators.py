"""Held-out accuracy of classifiers of 20 features, ours beside rivals, on real data.

    python bench/estimators.py                      # all data sets that are there
    python bench/estimators.py a9a --features 20 --ridge 0.1 --splits 10 --abess

Rows are shuffled by seeds 0, 1, …; four fifths are fitted and one fifth is scored. Every rival is
allowed the same number of features, and the l1 path and abess are refitted on the features that
they chose, by the same ridge-penalised logistic regression, so that what is compared is the choice.
Differences to the first line are taken split by split. Their standard error is that of splits of
the same rows, which overlap: a little too small. Seconds are those of the processor; all use one
thread.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import record
from measure import use_threads
from problems import DATA
from scipy import sparse

NAMES = ("a9a", "reuters", "farm_ads")
HALVINGS = 25

Choice = Callable[[Any, Any, int, float], Any]


def load(name: str) -> tuple[Any, Any]:
    with np.load(DATA / f"{name}.npz") as arrays:
        y = (arrays["y"] > 0).astype(int)
        if "X" in arrays:
            return arrays["X"], y
        triple = arrays["data"], arrays["indices"], arrays["indptr"]
        return sparse.csr_matrix(triple, shape=tuple(arrays["shape"])), y


def split(X: Any, y: Any, seed: int) -> tuple[Any, Any, Any, Any]:
    order = np.random.default_rng(seed).permutation(len(y))
    cut = 4 * len(y) // 5
    train, test = order[:cut], order[cut:]
    return X[train], y[train], X[test], y[test]


def scaled(X: Any) -> Any:
    """Columns of unit variance, not centred, so that sparse stays sparse."""
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    return StandardScaler(with_mean=False).fit_transform(X.astype(float))


def ours(method: str) -> Choice:
    def choose(X: Any, y: Any, s: int, ridge: float) -> Any:
        from regiht import SparseClassifier  # noqa: PLC0415

        return SparseClassifier(s, ridge=ridge, method=method).fit(X, y).support_

    return choose


def l1_logistic(X: Any, y: Any, s: int, ridge: float) -> Any:
    """The l1 penalty that selects s columns, by bisection; liblinear."""
    del ridge
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    X = scaled(X)
    low, high, best = 1e-6, 1.0, np.array([], dtype=int)
    for _ in range(HALVINGS):
        C = np.sqrt(low * high)
        model = LogisticRegression(C=C, l1_ratio=1.0, solver="liblinear", random_state=0)
        selected = np.flatnonzero(model.fit(X, y).coef_[0])
        if selected.size <= s:
            low, best = C, selected if selected.size >= best.size else best
        else:
            high = C
        if selected.size == s:
            break
    return best


def abess(X: Any, y: Any, s: int, ridge: float) -> Any:
    from abess import LogisticRegression  # noqa: PLC0415

    model = LogisticRegression(support_size=[s], alpha=ridge, thread=1)
    model.fit(sparse.csc_matrix(X.astype(float)) if sparse.issparse(X) else X.astype(float), y)
    return np.flatnonzero(np.ravel(model.coef_))


def held_out_accuracy(support: Any, data: tuple[Any, Any, Any, Any], ridge: float) -> float:
    """Accuracy of the refit on the chosen columns, the same for every rival."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    X, y, X_test, y_test = data

    def dense(matrix: Any) -> Any:
        chosen = matrix[:, support]
        return chosen.toarray() if sparse.issparse(chosen) else chosen

    # On unit-variance columns a penalty of ridge on unit-norm columns is ridge·rows.
    model = make_pipeline(
        StandardScaler(), LogisticRegression(C=1.0 / (max(ridge, 1e-12) * len(y)), max_iter=1000)
    )
    model.fit(dense(X), y)
    return float(model.score(dense(X_test), y_test))


def rivals(arguments: argparse.Namespace) -> dict[str, Choice]:
    import regiht  # noqa: PLC0415

    chosen: dict[str, Choice] = {
        f"regiht, method {method}": ours(method)
        for method in (arguments.methods or regiht.methods())
    }
    chosen["l1 logistic, bisection"] = l1_logistic
    if arguments.abess and importlib.util.find_spec("abess"):
        chosen["abess"] = abess
    return chosen


def compare(name: str, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Print a line for every rival on one data set, and return what they say."""
    X, y = load(name)
    splits = [split(X, y, seed) for seed in range(arguments.splits)]
    rows, scored = splits[0][0].shape[0], len(splits[0][3])
    print(f"\n{name}: {rows} × {X.shape[1]} fitted, {scored} scored, {len(splits)} splits")
    print(f"{'':<28}{'features':>9}{'accuracy':>10}{'difference to the first':>26}{'seconds':>9}")
    first, found = None, []
    for rival, choose in rivals(arguments).items():
        accuracies, counts, seconds = [], [], []
        for data in splits:
            start = time.process_time()
            support = choose(data[0], data[1], arguments.features, arguments.ridge)
            seconds.append(time.process_time() - start)
            accuracies.append(held_out_accuracy(support, data, arguments.ridge))
            counts.append(len(support))
        first = accuracies if first is None else first
        print(
            f"{rival:<28}{min(counts):>9}{np.mean(accuracies):>10.4f}"
            f"{difference_text(accuracies, first):>26}{np.mean(seconds):>9.2f}",
            flush=True,
        )
        found.append({
            "data": name, "rival": rival, "columns": min(counts), "accuracy": np.mean(accuracies),
            "difference": difference_text(accuracies, first), "seconds": np.mean(seconds),
        })  # fmt: skip
    return found


def difference_text(values: list[float], others: list[float]) -> str:
    """Mean of the differences and its standard error."""
    differences = np.subtract(values, others)
    error = np.std(differences, ddof=1) / np.sqrt(differences.size) if len(values) > 1 else np.nan
    return f"{np.mean(differences):+.4f} ± {error:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--ridge", type=float, default=1e-3)
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--methods", nargs="*", help="of regiht; default: all")
    parser.add_argument("--abess", action="store_true", help="abess too, if it is installed")
    record.add_option(parser)
    arguments = parser.parse_args()
    use_threads(1)
    found = []
    for name in arguments.names:
        if not (DATA / f"{name}.npz").exists():
            print(f"{name}: not in {DATA}")
            continue
        found += compare(name, arguments)
    if arguments.record:
        record.save("estimators", found, ("scikit-learn", "abess"))


if __name__ == "__main__":
    main()

"""
Exactly s features against a lasso
==================================

The lasso pays for sparsity by shrinking the features it keeps. With a strong signal that costs
accuracy at few features; with much noise the shrinkage helps. The plot shows both cases.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import lasso_path

import regiht

# %%
# Eight of a hundred features matter; neighbours are correlated. ``share`` of the variance of the
# target is signal.
truth = np.zeros(100)
truth[4:100:12] = [1.0, -1.0, 0.8, 0.8, -0.6, 0.6, 0.5, -0.5]


def draw(rows, share, rng):
    X = rng.normal(size=(rows, 100))
    for j in range(1, 100):
        X[:, j] = 0.5 * X[:, j - 1] + np.sqrt(0.75) * X[:, j]
    signal = X @ truth
    return X, signal + np.sqrt((1 - share) / share) * signal.std() * rng.normal(size=rows)


def score(X, y, coef):
    return 1 - np.sum((y - X @ coef) ** 2) / np.sum(y**2)


# %%
# Scores on fresh data for every number of features; for the lasso, at its best penalty for it.
figure, axes = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained")
for ax, share in zip(axes, (0.9, 0.15)):
    rng = np.random.default_rng(5)
    X, y = draw(150, share, rng)
    fresh = draw(4000, share, rng)
    path = regiht.sparse_path(X, y, 25, fit_intercept=False)
    ours = [score(*fresh, result.coef) for result in path]
    _, coefs, _ = lasso_path(X, y, alphas=np.geomspace(2, 0.005, 200))
    scores = {}
    for coef in coefs.T:
        count = np.count_nonzero(coef)
        scores[count] = max(scores.get(count, -1), score(*fresh, coef))
    counts = [k for k in sorted(scores) if 0 < k <= 50]
    print(
        f"signal {share:.0%}: ours {max(ours):.3f} with {np.argmax(ours) + 1} features, "
        f"of the lasso {max(scores.values()):.3f} with {max(scores, key=scores.get)}"
    )
    ax.plot(path.s, ours, "o-", ms=4, color="#0072B2", label="regiht, exactly s")
    ax.plot(counts, [scores[k] for k in counts], "s--", ms=3, color="#D55E00", label="lasso")
    ax.set(
        xlabel="features", ylabel="R² on fresh data", title=f"{share:.0%} of the variance is signal"
    )
    ax.set_ylim(bottom=min(-0.02, 0.9 * share - 0.6))
axes[0].legend(frameon=False, loc="lower right")
plt.show()

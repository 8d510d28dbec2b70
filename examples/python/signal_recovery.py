"""
A signal from few measurements
==============================

A signal of 400 numbers, of which 25 are nonzero, is measured by 100 random sums. Which 25, and how
large? Least squares has no unique answer, a sparse solve finds the right one, a lasso shrinks it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LassoCV

import regiht

# %%
problem = regiht.datasets.recovery(100, 400, 25, seed=2, noise=0.02)
result = regiht.solve(problem.X, problem.y, 25, method="best")
lasso = LassoCV(cv=5, fit_intercept=False).fit(problem.X, problem.y)

error = {
    "regiht": np.linalg.norm(result.coef - problem.coef),
    "LassoCV": np.linalg.norm(lasso.coef_ - problem.coef),
}
print({name: f"{each / np.linalg.norm(problem.coef):.1%}" for name, each in error.items()})
found = np.intersect1d(result.support, np.flatnonzero(problem.coef)).size
print(f"{found} of 25 found; the lasso keeps {np.count_nonzero(lasso.coef_)}")

# %%
figure, axes = plt.subplots(2, 1, figsize=(7, 4.6), sharex=True, sharey=True, layout="constrained")
for ax, (name, coef) in zip(axes, {"regiht": result.coef, "LassoCV": lasso.coef_}.items()):
    true = np.flatnonzero(problem.coef)
    ax.plot(true, problem.coef[true], "o", mfc="none", color="0.4", label="true signal")
    kept = np.flatnonzero(coef)
    ax.vlines(kept, 0, coef[kept], color="#0072B2" if name == "regiht" else "#D55E00", label=name)
    ax.axhline(0, color="0.8", lw=0.8)
    ax.legend(frameon=False, ncols=2, loc="upper right")
axes[0].set_ylim(-2.2, 2.4)
axes[0].set_title("25 nonzeros out of 400, from 100 measurements")
axes[1].set_xlabel("position")
plt.show()

"""
How many features?
==================

The loss always falls with the number of features; a criterion or held-out data shows where that
stops mattering. The data: 442 patients, 64 columns, and the progression of their diabetes.
"""

import matplotlib.pyplot as plt
import numpy as np

import regiht

# %%
data = regiht.datasets.load_diabetes()
path = regiht.sparse_path(data.X, data.y, 12, feature_names=data.feature_names)
cross_validated = regiht.SparseRegressorCV(12, cv=10, n_jobs=-1).fit(data.X, data.y)
for name in ("aic", "bic", "ebic"):
    print(f"{name.upper():>4}: {path.best_s(name)} features")
print(f"  CV: {cross_validated.n_nonzero_coefs_} features, within one standard error of the best")

# %%
# AIC is lenient. EBIC charges for the search among many columns, and stops first.
figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
for name, color in (("aic", "#E69F00"), ("bic", "#009E73"), ("ebic", "#0072B2")):
    values = path.criterion(name)
    left.plot(path.s, values - values.min(), "o-", ms=4, color=color, label=name.upper())
    left.plot(path.best_s(name), 0, "o", ms=10, mfc="none", color=color)
left.set(xlabel="features", ylabel="above its least value", title="Criteria")
left.legend(frameon=False, loc="upper right")
mean, error = cross_validated.mean_scores_, cross_validated.standard_errors_
right.errorbar(np.arange(1, 13), mean, error, fmt="o-", ms=4, color="0.35", capsize=2)
right.axvline(cross_validated.n_nonzero_coefs_, color="#D55E00", ls="--")
right.set(xlabel="features", ylabel="R², held out", title="Ten folds, one standard error")
plt.show()

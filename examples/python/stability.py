"""
Would other samples have selected the same features?
====================================================

Cross-validation shows how many features predict well. Whether they are *the* features is another
question: near copies of a column replace one another from fold to fold.
"""

import matplotlib.pyplot as plt
import numpy as np

import regiht
from regiht.plotting import plot_stability

# %%
# Three columns matter. The first has two near copies, the others have none.
rng = np.random.default_rng(0)
X = rng.normal(size=(120, 25))
for copy in (20, 21):
    X[:, copy] = X[:, 0] + 0.15 * rng.normal(size=120)
y = X[:, 0] - X[:, 5] + 0.8 * X[:, 12] + 1.5 * rng.normal(size=120)
names = [f"x{j}" for j in range(25)]

# %%
# The selections of ten folds, and of a hundred halves of the samples.
model = regiht.SparseRegressorCV([3], cv=10).fit(X, y)
halves = regiht.stability_selection(regiht.SparseRegressor(3), X, y, rng=0)
print(halves)

# %%
figure, axes = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
plot_stability(model, axes[0], feature_names=names).set_title("Ten folds")
halves.plot(axes[1])
axes[1].set_title("A hundred halves of the samples")
plt.show()

"""
Counts and multiplicative effects
=================================

Visits, defects and accidents are counts: their mean is positive, and effects multiply it. Poisson
loss models that. Least squares instead selects features that explain a few large counts.
"""

import matplotlib.pyplot as plt
import numpy as np

import regiht

# %%
# Calls to a help desk, driven by four of fifty features.
rng = np.random.default_rng(2)
X = rng.normal(size=(400, 50))
effects = {3: 0.6, 11: -0.5, 25: 0.4, 38: 0.3}
mean = np.exp(0.5 + sum(size * X[:, j] for j, size in effects.items()))
calls = rng.poisson(mean)

model = regiht.SparseRegressor(4, loss="poisson").fit(X, calls)
squares = regiht.SparseRegressor(4).fit(X, calls)
print("Poisson loss:", {int(j): round(float(model.coef_[j]), 2) for j in model.support_})
print("squared loss:", {int(j): round(float(squares.coef_[j]), 2) for j in squares.support_})

# %%
# One unit of a feature multiplies the mean by ``exp(coefficient)``.
figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
factors = np.exp(model.coef_[model.support_])
left.bar([f"x{j}" for j in model.support_], factors - 1, bottom=1, color="#0072B2")
true = [np.exp(effects.get(int(j), 0.0)) for j in model.support_]
left.plot(range(4), true, "o", mfc="none", color="k", label="truth")
left.axhline(1, color="0.4", lw=0.8)
left.set(ylabel="factor for one unit", title="What multiplies the calls")
left.legend(frameon=False, loc="upper right")
for name, each, color in (("Poisson", model, "#0072B2"), ("squared", squares, "#D55E00")):
    right.plot(mean, each.predict(X), ".", ms=4, color=color, label=name)
right.plot([0, 20], [0, 20], color="0.5", lw=0.8)
right.axhline(0, color="0.8", lw=0.8)
right.set(xlim=(0, 20), ylim=(-3, 20), xlabel="true mean", ylabel="predicted mean")
right.set_title("Least squares goes below zero")
right.legend(frameon=False, loc="upper left")
plt.show()

"""
How far from the optimum can it be?
===================================

With a ridge, ``certify=True`` adds a lower bound that no model with s features can beat. A small
gap is a proof of quality; a large one says little.
"""

import matplotlib.pyplot as plt
import numpy as np

import regiht

# %%
# Eight of 200 columns matter. The stronger the ridge, the tighter the bound.
rng = np.random.default_rng(0)
X = rng.normal(size=(300, 200))
X /= np.linalg.norm(X, axis=0)
y = 10 * X[:, :8] @ rng.choice([-1.0, 1.0], 8) + 0.3 * rng.normal(size=300)

ridges = np.geomspace(0.02, 5, 12)
results = [regiht.solve(X, y, 8, method="best", ridge=ridge, certify=True) for ridge in ridges]
for ridge, result in zip(ridges[::3], results[::3]):
    print(f"ridge {ridge:5.2f}: within {result.gap:.2%} of the best eight features")

# %%
figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
found = np.array([result.fun for result in results])
bound = np.array([result.lower_bound for result in results])
ax.fill_between(ridges, bound / found, 1, color="#56B4E9", alpha=0.4, label="the best is in here")
ax.semilogx(ridges, np.ones_like(ridges), "o-", ms=4, color="#0072B2", label="found")
ax.semilogx(ridges, bound / found, "s--", ms=4, color="#D55E00", label="lower bound")
ax.set(xlabel="ridge", ylabel="objective / what was found", title="What no model can beat")
ax.legend(frameon=False, loc="lower right")
plt.show()

"""
Outliers do not choose the features
===================================

A few wrong rows pull a least-squares fit towards features that explain only these rows. Huber's
loss counts large residuals by their size, not by their square.
"""

import matplotlib.pyplot as plt
import numpy as np

import regiht

# %%
# Three features matter, with noise of standard deviation one; some rows are far off.
rng = np.random.default_rng(0)
X = rng.normal(size=(200, 60))
clean = 2 * X[:, 4] - 2 * X[:, 17] + 1.5 * X[:, 40] + rng.normal(size=200)

models = {
    "squared": regiht.SparseRegressor(3),
    "huber": regiht.SparseRegressor(3, loss="huber", huber_threshold=1.35),
}
shares = np.arange(0, 0.25, 0.03)
found = {name: [] for name in models}
for share in shares:
    hits = dict.fromkeys(models, 0)
    for seed in range(10):
        wrong = np.random.default_rng(seed)
        y = clean + 30 * (wrong.random(200) < share) * wrong.standard_t(2, 200)
        for name, model in models.items():
            hits[name] += np.intersect1d(model.fit(X, y).support_, [4, 17, 40]).size
    for name in models:
        found[name].append(hits[name] / 10)
print({name: found[name][-1] for name in models}, f"of 3 found with {shares[-1]:.0%} wrong rows")

# %%
figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
ax.plot(100 * shares, found["squared"], "s--", color="#D55E00", label='loss="squared"')
ax.plot(100 * shares, found["huber"], "o-", color="#0072B2", label='loss="huber"')
ax.set(xlabel="rows that are wrong, %", ylabel="true features found, of 3", ylim=(0, 3.15))
ax.set_title("Three features among sixty, with wrong rows")
ax.legend(frameon=False, loc="lower left")
plt.show()

"""
Predicting missing ratings
==========================

Few ratings of 120 films by 400 viewers are known. A low-rank matrix fills in the others: each
viewer has a few tastes, and each film appeals to them to some degree.
"""

import matplotlib.pyplot as plt
import numpy as np

import regiht

# %%
# Ratings from one to five, generated from three tastes; a fifth of them is known.
rng = np.random.default_rng(0)
tastes = rng.normal(size=(400, 3)) @ rng.normal(size=(3, 120))
stars = np.clip(np.rint(3 + 0.8 * tastes + 0.4 * rng.normal(size=tastes.shape)), 1, 5)
ratings = np.where(rng.random(stars.shape) < 0.2, stars, np.nan)

# %%
# Cross-validation over the known entries chooses the rank.
model = regiht.LowRankCompletionCV((1, 2, 3, 4, 5), cv=3).fit(ratings)
rows, cols = np.nonzero(np.isnan(ratings))
guess = model.predict(np.column_stack([rows, cols]))
error = np.sqrt(np.mean((guess - stars[rows, cols]) ** 2))
print(f"rank {model.rank_}; {error:.2f} stars off, the mean rating {stars.std():.2f}")

# %%
# What viewer 7 should see next, among films they have not rated.
unseen = np.flatnonzero(np.isnan(ratings[7]))
scores = model.predict([[7, film] for film in unseen])
first = unseen[np.argsort(-scores)[:5]]
print("viewer 7 should see films", first, "and would give them", stars[7, first].astype(int))

# %%
figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.4), layout="constrained")
axes[0].plot(model.ranks, np.sqrt(2 * model.losses_.ravel()), "o-", color="#0072B2")
axes[0].axvline(model.rank_, color="#D55E00", ls="--")
axes[0].set(xlabel="rank", ylabel="held-out error, stars", title="Three tastes are found")
parts = [guess[stars[rows, cols] == k] for k in range(1, 6)]
axes[1].violinplot(parts, positions=range(1, 6), showmedians=True, widths=0.8)
axes[1].plot([1, 5], [1, 5], color="0.6", lw=0.8, ls="--")
axes[1].set(xlabel="true stars", ylabel="predicted", title="Ratings that nobody gave")
plt.show()

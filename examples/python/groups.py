"""
Selecting whole categories
==========================

A category becomes several dummy columns, and a model with half of them is hard to read. With
``groups`` they enter and leave together, and the number of features counts categories.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import regiht

# %%
# Rents that depend on the district and the size, but not on the other columns.
rng = np.random.default_rng(0)
homes = pd.DataFrame(
    {
        "district": rng.choice(["centre", "harbour", "hill", "north", "south"], 300),
        "heating": rng.choice(["coal", "gas", "heat pump", "oil"], 300),
        "floor": rng.choice(["first", "ground", "second", "top"], 300),
        "size": rng.normal(70, 20, 300),
        "age": rng.uniform(0, 120, 300),
    }
)
by_district = homes["district"].map(
    {"centre": 260, "harbour": 180, "hill": 120, "north": 0, "south": 40}
)
rent = 9 * homes["size"] + by_district + rng.normal(0, 80, 300)
table = pd.get_dummies(homes, dtype=float)

# %%
# Two features: without groups the size and one district; with groups the size and all districts.
models = {
    "2 columns": regiht.SparseRegressor(2).fit(table, rent),
    '2 groups, groups="prefix"': regiht.SparseRegressor(2, groups="prefix").fit(table, rent),
}
for name, model in models.items():
    print(f"{name}: {', '.join(model.get_feature_names_out())}; R² {model.score(table, rent):.3f}")

# %%
figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.4), layout="constrained")
for ax, (name, model) in zip(axes, models.items()):
    model.plot(ax, X=table)
    ax.set_title(name)
plt.show()

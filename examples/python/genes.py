"""
Five genes of four thousand
===========================

A hundred and twenty samples of four thousand genes, simulated with the strong correlations of
expression data. Stability selection shows which genes other samples would have selected too.
"""

import matplotlib.pyplot as plt
import numpy as np

import regiht

# %%
# Genes form modules of forty; five genes from different modules drive the trait.
rng = np.random.default_rng(3)
samples, genes, module = 120, 4000, 40
shared = np.repeat(rng.normal(size=(samples, genes // module)), module, axis=1)
X = 0.6 * shared + 0.8 * rng.normal(size=(samples, genes))
drivers = np.arange(5) * 800 + 17
y = X[:, drivers] @ [1.5, -1.2, 1.2, -1.0, 1.0] + 0.5 * rng.normal(size=samples)

# %%
# Select ten genes from half of the samples, a hundred times.
selection = regiht.stability_selection(
    regiht.SparseRegressor(10, effort="quick"), X, y, n_pairs=50, threshold=0.6, rng=0, n_jobs=-1
)
print("stable:", selection.support, " true:", drivers)
print(f"expected there by chance, at most: {selection.unimodal_error_bound:.2f}")

# %%
figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
order = np.argsort(-selection.probabilities)[:15]
is_driver = np.isin(order, drivers)
ax.bar(range(15), selection.probabilities[order], color=np.where(is_driver, "#0072B2", "0.75"))
ax.axhline(selection.threshold, color="#D55E00", ls="--", label="threshold")
ax.bar(0, 0, color="#0072B2", label="drives the trait")
ax.set_xticks(range(15), [f"g{j}" for j in order], rotation=60)
ax.set_ylabel("share of halves that select it")
ax.set_title("The fifteen genes selected most often")
ax.legend(frameon=False, loc="upper right")
plt.show()

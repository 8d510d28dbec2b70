"""
Which substances are in the mixture?
====================================

The spectrum of a mixture is the sum of the spectra of its substances, in amounts that cannot be
negative. A library has hundreds of substances, a sample a handful: this is a problem with at most s
features and ``positive=True``.
"""

import matplotlib.pyplot as plt
import numpy as np

import regiht

# %%
# A library of 300 substances, each with a few peaks on 500 wavelengths, and a mixture of four.
rng = np.random.default_rng(1)
wavelength = np.linspace(0, 1, 500)
library = np.zeros((500, 300))
for j in range(300):
    centers, widths = rng.random(6), rng.uniform(0.01, 0.04, 6)
    peaks = np.exp(-(((wavelength[:, None] - centers) / widths) ** 2))
    library[:, j] = peaks @ rng.uniform(0.3, 1, 6)
amounts = np.zeros(300)
amounts[[12, 77, 150, 240]] = [1.0, 0.5, 0.8, 0.3]
mixture = library @ amounts + 0.02 * rng.normal(size=500)

# %%
# How many substances? A criterion stops where the next one would only explain noise.
path = regiht.sparse_path(library, mixture, 8, positive=True, fit_intercept=False)
best = path.best("ebic")
print({int(j): round(float(best.coef[j]), 2) for j in best.support})

# %%
figure, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
ax.plot(wavelength, mixture, color="0.6", lw=2.5, label="measured")
ax.plot(wavelength, library @ best.coef, "k--", lw=1, label="fitted")
for j in best.support:
    ax.fill_between(wavelength, best.coef[j] * library[:, j], alpha=0.45, label=f"substance {j}")
ax.set(xlabel="wavelength", ylabel="absorption", title="Four of 300 substances make the spectrum")
ax.legend(frameon=False, ncols=3, loc="upper center")
ax.set_ylim(top=1.35 * mixture.max())
plt.show()

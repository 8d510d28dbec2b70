"""
The equations of motion from a trajectory
=========================================

Sparse identification of nonlinear dynamics, as in PySINDy: the derivative of each variable is a
sum of a few products of variables. Here the Lorenz system is found from noisy positions alone.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp
from scipy.signal import savgol_filter
from sklearn.preprocessing import PolynomialFeatures

import regiht


# %%
# A trajectory with noise on every position.
def lorenz(_, state):
    x, y, z = state
    return [10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z]


times = np.arange(0, 20, 0.005)
path = solve_ivp(lorenz, (0, 20), [-8, 7, 27], t_eval=times, rtol=1e-9, atol=1e-9).y.T
noisy = path + 0.05 * np.random.default_rng(0).normal(size=path.shape)

# %%
# Smoothed positions, their derivatives, and all products up to degree three: nineteen terms.
smooth = savgol_filter(noisy, 21, 4, axis=0)[50:-50]
speed = savgol_filter(noisy, 21, 4, deriv=1, delta=0.005, axis=0)[50:-50]
terms = PolynomialFeatures(3, include_bias=False)
library = terms.fit_transform(smooth)
names = terms.get_feature_names_out(["x", "y", "z"])

# %%
# One model for each equation. Criteria assume white noise, but the noise of derivatives is not
# white, so the last term is the last one that halves the loss.
equations = []
for variable, target in zip("xyz", speed.T):
    models = regiht.sparse_path(library, target, 6, fit_intercept=False, feature_names=list(names))
    halves = models.losses[1:] < 0.5 * models.losses[:-1]
    model = models.at(int(models.s[1:][halves].max()))
    equations.append(model.coef)
    text = " ".join(f"{model.coef[j]:+.2f} {names[j]}" for j in model.support)
    print(f"d{variable}/dt = {text}")

# %%
# Integrate the equations that were found, from the same start.
coef = np.array(equations)
again = solve_ivp(
    lambda _, state: coef @ terms.transform([state])[0], (0, 20), path[0], t_eval=times, rtol=1e-6
).y.T
figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.6), layout="constrained", sharey=True)
for ax, (title, each) in zip(axes, {"measured": noisy, "equations found": again}.items()):
    ax.plot(each[:, 0], each[:, 2], lw=0.5, color="#0072B2" if ax is axes[1] else "0.4")
    ax.set(title=title, xlabel="x")
axes[0].set_ylabel("z")
plt.show()

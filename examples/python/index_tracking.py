"""
Tracking an index with twenty stocks
====================================

A fund that holds all 200 stocks of an index pays for many trades. Twenty, without short sales,
follow it closely if they are the right ones: there are 10²⁷ portfolios to choose from.
"""

import matplotlib.pyplot as plt
import numpy as np

import regiht

# %%
# Generated daily returns of 200 stocks in eight sectors; the index weights them by size.
rng = np.random.default_rng(0)
days, stocks = 500, 200
market = 0.01 * rng.standard_t(5, size=(days, 1))
sectors = 0.006 * rng.normal(size=(days, 8))[:, rng.integers(8, size=stocks)]
own = 0.012 * rng.normal(size=(days, stocks))
returns = market * rng.uniform(0.7, 1.3, stocks) + sectors + own
size = rng.pareto(1.5, stocks) + 0.2
index = returns @ (size / size.sum())

# %%
# Half of the days select the portfolio, the other half tests it. ``positive``: no short sales.
past, future = slice(0, 250), slice(250, None)
portfolio = regiht.SparseRegressor(20, positive=True, fit_intercept=False)
portfolio.fit(returns[past], index[past])
largest = np.argsort(-size)[:20]
weights = np.zeros(stocks)
weights[largest] = size[largest] / size[largest].sum()

for name, held in {"chosen twenty": portfolio.coef_, "largest twenty": weights}.items():
    error = np.std(returns[future] @ held - index[future]) * np.sqrt(250)
    print(f"{name}: tracking error {error:.1%} a year")

# %%
figure, ax = plt.subplots(figsize=(6.8, 3.8), layout="constrained")
ax.plot(np.cumsum(index[future]), color="0.5", lw=3, label="index of 200 stocks")
ax.plot(
    np.cumsum(returns[future] @ portfolio.coef_), color="#0072B2", label="twenty stocks, chosen"
)
ax.plot(np.cumsum(returns[future] @ weights), color="#D55E00", ls="--", label="the twenty largest")
ax.set(xlabel="days after the choice", ylabel="sum of returns")
ax.set_title("Twenty stocks that follow an index")
ax.legend(frameon=False, loc="upper center")
plt.show()

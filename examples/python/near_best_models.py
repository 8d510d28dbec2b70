"""
Which other models are as good?
===============================

The best model with five measurements is one of several that are almost as good. The measurements
they share are needed; the others can be replaced, perhaps by some that are cheaper.
"""

import matplotlib.pyplot as plt

import regiht

# %%
# All models with five features within one per cent of the best, on the diabetes data.
data = regiht.datasets.load_diabetes()
models = regiht.near_best(data.X, data.y, 5, within=0.01, feature_names=data.feature_names)
print(f"{len(models)} models; in all of them: {[data.feature_names[j] for j in models.always]}")
for each in models.substitutes()[:4]:
    print(f"{each.substitute} for {each.feature}: {each.excess:.2%} above the best")

# %%
figure, ax = plt.subplots(figsize=(7.4, 5), layout="constrained")
models.plot(ax)
plt.show()

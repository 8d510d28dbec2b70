"""
Twenty words that tell two kinds of text apart
==============================================

A classifier with twenty words can be read at a glance. This one decides whether the documentation
of a function belongs to statistics or to signal processing.
"""

import matplotlib.pyplot as plt
from sklearn.model_selection import train_test_split

import regiht

# %%
# The texts are docstrings of ``scipy``, which every installation has. Features are word counts; the
# matrix is sparse and stays so, although columns are centred and scaled internally.
data = regiht.datasets.load_docstrings()
X, X_test, y, y_test = train_test_split(data.X, data.y, random_state=0, stratify=data.y)
print(f"{X.shape[0]} texts to learn from, {X.shape[1]} words")

model = regiht.SparseClassifier(20, ridge=0.1).fit(X, y)
print(f"{100 * model.score(X_test, y_test):.0f} % of the held-out texts are classified correctly")

# %%
# Multiplied by the standard deviations of their columns, coefficients can be compared.
figure, ax = plt.subplots(figsize=(6.4, 5.2), layout="constrained")
model.plot(ax, X=X, feature_names=data.feature_names)
ax.set_title(f"Twenty of {X.shape[1]} words: stats left, signal right")
plt.show()

"""
A risk table that fits on a card
================================

A score to add up at the bedside needs a few questions with whole points. We turn thirty
measurements of breast tumours into yes-or-no questions, select five, and round their coefficients.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

import regiht

# %%
# For each measurement and each of its nine deciles: is it larger than that? That is 270 questions.
data = load_breast_cancer()
malignant = data.target == 0
X, X_test, y, y_test = train_test_split(data.data, malignant, random_state=0)
cuts = np.quantile(X, np.arange(0.1, 1.0, 0.1), axis=0)


def questions(table):
    return (table[:, None, :] > cuts).reshape(len(table), -1).astype(float)


names = [f"{name} > {cut:.3g}" for row in cuts for name, cut in zip(data.feature_names, row)]

# %%
# Points that only add are easier to use, so no coefficient may be negative.
model = regiht.SparseClassifier(5, positive=True).fit(questions(X), y)
coef = model.coef_.ravel()[model.support_]
points = np.rint(coef / coef.min()).astype(int)
for j, count in zip(model.support_, points):
    print(f"{names[j]:<32} +{count}")

score = questions(X_test)[:, model.support_] @ points
print(
    f"area under the curve, held out: points {roc_auc_score(y_test, score):.3f}, "
    f"model {roc_auc_score(y_test, model.decision_function(questions(X_test))):.3f}"
)

# %%
# The share of malignant tumours among held-out patients, by points.
totals = np.unique(score)
share = [y_test[score == total].mean() for total in totals]
count = [(score == total).sum() for total in totals]

figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
ax.bar(totals, 100 * np.array(share), width=0.7, color="#0072B2")
for total, height, number in zip(totals, share, count):
    ax.text(total, 100 * height + 1.5, number, ha="center", size=8, color="0.3")
ax.set(xlabel="points", ylabel="malignant, %", ylim=(0, 112), xticks=totals)
ax.set_title("Five questions for held-out patients; above the bars, how many")
plt.show()

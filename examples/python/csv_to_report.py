"""From a CSV file to a report: which few columns explain the target, and how sure is that?

    python csv_to_report.py                       # the diabetes data of scikit-learn
    python csv_to_report.py houses.csv price      # a file and its target column

Writes report.md with plots and model.json into the current directory. Needs
pip install "regiht[sklearn,plot]" pandas.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from sklearn.model_selection import train_test_split

import regiht

mpl.use("Agg")


def read(arguments):
    """The columns as numbers, and the target; without a file, the diabetes data."""
    if not arguments:
        data = regiht.datasets.load_diabetes()
        return pd.DataFrame(data.X, columns=data.feature_names), pd.Series(data.y, name="progress")
    file, target = arguments
    table = pd.read_csv(file).dropna(subset=[target])
    X = pd.get_dummies(table.drop(columns=target), drop_first=True, dtype=float)
    return X.fillna(X.median()), table[target]


def picture(ax, name):
    ax.figure.savefig(name, dpi=110)
    return f"![{name}]({name})\n"


def main(arguments):
    X, y = read(arguments)
    X, X_test, y, y_test = train_test_split(X, y, random_state=0)

    # How many columns? The fewest within one standard error of the best held-out score.
    model = regiht.SparseRegressorCV(12, cv=10, n_jobs=-1).fit(X, y)
    chosen = regiht.SparseRegressor(model.n_nonzero_coefs_)
    # Would other samples have chosen them too? Each half may take twice as many.
    stable = regiht.stability_selection(
        regiht.SparseRegressor(2 * model.n_nonzero_coefs_), X, y, n_jobs=-1
    )
    # How large are their effects? Half of the rows selects, the other estimates.
    effects = chosen.inference(X, y, split=True)
    # Which other columns would do?
    others = regiht.near_best(X, y, model.n_nonzero_coefs_, within=0.02, time_limit=60)

    regiht.save_model(model, "model.json")
    report = [
        f"# {y.name}: {len(model.support_)} of {X.shape[1]} columns\n",
        f"R² on {len(y_test)} rows that were held out: {model.score(X_test, y_test):.3f}\n",
        *(f"- {name}: {model.coef_[j]:.4g}" for j, name in enumerate(X) if model.coef_[j]),
        f"\n## How many\n\n{picture(model.plot(), 'scores.png')}",
        f"## How stable\n\n{stable}\n\n{picture(stable.plot(), 'stability.png')}",
        f"## How large\n\n```\n{effects}\n```\n\n{picture(effects.plot(), 'effects.png')}",
        f"## What else would do\n\n{others}\n\n{picture(others.plot(), 'others.png')}",
        *(f"- {o.substitute} for {o.feature}: +{o.excess:.2%}" for o in others.substitutes()),
    ]
    Path("report.md").write_text("\n".join(report) + "\n", encoding="utf-8")
    print("\n".join(report[:2]), "Report: report.md", sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])

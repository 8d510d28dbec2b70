"""What a type checker sees of the public interface."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import regiht

SOURCES = Path(__file__).resolve().parents[2] / "python"

SNIPPET = """
import numpy as np
import regiht

X, y = np.eye(3), np.ones(3)
regiht.solve(X, y, 1, method="best", loss="logistic", polish="swap")
reveal_type(regiht.SparseRegressor(2, method="omp").fit(X, y))
reveal_type(regiht.SparseClassifierCV(cv=3).fit(X, y))
for method in regiht.methods():
    regiht.solve(X, y, 1, method=method)
for loss in regiht.losses():
    regiht.solve(X, y, 1, loss=loss)
model = regiht.SparseRegressorCV(cv=3)
print(model.support_, model.status_, model.best_score_, model.score(X, y), model.get_params())
"""
WRONG = [
    'regiht.solve(X, y, 1, method="bset")',
    'regiht.solve(X, y, 1, loss="logistc")',
    'regiht.solve(X, y, 1, polish="swpa")',
    'regiht.solve_grid(X, y, [1], method="bset")',
    'regiht.solve_batch(X, y[:, None], 1, loss="squard")',
    'regiht.sparse_path(X, y, method="bset")',
    'regiht.SparseRegressor(2, method="bset")',
    'regiht.SparseRegressor(2, loss="logistic")',
    'regiht.SparseClassifierCV(loss="squared")',
    "regiht.SparseRegressor(2, ridg=0.1)",
    "regiht.SparseRegressor(2.5)",
    'regiht.solve(X, y, 1, max_iter="atuo")',
]


def test_a_type_checker_finds_a_misspelt_name(tmp_path):
    pytest.importorskip("mypy")
    if not SOURCES.exists():
        pytest.skip("needs the sources")
    file = tmp_path / "snippet.py"
    file.write_text(SNIPPET + "\n".join(WRONG) + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-incremental", "--config-file", "", str(file)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(SOURCES)},
    )  # fmt: skip
    # What packages without types do to our sources is the business of the types of the project.
    lines = [line for line in done.stdout.splitlines() if line.startswith("snippet.py:")]
    found = [line for line in lines if ": error: " in line]
    first = SNIPPET.count("\n") + 1
    assert [int(line.split(":")[1]) for line in found] == [*range(first, first + len(WRONG))], (
        done.stdout
    )
    assert 'Revealed type is "regiht.estimators._regressor.SparseRegressor"' in done.stdout
    assert "SparseClassifierCV" in done.stdout


def test_what_estimators_inherit_from_scikit_learn_has_types():
    pytest.importorskip("sklearn", minversion="1.6")
    stub = (SOURCES / "regiht" / "estimators" / "_sklearn.pyi").read_text(encoding="utf-8")
    for kind in (regiht.SparseRegressor, regiht.SparseClassifierCV):
        ours = {name for base in kind.__mro__ if base.__module__.startswith("regiht")
                for name in vars(base)}  # fmt: skip
        inherited = [name for name in dir(kind) if not name.startswith("_") and name not in ours]
        assert [name for name in inherited if f"def {name}(" not in stub] == []

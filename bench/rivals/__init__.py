"""Solvers to compare with, one file each.

An adapter is a module with

- ``name``: what tables call it;
- ``package``: what to install, and ``module``: what to import (None: comes with regiht);
- ``accepts(problem)``: whether it can take this problem at all;
- ``solve(problem, s)``: returns the chosen columns and their coefficients for `problem.scaled`;
- ``compiles``, if it is there and true: that the first solve of a kind also compiles, which a user
  waits for once only.

A solver may return more than s columns: the s with the largest coefficients are judged. The value
is never the solver's own: `judge.py` refits on the columns chosen. A new rival is one file and one
name in ``ADAPTERS``.
"""

from __future__ import annotations

import importlib
from types import ModuleType

ADAPTERS = (
    "ours",
    "ours_best",
    "ours_omp",
    "ours_iht",
    "numpy_listing",
    "abess_best_subset",
    "abess_path",
    "skscope_scope",
    "skscope_grasp",
    "skscope_htp",
    "skscope_omp",
    "skscope_iht",
    "skscope_pdas",
    "skscope_forward",
    "skscope_foba",
    "sklearn_omp",
    "sklearn_lasso",
    "l1_logistic",
    "celer_path",
    "adelie_path",
    "skglm_mcp",
)


def load(file: str) -> ModuleType | None:
    """The adapter, or None if what it needs is not installed."""
    adapter = importlib.import_module(f"rivals.{file}")
    if adapter.module is not None and importlib.util.find_spec(adapter.module) is None:
        return None
    return adapter

"""Solvers of matrix completion to compare with, one file each.

An adapter is a module with

- ``name``: what tables call it;
- ``module``: what it needs to import (None: numpy and scipy will do);
- ``complete(problem, rank)``: returns two factors whose product ``left @ right.T`` is the guess.

A new rival is one file and one name in ``ADAPTERS``.
"""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType

ADAPTERS = ("ours", "alternating", "numba_als", "soft_impute", "pymanopt_cg")


def load(file: str) -> ModuleType | None:
    """The adapter, or None if what it needs is not installed."""
    adapter = importlib.import_module(f"lowrank_rivals.{file}")
    if adapter.module is not None and importlib.util.find_spec(adapter.module) is None:
        return None
    return adapter

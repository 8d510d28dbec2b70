"""Sparse linear models with at most s features, and matrices of at most a given rank."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from regiht._core import __version__
from regiht._export.explain import explain
from regiht._export.explanation import Explanation
from regiht._export.feature_groups import feature_groups
from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.design import Design
from regiht._install_paths import get_cmake_dir, get_include
from regiht._solving.minimize import minimize
from regiht._solving.path import SparsePath
from regiht._solving.registry import losses, methods
from regiht._solving.result import Alternative, Result, Status
from regiht._solving.solve import solve
from regiht._solving.solve_many import solve_batch, solve_grid
from regiht._solving.sparse_path import sparse_path
from regiht._solving.table import SolveTable
from regiht._versions import show_versions
from regiht.objective import Objective

if TYPE_CHECKING:
    from regiht import dataset, datasets, distributed, lowrank, plotting, reference, theory
    from regiht import onnx as onnx  # needs more packages than a star import may ask for
    from regiht._export.persistence import load_model, save_model
    from regiht._selection.inference import Inference
    from regiht._selection.model_set import NearBest
    from regiht._selection.near_best import near_best
    from regiht._selection.stability import StabilitySelection, stability_selection
    from regiht.estimators import (
        SparseClassifier,
        SparseClassifierCV,
        SparseRegressor,
        SparseRegressorCV,
    )
    from regiht.lowrank import LowRankCompletion, LowRankCompletionCV

__all__ = [
    "Alternative",
    "Design",
    "Explanation",
    "Inference",
    "InvalidArgumentError",
    "LowRankCompletion",
    "LowRankCompletionCV",
    "NearBest",
    "Objective",
    "Result",
    "SolveTable",
    "SparseClassifier",
    "SparseClassifierCV",
    "SparsePath",
    "SparseRegressor",
    "SparseRegressorCV",
    "StabilitySelection",
    "Status",
    "__version__",
    "dataset",
    "datasets",
    "distributed",
    "explain",
    "feature_groups",
    "get_cmake_dir",
    "get_include",
    "load_model",
    "losses",
    "lowrank",
    "methods",
    "minimize",
    "near_best",
    "plotting",
    "reference",
    "save_model",
    "show_versions",
    "solve",
    "solve_batch",
    "solve_grid",
    "sparse_path",
    "stability_selection",
    "theory",
]


# What they import, scipy and scikit-learn above all, would take longer than all the rest.
_LAZY_MODULES = {
    "dataset", "datasets", "distributed", "lowrank", "onnx", "plotting", "reference", "theory",
}  # fmt: skip
_LAZY_NAMES = {
    "Inference": "_selection.inference",
    "LowRankCompletion": "lowrank",
    "LowRankCompletionCV": "lowrank",
    "NearBest": "_selection.model_set",
    "SparseClassifier": "estimators",
    "SparseClassifierCV": "estimators",
    "SparseRegressor": "estimators",
    "SparseRegressorCV": "estimators",
    "StabilitySelection": "_selection.stability",
    "load_model": "_export.persistence",
    "near_best": "_selection.near_best",
    "save_model": "_export.persistence",
    "stability_selection": "_selection.stability",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY_MODULES:
        return import_module(f"regiht.{name}")
    if name in _LAZY_NAMES:
        return getattr(import_module(f"regiht.{_LAZY_NAMES[name]}"), name)
    raise AttributeError(f"module 'regiht' has no attribute {name!r}")

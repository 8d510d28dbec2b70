"""Models in plain files: JSON or npz, which hold no code and load without pickle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from regiht._core import __version__
from regiht._inputs.checks import InvalidArgumentError
from regiht._solving.result import Status

FORMAT = "regiht-model"
FORMAT_VERSION = 1

# Only these are ever made of a file. A model with cross-validation is kept as the one it chose.
_KINDS = {
    "SparseRegressor": "SparseRegressor",
    "SparseClassifier": "SparseClassifier",
    "SparseRegressorCV": "SparseRegressor",
    "SparseClassifierCV": "SparseClassifier",
}
_OPTIONAL = ("gap_", "lower_bound_", "swap_optimal_")


def save_model(model: Any, path: str | Path) -> None:
    """Write a fitted estimator to a file that `load_model` reads.

    Parameters
    ----------
    model : fitted SparseRegressor, SparseClassifier, SparseRegressorCV or SparseClassifierCV
        A model with cross-validation is kept as the plain one with the number of features chosen;
        its scores are not.
    path : str or Path
        Ends in ``.json`` or ``.npz``. Numbers are kept to the last bit in both.
    """
    path = checked_path(path)
    kind = _KINDS.get(type(model).__name__)
    if kind is None:
        raise InvalidArgumentError(
            f"model must be one of {', '.join(_KINDS)}; got {type(model).__name__}."
        )
    if not hasattr(model, "coef_"):
        raise InvalidArgumentError("model must be fitted before it is saved.")
    content: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "regiht_version": __version__,
        "kind": kind,
        "parameters": _parameters(model, kind),
        "fitted": _fitted(model),
    }
    arrays = _take_arrays(content["fitted"]) if path.suffix == ".npz" else {}
    try:
        text = json.dumps(content, indent=1, ensure_ascii=False, default=_as_list)
    except TypeError as error:
        raise InvalidArgumentError(f"a parameter of the model cannot be saved: {error}.") from None
    if path.suffix == ".npz":
        with path.open("wb") as file:
            np.savez(file, header=np.array(text), **arrays)
    else:
        path.write_text(text + "\n", encoding="utf-8")


def load_model(path: str | Path) -> Any:
    """Read an estimator that `save_model` has written; nothing in the file is executed."""
    from regiht import estimators  # noqa: PLC0415  (needs scikit-learn)

    path = checked_path(path)
    content = _read(path)
    if content.get("format_version") != FORMAT_VERSION or content.get("kind") not in _KINDS:
        raise InvalidArgumentError(
            f"{path} was written by another version of regiht "
            f"({content.get('regiht_version', 'unknown')})."
        )
    model = getattr(estimators, content["kind"])(**content["parameters"])
    _restore(model, content["fitted"])
    return model


def checked_path(path: str | Path) -> Path:
    """Check for a name that says how to write."""
    path = Path(path)
    if path.suffix not in {".json", ".npz"}:
        raise InvalidArgumentError(f"path must end in .json or .npz; got {path.name!r}.")
    return path


def _parameters(model: Any, kind: str) -> dict[str, Any]:
    from regiht import estimators  # noqa: PLC0415

    names = getattr(estimators, kind)().get_params()
    parameters = {name: getattr(model, name) for name in names}
    parameters["n_nonzero_coefs"] = getattr(model, "n_nonzero_coefs_", model.n_nonzero_coefs)
    if isinstance(parameters["groups"], Mapping):
        parameters["groups"] = _listed_groups(parameters["groups"])
    return parameters


def _listed_groups(groups: Mapping[Any, Any]) -> list[list[Any]]:
    """Columns of each label: JSON would turn the numbers of columns into text."""
    columns: dict[Any, list[Any]] = {}
    for column, label in groups.items():
        columns.setdefault(label, []).append(column)
    return list(columns.values())


def _fitted(model: Any) -> dict[str, Any]:
    """Everything that prediction and selection need, coefficients on the support only."""
    coef = np.atleast_2d(model.coef_)
    fitted: dict[str, Any] = {
        "n_features_in": int(model.n_features_in_),
        "support": model.support_,
        "coef": coef[:, model.support_],
        "intercept": np.atleast_1d(model.intercept_),
        "n_iter": model.n_iter_,
        "status": model.status_,
        "objective": model.objective_,
    }
    if hasattr(model, "feature_names_in_"):
        fitted["feature_names_in"] = [str(name) for name in model.feature_names_in_]
    if hasattr(model, "classes_"):
        fitted["classes"] = _plain_classes(model.classes_)
        fitted["classes_dtype"] = model.classes_.dtype.str
    return fitted | {name[:-1]: getattr(model, name) for name in _OPTIONAL if hasattr(model, name)}


def _plain_classes(classes: Any) -> list[Any]:
    listed: list[Any] = classes.tolist()
    if not all(isinstance(each, (bool, int, float, str)) for each in listed):
        raise InvalidArgumentError("only classes that are text or numbers can be saved.")
    return listed


def _take_arrays(fitted: dict[str, Any]) -> dict[str, Any]:
    return {name: fitted.pop(name) for name in ("support", "coef", "intercept")}


def _as_list(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no plain form")


def _read(path: Path) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as stored:
                arrays = dict(stored)
            text = str(arrays.pop("header"))
        else:
            text = path.read_text(encoding="utf-8")
        content: dict[str, Any] = json.loads(text)
        known = content["format"] == FORMAT
        content["fitted"].update(arrays)
    except (ValueError, KeyError, TypeError, AttributeError, BadZipFile):
        known = False
    if not known:
        raise InvalidArgumentError(f"{path} does not hold a model of regiht.")
    return content


def _restore(model: Any, fitted: dict[str, Any]) -> None:
    cols, support = fitted["n_features_in"], np.asarray(fitted["support"], dtype=np.int64)
    values = np.asarray(fitted["coef"], dtype=np.float64)
    coef = np.zeros((len(values), cols))
    coef[:, support] = values
    model.n_features_in_, model.support_ = cols, support
    model._set_coefficients(coef, np.asarray(fitted["intercept"], dtype=np.float64))
    if "feature_names_in" in fitted:
        model.feature_names_in_ = np.array(fitted["feature_names_in"], dtype=object)
    if "classes" in fitted:
        model.classes_ = np.array(fitted["classes"], dtype=np.dtype(fitted["classes_dtype"]))
    statuses = fitted["status"]
    several = isinstance(statuses, list)
    model.status_ = [Status(each) for each in statuses] if several else Status(statuses)
    for name in ("n_iter", "objective", *(each[:-1] for each in _OPTIONAL)):
        if name in fitted:
            value = fitted[name]
            setattr(model, f"{name}_", np.array(value) if isinstance(value, list) else value)

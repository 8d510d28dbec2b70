"""Models in plain files: JSON or npz, which hold no code and load without pickle."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from regiht._core import __version__
from regiht._export.atomic_write import write_atomically
from regiht._inputs.checks import (
    InvalidArgumentError,
    SavedModel,
    check_integer,
    check_label_weights,
    check_path,
    check_saved_model,
    check_saved_parameters,
)
from regiht._inputs.npz import read_npz
from regiht._solving.result import Result, Status

FORMAT = "regiht-model"
FORMAT_VERSION = 1

# Only these are ever made of a file. A model with cross-validation is kept as the one it chose.
_KINDS = {
    "SparseRegressor": "SparseRegressor",
    "SparseClassifier": "SparseClassifier",
    "SparseRegressorCV": "SparseRegressor",
    "SparseClassifierCV": "SparseClassifier",
}
_LOADED = ("SparseRegressor", "SparseClassifier")
_OPTIONAL = ("gap_", "lower_bound_", "swap_optimal_", "columns_from_", "preparation_")

# In an npz file these are arrays, and the rest is text.
_ARRAYS = ("support", "coef", "intercept")

# Bytes of arrays for each byte of a file, which is not compressed unless somebody did.
_MOST_TIMES = 24


def save_model(model: Any, path: str | Path) -> None:
    """Write a fitted estimator to a file that `load_model` reads.

    Parameters
    ----------
    model : fitted SparseRegressor, SparseClassifier, SparseRegressorCV or SparseClassifierCV
        A model with cross-validation is saved as the plain one with the chosen number of features,
        without its scores.
    path : str or Path
        Ends in ``.json`` or ``.npz``. Both keep numbers to the last bit. The file is written under
        another name and then renamed, so that an existing model is never lost.

    Raises
    ------
    InvalidArgumentError
        If the model is of another kind or not fitted, or the path has another ending.

    See Also
    --------
    load_model : Reads the file.
    onnx.to_onnx : For other runtimes.

    Examples
    --------
    >>> import json, tempfile
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(50, 5))
    >>> model = regiht.SparseRegressor(1).fit(X, 3 * X[:, 4])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     regiht.save_model(model, f"{folder}/model.json")
    ...     with open(f"{folder}/model.json") as file:
    ...         kept = json.load(file)
    >>> kept["kind"]
    'SparseRegressor'
    """
    path = checked_path(path)
    kind = _KINDS.get(type(model).__name__)
    if kind is None:
        hint = " SparsePath.estimator turns a model of a path into one." * isinstance(model, Result)
        raise InvalidArgumentError(
            f"model must be one of {', '.join(_KINDS)}; got {type(model).__name__}.{hint}"
        )
    if not hasattr(model, "coef_"):
        raise InvalidArgumentError("model must be fitted before it is saved.")
    if not (np.isfinite(model.coef_).all() and np.isfinite(model.intercept_).all()):
        raise InvalidArgumentError("a model whose coefficients are not all finite cannot be saved.")
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
        stream = io.BytesIO()
        np.savez(stream, header=np.array(text), **arrays)
        write_atomically(path, stream.getvalue())
    else:
        write_atomically(path, f"{text}\n".encode())


def load_model(path: str | Path, *, max_coefficients: int = 2**27) -> Any:
    """Read an estimator that `save_model` wrote; nothing in the file is executed.

    Parameters
    ----------
    path : str or Path
        Ends in ``.json`` or ``.npz``.
    max_coefficients : int
        The largest allowed number of coefficients, zeros included: columns of the data, times
        classes if there are three or more. A file of a few bytes could ask for any number.

    Returns
    -------
    SparseRegressor or SparseClassifier
        Fitted; its predictions equal those of the saved one to the last bit.

    Raises
    ------
    InvalidArgumentError
        If the file is invalid. Besides 8 bytes per coefficient, reading takes at most 256 bytes
        for each byte of the file.
    OSError
        If the file cannot be opened or read.

    See Also
    --------
    save_model : Writes the file.

    Examples
    --------
    >>> import numpy as np, regiht, tempfile
    >>> X = np.random.default_rng(0).normal(size=(50, 5))
    >>> model = regiht.SparseRegressor(1).fit(X, 3 * X[:, 4])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     regiht.save_model(model, f"{folder}/model.json")
    ...     again = regiht.load_model(f"{folder}/model.json")
    >>> bool(np.all(again.predict(X) == model.predict(X)))
    True
    """
    from regiht import estimators  # noqa: PLC0415  (needs scikit-learn)

    path = checked_path(path)
    most = check_integer("max_coefficients", max_coefficients, 1)
    try:
        content = _read(path)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{path} does not contain a regiht model: {error}.") from None
    if content.get("format_version") != FORMAT_VERSION or content.get("kind") not in _LOADED:
        raise InvalidArgumentError(
            f"{path} was written by another version of regiht "
            f"({content.get('regiht_version', 'unknown')})."
        )
    kind: str = content["kind"]
    parameters: Any = content.get("parameters")
    is_classifier = kind == "SparseClassifier"
    try:
        check_saved_parameters(parameters, getattr(estimators, kind)().get_params(), is_classifier)
        saved = check_saved_model(
            content.get("fitted"), is_classifier=is_classifier, most_coefficients=most,
            most_bytes=path.stat().st_size * _MOST_TIMES,
        )  # fmt: skip
        if isinstance(parameters.get("class_weight"), list):
            parameters["class_weight"] = check_label_weights(parameters["class_weight"])
        return _restored(getattr(estimators, kind)(**parameters), saved)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{path} does not contain a regiht model: {error}.") from None


def checked_path(path: str | Path) -> Path:
    """Check for a name that says how to write."""
    path = check_path("path", path)
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
    if isinstance(parameters.get("class_weight"), Mapping):
        # JSON would turn labels that are numbers into text.
        parameters["class_weight"] = [[*pair] for pair in parameters["class_weight"].items()]
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
        "message": model.message_,
        "objective": model.objective_,
    }
    if hasattr(model, "feature_names_in_"):
        fitted["feature_names_in"] = [str(name) for name in model.feature_names_in_]
    if not hasattr(model, "classes_") and len(coef) > 1:
        fitted["n_targets"] = len(coef)
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
    return {name: fitted.pop(name) for name in _ARRAYS}


def _as_list(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no plain form")


def _read(path: Path) -> dict[str, Any]:
    """What the file says, arrays included; the error says why it cannot be read."""
    arrays: dict[str, Any] = {}
    try:
        if path.suffix == ".npz":
            arrays = read_npz(path, _MOST_TIMES)
            if arrays.keys() != {"header", *_ARRAYS} or arrays["header"].shape != ():
                raise InvalidArgumentError("it holds other arrays")
            text = str(arrays.pop("header"))
        else:
            text = path.read_bytes().decode()
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentError(str(error)) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InvalidArgumentError("its format is another")
    if arrays and isinstance(content.get("fitted"), dict):
        content["fitted"].update(arrays)
    return content


def _restored(model: Any, saved: SavedModel) -> Any:
    coef = np.zeros((len(saved.coef), saved.n_features))
    coef[:, saved.support] = saved.coef
    model.n_features_in_, model.support_ = saved.n_features, saved.support
    model._set_coefficients(coef, saved.intercept)
    if saved.feature_names is not None:
        model.feature_names_in_ = np.array(saved.feature_names, dtype=object)
    if saved.classes is not None:
        model.classes_ = saved.classes
    try:
        model.status_ = (
            [Status(each) for each in saved.status]
            if isinstance(saved.status, list)
            else Status(saved.status)
        )
    except ValueError as error:
        raise InvalidArgumentError(str(error)) from None
    model.message_ = (
        [each.message for each in model.status_]
        if isinstance(model.status_, list)
        else model.status_.message
    )
    for name, value in saved.facts.items():
        is_array = isinstance(value, list) and name != "message"
        setattr(model, f"{name}_", np.array(value) if is_array else value)
    return model

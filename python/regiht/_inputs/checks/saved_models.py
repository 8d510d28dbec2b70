"""What a model file holds, before an estimator is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht import _core
from regiht._inputs.checks.errors import FloatArray, IndexArray, InvalidArgumentError

_LARGEST_INTEGER = 2**53
# What a model may say about its fit: one for each target, of one of these types.
_FACTS: dict[str, tuple[type, ...]] = {
    "n_iter": (int,),
    "objective": (int, float),
    "gap": (int, float),
    "lower_bound": (int, float),
    "swap_optimal": (bool,),
    "message": (str,),
}
_REQUIRED = ("n_iter", "objective")
_CLASS_TYPES: dict[str, tuple[type, ...]] = {
    "b": (bool,), "i": (int,), "u": (int,), "f": (int, float), "U": (str,),
    "O": (bool, int, float, str),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SavedModel:
    """The fitted part of a linear model: coefficients on its support, and facts by name."""

    n_features: int
    support: IndexArray
    coef: FloatArray
    intercept: FloatArray
    status: str | list[str]
    facts: dict[str, Any]
    feature_names: list[str] | None
    classes: NDArray[Any] | None


def check_saved_model(
    fitted: Any, *, is_classifier: bool, most_coefficients: int, most_bytes: int
) -> SavedModel:
    """Check everything that predictions and selections use; the error says what is wrong."""
    if not isinstance(fitted, dict):
        raise InvalidArgumentError("nothing in it is fitted")
    n_features = _whole("n_features_in", fitted)
    support = _check_support(_numbers("support", fitted, (int,)), n_features)
    intercept = _numbers("intercept", fitted).astype(np.float64)
    coef = _check_coefficients(_rows("coef", fitted), support, intercept)
    targets = len(coef)
    if not is_classifier and targets != fitted.get("n_targets", 1):
        raise InvalidArgumentError(f"a regressor has no {targets} targets")
    if n_features * targets > most_coefficients:
        raise InvalidArgumentError(
            f"it has {n_features} features × {targets}; at most {most_coefficients} coefficients "
            "are read unless max_coefficients says otherwise"
        )
    facts = {
        name: _each(name, fitted, kinds, targets)
        for name, kinds in _FACTS.items()
        if name in fitted or name in _REQUIRED
    }
    if "columns_from" in fitted:
        facts["columns_from"] = _check_columns_from(fitted["columns_from"])
    if "preparation" in fitted:
        facts["preparation"] = _check_preparation(fitted["preparation"])
    return SavedModel(
        n_features, support, coef, intercept,
        status=_each("status", fitted, (str,), targets),
        facts=facts,
        feature_names=_check_names(fitted, n_features),
        classes=_check_classes(fitted, targets, most_bytes) if is_classifier else None,
    )  # fmt: skip


def check_saved_parameters(parameters: Any, known: Mapping[str, Any], is_classifier: bool) -> None:
    """Check for names that the estimator has, and a loss that suits it."""
    if not isinstance(parameters, dict) or not parameters.keys() <= known.keys():
        raise InvalidArgumentError("its parameters are not those of the estimator")
    loss = parameters.get("loss", known["loss"])
    suitable = [each.name for each in _core.losses() if is_classifier == (each.targets == "binary")]
    if loss not in suitable:
        raise InvalidArgumentError(f"its loss is {loss!r}")


def check_label_weights(pairs: list[Any]) -> dict[Any, float]:
    """Check for pairs of a label and a weight."""
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or type(pair[1]) not in (int, float):
            raise _wrong("class_weight")
        if type(pair[0]) not in (bool, int, float, str):
            raise _wrong("class_weight")
    return dict(pairs)


def _field(name: str, fitted: dict[str, Any]) -> Any:
    if name not in fitted:
        raise InvalidArgumentError(f"{name} is missing")
    return fitted[name]


def _wrong(name: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"{name} has a wrong type or value")


def _whole(name: str, fitted: dict[str, Any]) -> int:
    value = _field(name, fitted)
    if type(value) is not int or not 0 < value <= _LARGEST_INTEGER:
        raise _wrong(name)
    return value


def _numbers(name: str, fitted: dict[str, Any], kinds: tuple[type, ...] = (int, float)) -> Any:
    """A vector, from an array or a list; numpy would turn text into numbers, and pad it."""
    value = _field(name, fitted)
    if isinstance(value, np.ndarray):
        allowed = "iu" if kinds == (int,) else "iuf"
        if value.ndim != 1 or value.dtype.kind not in allowed:
            raise _wrong(name)
        return value
    if not isinstance(value, list) or any(type(each) not in kinds for each in value):
        raise _wrong(name)
    try:
        return np.array(value, dtype=np.int64 if kinds == (int,) else np.float64)
    except OverflowError:
        raise _wrong(name) from None


def _rows(name: str, fitted: dict[str, Any]) -> FloatArray:
    """A matrix, from an array or a list of rows."""
    value = _field(name, fitted)
    is_matrix = value.ndim == 2 if isinstance(value, np.ndarray) else isinstance(value, list)
    rows = [_numbers(name, {name: row}) for row in value] if is_matrix else []
    if not rows or any(row.size != rows[0].size for row in rows):
        raise _wrong(name)
    return np.stack(rows).astype(np.float64)


def _check_support(support: Any, n_features: int) -> IndexArray:
    inside = support.size == 0 or (support[0] >= 0 and support[-1] < n_features)
    # Neighbours are compared, since differences of large numbers overflow.
    if not inside or (support[1:] <= support[:-1]).any():
        raise InvalidArgumentError(
            f"support must hold numbers between 0 and {n_features - 1} in ascending order"
        )
    return np.asarray(support, dtype=np.int64)


def _check_coefficients(coef: FloatArray, support: IndexArray, intercept: FloatArray) -> FloatArray:
    if coef.shape != (intercept.size, support.size):
        raise InvalidArgumentError(
            f"coef has shape {coef.shape} for {support.size} features and {intercept.size} "
            "intercepts"
        )
    if not (np.isfinite(coef).all() and np.isfinite(intercept).all()):
        raise InvalidArgumentError("its coefficients are not all finite")
    return coef


def _each(name: str, fitted: dict[str, Any], kinds: tuple[type, ...], targets: int) -> Any:
    """One value, or a list with one for every target."""
    value = _field(name, fitted)
    listed = value if isinstance(value, list) else [value]
    if len(listed) not in {1, targets} or any(type(each) not in kinds for each in listed):
        raise _wrong(name)
    if any(type(each) is int and abs(each) > _LARGEST_INTEGER for each in listed):
        raise _wrong(name)
    return value


def _check_columns_from(value: Any) -> int:
    if type(value) is not int or value not in {0, 1}:
        raise _wrong("columns_from")
    return value


def _check_preparation(value: Any) -> dict[str, Any]:
    """Texts that are features, and what stands for empty cells, by columns of a file."""
    if not isinstance(value, dict) or value.keys() != {"levels", "fill"}:
        raise _wrong("preparation")
    levels, fill = value["levels"], value["fill"]
    if not isinstance(levels, dict) or not isinstance(fill, dict):
        raise _wrong("preparation")
    listed = [level for each in levels.values() for level in (each if type(each) is list else [0])]
    if any(type(level) is not str for level in listed):
        raise _wrong("preparation")
    for name, each in fill.items():
        is_text = type(each) is str
        if not is_text and (type(each) not in {int, float} or not np.isfinite(each)):
            raise _wrong("preparation")
        if is_text != (name in levels):
            raise _wrong("preparation")
    return value


def _check_names(fitted: dict[str, Any], n_features: int) -> list[str] | None:
    names = fitted.get("feature_names_in")
    if names is None:
        return None
    if not isinstance(names, list) or len(names) != n_features:
        raise _wrong("feature_names_in")
    if not all(isinstance(name, str) for name in names):
        raise _wrong("feature_names_in")
    return names


def _check_classes(fitted: dict[str, Any], targets: int, most_bytes: int) -> NDArray[Any]:
    """Classes as an array of the type they had; nothing is lost on the way."""
    listed, code = _field("classes", fitted), _field("classes_dtype", fitted)
    if not isinstance(listed, list) or not isinstance(code, str):
        raise _wrong("classes")
    if len(listed) != (2 if targets == 1 else targets) or targets == 2:
        raise InvalidArgumentError(f"there are {len(listed)} classes for {targets} decisions")
    try:
        dtype = np.dtype(code)
        if dtype.itemsize * len(listed) > most_bytes:
            raise _wrong("classes")
        if any(type(each) not in _CLASS_TYPES.get(dtype.kind, ()) for each in listed):
            raise _wrong("classes")
        classes = np.array(listed, dtype=dtype)
    except (TypeError, OverflowError, ValueError):
        raise _wrong("classes") from None
    if classes.tolist() != listed or len(set(listed)) < len(listed):
        raise _wrong("classes")
    return classes

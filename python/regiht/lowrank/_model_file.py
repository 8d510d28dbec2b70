"""Fitted completions in npz files, which hold no code and load without pickle."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from regiht._core import __version__
from regiht._export.atomic_write import write_atomically
from regiht._inputs.checks import InvalidArgumentError, check_path
from regiht._inputs.npz import read_npz
from regiht.lowrank._prior import RowPrior

_FORMAT = "regiht-lowrank-model"
_FORMAT_VERSION = 2
_PARAMETERS = (
    "rank", "ridge", "factor_penalty", "scale_penalty", "unseen_weight", "center", "method",
    "max_iter", "tol", "refine", "n_threads", "named",
)  # fmt: skip
_ARRAYS = ("components_", "embedding_", "row_effects_", "column_effects_")
_PRIORS = ("prior", "column_prior")
_NAMES = ("row_names_", "column_names_")
_MOST_TIMES = 24


def save(model: Any, path: str | Path) -> None:
    """Write a fitted model."""
    if not hasattr(model, "embedding_"):
        raise InvalidArgumentError("model must be fitted before it is saved.")
    path = check_path("path", path)
    if path.suffix != ".npz":
        raise InvalidArgumentError(f"path must end in .npz; got {str(path)!r}.")
    parameters = {name: getattr(model, name) for name in _PARAMETERS}
    parameters["rank"], parameters["ridge"] = model.rank_, model._ridge()
    parameters["factor_penalty"] = model._factor_penalty()
    head = {
        "format": _FORMAT,
        "format_version": _FORMAT_VERSION,
        "regiht_version": __version__,
        "parameters": parameters,
        "mean": model.mean_,
        "n_iter": model.n_iter_,
    }
    arrays = {name: np.asarray(getattr(model, name)) for name in _ARRAYS}
    arrays |= {n: getattr(model, n) for n in _NAMES if getattr(model, n) is not None}
    arrays |= {
        "seen_starts": model._seen.starts,
        "seen_columns": model._seen.columns,
    }
    for name in _PRIORS:
        prior = getattr(model, f"_{name}")
        arrays |= {f"{name}_mean": prior.mean, f"{name}_precision": prior.precision}
    content = io.BytesIO()
    np.savez(content, head=np.array(json.dumps(head)), **arrays)  # type: ignore[arg-type]
    write_atomically(path, content.getvalue())


def load(path: str | Path) -> Any:
    """Read a model; InvalidArgumentError says what is wrong with the file."""
    from regiht.lowrank._recommending import SeenColumns  # noqa: PLC0415  (it imports this file)
    from regiht.lowrank.estimator import LowRankCompletion  # noqa: PLC0415

    arrays = read_npz(check_path("path", path), _MOST_TIMES)
    head = _checked_head(arrays)
    _check_shapes(arrays)
    model = LowRankCompletion(**head["parameters"])
    for name in _ARRAYS:
        setattr(model, name, arrays[name])
    for name in _NAMES:
        setattr(model, name, arrays.get(name))
    model.mean_, model.n_iter_ = float(head["mean"]), int(head["n_iter"])
    model.rank_, model.n_features_in_ = arrays["components_"].shape
    model._seen = SeenColumns(arrays["seen_starts"], arrays["seen_columns"])
    for name in _PRIORS:
        prior = RowPrior(arrays[f"{name}_mean"], arrays[f"{name}_precision"])
        setattr(model, f"_{name}", prior)
    return model


def _checked_head(arrays: dict[str, Any]) -> dict[str, Any]:
    try:
        head = json.loads(str(arrays["head"]))
        parameters = head["parameters"]
        known = head["format"] == _FORMAT and set(parameters) == set(_PARAMETERS)
    except (KeyError, TypeError, ValueError):
        known = False
    if not known:
        raise InvalidArgumentError("the file holds no low-rank model of regiht.")
    if head["format_version"] != _FORMAT_VERSION:
        raise InvalidArgumentError(
            f"the file has format version {head['format_version']}; this version of regiht "
            f"reads {_FORMAT_VERSION}."
        )
    return dict(head)


def _check_shapes(arrays: dict[str, Any]) -> None:
    """Refuse a file whose arrays do not fit together or are not numbers."""
    floats = (*_ARRAYS, *(f"{name}_{part}" for name in _PRIORS for part in ("mean", "precision")))
    needed = {*floats, "seen_starts", "seen_columns"}
    if not needed <= set(arrays):
        raise InvalidArgumentError(f"the file lacks {', '.join(sorted(needed - set(arrays)))}.")
    kinds = all(arrays[name].dtype == np.float64 for name in floats)
    rows, cols = arrays["row_effects_"].shape, arrays["column_effects_"].shape
    width = arrays["prior_mean"].shape
    fits = (
        len(rows) == len(cols) == len(width) == 1
        and arrays["embedding_"].shape[:1] == rows
        and arrays["components_"].shape == (*arrays["embedding_"].shape[1:], *cols)
        and arrays["column_prior_mean"].shape == width
        and arrays["prior_precision"].shape == arrays["column_prior_precision"].shape == width * 2
        and arrays["seen_starts"].shape == (rows[0] + 1,)
        and arrays["seen_columns"].ndim == 1
        and arrays["seen_starts"].dtype == arrays["seen_columns"].dtype == np.int64
    )
    if not (kinds and fits):
        raise InvalidArgumentError("the arrays of the file do not fit together.")
    columns, starts = arrays["seen_columns"], arrays["seen_starts"]
    inside = columns.size == 0 or (columns.min() >= 0 and columns.max() < cols[0])
    if not inside or starts[0] != 0 or starts[-1] != columns.size or (np.diff(starts) < 0).any():
        raise InvalidArgumentError("the arrays of the file do not fit together.")

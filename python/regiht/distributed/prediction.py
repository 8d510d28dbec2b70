"""Predictions for collections of Dask, block by block."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from regiht._inputs.checks import InvalidArgumentError


def predict_blocks(model: Any, method: str, X: Any) -> Any:
    """Return what a method of a fitted model says of every row, lazily.

    The answer for a dask array is one with the same chunks of rows, that for a dask dataframe is a
    series or a dataframe with the same partitions.
    """
    like = _of_one_row(model, method)
    if hasattr(X, "columns") and hasattr(X, "map_partitions"):
        return X.map_partitions(_predict_frame, model, method, like, meta=_frame_like(X, like))
    _refuse_other_columns(model, X)
    whole = X.rechunk({1: -1})
    if like.ndim == 1:
        return whole.map_blocks(
            _predict_array, model, method, like, dtype=like.dtype, drop_axis=1, meta=like[:0]
        )
    return whole.map_blocks(
        _predict_array, model, method, like, dtype=like.dtype,
        chunks=(whole.chunks[0], (like.shape[1],)), meta=like[:0],
    )  # fmt: skip


def selected_columns(model: Any, X: Any) -> Any:
    """Return the selected columns of a collection, which is one with the same rows."""
    if hasattr(X, "columns") and hasattr(X, "map_partitions"):
        from sklearn.utils.validation import validate_data  # noqa: PLC0415  (optional)

        validate_data(model, X._meta, reset=False, skip_check_array=True)
        return X[[X.columns[j] for j in model.support_]]
    _refuse_other_columns(model, X)
    return X[:, model.support_]


def _refuse_other_columns(model: Any, X: Any) -> None:
    if getattr(X, "ndim", None) != 2:
        raise InvalidArgumentError("X must be a dask array of two dimensions or a dask dataframe.")
    if X.shape[1] != model.n_features_in_:
        raise InvalidArgumentError(
            f"X has {X.shape[1]} features, but {type(model).__name__} was fitted with "
            f"{model.n_features_in_}."
        )


def _of_one_row(model: Any, method: str) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        return getattr(model, method)(np.zeros((1, model.n_features_in_)))


def _predict_array(block: Any, model: Any, method: str, like: Any) -> Any:
    if block.shape[0] == 0:
        return like[:0]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        return getattr(model, method)(block)


def _predict_frame(part: Any, model: Any, method: str, like: Any) -> Any:
    import pandas as pd  # noqa: PLC0415  (frames bring it along)

    values = getattr(model, method)(part) if len(part) else like[:0]
    kind = pd.Series if values.ndim == 1 else pd.DataFrame
    return kind(values, index=part.index)


def _frame_like(X: Any, like: Any) -> Any:
    import pandas as pd  # noqa: PLC0415  (frames bring it along)

    kind = pd.Series if like.ndim == 1 else pd.DataFrame
    return kind(like[:0], index=X._meta.index[:0])

"""Where estimators meet collections of Dask; which is imported only then."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from sklearn.utils.validation import check_is_fitted

from regiht._inputs.collections import is_dask

Method = TypeVar("Method", bound=Callable[..., Any])
Model = TypeVar("Model")


def fit_collection(
    model: Model, X: Any, y: Any, sample_weight: Any, params: dict[str, Any] | None = None
) -> Model:
    """Fit to a collection, on the present client of Dask."""
    from regiht.distributed.estimators import fit_blocks  # noqa: PLC0415  (needs dask)

    return fit_blocks(model, X, y, sample_weight, None, params or {})


def by_blocks(method: Method) -> Method:
    """Decorate a prediction, so that for a collection it is one too, of the same chunks."""

    @wraps(method)
    def predict(self: Any, X: Any) -> Any:
        if not is_dask(X):
            return method(self, X)
        from regiht.distributed.prediction import predict_blocks  # noqa: PLC0415  (needs dask)

        check_is_fitted(self)
        return predict_blocks(self, method.__name__, X)

    return predict  # type: ignore[return-value]


def select_from_collection(model: Any, X: Any) -> Any:
    """Return the selected columns of a collection, which is one too."""
    from regiht.distributed.prediction import selected_columns  # noqa: PLC0415  (needs dask)

    check_is_fitted(model)
    return selected_columns(model, X)

"""Where estimators meet collections of Dask; which is imported only then."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from sklearn.utils.validation import check_is_fitted

from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.collections import is_dask

Method = TypeVar("Method", bound=Callable[..., Any])
Model = TypeVar("Model")


def fit_collection(model: Model, X: Any, y: Any, sample_weight: Any) -> Model:
    """Fit to a collection, on the present client of Dask."""
    from regiht.distributed.estimators import fit  # noqa: PLC0415  (needs dask)

    return fit(model, X, y, sample_weight)


def refuse_collection(model: object, X: Any) -> None:
    """Refuse to load a collection into this process."""
    if is_dask(X):
        raise InvalidArgumentError(
            f"{type(model).__name__} cannot be fitted to a collection of Dask: choose the number "
            "of features on a sample of the rows, and fit SparseRegressor or SparseClassifier "
            "with it."
        )


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

"""Collections whose data is elsewhere, told from data in memory."""

from __future__ import annotations

from typing import Any

from regiht._inputs.checks import InvalidArgumentError


def is_dask(value: Any) -> bool:
    """Whether something is a collection of Dask; which is not imported for that."""
    return callable(getattr(value, "__dask_graph__", None))


def refuse_dask(X: Any) -> None:
    """Refuse a collection of Dask where only data in memory will do."""
    if is_dask(X):
        raise InvalidArgumentError(
            "X is a Dask collection, which would be loaded whole: use SparseRegressor, "
            "SparseClassifier or regiht.distributed.solve, or pass X.compute()."
        )

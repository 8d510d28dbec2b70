"""Collections whose data is elsewhere, told from data in memory."""

from __future__ import annotations

import sys
from typing import Any

from regiht._inputs.checks import InvalidArgumentError


def is_dask(value: Any) -> bool:
    """Whether something is a collection of Dask; which is not imported for that."""
    return callable(getattr(value, "__dask_graph__", None))


def is_future(value: Any) -> bool:
    """Whether something is a future of Dask's; which is not imported for that."""
    module = sys.modules.get("distributed")
    return module is not None and isinstance(value, module.Future)


def refuse_dask(X: Any) -> None:
    """Refuse a collection of Dask where only data in memory will do."""
    if is_dask(X):
        raise InvalidArgumentError(
            "X is a Dask collection, which would be loaded whole: use SparseRegressor, "
            "SparseClassifier or regiht.distributed.solve, or pass X.compute()."
        )

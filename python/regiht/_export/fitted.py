"""A fitted estimator made of a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._solving.result import Result


def fitted_estimator(
    result: Result,
    s: int,
    *,
    parameters: Mapping[str, Any],
    classes: NDArray[Any] | None,
    column_names: Sequence[str] | None,
) -> Any:
    """Return a SparseRegressor, or a SparseClassifier of these classes, that is fitted already.

    Its parameters are those of the run that gave the result, of which it warns as `fit` does.
    ``column_names`` are those of the data frame, if it was one.
    """
    from regiht import estimators  # noqa: PLC0415  (needs scikit-learn)

    kind = estimators.SparseRegressor if classes is None else estimators.SparseClassifier
    model: Any = kind(s, **parameters)
    model.n_features_in_ = result.coef.size
    if column_names is not None:
        model.feature_names_in_ = np.array(column_names, dtype=object)
    if classes is not None:
        model.classes_ = classes
    model._take([result])
    model._warn_of_failures([result], stacklevel=4)
    return model

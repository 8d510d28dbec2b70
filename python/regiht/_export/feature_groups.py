"""Groups of columns that come out of a ColumnTransformer."""

from __future__ import annotations

from typing import Any

import numpy as np

from regiht._export.pipeline_names import chosen_names, given_names
from regiht._inputs.checks import InvalidArgumentError


def feature_groups(transformer: Any) -> list[str]:
    """Label the output columns of a fitted transformer, for ``groups`` of an estimator.

    Parameters
    ----------
    transformer : fitted ColumnTransformer or OneHotEncoder
        Its one-hot columns get the label of the column they come from, so that a category is
        selected as a whole; every other column gets its own label.

    Returns
    -------
    list of str
        One label for every column.

    Raises
    ------
    InvalidArgumentError
        If the transformer is of another kind or not fitted.

    See Also
    --------
    SparseRegressor, SparseClassifier : Accept the labels as ``groups``.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> from sklearn.preprocessing import OneHotEncoder
    >>> X = np.array([["a", "u"], ["b", "v"], ["c", "u"]])
    >>> regiht.feature_groups(OneHotEncoder().fit(X))
    ['x0', 'x0', 'x0', 'x1', 'x1']
    """
    if hasattr(transformer, "categories_"):
        columns = given_names(transformer, None) or []
        return [str(name) for name in np.repeat(columns, _counts(transformer))]
    if not hasattr(transformer, "output_indices_"):
        raise InvalidArgumentError(
            "transformer must be a fitted ColumnTransformer or OneHotEncoder; "
            f"got {type(transformer).__name__}."
        )
    labels = [f"column {j}" for j in range(_width(transformer))]
    given = given_names(transformer, None)
    for part, step, taken in transformer.transformers_:
        last = step[-1] if hasattr(step, "steps") else step
        place = transformer.output_indices_.get(part)
        if place is None or not hasattr(last, "categories_"):
            continue
        names = chosen_names(taken, given) or []
        counts = _counts(last)
        if len(names) == len(counts):
            labels[place] = [f"{part}: {name}" for name in np.repeat(names, counts)]
    return labels


def _counts(encoder: Any) -> list[int]:
    """How many columns each column becomes."""
    counts = getattr(encoder, "_n_features_outs", None)
    return [1] * len(encoder.categories_) if counts is None else list(counts)


def _width(transformer: Any) -> int:
    return max((place.stop for place in transformer.output_indices_.values()), default=0)

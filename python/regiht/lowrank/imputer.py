"""An imputer for scikit-learn's pipelines. Importing this module imports scikit-learn."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from regiht._inputs.checks import FloatArray
from regiht.lowrank.estimator import LowRankCompletion


class LowRankImputer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Replace NaN by the predictions of a low-rank matrix.

    Each row, new or old, is completed from its own entries, as by `LowRankCompletion.complete`; a
    row without entries gets the means of the columns. Known entries stay. Columns are scaled to
    unit spread first, so that their units do not matter.

    Parameters
    ----------
    rank : int
    ridge : float
        As for `LowRankCompletion`.

    Attributes
    ----------
    completion_ : LowRankCompletion
        The completion of the columns divided by ``scale_``.
    scale_ : array
    n_features_in_ : int

    See Also
    --------
    regiht.LowRankCompletion : For matrices that are mostly unknown, such as ratings.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht.lowrank import LowRankImputer
    >>> X = np.outer(np.arange(1.0, 9.0), [1.0, -2.0, 3.0])
    >>> X[2, 1] = np.nan
    >>> LowRankImputer(rank=1).fit_transform(X)[2].round(3).tolist()
    [3.0, -6.0, 9.0]
    """

    def __init__(self, rank: int = 2, *, ridge: float = 0.0) -> None:
        self.rank = rank
        self.ridge = ridge

    def fit(self, X: Any, y: object = None) -> Self:
        """Learn from the entries that are not NaN."""
        del y
        checked = self._checked(X, fitting=True)
        seen = ~np.isnan(checked)
        counts = np.maximum(seen.sum(axis=0), 1)
        means = np.where(seen, checked, 0.0).sum(axis=0) / counts
        squares = np.where(seen, (checked - means) ** 2, 0.0).sum(axis=0)
        self.scale_ = np.where(squares > 0.0, np.sqrt(squares / counts), 1.0)
        self.completion_ = LowRankCompletion(self.rank, ridge=self.ridge)
        self.completion_.fit(checked / self.scale_)
        return self

    def transform(self, X: Any) -> FloatArray:
        """Return X with predictions in place of NaN."""
        check_is_fitted(self)
        checked = self._checked(X, fitting=False)
        filled = self.completion_.complete(checked / self.scale_) * self.scale_
        return np.where(np.isnan(checked), filled, checked)

    def _checked(self, X: Any, *, fitting: bool) -> FloatArray:
        return np.asarray(
            validate_data(self, X, reset=fitting, dtype=np.float64, ensure_all_finite="allow-nan")
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

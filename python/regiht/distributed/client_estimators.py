"""The estimators as users of Dask know them: with a client, and a copy that has none."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from sklearn.utils.validation import check_is_fitted

from regiht import estimators
from regiht.distributed.estimators import fit_blocks


@dataclass(kw_only=True, eq=False, repr=False, match_args=False)
class OnClient:
    """Mixes a client into an estimator.

    Clients can be neither copied nor saved. So `sklearn.base.clone` hands on the same one, and
    copies and pickles have none: they compute on the present client of where they are.
    """

    _local: ClassVar[type]

    client: Any = None

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to blocks of rows, as `regiht.distributed.fit` takes them."""
        return fit_blocks(self, X, y, sample_weight, self.client, {})

    @property
    def client_(self) -> Any:
        """The client that computes: that of the parameter, else the present one of Dask.

        None if there is no client, and blocks are in this process.
        """
        check_is_fitted(self)
        if self.client is not None:
            return self.client
        try:
            from regiht.distributed.dask_inputs import present_client  # noqa: PLC0415  (optional)
        except ImportError:
            return None
        return present_client()

    def to_local(self) -> Any:
        """Return the same model, fitted or not, as the estimator of `regiht` without a client."""
        local: Any = object.__new__(self._local)
        local.__dict__ = {
            name: value for name, value in copy.copy(self).__dict__.items() if name != "client"
        }
        return local

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        return {**state, "client": None}

    def __sklearn_clone__(self) -> Self:
        # What scikit-learn makes of a copy, which has no client for it to copy.
        twin: Self = super(OnClient, copy.copy(self)).__sklearn_clone__()  # type: ignore[misc]
        twin.client = self.client
        return twin


class OnClientCV(OnClient):
    """The same for estimators with cross-validation."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the number of features, then fit to all blocks.

        ``params`` are routed to the splitter and the scorer, if metadata routing is enabled.
        """
        return fit_blocks(self, X, y, sample_weight, self.client, params)


@dataclass(eq=False, repr=False, match_args=False)
class SparseRegressor(OnClient, estimators.SparseRegressor):
    """`regiht.SparseRegressor` for rows that lie in blocks, on a client of one's own.

    Parameters
    ----------
    client : distributed.Client, optional
        Where to fit; by default the present client of Dask, and without one this process.
    ...
        All others are those of `regiht.SparseRegressor`.

    Attributes
    ----------
    client_ : distributed.Client or None
        The one given, or the present one.
    communication_ : Communication
        Rounds and bytes of the fit.
    ...
        All others are those of `regiht.SparseRegressor`: numbers and arrays in this process.

    See Also
    --------
    fit : Fits any of the estimators of `regiht` on a client.

    Examples
    --------
    >>> import numpy as np, regiht.distributed
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> y = X[:, 4] - X[:, 17]
    >>> model = regiht.distributed.SparseRegressor(2).fit([X[:60], X[60:]], [y[:60], y[60:]])
    >>> model.to_local()
    SparseRegressor(n_nonzero_coefs=2)
    """

    _local: ClassVar[type] = estimators.SparseRegressor


@dataclass(eq=False, repr=False, match_args=False)
class SparseRegressorCV(OnClientCV, estimators.SparseRegressorCV):
    """`regiht.SparseRegressorCV` for rows that lie in blocks, on a client of one's own.

    Parameters
    ----------
    client : distributed.Client, optional
        As for `SparseRegressor`.
    ...
        All others are those of `regiht.SparseRegressorCV`; scorings those of `fit`.

    Attributes
    ----------
    client_, communication_
        As for `SparseRegressor`.
    ...
        All others are those of `regiht.SparseRegressorCV`.

    See Also
    --------
    fit : What X and y may be.

    Examples
    --------
    >>> import numpy as np, regiht.distributed
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 30))
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=100)
    >>> model = regiht.distributed.SparseRegressorCV(6, method="omp")
    >>> model.fit([X[:60], X[60:]], [y[:60], y[60:]]).n_nonzero_coefs_
    2
    """

    _local: ClassVar[type] = estimators.SparseRegressorCV


@dataclass(eq=False, repr=False, match_args=False)
class SparseClassifier(OnClient, estimators.SparseClassifier):
    """`regiht.SparseClassifier` for rows that lie in blocks, on a client of one's own.

    Parameters
    ----------
    client : distributed.Client, optional
        As for `SparseRegressor`.
    ...
        All others are those of `regiht.SparseClassifier`.

    Attributes
    ----------
    client_, communication_
        As for `SparseRegressor`.
    ...
        All others are those of `regiht.SparseClassifier`.

    See Also
    --------
    fit : What X and y may be.

    Examples
    --------
    >>> import numpy as np, regiht.distributed
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 30))
    >>> y = np.where(2 * X[:, 4] - X[:, 17] + rng.logistic(size=300) > 0, "yes", "no")
    >>> model = regiht.distributed.SparseClassifier(2)
    >>> model.fit([X[:150], X[150:]], [y[:150], y[150:]]).support_.tolist()
    [4, 17]
    """

    _local: ClassVar[type] = estimators.SparseClassifier


@dataclass(eq=False, repr=False, match_args=False)
class SparseClassifierCV(OnClientCV, estimators.SparseClassifierCV):
    """`regiht.SparseClassifierCV` for rows that lie in blocks, on a client of one's own.

    Parameters
    ----------
    client : distributed.Client, optional
        As for `SparseRegressor`.
    ...
        All others are those of `regiht.SparseClassifierCV`; scorings those of `fit`.

    Attributes
    ----------
    client_, communication_
        As for `SparseRegressor`.
    ...
        All others are those of `regiht.SparseClassifierCV`.

    See Also
    --------
    fit : What X and y may be.

    Examples
    --------
    >>> import numpy as np, regiht.distributed
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 20))
    >>> y = 3 * X[:, 4] - 3 * X[:, 17] + rng.logistic(size=300) > 0
    >>> model = regiht.distributed.SparseClassifierCV(4, cv=3, method="omp")
    >>> model.fit([X[:150], X[150:]], [y[:150], y[150:]]).n_nonzero_coefs_
    2
    """

    _local: ClassVar[type] = estimators.SparseClassifierCV

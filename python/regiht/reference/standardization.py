"""Centring and scaling of columns, without making a sparse matrix dense."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht.reference.thresholding import Vector


def promote(A: Any) -> Any:
    """Dense or scipy sparse matrix in float64; no copy if it already is."""
    if hasattr(A, "tocsc"):
        return A.astype(np.float64, copy=False)
    return np.asarray(A, dtype=np.float64)


def _inverse_norms(squared_norms: Vector, vanishes: NDArray[np.bool_]) -> Vector:
    usable = (squared_norms > 0) & ~vanishes
    return np.where(usable, 1.0 / np.sqrt(np.where(usable, squared_norms, 1.0)), 0.0)


def standardize(X: Any, center: bool, scale: bool) -> tuple[Vector, Vector, Vector]:
    """Return the explicit dense A' = (A - 1 mu^T) D, the means mu and the diagonal of D.

    `center` subtracts column means; `scale` then divides by the column's Euclidean norm. A column
    that is constant when centring (its maximum equals its minimum), or zero when only scaling, has
    scale 0 and becomes a zero column.

    Parameters
    ----------
    X : dense array or scipy sparse matrix
    center, scale : bool

    Returns
    -------
    A : array of shape (rows, cols)
    means, scales : arrays of shape (cols,)

    See Also
    --------
    ImplicitStandardized : Without forming it.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import reference
    >>> A, means, scales = reference.standardize(np.array([[1.0], [3.0]]), True, True)
    >>> A.round(4).ravel().tolist(), means.tolist()
    ([-0.7071, 0.7071], [2.0])
    """
    A = np.array(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    means, scales = np.zeros(A.shape[1]), np.ones(A.shape[1])
    largest, smallest = A.max(axis=0), A.min(axis=0)
    vanishes = (largest == 0) & (smallest == 0)
    if center:
        vanishes = largest == smallest
        # A rounded mean would leave dust in a constant column.
        means = np.where(vanishes, largest, A.mean(axis=0))
        A -= means
        scales[vanishes] = 0.0
    if scale:
        scales = _inverse_norms(np.sum(A**2, axis=0), vanishes)
    A *= scales
    return A, means, scales


class ImplicitStandardized:
    """The matrix of `standardize` as an operator that never densifies a sparse `X`.

    Supports `A @ x` and `A.T @ v` for vectors; `means` and `scales` are those of `standardize`.

    Attributes
    ----------
    means, scales : arrays of shape (cols,)

    See Also
    --------
    standardize : The same as a dense matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import reference
    >>> A = reference.ImplicitStandardized(np.array([[1.0], [3.0]]), center=True, scale=True)
    >>> (A @ np.array([1.0])).round(4).tolist()
    [-0.7071, 0.7071]
    """

    def __init__(self, X: Any, center: bool, scale: bool) -> None:
        self.X = promote(X)
        self.X_transposed = self.X.T
        self.shape: tuple[int, int] = self.X.shape
        if hasattr(self.X, "tocsc"):
            self.means, self.scales = _sparse_means_and_scales(self.X, center, scale)
        else:
            _, self.means, self.scales = standardize(self.X, center, scale)

    def __matmul__(self, x: Vector) -> Vector:
        scaled = self.scales * x
        product: Vector = self.X @ scaled - self.means @ scaled
        return product

    @property
    def T(self) -> _Transposed:
        """The transposed operator."""
        return _Transposed(self)


@dataclass(frozen=True)
class _Transposed:
    matrix: ImplicitStandardized

    def __matmul__(self, v: Vector) -> Vector:
        A = self.matrix
        product: Vector = A.scales * (A.X_transposed @ v - A.means * v.sum())
        return product


def _sparse_means_and_scales(X: Any, center: bool, scale: bool) -> tuple[Vector, Vector]:
    rows, cols = X.shape
    csc = X.tocsc(copy=True)
    csc.sum_duplicates()
    # scipy's maximum and minimum take the entries that are not stored into account.
    largest, smallest = csc.max(axis=0).toarray().ravel(), csc.min(axis=0).toarray().ravel()
    means, scales = np.zeros(cols), np.ones(cols)
    vanishes = (largest == 0) & (smallest == 0)
    if center:
        vanishes = largest == smallest
        means = np.where(vanishes, largest, X.T @ np.ones(rows) / rows)
        scales[vanishes] = 0.0
    if scale:
        counts = np.diff(csc.indptr)
        column = np.repeat(np.arange(cols), counts)
        # Squared deviations, entries that are not stored included; sum(a^2) - m mu^2 would cancel.
        squared_norms = (rows - counts) * means**2
        np.add.at(squared_norms, column, (csc.data - means[column]) ** 2)
        scales = _inverse_norms(squared_norms, vanishes)
    return means, scales

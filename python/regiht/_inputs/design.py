"""A matrix that is prepared for solves: standardized, with names, in memory or on disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.borrowed_matrix import borrowable, borrowable_sparse, shares_memory
from regiht._inputs.checks import FloatArray
from regiht._inputs.frames import frame_matrix
from regiht._inputs.standardize import as_core, weighted_standardization

if TYPE_CHECKING:
    from regiht.dataset import Dataset


class Design:
    """A matrix, checked and prepared once, for any number of solves in any thread.

    The memory of X is borrowed, not copied, if X is a float32 or float64

    - dense array that is contiguous along rows or along columns (a slice of rows or of columns
      may leave gaps), read-only and memory-mapped ones included, or
    - scipy CSC matrix or array, with 32- or 64-bit indices.

    Everything else is converted once: CSR to CSC (one compressed copy, because every method
    reads columns), other sparse formats to CSC, integers and booleans to float64, dense arrays
    with other strides to row-major, unsorted or repeated indices to sorted ones. ``copied`` tells
    whether this happened. Do not change X while the Design is in use. `Design.open` opens a matrix
    on disk.

    Parameters
    ----------
    X : array, scipy sparse matrix or data frame of shape (rows, cols)
        Rows are samples, columns are features. Pandas and polars data frames and Arrow tables may
        have columns of numbers and booleans, also nullable ones if no value is missing.
    center : bool
        Subtract the mean of each column, without forming the result.
    scale : bool
        Then divide each column by its ℓ₂ norm. With ``center`` a constant column becomes zero and
        is never selected.
    layout : {"auto", "as-is"}
        ``"as-is"`` borrows CSR too: no copy, but every operation then reads the whole matrix.
    exclude : list of int or str, optional
        Columns that become zero and are thus never selected, by number, name or mask.
    sample_weight : array of shape (rows,), optional
        Weights for the means and norms, so that a weight of two is the same as giving a row twice.
    feature_names : list of str, optional
        Names of the columns; by default those of the data frame, if X is one.

    Attributes
    ----------
    shape : tuple of int
    dtype : numpy dtype of the stored values
    layout : {"row-major", "column-major", "csc", "csr"}
    copied : bool
        Whether the values were copied or converted.
    means : array or None
        What was subtracted from each column, if centred.
    factors : array or None
        What each column was multiplied by, if centred or scaled; 0 for an excluded column.
    feature_names : list of str or None
    y : array or None
        The targets, if the Design was opened from a directory that has any.

    Raises
    ------
    InvalidArgumentError
        If X has values that are not finite, or an argument has the wrong type or shape.

    See Also
    --------
    solve : Takes a Design in place of a matrix.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> design = regiht.Design(X, center=True, scale=True)
    >>> [regiht.solve(design, X[:, 4] - X[:, 17], s).support.tolist() for s in (1, 2)]
    [[4], [4, 17]]
    >>> design.copied
    False
    """

    _dataset: Dataset | None = None

    def __init__(
        self,
        X: ArrayLike | Any,
        center: bool = False,
        scale: bool = False,
        *,
        layout: str = "auto",
        exclude: ArrayLike | check.Columns | None = None,
        sample_weight: ArrayLike | None = None,
        feature_names: Sequence[str] | None = None,
    ) -> None:
        center = check.check_flag("center", center)
        scale = check.check_flag("scale", scale)
        check.check_choice("layout", layout, ("auto", "as-is"))
        if isinstance(X, Design):
            raise check.InvalidArgumentError("X is a Design already.")
        names = check.refuse_other_columns(X)
        prepared = borrowable(X if names is None else frame_matrix(X), layout)
        rows, cols = prepared.shape
        self.feature_names: list[str] | None = names
        if feature_names is not None:
            self.feature_names = list(check.check_feature_names(feature_names, cols))
        exclude = check.column_numbers("exclude", exclude, cols, self.feature_names)
        excluded = check.check_exclude(exclude, cols)
        weights = check.check_sample_weight(sample_weight, rows)
        self._build(prepared, center, scale, excluded, weights)
        self.copied: bool = not shares_memory(X, prepared)

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        center: bool = False,
        scale: bool = False,
        *,
        exclude: ArrayLike | check.Columns | None = None,
        sample_weight: ArrayLike | None = None,
        verify: bool = True,
    ) -> Self:
        """Open a directory that `regiht.dataset.write` or ``regiht convert`` made.

        Its arrays are memory-mapped: the matrix may be larger than memory, and every solve gives
        the same bits as one in memory. ``y`` and ``feature_names`` are those of the directory.

        Parameters
        ----------
        path : str or path
            The directory.
        center, scale, exclude, sample_weight
            As for a matrix in memory. Means and norms without weights are in the directory.
        verify : bool
            Read everything once and compare checksums, see `regiht.dataset.open`.
        """
        from regiht import dataset  # noqa: PLC0415  (above this)

        return cls.of_dataset(
            dataset.open(path, verify=check.check_flag("verify", verify)),
            check.check_flag("center", center), check.check_flag("scale", scale),
            exclude=exclude, sample_weight=sample_weight,
        )  # fmt: skip

    @classmethod
    def of_dataset(
        cls,
        dataset: Dataset,
        center: bool,
        scale: bool,
        *,
        exclude: ArrayLike | check.Columns | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Make a Design of an opened directory; nothing is read that is not asked for."""
        design = cls.__new__(cls)
        design._dataset, design.copied = dataset, False
        design.feature_names = dataset.feature_names
        rows, cols = dataset.shape
        exclude = check.column_numbers("exclude", exclude, cols, design.feature_names)
        design._build(
            dataset.matrix, center, scale, check.check_exclude(exclude, cols),
            check.check_sample_weight(sample_weight, rows),
        )  # fmt: skip
        return design

    @property
    def y(self) -> NDArray[Any] | None:
        """The targets in the directory that it was opened from."""
        return None if self._dataset is None else self._dataset.y

    def _build(
        self,
        prepared: Any,
        center: bool,
        scale: bool,
        excluded: check.IndexArray | None = None,
        weights: FloatArray | None = None,
    ) -> None:
        self._prepared = prepared
        self._center = center
        self._scale = scale
        self._excluded = excluded
        self._weights = weights if center or scale else None
        self.shape: tuple[int, int] = prepared.shape
        self.dtype: np.dtype[Any] = prepared.dtype
        if isinstance(prepared, np.ndarray):
            row_major = prepared.strides[1] == prepared.itemsize or prepared.shape[1] == 1
            self.layout = "row-major" if row_major else "column-major"
        else:
            self.layout = prepared.format
        self.means: FloatArray | None = None
        self.factors: FloatArray | None = None
        self._core = as_core(prepared)
        if center or scale or excluded is not None:
            self._standardize(center, scale)

    def _standardize(self, center: bool, scale: bool) -> None:
        plain = self._core
        means, self.factors = np.zeros(self.shape[1]), np.ones(self.shape[1])
        try:
            if self._weights is not None:
                means, self.factors = weighted_standardization(
                    self._prepared, self._weights, center, scale
                )
            elif self._dataset is not None:
                means, self.factors = self._dataset.standardization(center, scale)
                self._core = _core.rescaled_design(plain, means, self.factors)
            elif center or scale:
                self._core, means, self.factors = _core.standardized_design(plain, center, scale)
        except check.InvalidArgumentError:
            raise
        except ValueError as error:
            raise check.InvalidArgumentError(f"X cannot be standardized: {error}.") from None
        if self._excluded is not None:
            self.factors[self._excluded] = 0.0
        if self._excluded is not None or self._weights is not None:
            self._core = _core.rescaled_design(plain, means, self.factors)
        self.means = means if center else None

    @property
    def excluded(self) -> check.IndexArray | None:
        """The columns that were asked to be left out."""
        return self._excluded

    @property
    def is_plain(self) -> bool:
        """Whether the matrix is as it was given: nothing centred, scaled or left out."""
        return not (self._center or self._scale) and self._excluded is None

    @property
    def has_plain_means(self) -> bool:
        """Whether the columns are centred at their means without weights."""
        return self._center and self._weights is None

    def matvec(self, x: ArrayLike) -> FloatArray:
        """Product of the (standardized) matrix with a vector over its columns."""
        x = check.check_vector("x", x, self.shape[1], "column")
        return self._core.apply(x, n_threads=check.check_threads(None))

    def rmatvec(self, v: ArrayLike) -> FloatArray:
        """Product of the transposed (standardized) matrix with a vector over its rows."""
        v = check.check_vector("v", v, self.shape[0], "row")
        return self._core.apply_transpose(v, n_threads=check.check_threads(None))

    def __repr__(self) -> str:
        done = [word for word, on in (("centred", self._center), ("scaled", self._scale)) if on]
        rows, cols = self.shape
        return f"<Design {rows} × {cols}, {', '.join([self.layout, str(self.dtype), *done])}>"

    def __getstate__(self) -> dict[str, Any]:
        if self._dataset is not None:  # what lies on disk stays there
            return {
                "path": str(self._dataset.path), "header": self._dataset.header,
                "center": self._center, "scale": self._scale, "excluded": self._excluded,
                "weights": self._weights,
            }  # fmt: skip
        # numpy would write an array with gaps row by row.
        prepared = self._prepared
        if self.layout == "column-major":
            prepared = np.asfortranarray(prepared)
        return {
            "prepared": prepared,
            "center": self._center,
            "scale": self._scale,
            "excluded": self._excluded,
            "weights": self._weights,
            "copied": self.copied,
            "feature_names": self.feature_names,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "path" in state:
            self._reopen(state)
            return
        prepared = state["prepared"]
        if check.is_sparse(prepared):
            prepared = borrowable_sparse(prepared, "as-is")
        elif not prepared.flags.aligned:  # a part of a message from another process
            prepared = prepared.copy(order="K")
        self._build(prepared, state["center"], state["scale"], state["excluded"], state["weights"])
        self.copied = state["copied"]
        self.feature_names = state["feature_names"]

    def _reopen(self, state: dict[str, Any]) -> None:
        from regiht import dataset  # noqa: PLC0415  (above this)

        self._dataset, self.copied = dataset.open(state["path"]), False
        if self._dataset.header != state["header"]:
            raise check.InvalidArgumentError(f"{state['path']} has changed since it was opened.")
        self.feature_names = self._dataset.feature_names
        self._build(
            self._dataset.matrix, state["center"], state["scale"], state["excluded"],
            state["weights"],
        )  # fmt: skip


def as_design(X: ArrayLike | Any, center: bool, scale: bool) -> Design:
    """Return the Design given, or one made of the matrix or directory given."""
    if isinstance(X, (str, os.PathLike)):
        return Design.open(X, center, scale)
    if not isinstance(X, Design):
        return Design(X, center=center, scale=scale)
    if check.check_flag("center", center) or check.check_flag("scale", scale):
        raise check.InvalidArgumentError(
            "center and scale belong to the Design: use Design(X, center=…, scale=…)."
        )
    return X

"""scikit-learn estimators of matrix completion. Importing this module imports scikit-learn."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        'LowRankCompletion needs scikit-learn 1.6 or newer: pip install "regiht[sklearn]"'
    ) from error

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, InvalidArgumentError
from regiht.lowrank._names import Names
from regiht.lowrank._observations import (
    Effects,
    Observations,
    alternate_in_rows,
    fit_effects,
    from_triple,
    of_sparse,
    with_weights,
)
from regiht.lowrank._prior import RowPrior, fit_prior
from regiht.lowrank._products import dot, times
from regiht.lowrank._recommending import Recommending, SeenColumns
from regiht.lowrank._result import LowRankResult
from regiht.lowrank._solve import solve
from regiht.lowrank.objectives import Completion


class LowRankCompletion(Recommending, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Complete a matrix from some of its entries by one of low rank.

    The model of entry (i, j) is mean + row effect i + column effect j + ⟨uᵢ, vⱼ⟩. The effects are
    means, shrunk as if one more entry had been zero; they are fitted first and then fixed. New rows
    get the effect and the coordinates expected from their entries, given how those of the fitted
    rows are distributed: few entries are trusted little.

    Parameters
    ----------
    rank : int
        The rank of the part ⟨uᵢ, vⱼ⟩; cut to the smaller side of the matrix.
    ridge : float
        Weight of half the squared Frobenius norm of that part: it shrinks the predictions for rows
        and columns with few entries.
    factor_penalty, scale_penalty
        λ of alternating least squares, and whether it is multiplied by the numbers of entries; see
        `Completion`.
    unseen_weight : float
        Weight of entries not given, which count as zero (implicit feedback). Needs
        ``center=False``.
    center : bool
        Fit the mean and the effects first; otherwise they are zero.
    method, max_iter, tol, refine, n_threads
        As for `regiht.lowrank.solve`.
    shape : (int, int), optional
        Shape of the matrix, if X is a tuple of numbers; by default given by the largest positions.
    named : bool
        Rows and columns of a tuple are integers that name them, such as customer numbers, and not
        their positions. Text always counts as names.

    Attributes
    ----------
    components_ : array of shape (rank, cols)
        Vᵀ: orthonormal rows.
    embedding_ : array of shape (rows, rank)
        U · diag(s): the coordinates of the rows of X.
    mean_, row_effects_, column_effects_ : float and arrays
    row_names_, column_names_ : array or None
        Names in the order of rows and columns.
    rank_, n_iter_, n_features_in_ : int
    result_ : LowRankResult

    See Also
    --------
    LowRankCompletionCV : Chooses rank and ridge.
    lowrank.solve : The same without row and column effects, for other objectives too.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht.lowrank import LowRankCompletion
    >>> X = np.outer([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0])
    >>> X[3, 2] = np.nan
    >>> model = LowRankCompletion(rank=1, center=False).fit(X)
    >>> model.predict([[3, 2]]).round(4).tolist()
    [12.0]
    """

    def __init__(
        self,
        rank: int = 2,
        *,
        ridge: float = 0.0,
        factor_penalty: float = 0.0,
        scale_penalty: bool = False,
        unseen_weight: float = 0.0,
        center: bool = True,
        method: str = "best",
        max_iter: int | None = None,
        tol: float = 1e-6,
        refine: int = 50,
        n_threads: int | None = None,
        shape: tuple[int, int] | None = None,
        named: bool = False,
    ) -> None:
        self.rank = rank
        self.ridge = ridge
        self.factor_penalty = factor_penalty
        self.scale_penalty = scale_penalty
        self.unseen_weight = unseen_weight
        self.center = center
        self.method = method
        self.max_iter = max_iter
        self.tol = tol
        self.refine = refine
        self.n_threads = n_threads
        self.shape = shape
        self.named = named

    def fit(self, X: Any, y: object = None, *, weights: ArrayLike | None = None) -> Self:
        """Fit to the entries of X.

        Parameters
        ----------
        X : sparse matrix, array, or tuple (rows, cols, values)
            The observed entries: of a sparse matrix the stored ones, including zeros; of an array
            those that are not NaN. Rows and columns of a tuple are positions, or names.
        y : ignored
        weights : array, optional
            Weights of the entries, in the order of a tuple or in the shape of X.
        """
        del y
        seen = with_weights(self._observations(X, fitting=True), weights)
        if self.unseen_weight and self.center:
            raise InvalidArgumentError("with unseen_weight, center must be False.")
        effects = fit_effects(seen) if self.center else Effects.none(seen.shape)
        found = self._solve(seen, effects)
        self.result_ = found
        self.rank_ = found.rank
        self.n_iter_ = max(found.n_iter, 1)
        self.components_ = found.V.T
        self.embedding_ = found.U * found.s
        self.mean_ = effects.mean
        self.row_effects_ = effects.rows
        self.column_effects_ = effects.cols
        self._seen = SeenColumns.of(seen)
        self._prior = self._fit_prior(seen)
        self._column_prior = self._fit_column_prior(seen)
        return self

    def predict(self, pairs: ArrayLike) -> FloatArray:
        """Predict the entries at (row, column) pairs, an array of shape (k, 2) of numbers or names.

        An unknown row counts as one without entries. For an unknown column the prediction is the
        mean plus the effect of the row.
        """
        check_is_fitted(self)
        where = np.asarray(pairs)
        if where.ndim != 2 or where.shape[1] != 2:
            raise InvalidArgumentError(
                f"pairs must have two columns, row and column numbers; got shape {where.shape}."
            )
        if self.row_names_ is None:
            return self._guess(check.check_entries(where[:, 0], where[:, 1], self._shape()))
        return self._guess_named(
            Names(self.row_names_).numbers(where[:, 0]),
            Names(np.asarray(self.column_names_)).numbers(where[:, 1]),
        )

    def _shape(self) -> tuple[int, int]:
        return len(self.embedding_), self.components_.shape[1]

    def _guess(self, at: check.Entries | Observations) -> FloatArray:
        low_rank = np.einsum("ij,ij->i", self.embedding_[at.rows], self.components_.T[at.cols])
        return np.asarray(
            low_rank + self.mean_ + self.row_effects_[at.rows] + self.column_effects_[at.cols]
        )

    def transform(self, X: Any) -> FloatArray:
        """Return the coordinates of rows, new or old, expected from their entries.

        With ``center`` the first column is the effect of the row. Column factors stay fixed.
        """
        check_is_fitted(self)
        return self._fold_in(self._observations(X, fitting=False))

    def inverse_transform(self, Z: ArrayLike) -> FloatArray:
        """Return rows from their coordinates by `transform`."""
        check_is_fitted(self)
        rows = times(np.asarray(Z, dtype=np.float64), np.ascontiguousarray(self._basis().T))
        return np.asarray(rows + self.column_effects_ + self.mean_)

    def complete(self, X: Any) -> FloatArray:
        """Return the rows of X, new or old, with predictions where nothing was observed."""
        check_is_fitted(self)
        seen = self._observations(X, fitting=False)
        rows = self.inverse_transform(self._fold_in(seen))
        rows[seen.rows, seen.cols] = seen.values
        return rows

    def _basis(self) -> FloatArray:
        """Return for each column what the coordinates of a row are multiplied by."""
        if not self.center:
            return np.ascontiguousarray(self.components_.T)
        return np.column_stack([np.ones(self.components_.shape[1]), self.components_.T])

    def _fold_in(self, seen: Observations) -> FloatArray:
        return self._prior.fold_in(self._without_column_effects(seen), self._basis())

    def _without_column_effects(self, seen: Observations) -> Observations:
        rest = seen.values - self.mean_ - self.column_effects_[seen.cols]
        return Observations(seen.rows, seen.cols, rest, seen.shape, seen.weights)

    def _fit_prior(self, seen: Observations) -> RowPrior:
        if self.unseen_weight:
            held = (self._ridge() + self.unseen_weight) * np.eye(self.rank_)
            held += self._factor_penalty() * np.eye(self.rank_)
            return RowPrior(np.zeros(self.rank_), held)
        rows = [self.row_effects_[:, None]] if self.center else []
        coordinates = np.hstack([*rows, self.embedding_])
        return fit_prior(self._without_column_effects(seen), self._basis(), coordinates)

    def _fit_column_prior(self, seen: Observations) -> RowPrior:
        """Likewise for columns, the rows of the transposed matrix."""
        if self.unseen_weight:
            s = self.result_.s
            held = (self._ridge() + self.unseen_weight) * s**2 + self._factor_penalty() * s
            return RowPrior(np.zeros(self.rank_), np.diag(held))
        rest = seen.values - self.mean_ - self.row_effects_[seen.rows]
        turned = Observations(seen.cols, seen.rows, rest, seen.shape[::-1], seen.weights)
        cols = [self.column_effects_[:, None]] if self.center else []
        return fit_prior(turned, self._row_basis(), np.hstack([*cols, self.components_.T]))

    def _ridge(self) -> float:
        return float(self.ridge)

    def _factor_penalty(self) -> float:
        return float(self.factor_penalty)

    def score(self, X: Any, y: object = None) -> float:
        """Return R² of the predictions for entries, given as for `fit`.

        With as many rows as were fitted, these are entries of the fitted matrix; with another
        number, as in scikit-learn's searches, they are new rows: see `score_rows`.
        """
        del y
        check_is_fitted(self)
        seen = self._observations(X, fitting=False)
        if seen.shape != self._shape():
            return self._score_rows(seen)
        return _r_squared(seen.values, self._guess(seen))

    def score_rows(self, X: Any) -> float:
        """Return R² of entries of any rows, each predicted from other entries of its row.

        The entries of a row are dealt into two halves in turn, and each half is predicted from the
        effect and coordinates expected from the other half.
        """
        check_is_fitted(self)
        return self._score_rows(self._observations(X, fitting=False))

    def _score_rows(self, seen: Observations) -> float:
        guess = np.empty_like(seen.values)
        half, basis = alternate_in_rows(seen), self._basis()
        for judged in (half, ~half):
            coordinates = self._fold_in(seen.part(~judged))
            at = seen.part(judged)
            row_part = np.einsum("ij,ij->i", coordinates[at.rows], basis[at.cols])
            guess[judged] = row_part + self.mean_ + self.column_effects_[at.cols]
        return _r_squared(seen.values, guess)

    def _solve(self, seen: Observations, effects: Effects) -> LowRankResult:
        objective = self._objective(seen, effects, self.ridge)
        rank = min(self.rank, *objective.shape)
        return solve(objective, rank, **self._options())

    def _objective(self, seen: Observations, effects: Effects, ridge: float) -> Completion:
        return Completion(
            seen.rows, seen.cols, seen.values - effects.at(seen), seen.shape, ridge=ridge,
            weights=seen.weights, factor_penalty=self.factor_penalty,
            scale_penalty=self.scale_penalty, unseen_weight=self.unseen_weight,
        )  # fmt: skip

    def _options(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "max_iter": self.max_iter,
            "tol": self.tol,
            "refine": self.refine,
            "n_threads": self.n_threads,
        }

    def _observations(self, X: Any, *, fitting: bool) -> Observations:
        if isinstance(X, tuple):
            return self._of_tuple(X, fitting=fitting)
        checked = validate_data(
            self, X, reset=fitting, accept_sparse="coo", dtype=np.float64,
            ensure_all_finite="allow-nan",
        )  # fmt: skip
        if fitting:
            self.row_names_ = self.column_names_ = None
        return of_sparse(checked) if hasattr(checked, "tocoo") else Observations.of_array(checked)

    def _of_tuple(self, X: tuple[Any, ...], *, fitting: bool) -> Observations:
        if fitting:
            X, self.row_names_, self.column_names_ = self._numbered(X)
        elif self.row_names_ is not None:
            X = self._renumbered(X)
        seen = from_triple(X, self.shape if fitting else self._shape())
        if fitting:
            self.n_features_in_ = seen.shape[1]
        return seen

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def _r_squared(values: FloatArray, guess: FloatArray) -> float:
    error, spread = values - guess, values - values.mean()
    return 1.0 - dot(error, error) / max(dot(spread, spread), 1e-300)

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

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, InvalidArgumentError
from regiht.lowrank._observations import (
    Effects,
    Observations,
    alternate_in_rows,
    fit_effects,
    from_triple,
    of_sparse,
)
from regiht.lowrank._result import LowRankResult
from regiht.lowrank._solve import solve
from regiht.lowrank.objectives import Completion


class LowRankCompletion(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Fill in a matrix from some of its entries by one of low rank.

    The model of entry (i, j) is mean + row effect i + column effect j + ⟨uᵢ, vⱼ⟩. The effects are
    fitted first and stay; what they miss of themselves is left to the other part, and takes up to
    two of its ranks.

    Parameters
    ----------
    rank : int
        The rank of the part ⟨uᵢ, vⱼ⟩; cut to the smaller side of the matrix.
    ridge : float
        Weight of half the squared Frobenius norm of that part: it holds back the guesses for rows
        and columns with few entries.
    center : bool
        Fit the mean and the effects first; otherwise they are zero.
    method, max_iter, tol, refine, n_threads
        As for `regiht.lowrank.solve`.
    shape : (int, int), optional
        Of the matrix, if X is a tuple; by default what the largest positions say.

    Attributes
    ----------
    components_ : array of shape (rank, cols)
        Vᵀ: orthonormal rows.
    embedding_ : array of shape (rows, rank)
        U · diag(s): the coordinates of the rows of X.
    mean_, row_effects_, column_effects_ : float and arrays
    rank_, n_iter_, n_features_in_ : int
    result_ : LowRankResult

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
        center: bool = True,
        method: str = "best",
        max_iter: int | None = None,
        tol: float = 1e-6,
        refine: int = 50,
        n_threads: int | None = None,
        shape: tuple[int, int] | None = None,
    ) -> None:
        self.rank = rank
        self.ridge = ridge
        self.center = center
        self.method = method
        self.max_iter = max_iter
        self.tol = tol
        self.refine = refine
        self.n_threads = n_threads
        self.shape = shape

    def fit(self, X: Any, y: object = None) -> Self:
        """Fit to the entries of X.

        Parameters
        ----------
        X : sparse matrix, array, or tuple (rows, cols, values)
            Of a sparse matrix the stored entries are observed, zeros among them; of an array those
            that are not NaN.
        y : ignored
        """
        del y
        seen = self._observations(X, fitting=True)
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
        return self

    def predict(self, pairs: ArrayLike) -> FloatArray:
        """Guess the entries at (row, column) pairs, an integer array of shape (k, 2)."""
        check_is_fitted(self)
        where = np.asarray(pairs)
        if where.ndim != 2 or where.shape[1] != 2:
            raise InvalidArgumentError(
                f"pairs must have two columns, row and column numbers; got shape {where.shape}."
            )
        return self._guess(check.check_entries(where[:, 0], where[:, 1], self.result_.shape))

    def _guess(self, at: check.Entries | Observations) -> FloatArray:
        low_rank = np.einsum("ij,ij->i", self.embedding_[at.rows], self.components_.T[at.cols])
        return np.asarray(
            low_rank + self.mean_ + self.row_effects_[at.rows] + self.column_effects_[at.cols]
        )

    def transform(self, X: Any) -> FloatArray:
        """Coordinates of rows, new or old, from their observed entries.

        Each row's effect and coordinates are those that fit its entries best, with columns as they
        were learnt.
        """
        check_is_fitted(self)
        return self._fold_in(self._observations(X, fitting=False))[1]

    def _fold_in(self, seen: Observations) -> tuple[Effects, FloatArray]:
        """Return the effects, and the coordinates of the rows, while columns stay as learnt."""
        effects = Effects(self.mean_, np.zeros(seen.shape[0]), self.column_effects_)
        if self.center:
            effects = effects.with_rows_fitted(seen)
        entries = _core.ObservedEntries(*seen.shape, seen.rows, seen.cols)
        residual = seen.values - effects.at(seen)
        coordinates = entries.alternating_step(
            True,
            _core.EntryLoss(False, residual[entries.order]),
            np.ascontiguousarray(self.components_.T),
            np.zeros((seen.shape[0], self.rank_)),
            self._ridge() * np.eye(self.rank_),
            0.0,
            1e-11,
        )
        return effects, coordinates

    def _ridge(self) -> float:
        return float(self.ridge)

    def inverse_transform(self, Z: ArrayLike) -> FloatArray:
        """Rows from their coordinates: mean + column effects + Z · components."""
        check_is_fitted(self)
        return np.asarray(Z) @ self.components_ + self.column_effects_ + self.mean_

    def score(self, X: Any, y: object = None) -> float:
        """R² of the guesses for entries, given as for `fit`.

        With as many rows as were fitted, these are entries of the matrix that was fitted; with
        another number, as in scikit-learn's searches, rows of their own: see `score_rows`.
        """
        del y
        check_is_fitted(self)
        seen = self._observations(X, fitting=False)
        if seen.shape != self.result_.shape:
            return self._score_rows(seen)
        return _r_squared(seen.values, self._guess(seen))

    def score_rows(self, X: Any) -> float:
        """R² of entries of any rows, each guessed from other entries of its row.

        The entries of a row are dealt into two halves by turns, and each half is guessed from the
        row's effect and coordinates that fit the other.
        """
        check_is_fitted(self)
        return self._score_rows(self._observations(X, fitting=False))

    def _score_rows(self, seen: Observations) -> float:
        guess = np.empty_like(seen.values)
        half = alternate_in_rows(seen)
        for judged in (half, ~half):
            effects, coordinates = self._fold_in(seen.part(~judged))
            at = seen.part(judged)
            low_rank = np.einsum("ij,ij->i", coordinates[at.rows], self.components_.T[at.cols])
            guess[judged] = low_rank + effects.at(at)
        return _r_squared(seen.values, guess)

    def _solve(self, seen: Observations, effects: Effects) -> LowRankResult:
        objective = self._objective(seen, effects, self.ridge)
        rank = min(self.rank, *objective.shape)
        return solve(objective, rank, **self._options())

    def _objective(self, seen: Observations, effects: Effects, ridge: float) -> Completion:
        return Completion(
            seen.rows, seen.cols, seen.values - effects.at(seen), seen.shape, ridge=ridge
        )

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
            shape = self.shape if fitting else self.result_.shape
            seen = from_triple(X, shape)
            if fitting:
                self.n_features_in_ = seen.shape[1]
            return seen
        checked = validate_data(
            self, X, reset=fitting, accept_sparse="coo", dtype=np.float64,
            ensure_all_finite="allow-nan",
        )  # fmt: skip
        return of_sparse(checked) if hasattr(checked, "tocoo") else Observations.of_array(checked)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def _r_squared(values: FloatArray, guess: FloatArray) -> float:
    error, spread = values - guess, values - values.mean()
    return 1.0 - float(error @ error) / max(float(spread @ spread), 1e-300)

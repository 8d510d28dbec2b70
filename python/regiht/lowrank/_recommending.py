"""What recommenders need of a fitted completion: names, new rows, lists, files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError
from regiht.lowrank import _model_file
from regiht.lowrank._names import NameArray, Names, is_named
from regiht.lowrank._observations import Observations, from_triple, of_sparse
from regiht.lowrank._prior import RowPrior
from regiht.lowrank._products import times


@dataclass(frozen=True, slots=True)
class SeenColumns:
    """Columns in which each row has an entry, row after row."""

    starts: IndexArray
    columns: IndexArray

    @staticmethod
    def of(seen: Observations) -> SeenColumns:
        """Return those of some observations."""
        return SeenColumns._listed(seen.rows, seen.cols, seen.shape[0])

    @staticmethod
    def _listed(rows: IndexArray, cols: IndexArray, count: int) -> SeenColumns:
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))])
        order = np.argsort(rows, kind="stable")
        return SeenColumns(starts, cols[order].astype(np.int64, copy=False))

    def row(self, number: int) -> IndexArray:
        """Return the columns of one row."""
        return self.columns[self.starts[number] : self.starts[number + 1]]

    def extended(self, more: SeenColumns) -> SeenColumns:
        """Return these rows and then others."""
        return SeenColumns(
            np.concatenate([self.starts, self.starts[-1] + more.starts[1:]]),
            np.concatenate([self.columns, more.columns]),
        )

    def widened(self, more: Observations, first: int) -> SeenColumns:
        """Return the same rows with entries in more columns, of which the first has this number."""
        count = self.starts.size - 1
        rows = np.repeat(np.arange(count), np.diff(self.starts))
        return SeenColumns._listed(
            np.concatenate([rows, more.rows]),
            np.concatenate([self.columns, more.cols + np.int64(first)]),
            count,
        )


class Recommending:
    """Methods of `LowRankCompletion` beyond those of a scikit-learn estimator."""

    embedding_: FloatArray
    components_: FloatArray
    row_effects_: FloatArray
    column_effects_: FloatArray
    mean_: float
    center: bool
    named: bool
    row_names_: NameArray | None
    column_names_: NameArray | None
    n_features_in_: int
    _seen: SeenColumns
    _column_prior: RowPrior

    def recommend(
        self, row: Any, k: int = 10, *, exclude_seen: bool = True
    ) -> tuple[NameArray, FloatArray]:
        """Return the k columns with the highest predictions for a row, and the predictions.

        Columns in which the row has an entry are left out unless ``exclude_seen`` is False. Rows
        and columns are numbers, or names if the model was fitted with names.
        """
        number = _number("row", row, self.row_names_, len(self.embedding_))
        scores = times(self.embedding_[number : number + 1], self.components_)[0]
        scores += self.mean_ + self.row_effects_[number] + self.column_effects_
        allowed = np.ones(scores.size, dtype=np.bool_)
        if check.check_flag("exclude_seen", exclude_seen):
            allowed[self._seen.row(number)] = False
        return self._leading_columns(scores, np.flatnonzero(allowed), k)

    def similar(self, column: Any, k: int = 10) -> tuple[NameArray, FloatArray]:
        """Return the k columns most similar to a given one, and the cosines of the angles to it.

        Only the low-rank parts of the columns are compared, without effects.
        """
        number = _number("column", column, self.column_names_, self.components_.shape[1])
        scale = np.sqrt(np.sum(self.embedding_**2, axis=0))
        vectors = self.components_.T * scale
        lengths = np.maximum(np.sqrt(np.sum(vectors**2, axis=1)), 1e-300)
        vectors /= lengths[:, None]
        cosines = times(vectors, vectors[number][:, None])[:, 0]
        others = np.flatnonzero(np.arange(cosines.size) != number)
        return self._leading_columns(cosines, others, k)

    def _leading_columns(
        self, scores: FloatArray, allowed: IndexArray, k: int
    ) -> tuple[NameArray, FloatArray]:
        count = min(check.check_integer("k", k, 1), allowed.size)
        best = allowed[np.argsort(-scores[allowed], kind="stable")[:count]]
        names = best if self.column_names_ is None else self.column_names_[best]
        return names, scores[best]

    def partial_fit(self, X: Any, y: object = None) -> Self:
        """Add rows; the columns stay fixed. The first call fits.

        X is as for `fit`. Rows of a tuple are numbered from 0, or have new names; entries in
        unknown columns are ignored.
        """
        if not hasattr(self, "embedding_"):
            return self.fit(X, y)  # type: ignore[attr-defined, no-any-return]
        names = None
        if self.row_names_ is not None:
            X, names = self._with_new_names(X, "row")
        if isinstance(X, tuple):
            rows = int(np.max(X[0], initial=-1)) + 1 if names is None else names.size
            seen = from_triple(X, (rows, self.components_.shape[1]))
        else:
            seen = self._observations(X, fitting=False)  # type: ignore[attr-defined]
        coordinates = self._fold_in(seen)  # type: ignore[attr-defined]
        effects = coordinates[:, 0] if self.center else np.zeros(len(coordinates))
        self.embedding_ = np.vstack([self.embedding_, coordinates[:, 1 if self.center else 0 :]])
        self.row_effects_ = np.concatenate([self.row_effects_, effects])
        self._seen = self._seen.extended(SeenColumns.of(seen))
        if names is not None:
            self.row_names_ = np.concatenate([self.row_names_, names])
        return self

    def partial_fit_columns(self, X: Any) -> Self:
        """Add columns to a fitted model; the rows stay fixed.

        X is a tuple (rows, cols, values), or a matrix as for `fit` that has all rows. Columns of a
        tuple are numbered from 0, or have new names; entries in unknown rows are ignored. A new
        column gets the effect and the coordinates expected from its entries, given how those of
        the fitted columns are distributed.
        """
        check_is_fitted(self)
        seen, names = self._new_columns(X)
        rest = seen.values - self.mean_ - self.row_effects_[seen.rows]
        turned = Observations(seen.cols, seen.rows, rest, seen.shape[::-1])
        coordinates = self._column_prior.fold_in(turned, self._row_basis())
        effects = coordinates[:, 0] if self.center else np.zeros(len(coordinates))
        self._seen = self._seen.widened(seen, self.column_effects_.size)
        self.column_effects_ = np.concatenate([self.column_effects_, effects])
        added = coordinates[:, 1 if self.center else 0 :]
        self.components_ = np.hstack([self.components_, added.T])
        self.n_features_in_ = self.column_effects_.size
        if names is not None:
            self.column_names_ = np.concatenate([self.column_names_, names])
        return self

    def _new_columns(self, X: Any) -> tuple[Observations, NameArray | None]:
        """Return entries in new columns, numbered from 0, and the names of these."""
        rows = len(self.embedding_)
        if hasattr(self, "feature_names_in_"):
            raise InvalidArgumentError("the columns were named by a data frame; fit anew.")
        if self.row_names_ is not None:
            X, names = self._with_new_names(X, "column")
            return from_triple(X, (rows, names.size)), names
        if isinstance(X, tuple):
            return from_triple(X, (rows, int(np.max(X[1], initial=-1)) + 1)), None
        seen = of_sparse(X) if check.is_sparse(X) else Observations.of_array(_as_matrix(X))
        if seen.shape[0] != rows:
            raise InvalidArgumentError(f"X must have {rows} rows; got {seen.shape[0]}.")
        check.check_values("X", seen.values, seen.values.size)
        return seen, None

    def _row_basis(self) -> FloatArray:
        """Return for each row what the coordinates of a column are multiplied by."""
        if not self.center:
            return np.ascontiguousarray(self.embedding_)
        return np.column_stack([np.ones(len(self.embedding_)), self.embedding_])

    def save(self, path: str | Path) -> None:
        """Write the fitted model to an npz file, which contains no code; see `load`."""
        _model_file.save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Any:
        """Read a model that `save` wrote; one with cross-validation loads as the model it chose."""
        return _model_file.load(path)

    def _numbered(
        self, X: tuple[Any, ...]
    ) -> tuple[tuple[Any, ...], NameArray | None, NameArray | None]:
        """Return numbers for names, and the names."""
        if len(X) != 3 or not (self.named or is_named(X[0]) or is_named(X[1])):
            return X, None, None
        rows, row_numbers = Names.of(X[0])
        columns, column_numbers = Names.of(X[1])
        return (row_numbers, column_numbers, X[2]), rows.names, columns.names

    def _renumbered(self, X: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return numbers for names that must all be known."""
        if len(X) != 3:
            return X
        numbers = []
        for kind, given, known in zip(
            ("row", "column"), X[:2], (self.row_names_, self.column_names_), strict=True
        ):
            found = Names(np.asarray(known)).numbers(given)
            if (found < 0).any():
                unknown = np.asarray(given)[found < 0][:1].tolist()[0]
                raise InvalidArgumentError(f"{kind} {unknown!r} is not known.")
            numbers.append(found)
        return (*numbers, X[2])

    def _with_new_names(self, X: Any, kind: str) -> tuple[tuple[Any, ...], NameArray]:
        """Return numbers for new names of rows or of columns, and these names.

        Entries are left out whose other name is not known.
        """
        if not isinstance(X, tuple) or len(X) != 3:
            raise InvalidArgumentError("X must be a tuple with names, as the model was fitted.")
        side = ("row", "column").index(kind)
        known = [Names(np.asarray(names)) for names in (self.row_names_, self.column_names_)]
        new, numbers = Names.of(X[side])
        old = known[side].numbers(new.names) >= 0
        if old.any():
            raise InvalidArgumentError(
                f"{kind} {new.names[old][0].item()!r} is known already; fit anew."
            )
        others = known[1 - side].numbers(X[1 - side])
        kept = others >= 0
        both = (numbers[kept], others[kept])
        return (*(both if side == 0 else both[::-1]), np.asarray(X[2])[kept]), new.names

    def _guess_named(self, rows: IndexArray, cols: IndexArray) -> FloatArray:
        """Guesses by numbers, of which −1 stands for what is not known."""
        prior = self._prior.mean  # type: ignore[attr-defined]
        effect = prior[0] if self.center else 0.0
        row_effects = np.append(self.row_effects_, effect)
        embedding = np.vstack([self.embedding_, prior[1 if self.center else 0 :]])
        column_effects = np.append(self.column_effects_, 0.0)
        components = np.vstack([self.components_.T, np.zeros(len(self.components_))])
        low_rank = np.einsum("ij,ij->i", embedding[rows], components[cols])
        return np.asarray(low_rank + self.mean_ + row_effects[rows] + column_effects[cols])


def _as_matrix(X: Any) -> FloatArray:
    array = check.as_real_array("X", X)
    check.check_matrix_shape(array.shape)
    return check.as_plain(array)


def _number(kind: str, given: Any, names: NameArray | None, count: int) -> int:
    """Return the number of a row or column that is given by number or by name."""
    if names is None:
        return check.check_integer(kind, given, 0, count - 1)
    number = int(Names(names).numbers([given])[0])
    if number < 0:
        what_to_do = " New rows come in by partial_fit." if kind == "row" else ""
        raise InvalidArgumentError(
            f"{kind} {given!r} is not known.{what_to_do} See the page “Low rank”."
        )
    return number

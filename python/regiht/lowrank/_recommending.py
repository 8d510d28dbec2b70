"""What recommenders need of a fitted completion: names, new rows, lists, files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray, InvalidArgumentError
from regiht.lowrank import _model_file
from regiht.lowrank._names import NameArray, Names, is_named
from regiht.lowrank._observations import Observations, from_triple
from regiht.lowrank._products import times


@dataclass(frozen=True, slots=True)
class SeenColumns:
    """Columns in which each row has an entry, row after row."""

    starts: IndexArray
    columns: IndexArray

    @staticmethod
    def of(seen: Observations) -> SeenColumns:
        """Return those of some observations."""
        counts = np.bincount(seen.rows, minlength=seen.shape[0])
        order = np.argsort(seen.rows, kind="stable")
        return SeenColumns(np.concatenate([[0], np.cumsum(counts)]), seen.cols[order])

    def row(self, number: int) -> IndexArray:
        """Return the columns of one row."""
        return self.columns[self.starts[number] : self.starts[number + 1]]

    def extended(self, more: SeenColumns) -> SeenColumns:
        """Return these rows and then others."""
        return SeenColumns(
            np.concatenate([self.starts, self.starts[-1] + more.starts[1:]]),
            np.concatenate([self.columns, more.columns]),
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
    _seen: SeenColumns

    def recommend(
        self, row: Any, k: int = 10, *, exclude_seen: bool = True
    ) -> tuple[NameArray, FloatArray]:
        """Return the k columns with the highest guesses for a row, and the guesses.

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
        """Return the k columns most like one, and the cosines of the angles between them.

        Compared are the columns of the low-rank part, without effects.
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
        """Add rows; the columns stay as they were learnt. The first call fits.

        X is as for `fit`. Rows of a tuple are numbered from 0, or have new names; entries in
        columns that are not known are left out.
        """
        if not hasattr(self, "embedding_"):
            return self.fit(X, y)  # type: ignore[attr-defined, no-any-return]
        names = None
        if isinstance(X, tuple) and self.row_names_ is not None:
            X, names = self._with_new_rows(X)
        if isinstance(X, tuple):
            rows = int(np.max(X[0], initial=-1)) + 1 if names is None else names.size
            seen = from_triple(X, (rows, self.components_.shape[1]))
        elif self.row_names_ is not None:
            raise InvalidArgumentError("X must be a tuple with names, as the model was fitted.")
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

    def save(self, path: str | Path) -> None:
        """Write the fitted model to an npz file, which holds no code; see `load`."""
        _model_file.save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Any:
        """Read a model that `save` wrote. One with cross-validation is read as the one it chose."""
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

    def _with_new_rows(self, X: tuple[Any, ...]) -> tuple[tuple[Any, ...], NameArray]:
        """Return numbers for new names of rows, and these names."""
        new, numbers = Names.of(X[0])
        known = Names(np.asarray(self.row_names_)).numbers(new.names) >= 0
        if known.any():
            raise InvalidArgumentError(
                f"row {new.names[known][0].item()!r} is known already; fit anew."
            )
        columns = Names(np.asarray(self.column_names_)).numbers(X[1])
        kept = columns >= 0
        values = np.asarray(X[2])
        return (numbers[kept], columns[kept], values[kept]), new.names

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

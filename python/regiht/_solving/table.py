"""The results of many solves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._data_frame import data_frame
from regiht._inputs import checks as check
from regiht._solving.result import Result
from regiht._solving.results import Results


class SolveTable(Results):
    """The results of many solves: a sequence of `Result`, and a table of them.

    Attributes
    ----------
    table : numpy structured array
        One row for every solve. ``s``, ``step`` and ``weight_step`` are the settings (NaN for
        None, −1 for an adaptive weight step), or ``target`` the column of a batch; ``fun``,
        ``n_nonzero``, ``n_iter``, ``n_gradients``, ``status`` and ``success`` are the outcome.

    See Also
    --------
    solve_grid, solve_batch : Return it.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> grid = regiht.solve_grid(X, 3 * X[:, 4] - 2 * X[:, 17], s=[1, 2], step=[None, 0.005])
    >>> len(grid), grid.coef.shape
    (4, (4, 30))
    >>> grid.best(2).support.tolist()
    [4, 17]
    """

    def __init__(self, asked: dict[str, NDArray[Any]], results: list[Result]) -> None:
        columns = asked | {
            "fun": np.array([r.fun for r in results]),
            "n_nonzero": np.array([r.support.size for r in results]),
            "n_iter": np.array([r.n_iter for r in results]),
            "n_gradients": np.array([r.n_gradients for r in results]),
            "status": np.array([r.status.value for r in results]),
            "success": np.array([r.success for r in results]),
        }
        super().__init__(results)
        self.table: NDArray[Any] = np.empty(
            len(results), dtype=[(name, column.dtype) for name, column in columns.items()]
        )
        for name, column in columns.items():
            self.table[name] = column

    @property
    def coef(self) -> Any:
        """The coefficients of all solves, one row each, as a scipy CSR array."""
        from scipy import sparse  # noqa: PLC0415  (slow to import, seldom needed)

        return sparse.vstack([sparse.csr_array(r.coef[None, :]) for r in self], format="csr")

    def best(self, s: int | None = None) -> Result:
        """Return the solve with the lowest objective, of all or of those with this s."""
        return self._results[self.best_index(s)]

    def best_index(self, s: int | None = None) -> int:
        """Row of the solve with the lowest objective, of all or of those with this s."""
        rows = np.arange(len(self))
        if s is not None:
            asked = self.table["s"] if "s" in (self.table.dtype.names or ()) else rows[:0]
            rows = np.flatnonzero(asked == s)
            if rows.size == 0:
                raise check.InvalidArgumentError(f"s={s!r} is not in the grid.")
        values = self.table["fun"][rows]
        return int(rows[np.argmin(np.where(np.isnan(values), np.inf, values))])

    def best_per_s(self) -> NDArray[Any]:
        """Rows of the table with the lowest objective for each s, in ascending order of s."""
        if "s" not in (self.table.dtype.names or ()):
            raise check.InvalidArgumentError("best_per_s needs a grid; a batch has only one s.")
        return self.table[[self.best_index(int(s)) for s in np.unique(self.table["s"])]]

    def to_pandas(self) -> Any:
        """Return the table as a pandas DataFrame."""
        return data_frame({name: self.table[name] for name in self.table.dtype.names or ()})

    def __repr__(self) -> str:
        return f"<SolveTable of {len(self)} solves, best fun = {self.best().fun:.6g}>"

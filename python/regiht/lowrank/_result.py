"""What a low-rank solve returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht._solving.result import Status
from regiht.lowrank._products import outer
from regiht.lowrank._weights import Regularizer


@dataclass(frozen=True, slots=True, eq=False)
class LowRankResult:
    """The matrix of low rank that a solve found.

    Attributes
    ----------
    U, s, V : arrays of shape (rows, rank), (rank,), (cols, rank)
        The matrix is U · diag(s) · Vᵀ; U and V have orthonormal columns, s falls. The signs of
        singular vectors are arbitrary.
    fun : float
        f at the matrix, without adaptive weights.
    weights : Regularizer or None
        The adaptive weights when the run ended: ``W`` and ``Y``, each with ``matrix()``,
        ``removed_trace`` and ``times(X)``; None for a method without them. Of ``"best"``, those of
        the run that ended at the matrix.
    n_iter : int
        Number of iterations; with a bisection, in all its runs.
    status : Status
        Why the solver stopped.
    message : str
        The same in a sentence.
    history : dict of arrays, or None
        With ``history=True`` one entry for every iteration: ``fun``, ``regularized_fun``,
        ``method`` (of ``"best"``, the one that was running), ``branch`` (what was done), ``rank``,
        ``target`` and ``elapsed`` (seconds).

    See Also
    --------
    solve : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> result = lowrank.solve(lowrank.FullObservation(np.diag([3.0, 2.0, 1.0])), rank=2)
    >>> result.rank, result.shape, result.success
    (2, (3, 3), True)
    """

    U: FloatArray
    s: FloatArray
    V: FloatArray
    fun: float
    weights: Regularizer | None
    n_iter: int
    status: Status
    message: str
    history: dict[str, Any] | None = field(default=None, repr=False)

    @property
    def rank(self) -> int:
        """Number of singular values, at most the rank asked for."""
        return self.s.size

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the matrix."""
        return self.U.shape[0], self.V.shape[0]

    @property
    def success(self) -> bool:
        """Whether the run ended as it should: not cut short, not diverged."""
        return self.status.success

    def matrix(self) -> FloatArray:
        """Return the matrix as a dense array."""
        return outer(self.U * self.s, self.V)

    def predict(self, rows: ArrayLike, cols: ArrayLike) -> FloatArray:
        """Entries of the matrix, without forming it."""
        where = check.check_entries(rows, cols, self.shape)
        entries = np.einsum("ij,ij->i", (self.U * self.s)[where.rows], self.V[where.cols])
        return np.asarray(entries)

    def plot(self, ax: Any = None) -> Any:
        """Plot the objective over the iterations; needs ``history=True`` and matplotlib."""
        from regiht.plotting import plot_convergence  # noqa: PLC0415  (matplotlib is optional)

        return plot_convergence({"objective": self}, ax=ax)

    def __repr__(self) -> str:
        return (
            f"LowRankResult(fun={self.fun:.6g}, rank={self.rank}, shape={self.shape}, "
            f"n_iter={self.n_iter}, status={self.status.value!r})"
        )

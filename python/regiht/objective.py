"""The interface of objectives for `regiht.minimize`.

`Objective` has the required methods; `CompleteObjective` adds those that make searches fast. An
objective may offer any of these; the others are computed from its gradients. `offered` lists what
was found.
"""

from __future__ import annotations

from typing import Protocol

from numpy.typing import ArrayLike

from regiht._inputs.checks import FloatArray, IndexArray, offered

__all__ = ["CompleteObjective", "Objective", "offered"]


class Objective(Protocol):
    """A convex function of n variables.

    Every x is a float64 array of shape (n,) that the method may keep and change. All methods are
    called one at a time on the thread that called `regiht.minimize`; their exceptions pass through.
    Return values are checked: a wrong shape or type raises `regiht.InvalidArgumentError` with the
    name of the method. A value or an entry that is not finite ends the step, not the program.

    See Also
    --------
    minimize : Minimises such a function.
    lowrank.LowRankObjective : Functions of matrices.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> class Distance:
    ...     def value(self, x):
    ...         return 0.5 * np.sum((x - np.arange(5)) ** 2)
    ...
    ...     def gradient(self, x):
    ...         return x - np.arange(5)
    >>> regiht.minimize(Distance(), n=5, s=2).support.tolist()
    [3, 4]
    """

    def value(self, x: FloatArray, /) -> float:
        """Return f(x)."""
        ...

    def gradient(self, x: FloatArray, /) -> ArrayLike:
        """Return ∇f(x), of shape (n,)."""
        ...


class CompleteObjective(Objective, Protocol):
    """A convex function with all optional methods.

    ``support``, ``rows`` and ``columns`` are int64 arrays of distinct numbers from 0 to n − 1 in
    ascending order; like x, the method may keep and change them.
    """

    @property
    def is_quadratic(self) -> bool:
        """Whether second derivatives are constant, so that searches may reuse them."""
        ...

    def value_and_gradient(self, x: FloatArray, /) -> tuple[float, ArrayLike]:
        """Return f(x) and ∇f(x), where both will be wanted and share work."""
        ...

    def gradient_at(self, x: FloatArray, columns: IndexArray, /) -> ArrayLike:
        """Return ∂f/∂xⱼ for j in columns, where few are wanted: refits ask for nothing else."""
        ...

    def gradient_reaching(
        self, x: FloatArray, support: IndexArray, magnitude: float, /
    ) -> tuple[ArrayLike, ArrayLike]:
        """Return every column outside the support with |∂f/∂xⱼ| ≥ magnitude, and ∂f/∂xⱼ there.

        It may list others too. For objectives that need not compute the whole gradient for this.
        """
        ...

    def largest_off_support(
        self, x: FloatArray, support: IndexArray, count: int, /
    ) -> tuple[ArrayLike, ArrayLike]:
        """Return columns outside the support and ∂f/∂xⱼ there, the ``count`` largest among them."""
        ...

    def second_derivatives(
        self, x: FloatArray, rows: IndexArray, columns: IndexArray, /
    ) -> ArrayLike:
        """Return ∂²f/∂xᵢ∂xⱼ for i in rows and j in columns, of shape (rows, columns)."""
        ...

    def curvatures(self, x: FloatArray, columns: IndexArray, /) -> ArrayLike:
        """Return ∂²f/∂xⱼ² for j in columns."""
        ...

    def approximate_curvatures(self, x: FloatArray, /) -> ArrayLike:
        """Return roughly ∂²f/∂xⱼ² for every j, of shape (n,), to rank columns of unequal size."""
        ...

    def intercept(self, x: FloatArray, /) -> float:
        """Return the intercept that f has chosen at x: it becomes that of the result."""
        ...

    def work(self) -> float:
        """Return the multiply-adds spent so far, or other work of about the same cost.

        It must depend on the calls alone: ``"best"`` uses it to decide what it can afford.
        """
        ...

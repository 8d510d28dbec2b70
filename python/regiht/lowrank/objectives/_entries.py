"""Numbers or signs at some entries of a matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from regiht._inputs import checks as check
from regiht._inputs.checks import InvalidArgumentError
from regiht.lowrank.objectives._observed import Observed, ObservedObjective


class Completion(ObservedObjective):
    """½ Σ (A[rows, cols] − values)² over the observed entries + (ridge/2)‖A‖².

    Parameters
    ----------
    rows, cols : arrays of int
        Where the entries stand. An entry may be observed several times; each counts.
    values : array
        Float32 numbers are not copied to float64; others become float64.
    shape : (int, int)
    weights : array, optional
        Of the observations: ½ Σ weights·(A[rows, cols] − values)². Not negative, not all zero.
    ridge : float
    factor_penalty : float
        λ of alternating least squares: adds (λ/2)(‖L‖² + ‖R‖²), minimised over all factors of
        A = L·Rᵀ, which is λ times the sum of the singular values of A. Only sweeps can handle it,
        so only ``"best"``, ``"regularized-iht"`` and ``"alternating"`` accept it.
    scale_penalty : bool
        Multiply the penalty of each row of a factor by the number of its observations.
    unseen_weight : float
        Weight of all entries that are not listed, whose value counts as zero (implicit feedback).
        The weights of the others must be above it. These entries are never enumerated.

    See Also
    --------
    solve : Minimises it.
    Weighted : All entries, some of which count more.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> M = np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 2.0])
    >>> rows, cols = np.nonzero(np.arange(9).reshape(3, 3) != 8)  # all but the last
    >>> known = lowrank.Completion(rows, cols, M[rows, cols], M.shape)
    >>> float(lowrank.solve(known, rank=1).predict([2], [2])[0].round(4))
    6.0
    """

    _is_logistic = False

    def __init__(
        self,
        rows: ArrayLike,
        cols: ArrayLike,
        values: ArrayLike,
        shape: tuple[int, int],
        *,
        weights: ArrayLike | None = None,
        ridge: float = 0.0,
        factor_penalty: float = 0.0,
        scale_penalty: bool = False,
        unseen_weight: float = 0.0,
    ) -> None:
        where = check.check_entries(rows, cols, shape)
        size = where.rows.size
        given = Observed(
            where,
            check.check_entry_values(values, size),
            None if weights is None else check.check_observation_weights(weights, size),
            check.check_real("ridge", ridge, least=0.0),
            check.check_real("factor_penalty", factor_penalty, least=0.0),
            check.check_flag("scale_penalty", scale_penalty),
            check.check_real("unseen_weight", unseen_weight, least=0.0),
        )
        least = 1.0 if given.weights is None else float(given.weights.min(initial=np.inf))
        if given.unseen_weight > 0.0 and not least > given.unseen_weight:
            raise InvalidArgumentError(
                f"weights must be above unseen_weight, {given.unseen_weight:g}; one is {least:g}."
            )
        super().__init__(given)
        if given.unseen_weight > 0.0 and self._entries.most_repeats > 1:
            raise InvalidArgumentError("with unseen_weight no entry may be given twice.")


class OneBit(ObservedObjective):
    """Σ log(1 + exp(−signs · A[rows, cols])) over the observed entries + (ridge/2)‖A‖².

    Parameters
    ----------
    rows, cols : arrays of int
        Where the entries stand. An entry may be observed several times; each counts.
    signs : array of −1 and 1, or of booleans
    shape : (int, int)
    ridge : float
        Without it there may be no minimum: a matrix that has all signs right improves for ever.

    See Also
    --------
    solve : Minimises it.
    Completion : For entries that are numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import lowrank
    >>> rng = np.random.default_rng(0)
    >>> M = np.outer(rng.normal(size=30), rng.normal(size=20))
    >>> rows, cols = np.nonzero(rng.random(M.shape) < 0.5)
    >>> likes = lowrank.OneBit(rows, cols, M[rows, cols] > 0, M.shape, ridge=0.1)
    >>> found = lowrank.solve(likes, rank=1)
    >>> bool(np.mean((found.matrix() > 0) == (M > 0)) > 0.9)
    True
    """

    _is_logistic = True

    def __init__(
        self,
        rows: ArrayLike,
        cols: ArrayLike,
        signs: ArrayLike,
        shape: tuple[int, int],
        *,
        ridge: float = 0.0,
    ) -> None:
        where = check.check_entries(rows, cols, shape)
        target = check.check_signs(signs, where.rows.size)
        held = check.check_real("ridge", ridge, least=0.0)
        super().__init__(Observed(where, target, None, held))

"""What a refused argument raises, and the types that checks answer with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.int64]


class InvalidArgumentError(ValueError, TypeError):
    """An argument has a type or a value that is not allowed.

    See Also
    --------
    solve : And all else that takes arguments raises it.

    Notes
    -----
    It is a `ValueError` and a `TypeError`, so that either is caught by those who expect it.

    Examples
    --------
    >>> import regiht
    >>> try:
    ...     regiht.solve([[1.0], [2.0]], [1.0, 2.0], 1, loss="square")
    ... except regiht.InvalidArgumentError as error:
    ...     print("squared" in str(error))
    True
    """

"""What a refused argument raises, and the types that checks answer with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.int64]


class InvalidArgumentError(ValueError, TypeError):
    """An argument has a type or a value that is not allowed."""

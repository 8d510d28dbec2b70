"""Names of rows and columns, and their numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from regiht._inputs.checks import IndexArray, InvalidArgumentError

NameArray = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Names in the order of their numbers."""

    names: NameArray
    _order: IndexArray = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_order", np.argsort(self.names, kind="stable"))

    @staticmethod
    def of(given: Any) -> tuple[Names, IndexArray]:
        """Return the different names, sorted, and the number of each one given."""
        names, numbers = np.unique(as_names(given), return_inverse=True)
        return Names(names), np.asarray(numbers, dtype=np.int64).ravel()

    def numbers(self, given: Any) -> IndexArray:
        """Return the number of each name, −1 for one that is not known."""
        wanted = as_names(given)
        if wanted.dtype.kind != self.names.dtype.kind:
            return np.full(wanted.shape, -1, dtype=np.int64)
        place = np.searchsorted(self.names, wanted, sorter=self._order)
        number = self._order[np.minimum(place, self.names.size - 1)]
        return np.where(self.names[number] == wanted, number, -1)

    def extended(self, more: NameArray) -> Names:
        """Return these names and then others."""
        return Names(np.concatenate([self.names, more]))


def is_named(given: Any) -> bool:
    """Whether these are names rather than numbers."""
    return np.asarray(given).dtype.kind in "USO"


def as_names(given: Any) -> NameArray:
    """Text or integers, as an array of one kind."""
    array = np.asarray(given)
    if array.dtype.kind == "O":
        kinds = {type(name) for name in array.ravel()}
        if kinds <= {str}:
            array = array.astype(np.str_)
        elif kinds <= {int}:
            array = array.astype(np.int64)
    if array.dtype.kind == "u":
        array = array.astype(np.int64)
    if array.dtype.kind not in "Ui":
        raise InvalidArgumentError(
            f"names of rows and columns must all be text or all integers; got {array.dtype}."
        )
    return array

"""Blocks of rows stored somewhere, and what an engine must do with them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from regiht.distributed.communication import Communication, payload
from regiht.distributed.ordered_sum import Combine, add, ordered_sum


class Blocks(ABC):
    """Blocks of rows in a fixed order, wherever they are.

    An engine is a subclass: it says how to compute a function of every block, and how to make new
    blocks from old ones where these are. Functions are defined at the top level of modules, so
    that they can be sent. Their results depend only on the block and the arguments, because a lost
    block may be computed again elsewhere.

    Attributes
    ----------
    communication : Communication
        What was sent and received so far.

    See Also
    --------
    LocalBlocks : The simplest engine.

    Examples
    --------
    >>> import operator
    >>> from regiht.distributed import LocalBlocks
    >>> blocks = LocalBlocks([1, 2, 3]).derive(operator.mul, 10)
    >>> blocks.map(operator.add, 1), blocks.communication.rounds
    ([11, 21, 31], 1)
    """

    def __init__(self, communication: Communication | None = None) -> None:
        self.communication = Communication() if communication is None else communication

    @abstractmethod
    def __len__(self) -> int:
        """The number of blocks."""

    @abstractmethod
    def derive(self, function: Callable[..., Any], *arguments: Any) -> Blocks:
        """Make new blocks ``function(block, *arguments)``, each where the old one is."""

    @abstractmethod
    def select(self, numbers: Sequence[int]) -> Blocks:
        """Take some of the blocks, in this order."""

    @abstractmethod
    def _ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any]:
        """Return ``function(block, *arguments)`` of every block, in order."""

    def _ask_sum(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], combine: Combine
    ) -> Any:
        """Return the ordered sum of the answers; parts of it may be summed where they are."""
        return ordered_sum(self._ask(function, arguments), combine)

    def map(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Call a function on every block in one round; the answers are in the order of blocks."""
        answers = self._ask(function, arguments)
        self.communication.count(len(self), arguments, sum(payload(each) for each in answers))
        return answers

    def sum(self, function: Callable[..., Any], *arguments: Any, combine: Combine = add) -> Any:
        """Call a function on every block in one round, and sum the answers in a fixed tree."""
        total = self._ask_sum(function, arguments, combine)
        self.communication.count(len(self), arguments, len(self) * payload(total))
        return total


class LocalBlocks(Blocks):
    """Blocks in the memory of this process.

    Parameters
    ----------
    blocks : list
        The blocks, of any type that the functions take.
    communication : Communication, optional
        Where rounds and bytes are counted.

    See Also
    --------
    Blocks : The interface of an engine.

    Examples
    --------
    >>> from regiht.distributed import LocalBlocks
    >>> LocalBlocks(["ab", "c"]).map(len)
    [2, 1]
    """

    def __init__(self, blocks: Sequence[Any], communication: Communication | None = None) -> None:
        super().__init__(communication)
        self._blocks = list(blocks)

    def __len__(self) -> int:
        return len(self._blocks)

    def derive(self, function: Callable[..., Any], *arguments: Any) -> LocalBlocks:
        """Make new blocks of these."""
        made = [function(each, *arguments) for each in self._blocks]
        return LocalBlocks(made, self.communication)

    def select(self, numbers: Sequence[int]) -> LocalBlocks:
        """Take some of the blocks."""
        return LocalBlocks([self._blocks[k] for k in numbers], self.communication)

    def _ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any]:
        return [function(each, *arguments) for each in self._blocks]

"""Errors of a cluster that no other argument would have prevented."""

from __future__ import annotations


class LostBlocksError(RuntimeError):
    """Blocks were lost with their workers and cannot be had again, or there is no worker left.

    See Also
    --------
    solve : Raises it.

    Examples
    --------
    >>> from regiht.distributed import LostBlocksError
    >>> issubclass(LostBlocksError, RuntimeError)
    True
    """

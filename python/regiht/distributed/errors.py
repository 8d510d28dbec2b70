"""Errors of a cluster, which do not depend on the arguments."""

from __future__ import annotations


class LostBlocksError(RuntimeError):
    """Blocks were lost with their workers and cannot be read again, or no worker is left.

    See Also
    --------
    solve : Raises it.

    Examples
    --------
    >>> from regiht.distributed import LostBlocksError
    >>> issubclass(LostBlocksError, RuntimeError)
    True
    """

"""What the memory that a conversion may take has room for."""

# Text and chunks on their way, and what the allocator keeps.
_BYTES_BESIDES = 1 << 25

# What an entry takes at most while it is merged, one block being made while the last is written.
_BYTES_IN_A_MERGE = 110


def bytes_of(memory: int, share: float = 1.0) -> float:
    """A share of the memory, in bytes of entries."""
    return share * (memory - _BYTES_BESIDES)


def entries_of(memory: int, share: float = 1.0) -> int:
    """How many entries can be merged at a time in a share of the memory."""
    return int(bytes_of(memory, share)) // _BYTES_IN_A_MERGE

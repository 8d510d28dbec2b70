"""Matrices on disk, larger than memory: written once, solved from memory maps.

`write` makes a directory of plain ``.npy`` arrays from a matrix or from chunks of rows, `convert`
from a file. `regiht.Design.open`, the estimators and the command line accept the directory.
"""

from regiht.dataset._files import convert
from regiht.dataset._open import Dataset
from regiht.dataset._open import open_dataset as open  # noqa: A004  (dataset.open, like gzip.open)
from regiht.dataset._shards import open_shards
from regiht.dataset._write import write

__all__ = ["Dataset", "convert", "open", "open_shards", "write"]

"""Where the data comes from: the user's files, else stand-ins that are called so everywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from regiht import datasets
from regiht.datasets.paper_files import find_rcv1, find_year

SEED = 0


@dataclass(frozen=True)
class Source:
    """Data of one name, not yet read or made.

    `label` names it in titles and tables; `facts` identify it in the JSON.
    """

    label: str
    stand_in: bool
    facts: dict[str, Any]
    load: Callable[[], datasets.Problem]


@dataclass
class Sources:
    """Data sets for the experiments; each is read or made once."""

    data_dir: Path | None = None
    reuters_file: Path | None = None
    _loaded: dict[str, datasets.Problem] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.data_dir is not None and not self.data_dir.is_dir():
            raise NotADirectoryError(f"--data-dir {self.data_dir} is not a folder.")
        if self.reuters_file is not None and not self.reuters_file.is_file():
            raise FileNotFoundError(f"--reuters {self.reuters_file} is not a file.")

    def year(self, rows: int) -> Source:
        """YearPredictionMSD, or a stand-in of so many rows."""
        path = find_year(self.data_dir) if self.data_dir is not None else None
        if path is not None:
            return self._from_file("year", path, datasets.load_year)
        facts = {"generator": "year_like", "rows": rows, "seed": SEED}
        return self._made("year", facts, lambda: datasets.year_like(rows, seed=SEED))

    def rcv1(self, rows: int, cols: int, nonzeros: int) -> Source:
        """rcv1_train.binary, or a stand-in of this size."""
        path = find_rcv1(self.data_dir) if self.data_dir is not None else None
        if path is not None:
            return self._from_file("rcv1", path, datasets.load_rcv1)
        facts = {"generator": "rcv1_like", "rows": rows, "cols": cols, "nonzeros": nonzeros,
                 "seed": SEED}  # fmt: skip
        return self._made(
            "rcv1", facts, lambda: datasets.rcv1_like(rows, cols, nonzeros, seed=SEED)
        )

    def reuters(self) -> Source | None:
        """Real Reuters text, if there is a file of it."""
        path = self.reuters_file
        if path is None:
            return None
        return self._from_file("Reuters text", path, load_labelled_text)

    def _from_file(
        self, label: str, path: Path, load: Callable[[Path], datasets.Problem]
    ) -> Source:
        facts = {"file": path.name, "bytes": path.stat().st_size, "sha256": _sha256(path)}
        return Source(label, False, facts, lambda: self._once(label, lambda: load(path)))

    def _made(
        self, label: str, facts: dict[str, Any], make: Callable[[], datasets.Problem]
    ) -> Source:
        key = repr(facts)
        return Source(f"{label} stand-in", True, facts, lambda: self._once(key, make))

    def _once(self, key: str, load: Callable[[], datasets.Problem]) -> datasets.Problem:
        if key not in self._loaded:
            self._loaded[key] = load()
        return self._loaded[key]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def load_labelled_text(path: Path) -> datasets.Problem:
    """Read documents of two classes: LIBSVM text, or an npz file with the arrays of a CSR matrix.

    The larger label becomes 1 and the smaller 0.
    """
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            parts = (arrays["data"], arrays["indices"], arrays["indptr"])
            X, y = sparse.csr_matrix(parts, shape=tuple(arrays["shape"])), arrays["y"]
    else:
        X, y = datasets.load_libsvm(path)
    labels = np.unique(y)
    if labels.size != 2:
        raise ValueError(f"{path} must have two labels; it has {labels.size}.")
    target = (y == labels[1]).astype(np.float64)
    return datasets.Problem(X, target, "logistic", "text", None, f"Text from {path.name}.")

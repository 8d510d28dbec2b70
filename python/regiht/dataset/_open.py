"""A directory with a matrix, opened: checked, mapped into memory, and not read into it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._inputs.checks import FloatArray, InvalidArgumentError, check_path
from regiht._inputs.checks import stored_matrices as stored
from regiht.dataset._arrays import map_array
from regiht.dataset._verify import verify_once

_LARGEST_HEADER = 1 << 24


@dataclass(frozen=True, eq=False)
class Dataset:
    """A matrix on disk, with its targets and names; all arrays are memory maps.

    Attributes
    ----------
    path : Path
    shape : tuple of int
    dtype : numpy dtype of the values
    n_stored : int
        How many entries are stored.
    matrix : scipy.sparse.csc_array
        The matrix, made of read-only memory maps.
    y : array or None
        The targets; labels if they were labels.
    feature_names : list of str or None
    columns_from : 0, 1 or None
        The number of the first column in the LIBSVM text that it was made from.
    target : str or None
        The name that y had in a table.
    means, norms, centred_norms : array
        Of the columns: means, ℓ₂ norms, and ℓ₂ norms after the means are subtracted.

    See Also
    --------
    open : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import dataset
    >>> dataset.write("four", np.eye(4))
    >>> opened = dataset.open("four")
    >>> opened.shape, opened.n_stored, opened.means.tolist()
    ((4, 4), 4, [0.25, 0.25, 0.25, 0.25])
    """

    path: Path
    header: stored.StoredHeader
    matrix: Any
    y: NDArray[Any] | None
    feature_names: list[str] | None
    means: FloatArray
    norms: FloatArray
    centred_norms: FloatArray

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.header.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return np.dtype(self.header.dtypes[stored.VALUES])

    @property
    def n_stored(self) -> int:
        """The number of stored entries."""
        return self.header.entries

    @property
    def n_bytes(self) -> int:
        """What all files take together."""
        return sum(file.bytes for file in self.header.files.values())

    @property
    def columns_from(self) -> int | None:
        """Where LIBSVM text began to count columns."""
        return self.header.columns_from

    @property
    def target(self) -> str | None:
        """The name of the targets."""
        return self.header.target

    def standardization(self, center: bool, scale: bool) -> tuple[FloatArray, FloatArray]:
        """What to subtract from each column and what to multiply it with."""
        means = np.array(self.means) if center else np.zeros(self.shape[1])
        norms = self.centred_norms if center else self.norms
        if not scale:
            norms = np.where(norms == 0.0, 0.0, 1.0) if center else np.ones(self.shape[1])
        with np.errstate(divide="ignore"):
            factors = np.where(norms == 0.0, 0.0, 1.0 / norms)
        bad = ~np.isfinite(means) | ~np.isfinite(factors) | ((factors == 0.0) & (norms != 0.0))
        if bad.any():
            raise InvalidArgumentError(
                f"X cannot be standardized: column {int(np.argmax(bad))} is too large or too "
                "small to standardize in double precision."
            )
        return means, factors

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"<Dataset {rows} × {cols}, {self.n_stored} entries, {self.dtype}, {self.path}>"


def open_dataset(path: str | os.PathLike[str], *, verify: bool = True) -> Dataset:
    """Open a directory that `write` or ``regiht convert`` made; nothing large is read.

    Parameters
    ----------
    path : str or path
    verify : bool
        Also read all files, at the speed of the disk, and check that checksums are right, indices
        sorted and within the matrix, and values finite. This happens once in a process unless the
        files change. Otherwise only sizes, types and the header are checked, and a file that was
        changed in place may give wrong answers or end the process.

    Returns
    -------
    Dataset

    Raises
    ------
    InvalidArgumentError
        If the directory is incomplete, damaged, changed, of a later format or of another kind.

    See Also
    --------
    write : Writes such a directory.
    regiht.Design.open : Opens it for solves.

    Examples
    --------
    >>> import numpy as np
    >>> from regiht import dataset
    >>> dataset.write("three", np.eye(3), [1.0, 2.0, 3.0])
    >>> dataset.open("three").y.tolist()
    [1.0, 2.0, 3.0]
    """
    folder = check_path("path", path)
    header = read_header(folder)
    try:
        arrays = {
            name: map_array(folder / f"{name}.npy", header.dtypes[name], length)
            for name, length in header.lengths().items()
        }
        _check_sizes(folder, header)
        _check_offsets(arrays[stored.OFFSETS], header.entries)
        if verify:
            verify_once(folder, header, arrays)
        return _assembled(folder, header, arrays)
    except FileNotFoundError as error:
        name = Path(error.filename).name
        raise InvalidArgumentError(f"{folder} cannot be opened: {name} is missing.") from None
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{folder} cannot be opened: {error}.") from None


def read_header(folder: Path) -> stored.StoredHeader:
    """Read and check the header of a directory."""
    return stored.check_stored_header(read_header_text(folder), str(folder))


def read_header_text(folder: Path) -> bytes:
    """Read the header of a directory as it is."""
    if not folder.is_dir():
        what = "is no directory" if folder.exists() else "does not exist"
        raise InvalidArgumentError(f"{folder} cannot be opened: it {what}.")
    try:
        with (folder / stored.HEADER).open("rb") as file:
            return file.read(_LARGEST_HEADER)
    except FileNotFoundError:
        raise InvalidArgumentError(
            f"{folder} cannot be opened: it has no {stored.HEADER}, so regiht did not write it."
        ) from None


def _check_sizes(folder: Path, header: stored.StoredHeader) -> None:
    for name, facts in header.files.items():
        size = (folder / name).stat().st_size
        if size != facts.bytes:
            raise InvalidArgumentError(f"{name} has {size} bytes instead of {facts.bytes}")


def _check_offsets(offsets: NDArray[Any], entries: int) -> None:
    if offsets[0] != 0 or offsets[-1] != entries or np.any(offsets[1:] < offsets[:-1]):
        raise InvalidArgumentError("the offsets do not rise from 0 to the number of entries")


def _assembled(
    folder: Path, header: stored.StoredHeader, arrays: dict[str, NDArray[Any]]
) -> Dataset:
    from scipy import sparse  # noqa: PLC0415  (slow to import)

    matrix = sparse.csc_array(header.shape, dtype=arrays[stored.VALUES].dtype)
    matrix.data, matrix.indices = arrays[stored.VALUES], arrays[stored.INDICES]
    matrix.indptr = arrays[stored.OFFSETS]
    y = arrays.get(stored.TARGET)
    if y is not None and header.classes is not None:
        if y.size and not (y.min() >= 0 and y.max() < len(header.classes)):
            raise InvalidArgumentError("y has numbers that do not stand for a class")
        y = np.array(header.classes)[y]
    return Dataset(
        folder.resolve(), header, matrix, y, feature_names(folder, header),
        arrays[stored.MEANS], arrays[stored.NORMS], arrays[stored.CENTRED_NORMS],
    )  # fmt: skip


def feature_names(folder: Path, header: stored.StoredHeader) -> list[str] | None:
    """Read the names of the columns, if there are any."""
    if stored.NAMES not in header.files:
        return None
    try:
        names = json.loads((folder / stored.NAMES).read_text(encoding="utf-8"))
    except ValueError:
        raise InvalidArgumentError(f"{stored.NAMES} is not JSON text") from None
    if not isinstance(names, list) or len(names) != header.shape[1]:
        raise InvalidArgumentError(f"{stored.NAMES} does not name every column")
    return [str(name) for name in names]

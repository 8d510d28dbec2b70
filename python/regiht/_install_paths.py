"""Where the C++ headers and the CMake package are installed."""

from __future__ import annotations

from pathlib import Path

from regiht import _core

# An editable installation keeps the Python files in the checkout; the headers are always installed
# beside the compiled module.
_INSTALLED = Path(_core.__file__).parent


def get_include() -> str:
    """Return the directory to add to a C++ compiler's include path.

    It has the headers of this library and those of Eigen that they need.

    Returns
    -------
    str
        The directory that holds the folders ``regiht`` and ``Eigen``.

    See Also
    --------
    get_cmake_dir : For projects built with CMake.

    Examples
    --------
    >>> from pathlib import Path
    >>> import regiht
    >>> (Path(regiht.get_include()) / "regiht" / "regiht.hpp").exists()
    True
    """
    return str(_INSTALLED / "include")


def get_cmake_dir() -> str:
    """Return the directory of the CMake package, for CMake's ``regiht_DIR``.

    Returns
    -------
    str
        The directory of ``regihtConfig.cmake``.

    See Also
    --------
    get_include : For compilers without CMake.

    Examples
    --------
    >>> from pathlib import Path
    >>> import regiht
    >>> (Path(regiht.get_cmake_dir()) / "regihtConfig.cmake").exists()
    True
    """
    return str(_INSTALLED / "cmake")

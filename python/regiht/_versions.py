"""The versions to put into a bug report."""

from __future__ import annotations

import platform
import sys

from regiht._core import __version__
from regiht._inputs.checks import THREADS_VARIABLE, check_threads

_PACKAGES = ("numpy", "scipy", "scikit-learn", "matplotlib", "dask", "pandas")


def show_versions() -> None:
    """Print the versions of regiht, of Python and of the packages it works with.

    See Also
    --------
    get_include, get_cmake_dir : Where the C++ headers are installed.

    Examples
    --------
    >>> import regiht
    >>> regiht.show_versions()  # doctest: +ELLIPSIS
    regiht        ...
    """
    from importlib import metadata  # noqa: PLC0415  (slow to import, seldom needed)

    rows = {
        "regiht": __version__,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
    }
    for package in _PACKAGES:
        try:
            rows[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            rows[package] = "not installed"
    rows["threads"] = f"{check_threads(None)} (set {THREADS_VARIABLE} to change)"
    width = max(map(len, rows))
    for name, value in rows.items():
        print(f"{name:<{width}}  {value}")  # noqa: T201  (printing is the purpose)

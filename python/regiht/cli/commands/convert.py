"""Convert a file into a directory that models are fitted from, even if it exceeds memory.

FILE is LIBSVM text (any suffix but these), .csv, .parquet, .npz (of scipy, or X and y), .mtx
(Matrix Market) or .h5ad (the sparse X of anndata); text may be compressed by gzip, bzip2 or xz.
DIRECTORY appears once it is complete; until then the work is in .DIRECTORY.part beside it. After an
interruption the same command resumes the conversion.

    regiht convert clicks.svm.bz2 clicks --dtype float32
    regiht info clicks --verify
    regiht fit clicks --features 50 --loss logistic
    regiht convert clicks.svm.bz2 shards --shards 8    # for a cluster
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from pathlib import Path

from regiht._inputs.checks import InvalidArgumentError
from regiht._solving.progress import ProgressBar
from regiht._streams import is_terminal
from regiht.cli._arguments import add_columns_argument
from regiht.cli._console import say
from regiht.cli.commands.info import describe

NAME = "convert"
HELP = "convert a file that may be larger than memory into a directory"

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SIZE = re.compile(r"(\d{1,9})\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_STEPS = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the data")
    parser.add_argument("directory", type=Path, metavar="DIRECTORY", help="must not exist yet")
    parser.add_argument(
        "--target", metavar="NAME",
        help="column with the target (CSV, Parquet: by default the last; h5ad: of obs)",
    )  # fmt: skip
    add_columns_argument(parser, "from 1 unless there is a 0")
    parser.add_argument(
        "--columns", type=int, metavar="N",
        help="number of columns of LIBSVM text (default: as many as occur)",
    )  # fmt: skip
    parser.add_argument(
        "--dtype", choices=["float64", "float32"], default="float64",
        help="type of the values (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--shards", type=int, metavar="K",
        help="cut the rows into K subdirectories of DIRECTORY, for regiht.distributed",
    )  # fmt: skip
    parser.add_argument(
        "--memory", default="1G", metavar="SIZE",
        help="memory for the work, such as 256M or 2G (default: %(default)s)",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Convert, describe."""
    from regiht import dataset  # noqa: PLC0415  (imports scipy)

    with ProgressBar(_STEPS, shown=is_terminal(sys.stderr)) as bar:
        dataset.convert(
            arguments.file, arguments.directory, dtype=arguments.dtype, target=arguments.target,
            n_features=arguments.columns, columns_from=arguments.columns_from,
            shards=arguments.shards, memory=_bytes(arguments.memory),
            report=lambda share: bar.update and bar.update(int(_STEPS * share), math.nan),
        )  # fmt: skip
    say(describe(arguments.directory, verify=False))
    return 0


def _bytes(size: str) -> int:
    found = _SIZE.fullmatch(size.strip())
    if found is None:
        raise InvalidArgumentError(f"--memory must be a size such as 256M or 2G; got {size!r}.")
    return int(found[1]) * _UNITS[found[2].upper()]

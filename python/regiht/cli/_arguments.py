"""Options that the subcommands which fit models share."""

from __future__ import annotations

import argparse
from pathlib import Path

from regiht._solving import defaults
from regiht._solving.registry import LOSSES, METHODS
from regiht.cli._encoding import IMPUTATIONS

ONE_HOT_GROUPS = "one-hot"


def add_data_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe what is fitted."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the data")
    parser.add_argument("--target", metavar="NAME", help="column with the target (CSV, Parquet)")
    add_columns_argument(parser, "from 1 unless there is a 0")
    parser.add_argument(
        "--loss", choices=["auto", *LOSSES], default="auto",
        help="auto: logistic if the target is text or has two values, else squared",
    )  # fmt: skip
    parser.add_argument(
        "--one-hot", action="store_true",
        help="make a feature of every value of a text column (CSV, Parquet)",
    )  # fmt: skip
    parser.add_argument(
        "--impute", nargs="?", const="median", choices=list(IMPUTATIONS),
        help="fill in empty cells with the median (default) or mean of their column, and in text "
        "columns with the most common value",
    )  # fmt: skip


def add_columns_argument(parser: argparse.ArgumentParser, default: str) -> None:
    """Describe how LIBSVM text numbers its columns."""
    parser.add_argument(
        "--columns-from", type=int, choices=[0, 1],
        help=f"number of the first column in LIBSVM text (default: {default})",
    )  # fmt: skip


def add_model_arguments(parser: argparse.ArgumentParser, method: str = defaults.METHOD) -> None:
    """Describe how it is fitted."""
    parser.add_argument(
        "--method", choices=list(METHODS), default=method, help="default: %(default)s"
    )
    parser.add_argument(
        "--ridge", type=float, metavar="R",
        help=f"ridge penalty (default: {defaults.CLASSIFIER_RIDGE} for classification, else 0)",
    )  # fmt: skip
    parser.add_argument(
        "--keep", action="extend", nargs="+", metavar="NAME",
        help="features that are always in the model, by name or number",
    )  # fmt: skip
    parser.add_argument(
        "--exclude", action="extend", nargs="+", metavar="NAME",
        help="columns to leave out, which need not be numeric",
    )  # fmt: skip
    parser.add_argument("--positive", action="store_true", help="no coefficient below zero")
    parser.add_argument(
        "--groups", action="extend", nargs="+", metavar="A,B",
        help="features that enter and leave together, by name or number, separated by commas; "
        f"{ONE_HOT_GROUPS}: those of each text column. Numbers of features then count groups",
    )  # fmt: skip
    parser.add_argument(
        "--no-intercept", action="store_true", help="force predictions through the origin"
    )
    parser.add_argument(
        "--no-standardize", action="store_true", help="fit the columns in their own units"
    )
    parser.add_argument("--threads", type=int, default=-1, metavar="N", help="default: all cores")


def add_answer_arguments(parser: argparse.ArgumentParser, *, plot: str) -> None:
    """Describe the output."""
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the model: .json or .npz")
    parser.add_argument("--plot", type=Path, metavar="FILE", help=plot)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

"""Reproduce the paper's figures and claims, and write a report with a verdict on each claim.

For each experiment it writes a figure (PNG and SVG), its curves (CSV) and its parameters, seeds and
versions (JSON), and for all of them report.html, a self-contained page. If a run is stopped, the
same command resumes it.

The paper's data sets are read from --data-dir if they are there: YearPredictionMSD (as UCI ships
it, or LIBSVM text) and rcv1_train.binary (LIBSVM text), plain or compressed. Otherwise generated
stand-ins replace them, and claims about the real data stay open.

movielens is not in the paper: with MovieLens 100K in --data-dir it prints errors of low-rank
completion on the usual five splits, beside published ones.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from regiht._text_table import table
from regiht.cli._console import Steps, say
from regiht.reproduce import MODULES

NAME = "reproduce"
HELP = "reproduce the paper's figures and claims, and write a report"

# Figure 3 of the paper shows two experiments, of which each has a name of its own.
TOGETHER = {"all": tuple(MODULES), "fig3": ("hard-instance", "recovery")}
MOVIELENS = "movielens"
FOLDERS = {False: "regiht-report", True: "regiht-report-quick"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "experiments", nargs="*", default="all", metavar="EXPERIMENT",
        choices=[*TOGETHER, *MODULES, MOVIELENS],
        help=f"all (default), or some of {', '.join(MODULES)}; fig3 is hard-instance and recovery; "
        f"{MOVIELENS} only by its name",
    )  # fmt: skip
    parser.add_argument(
        "--quick", action="store_true", help="run smaller versions, in about a minute"
    )
    parser.add_argument(
        "--data-dir",
        type=Path,
        metavar="DIR",
        help="folder of the paper's data sets, if you have them",
    )
    parser.add_argument(
        "--reuters", type=Path, metavar="FILE",
        help="text of two classes, such as Reuters-21578, to show in figure 1 as well "
        "(LIBSVM text, or npz with the arrays of a CSR matrix and y)",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, metavar="DIR",
        help=f"where to write (default: {FOLDERS[False]}, with --quick {FOLDERS[True]})",
    )  # fmt: skip
    parser.add_argument(
        "--fresh", action="store_true", help="also repeat what an earlier run has finished"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run what is asked for."""
    # The default is no list, as argparse of Python 3.11 looks for it as a whole among the choices.
    asked = {"all"} if arguments.experiments == "all" else set(arguments.experiments)
    if MOVIELENS in asked:
        _rate_films(arguments.data_dir)
    if asked != {MOVIELENS}:
        _run_experiments(asked, arguments)
    return 0


def _rate_films(data_dir: Path | None) -> None:
    from regiht.reproduce import movielens  # noqa: PLC0415  (as below)

    folder = movielens.find(data_dir)
    with Steps(len(movielens.SPLITS)) as steps:
        errors = list(movielens.run(folder, steps))
    say("MovieLens 100K: root mean square errors, guesses cut to 1 and 5\n")
    header = ["", "row and column means", "low rank", "rank", "factor_penalty"]
    say(table(header, movielens.rows(errors)))
    say(
        "\nRank and penalty are chosen by cross-validation on the rest of each split. Published"
        "\nfigures are for random splits and were not run by us, so compare them roughly."
    )


def _run_experiments(asked: set[str], arguments: argparse.Namespace) -> None:
    """Run the experiments, and print the verdicts as they come."""
    from regiht.reproduce import runner  # noqa: PLC0415  (imports scipy)
    from regiht.reproduce.report import duration  # noqa: PLC0415
    from regiht.reproduce.sources import Sources  # noqa: PLC0415

    chosen = {name for each in asked for name in TOGETHER.get(each, (each,))}
    names = [name for name in MODULES if name in chosen]
    folder = arguments.out or Path(FOLDERS[arguments.quick])
    records = runner.run_experiments(
        names, quick=arguments.quick, folder=folder, fresh=arguments.fresh, show=Steps,
        sources=Sources(arguments.data_dir, arguments.reuters),
    )  # fmt: skip
    for record, resumed in records:
        how = "done before" if resumed else duration(record.seconds)
        say(f"\n{runner.title(record)} ({how})\n")
        rows = [[finding.verdict.value, finding.claim] for finding in record.outcome.findings]
        say(table(["verdict", "claim"], rows, text=(0, 1)))
    say(f"\nReport: {folder / runner.REPORT}")

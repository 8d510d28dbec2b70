"""Run the paper's figures and claims, and write a report with honest verdicts.

For each experiment a figure (PNG and SVG), its curves (CSV), its parameters, seeds and versions
(JSON), and for all of them report.html, a page that needs nothing else. A run that was stopped
goes on where it was when the command is given again.

The paper's data sets are read from --data-dir if they are there: YearPredictionMSD (as UCI ships
it, or LIBSVM text) and rcv1_train.binary (LIBSVM text), plain or compressed. Otherwise generated
stand-ins take their place, and claims about the real data stay open.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from regiht.cli._console import Steps, say, table
from regiht.reproduce import MODULES

NAME = "reproduce"
HELP = "run the paper's figures and claims, write a report"

# Figure 3 of the paper shows two experiments, of which each has a name of its own.
TOGETHER = {"all": tuple(MODULES), "fig3": ("hard-instance", "recovery")}
FOLDERS = {False: "regiht-report", True: "regiht-report-quick"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "experiments", nargs="*", default="all", metavar="EXPERIMENT",
        choices=[*TOGETHER, *MODULES],
        help=f"all (default), or some of {', '.join(MODULES)}; fig3 is hard-instance and recovery",
    )  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="smaller, within a minute")
    parser.add_argument(
        "--data-dir", type=Path, metavar="DIR", help="where the paper's data sets are, if you have"
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
        "--fresh", action="store_true", help="run again what an earlier run has finished"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the experiments, and print the verdicts as they come."""
    from regiht.reproduce import runner  # noqa: PLC0415  (imports scipy)
    from regiht.reproduce.report import duration  # noqa: PLC0415
    from regiht.reproduce.sources import Sources  # noqa: PLC0415

    # The default is no list, as argparse of Python 3.11 looks for it as a whole among the choices.
    given = ["all"] if arguments.experiments == "all" else arguments.experiments
    asked = {name for each in given for name in TOGETHER.get(each, (each,))}
    names = [name for name in MODULES if name in asked]
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
    return 0

"""Find the twenty words that tell two kinds of text apart, beside a lasso and matching pursuit.

The texts are real: docstrings of scipy.stats and scipy.signal, which every installation has. Three
methods may use as many words each. What they chose is refitted in the same way; the words by which
they tell texts that they have not seen are chosen anew in every fold.

With --paper: regularized IHT, plain IHT and the paper's numpy code on real and made-up data.
Every number that is printed is measured in this run, in some seconds.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from regiht import datasets
from regiht.cli import _word_demo as words
from regiht.cli._console import Steps, say
from regiht.cli._paper_demo import show_paper

NAME = "demo"
HELP = "tell two kinds of text apart by twenty words, beside lasso and OMP, draw"
PICTURE = "regiht-demo.png"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR",
        help=f"where to save the picture {PICTURE} (default: the current directory)",
    )  # fmt: skip
    parser.add_argument("--paper", action="store_true", help="the algorithms of the paper instead")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of the data that --paper makes (0)"
    )
    parser.add_argument("--quick", action="store_true", help="smaller problems, a second or two")


def run(arguments: argparse.Namespace) -> int:
    """Run the demonstration, print its tables, and draw."""
    if arguments.seed < 0:
        raise ValueError(f"--seed must not be negative; got {arguments.seed}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    picture = arguments.out / PICTURE
    if arguments.paper:
        show_paper(seed=arguments.seed, quick=arguments.quick, picture=picture)
        return 0
    folds = words.QUICK_FOLDS if arguments.quick else words.FOLDS
    with Steps(total=words.steps(folds)) as steps:
        problem = datasets.load_docstrings()
        fits = words.compare(problem, folds, steps)
        steps.clear()
        say(words.describe(problem, fits, folds))
        answer = words.draw(problem, fits, picture, steps)
    say(answer)
    return 0

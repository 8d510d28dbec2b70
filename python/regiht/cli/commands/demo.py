"""Find twenty words that tell two kinds of text apart, and compare with a lasso and with OMP.

The texts are real: docstrings of scipy.stats and scipy.signal, which every installation has. Each
of the three methods may use twenty words, and all are refitted in the same way. Accuracy is that
on held-out texts, with the words selected again in every fold.

With --paper: regularized IHT, plain IHT and the paper's numpy code on real and generated data.
Every printed number is measured in this run, which takes a few seconds.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from regiht import datasets
from regiht.cli import _word_demo as words
from regiht.cli._console import Steps, say
from regiht.cli._paper_demo import show_paper

NAME = "demo"
HELP = "tell two kinds of text apart by twenty words; compare with lasso and OMP"
PICTURE = "regiht-demo.png"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR",
        help=f"where to save the plot {PICTURE} (default: the current directory)",
    )  # fmt: skip
    parser.add_argument("--paper", action="store_true", help="show the paper's algorithms instead")
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="seed of the generated data of --paper (default: 0)",
    )
    parser.add_argument(
        "--quick", action="store_true", help="use smaller problems (a second or two)"
    )


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

"""Fit models with 0, 1, 2, … features to a file and print how the loss and the criteria change.

FILE is CSV or Parquet (one column is the target: --target NAME, by default the last), npz (arrays
X and y, or data, indices, indptr, shape and y), a directory made by convert, or LIBSVM text (any
other suffix). The target may have at most two classes.

The model with the lowest criterion is chosen: EBIC is strict and suits many columns, AIC is lenient
and suits prediction.

    regiht path houses.csv --max 15 --plot path.png
    regiht path mails.svm --max 40 --criterion ebic --save model.json
"""

from __future__ import annotations

import argparse
from typing import Any

from regiht._inputs.checks import InvalidArgumentError, check_integer
from regiht._solving.criteria import PENALTIES, has_criteria
from regiht._solving.path import SparsePath
from regiht._solving.sparse_path import sparse_path
from regiht.cli import _arguments, _model
from regiht.cli._console import say, show_table
from regiht.cli._entries import entries

NAME = "path"
HELP = "fit models with 0, 1, 2, … features; show loss and criteria for each"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    _arguments.add_data_arguments(parser)
    parser.add_argument(
        "--max",
        type=int,
        default=20,
        metavar="N",
        help="the largest number of features (default: 20)",
    )
    parser.add_argument(
        "--criterion", choices=list(PENALTIES), default="ebic", help="default: %(default)s"
    )
    _arguments.add_model_arguments(parser)
    _arguments.add_answer_arguments(
        parser, plot="plot the coefficients over the number of features"
    )


def run(arguments: argparse.Namespace) -> int:
    """Fit, print, keep the model that the criterion chooses."""
    _model.check_answers(arguments)
    data = _model.Data(arguments)
    if data.is_classification and data.classes.size != 2:
        raise InvalidArgumentError(
            f"path takes two classes; the target has {data.classes.size}. Use cv."
        )
    parameters = _model.model_parameters(arguments, data)
    jobs = parameters.pop("n_jobs")
    threads = None if jobs == -1 else check_integer("--threads", jobs, 1)
    y = data.y == data.classes[1] if data.is_classification else data.y
    most = _model.check_most("--max", arguments.max)
    found = sparse_path(data.X, y, most, feature_names=data.names, n_threads=threads, **parameters)
    chosen = None
    if has_criteria(data.loss):
        chosen = found.best_s(arguments.criterion)
        found.best(arguments.criterion)  # warns of one that falls as far as it can be judged
    if arguments.json:
        _model.show_json(_facts(found, chosen, arguments.criterion))
    else:
        _show(found.with_null(), chosen, arguments.criterion)
    if arguments.plot:
        ax = _model.new_figure_axes((8.0, 5.0))
        found.plot(ax, criterion=arguments.criterion)
        _model.save_picture(ax, arguments.plot, quiet=arguments.json)
    if arguments.save:
        if chosen is None:
            raise InvalidArgumentError(f"--save needs a criterion, and {data.loss} has none.")
        _save(found, data, chosen, arguments)
    return 0


def _facts(found: SparsePath, chosen: int | None, criterion: str) -> dict[str, Any]:
    path = found.with_null()
    names = list(PENALTIES) if chosen is not None else []
    models = [
        {"s": int(path.s[k]), "loss": float(path.losses[k])}
        | {name: float(path.criterion(name)[k]) for name in names}
        | {"intercept": model.intercept}
        | {"features": {path.feature_names[j]: float(model.coef[j]) for j in model.support}}
        for k, model in enumerate(path)
    ]
    facts: dict[str, Any] = {"loss": found.loss, "criterion": criterion, "chosen": chosen}
    if len(path) > len(found):
        facts["null"] = models.pop(0)
    return facts | {"models": models}


def _show(path: SparsePath, chosen: int | None, criterion: str) -> None:
    names = list(PENALTIES) if chosen is not None else []
    header = ["features", "loss", *(name.upper() for name in names), "enter", "leave"]
    rows = []
    for k, moved in enumerate(entries(path)):
        mark = " *" if path.s[k] == chosen else ""
        values = [f"{path.criterion(name)[k]:.6g}" for name in names]
        rows.append([f"{path.s[k]}{mark}", f"{path.losses[k]:.6g}", *values, *moved])
    show_table(header, rows, text=(0, len(header) - 2, len(header) - 1))
    if chosen is not None:
        say(f"* chosen by {criterion.upper()}")


def _save(found: SparsePath, data: _model.Data, chosen: int, arguments: argparse.Namespace) -> None:
    model = found.estimator(s=chosen)
    if data.is_classification:
        model.classes_ = data.classes
    _model.keep_names(model, data)
    _model.save(model, arguments.save, quiet=arguments.json)

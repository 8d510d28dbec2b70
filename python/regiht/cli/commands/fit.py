"""Fit a model with at most N features to a file and print the selected features.

FILE is CSV or Parquet (one column is the target: --target NAME, by default the last), npz (arrays
X and y, or data, indices, indptr, shape and y), a directory made by convert, or LIBSVM text (any
other suffix).

    regiht fit houses.csv --target price --features 5
    regiht fit houses.csv --target price --one-hot --impute --exclude id agent
    regiht fit mails.svm --features 20 --loss logistic --save model.json
    regiht predict model.json new-mails.svm
"""

from __future__ import annotations

import argparse

import numpy as np

from regiht._solving import defaults
from regiht.cli import _arguments, _model
from regiht.cli._console import say

NAME = "fit"
HELP = "fit a model with at most N features to a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    _arguments.add_data_arguments(parser)
    parser.add_argument(
        "-s", "--features", type=int, metavar="N",
        help=f"the largest number of features (default: {defaults.N_NONZERO_COEFS})",
    )  # fmt: skip
    _arguments.add_model_arguments(parser)
    parser.add_argument(
        "--time-limit", type=float, metavar="SECONDS", help="stop then with the best model so far"
    )
    _arguments.add_answer_arguments(parser, plot="plot the coefficients of the selected features")


def run(arguments: argparse.Namespace) -> int:
    """Fit, print, keep."""
    from regiht.estimators import SparseClassifier, SparseRegressor  # noqa: PLC0415

    _model.check_answers(arguments)
    data = _model.Data(arguments)
    kind = SparseClassifier if data.is_classification else SparseRegressor
    parameters = _model.model_parameters(arguments, data)
    features = (
        defaults.N_NONZERO_COEFS
        if arguments.features is None
        else data.check_count("--features", arguments.features)
    )
    model = kind(features, time_limit=arguments.time_limit, **parameters)
    model.fit(data.X, data.y)
    score = float(model.score(data.X, data.y))
    _model.keep_names(model, data)
    facts = _model.model_facts(model, data) | {"training_score": score}
    if arguments.json:
        _model.show_json(facts)
    else:
        _model.show_model(model, facts)
        measure = "accuracy" if data.is_classification else "R²"
        say(f"{measure} on these samples: {score:.4g}; the solver {model_status(facts)}")
    if arguments.plot:
        _draw(facts, arguments)
    _model.save(model, arguments.save, quiet=arguments.json)
    return 0


def model_status(facts: dict[str, object]) -> str:
    """Say how the solver ended."""
    status, iterations = facts["status"], facts["n_iter"]
    if isinstance(status, list):
        return f"ended for each class: {', '.join(map(str, status))}"
    return f"ended as {status} after {iterations} iterations"


def _draw(facts: dict[str, object], arguments: argparse.Namespace) -> None:
    from regiht.plotting.coefficients import PER_DEVIATION, plot_coefficients  # noqa: PLC0415

    features = facts["features"]
    assert isinstance(features, list)
    ax = _model.new_figure_axes((7.0, 1.5 + 0.3 * max(len(features), 3)))
    labels = facts.get("classes", [])
    plot_coefficients(
        [each["name"] for each in features],
        np.transpose([each["per_standard_deviation"] for each in features]),
        ax,
        labels=labels if isinstance(labels, list) and len(labels) > 2 else None,
        xlabel=PER_DEVIATION,
    )
    _model.save_picture(ax, arguments.plot, quiet=arguments.json)

"""Choose the number of features by cross-validation, then fit to all samples.

FILE is CSV or Parquet (one column is the target: --target NAME, by default the last), npz (arrays
X and y, or data, indices, indptr, shape and y), a directory made by convert, or LIBSVM text (any
other suffix).

    regiht cv houses.csv --max 15 --folds 10 --plot scores.png
    regiht cv mails.svm --try 5 10 20 50 --scoring roc_auc --save model.json
"""

from __future__ import annotations

import argparse
from typing import Any

from regiht._inputs.checks import InvalidArgumentError, check_integer
from regiht.cli import _arguments, _model
from regiht.cli._console import say, show_table
from regiht.cli._table import did_you_mean

NAME = "cv"
HELP = "choose the number of features by cross-validation"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    _arguments.add_data_arguments(parser)
    numbers = parser.add_mutually_exclusive_group()
    numbers.add_argument(
        "--max", type=int, metavar="N",
        help="try 1, 2, … N (default: 1 to 10, 12, 15, 20, 25, 30, below half of the samples)",
    )  # fmt: skip
    numbers.add_argument("--try", type=int, nargs="+", metavar="N", help="try these numbers")
    parser.add_argument("--folds", type=int, default=5, metavar="K", help="default: 5")
    parser.add_argument(
        "--seed", type=int, metavar="N", help="shuffle the samples first, with this seed"
    )
    parser.add_argument("--scoring", metavar="NAME", help="any scikit-learn score")
    parser.add_argument(
        "--rule", choices=["one-standard-error", "best"], default="one-standard-error",
        help="the fewest features within one standard error of the best, or the best",
    )  # fmt: skip
    _arguments.add_model_arguments(parser)
    _arguments.add_answer_arguments(parser, plot="plot the scores over the number of features")


def run(arguments: argparse.Namespace) -> int:
    """Cross-validate, fit, print, keep."""
    from regiht.estimators import SparseClassifierCV, SparseRegressorCV  # noqa: PLC0415

    _model.check_answers(arguments)
    data = _model.Data(arguments)
    kind = SparseClassifierCV if data.is_classification else SparseRegressorCV
    if arguments.scoring is not None:
        _check_scoring(arguments.scoring)
    model = kind(
        _numbers_to_try(arguments, data),
        cv=_splitter(arguments, data.is_classification, int(data.X.shape[0])),
        scoring=arguments.scoring,
        rule=arguments.rule,
        verbose=not arguments.json and _model.on_a_terminal(),
        **_model.model_parameters(arguments, data),
    )
    try:
        model.fit(data.X, data.y)
    except (AttributeError, ValueError) as error:
        # What scorers raise where they do not suit the model or the target.
        if arguments.scoring is None:
            raise
        raise InvalidArgumentError(
            f"--scoring {arguments.scoring} cannot be used for this target with {data.loss} loss: "
            f"{error}"
        ) from None
    _model.keep_names(model, data)
    facts = _model.model_facts(model, data) | _scores(model)
    if arguments.json:
        _model.show_json(facts)
    else:
        _show(facts)
        _model.show_model(model, facts)
    if arguments.plot:
        ax = _model.new_figure_axes((7.0, 4.5))
        model.plot(ax)
        _model.save_picture(ax, arguments.plot, quiet=arguments.json)
    _model.save(model, arguments.save, quiet=arguments.json)
    return 0


def _numbers_to_try(arguments: argparse.Namespace, data: _model.Data) -> Any:
    listed: list[int] | None = getattr(arguments, "try")
    if listed is not None:
        return [data.check_count("--try", each) for each in listed]
    return None if arguments.max is None else _model.check_most("--max", arguments.max)


def _check_scoring(name: str) -> None:
    from sklearn.metrics import get_scorer_names  # noqa: PLC0415

    known = get_scorer_names()
    if name not in known:
        raise InvalidArgumentError(
            f"--scoring {name} is not a scikit-learn score.{did_you_mean(name, known)} "
            "sklearn.metrics.get_scorer_names() lists all."
        )


def _splitter(arguments: argparse.Namespace, is_classification: bool, rows: int) -> Any:
    from sklearn.model_selection import KFold, StratifiedKFold  # noqa: PLC0415

    kind = StratifiedKFold if is_classification else KFold
    shuffle = arguments.seed is not None
    folds = check_integer("--folds", arguments.folds, 2, max(2, rows))
    return kind(folds, shuffle=shuffle, random_state=arguments.seed)


def _scores(model: Any) -> dict[str, Any]:
    return {
        "tried": model.n_nonzero_coefs_grid_.tolist(),
        "mean_scores": model.mean_scores_.tolist(),
        "standard_errors": model.standard_errors_.tolist(),
        "fold_scores": model.scores_.tolist(),
        "rule": model.rule,
    }


def _show(facts: dict[str, Any]) -> None:
    rows = [
        [
            f"{s}{' *' if s == facts['n_nonzero_coefs'] else ''}",
            f"{mean:.6g}",
            f"{error:.2g}",
        ]
        for s, mean, error in zip(
            facts["tried"], facts["mean_scores"], facts["standard_errors"], strict=True
        )
    ]
    show_table(["features", "mean score", "standard error"], rows)
    say(f"* chosen: {facts['rule'].replace('-', ' ')}")
    say()

"""Predict with a model saved by fit, path or cv: one line for every sample.

FILE is as for fit. Columns of CSV and Parquet files are found by name, and those that the model
does not use may contain anything. LIBSVM lines always begin with a target, which is ignored; their
columns are counted from 0 or 1 as in the file that the model was fitted to.

    regiht predict model.json new.csv --out predictions.csv
    regiht predict model.json new.svm --proba | head
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from regiht._export.persistence import load_model
from regiht._inputs.checks import InvalidArgumentError
from regiht._inputs.stored_rows import StoredRows
from regiht._streams import write_error
from regiht.cli._arguments import add_columns_argument
from regiht.cli._console import say
from regiht.cli._data_files import check_file, is_libsvm, read_table
from regiht.cli._encoding import Encoding, Preparation
from regiht.cli._model import check_writable
from regiht.cli._table import Table, did_you_mean

NAME = "predict"
HELP = "predict with a saved model"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument("model", type=Path, metavar="MODEL", help="a .json or .npz file")
    parser.add_argument("file", type=Path, metavar="FILE", help="the data")
    parser.add_argument("--target", metavar="NAME", help="a column to leave out")
    add_columns_argument(parser, "as in the file that the model was fitted to")
    parser.add_argument("--proba", action="store_true", help="print class probabilities")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write to a file")
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")


def run(arguments: argparse.Namespace) -> int:
    """Read, predict, write."""
    check_file(arguments.model)
    if arguments.out:
        check_writable(arguments.out)
    model = load_model(arguments.model)
    preparation = Preparation(**getattr(model, "preparation_", {}))
    table = read_table(
        arguments.file, arguments.target, labelled=False,
        is_read=partial(_is_needed, model, preparation),
        columns_from=_columns_from(arguments, model), encoding=Encoding(fitted=preparation),
    )  # fmt: skip
    X = _matching(table, model)
    if arguments.proba and not hasattr(model, "predict_proba"):
        raise InvalidArgumentError("--proba needs a logistic model.")
    # Columns are in the order of the model, which would otherwise ask for a data frame.
    model.__dict__.pop("feature_names_in_", None)
    answer = model.predict_proba(X) if arguments.proba else model.predict(X)
    header = ",".join(str(label) for label in model.classes_) if arguments.proba else "prediction"
    if arguments.json:
        text = json.dumps({"columns": header.split(","), "rows": answer.tolist()})
    else:
        rows = answer if answer.ndim == 2 else answer[:, None]
        text = "\n".join([header, *(",".join(map(str, row)) for row in rows.tolist())])
    if arguments.out:
        arguments.out.write_text(text + "\n", encoding="utf-8")
        write_error(f"{len(answer)} predictions: {arguments.out}\n")
    else:
        say(text)
    return 0


def _columns_from(arguments: argparse.Namespace, model: Any) -> int | None:
    """Where column numbers of LIBSVM text begin: a guess for each file could differ."""
    if arguments.columns_from is not None or not is_libsvm(arguments.file):
        number: int | None = arguments.columns_from
        return number
    if not hasattr(model, "columns_from_"):
        raise InvalidArgumentError(
            f"{arguments.model} was not fitted to LIBSVM text: use --columns-from 0 or 1 to say "
            f"how {arguments.file} numbers its first column."
        )
    return int(model.columns_from_)


def _is_needed(model: Any, preparation: Preparation, name: str) -> bool:
    """Whether the model uses a column; one that knows no names may use all."""
    names = getattr(model, "feature_names_in_", None)
    return names is None or name in {preparation.source(each) for each in names[model.support_]}


def _matching(table: Table, model: Any) -> Any:
    """The columns that the model knows, in its order."""
    wanted = getattr(model, "feature_names_in_", None)
    X = table.X
    if isinstance(X, StoredRows):
        model._refuse_other_shape(X)
        return X
    if wanted is not None and table.feature_names is not None:
        places = {name: j for j, name in enumerate(table.feature_names)}
        needed = {wanted[j] for j in model.support_}
        missing = sorted(needed - places.keys())
        if missing:
            raise InvalidArgumentError(
                f"the data has no column {missing[0]!r}.{did_you_mean(missing[0], places)}"
            )
        ordered = np.zeros((X.shape[0], len(wanted)))
        for j in model.support_:
            ordered[:, j] = X[:, places[wanted[j]]]
        return ordered
    if X.shape[1] == model.n_features_in_:
        return X
    if table.columns_from is not None:
        return _resized(X, model)
    raise InvalidArgumentError(
        f"the model takes {model.n_features_in_} columns; the data has {X.shape[1]}."
    )


def _resized(X: Any, model: Any) -> Any:
    """LIBSVM text does not say how many columns there are: those not named are zero."""
    X = X.tocsr().copy() if X.format != "csr" else X.copy()
    if X.shape[1] > model.n_features_in_:
        return X[:, : model.n_features_in_]
    X.resize(X.shape[0], model.n_features_in_)
    return X

"""What the subcommands that fit models share: their data and their answers."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from regiht._export.persistence import checked_path, save_model
from regiht._inputs.checks import InvalidArgumentError, check_integer
from regiht._inputs.stored_rows import StoredRows
from regiht._solving import defaults
from regiht._solving.registry import CLASSIFICATION_LOSSES, LOSSES
from regiht._streams import is_terminal
from regiht._text_table import counted
from regiht.cli._arguments import ONE_HOT_GROUPS
from regiht.cli._console import say, show_table
from regiht.cli._data_files import read_table
from regiht.cli._encoding import Encoding
from regiht.cli._table import Table, did_you_mean

MOST_CLASSES_OF_NUMBERS = 2
MOST_NUMBERS_FOR_CLASSES = 50


class Data:
    """A table, and what its target asks for."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._exclude: list[str] | None = arguments.exclude
        excluded = set(arguments.exclude or ())
        self.table: Table = read_table(
            arguments.file, arguments.target, is_read=lambda name: name not in excluded,
            columns_from=arguments.columns_from,
            encoding=Encoding(arguments.one_hot, arguments.impute),
        )  # fmt: skip
        self.names = self.table.named()
        y = self.table.y
        assert y is not None
        self.classes = np.unique(y)
        few = self.classes.size <= MOST_CLASSES_OF_NUMBERS or y.dtype.kind in "UOb"
        self.loss: str = arguments.loss
        if self.loss == "auto":
            self.loss = "logistic" if few else "squared"
        self.is_classification = self.loss in CLASSIFICATION_LOSSES
        if self.is_classification and self.classes.size == 1:
            raise InvalidArgumentError(
                f"the target is {str(y[0])!r} in every row; {self.loss} loss needs two classes."
            )
        if not self.is_classification and y.dtype.kind in "UO":
            raise InvalidArgumentError(
                f"--loss {self.loss} needs numbers in the target; the first is {str(y[0])!r}."
            )
        if self.is_classification and y.dtype.kind not in "UOb":
            self._refuse_measurements()
        self.X, self.y = self.table.X, y

    def _refuse_measurements(self) -> None:
        if self.classes.size > MOST_NUMBERS_FOR_CLASSES:
            raise InvalidArgumentError(
                f"--loss {self.loss} is for classes; the target has {self.classes.size} different "
                "numbers. Use --loss squared."
            )

    @property
    def default_ridge(self) -> float:
        """What the estimators take if they are not told."""
        return defaults.CLASSIFIER_RIDGE if self.is_classification else 0.0

    def deviations(self, columns: Any) -> Any:
        """Standard deviations of some columns."""
        if isinstance(self.X, StoredRows):
            return self.X.deviations(columns)
        chosen = self.X[:, columns]
        if not isinstance(chosen, np.ndarray):
            chosen = chosen.toarray()
        return chosen.std(axis=0)

    def columns(self, listed: list[str] | None) -> list[int] | None:
        """Numbers of features given by name or number; of a column of text all."""
        return None if listed is None else [j for each in listed for j in self._columns(each)]

    def _columns(self, name: str) -> list[int]:
        if name in self.names:
            return [self.names.index(name)]
        if name in self.table.preparation.levels:
            return self._columns_of_text(name)
        if name.isdigit() and int(name) < len(self.names):
            return [int(name)]
        known = [*self.names, *self.table.preparation.levels]
        raise InvalidArgumentError(
            f"there is no feature {name!r} in the data.{did_you_mean(name, known)}"
        )

    def _columns_of_text(self, name: str) -> list[int]:
        levels = self.table.preparation.levels[name]
        return [self.names.index(f"{name}={level}") for level in levels]

    def groups(self, listed: list[str] | None) -> list[list[int]] | None:
        """Numbers of the features of each group."""
        if listed is None:
            return None
        groups = []
        for each in listed:
            if each == ONE_HOT_GROUPS:
                groups += [self._columns_of_text(name) for name in self.table.preparation.levels]
            else:
                members = [each] if each in self.names else each.split(",")
                groups.append([j for name in members for j in self._columns(name)])
        return [group for group in groups if group]

    def check_count(self, option: str, count: int) -> int:
        """Check a number of features, or of groups."""
        left_out = set(self.columns(self._exclude) or ())
        return check_integer(option, count, 1, max(1, int(self.X.shape[1]) - len(left_out)))


def check_most(option: str, count: int) -> int:
    """Check the largest number of features to try, which the data may cut."""
    if count < 1:
        raise InvalidArgumentError(f"{option} must be at least 1; got {count}.")
    return count


def model_parameters(arguments: argparse.Namespace, data: Data) -> dict[str, Any]:
    """Parameters that all estimators take."""
    return {
        "loss": data.loss,
        "method": arguments.method,
        "ridge": data.default_ridge if arguments.ridge is None else arguments.ridge,
        "keep": data.columns(arguments.keep),
        "exclude": data.columns(arguments.exclude),
        "positive": arguments.positive,
        "groups": data.groups(arguments.groups),
        "fit_intercept": not arguments.no_intercept,
        "standardize": not arguments.no_standardize,
        "n_jobs": arguments.threads,
    }


def keep_names(model: Any, data: Data) -> None:
    """Let the model know the names of its features, for the table and the file it is saved to.

    In LIBSVM text they are numbers, so it has to know where these began; features made of text
    or filled in are made again at predictions.
    """
    if data.table.feature_names is not None:
        model.feature_names_in_ = np.array(data.table.feature_names, dtype=object)
    if data.table.columns_from is not None:
        model.columns_from_ = data.table.columns_from
    if data.table.preparation:
        model.preparation_ = data.table.preparation.plain()


def model_facts(model: Any, data: Data) -> dict[str, Any]:
    """What there is to say about a fitted model, as plain numbers and text."""
    coef = np.atleast_2d(model.coef_)
    effects = coef[:, model.support_] * data.deviations(model.support_)
    labels = [str(label) for label in getattr(model, "classes_", [])]
    facts: dict[str, Any] = {
        "n_samples": int(data.X.shape[0]),
        "n_features": int(data.X.shape[1]),
        "loss": data.loss,
        "n_nonzero_coefs": int(getattr(model, "n_nonzero_coefs_", model.n_nonzero_coefs)),
        "status": _each(model.status_),
        "n_iter": _each(model.n_iter_),
        "objective": _each(model.objective_),
        "intercept": _each(model.intercept_),
        "features": [
            {
                "name": data.names[j],
                "column": int(j),
                "coefficient": _each(coef[:, j]),
                "per_standard_deviation": _each(effects[:, k]),
            }
            for k, j in enumerate(model.support_)
        ],
    }
    if labels:
        facts["classes"] = labels
    return facts


def show_model(model: Any, facts: dict[str, Any]) -> None:
    """Print the chosen features with their coefficients."""
    say(
        f"{counted(facts['n_samples'], 'sample')}, {counted(facts['n_features'], 'feature')}, "
        f"{facts['loss']} loss: {counted(len(facts['features']), 'feature')} selected"
    )
    labels = facts.get("classes", [])
    several = len(labels) > 2
    header = ["feature", *(labels if several else ["coefficient", "× standard deviation"])]
    rows = [["(intercept)", *_cells(facts["intercept"]), *([] if several else [""])]]
    ranked = sorted(
        facts["features"], key=lambda each: -np.max(np.abs(each["per_standard_deviation"]))
    )
    for each in ranked:
        effect = [] if several else _cells(each["per_standard_deviation"])
        rows.append([each["name"], *_cells(each["coefficient"]), *effect])
    title = LOSSES[model.loss].predictor.format(labels[1]) if len(labels) == 2 else ""
    show_table(header, rows, title)


def show_json(facts: dict[str, Any]) -> None:
    """Print the facts as JSON."""
    say(json.dumps(facts, indent=1, ensure_ascii=False))


def check_answers(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be written before the work is done, not after it."""
    for path in (arguments.save, arguments.plot):
        if path is not None:
            check_writable(path)
    if arguments.save is not None:
        checked_path(arguments.save)
    if arguments.plot is None:
        return
    kinds = new_figure_axes((1.0, 1.0)).figure.canvas.get_supported_filetypes()
    if arguments.plot.suffix.removeprefix(".") not in kinds:
        raise InvalidArgumentError(
            f"--plot must end in one of {', '.join('.' + kind for kind in sorted(kinds))}; "
            f"got {arguments.plot.name!r}."
        )


def check_writable(path: Path) -> None:
    """Refuse a file that has no folder, or is one."""
    if not path.parent.is_dir():
        raise InvalidArgumentError(f"there is no folder {path.parent}.")
    if path.is_dir():
        raise InvalidArgumentError(f"{path} is a directory; name a file in it.")


def save(model: Any, path: Path | None, *, quiet: bool) -> None:
    """Keep the model if that was asked for."""
    if path is None:
        return
    save_model(model, path)
    if not quiet:
        say(f"Model: {path}")


def save_picture(ax: Any, path: Path, *, quiet: bool) -> None:
    """Keep the picture that ax belongs to."""
    ax.figure.savefig(path, dpi=130)
    if not quiet:
        say(f"Picture: {path}")


def new_figure_axes(size: tuple[float, float]) -> Any:
    """Axes of a figure that opens no window."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError('--plot needs matplotlib: pip install "regiht[plot]"') from error
    return Figure(figsize=size, layout="constrained").subplots()


def on_a_terminal() -> bool:
    """Whether someone watches standard error."""
    return is_terminal(sys.stderr)


def _each(value: Any) -> Any:
    """A number, a text or a list of them, in plain Python."""
    if isinstance(value, (list, np.ndarray)):
        listed = [_each(each) for each in value]
        return listed[0] if len(listed) == 1 else listed
    return value.item() if isinstance(value, np.generic) else value


def _cells(value: Any) -> list[str]:
    return [f"{each:.6g}" for each in (value if isinstance(value, list) else [value])]

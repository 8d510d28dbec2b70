"""Each experiment of `regiht reproduce`, run once at toy size."""

import csv
from importlib import import_module

import numpy as np
import pytest

from regiht import reference
from regiht.reproduce import MODULES, excess, runner
from regiht.reproduce.sources import Sources

pytest.importorskip("matplotlib")


@pytest.fixture(scope="session")
def toy():
    """A function from a name to the experiment's module and a size that takes a moment."""

    def make(name):
        module = import_module(f"regiht.reproduce.{MODULES[name]}")
        sizes = {
            "fig1": lambda: module.Size(400, (150, 400, 3000), 60, 6, 100, 30, 2),
            "fig2": lambda: module.Size(
                400, (1, 4, 12), 50, 5, (0.5, 1.0, 50.0), 3, 100, (2,), 30, 2
            ),
            "hard-instance": lambda: module.Size(5, 2, 1e-3, 30, (20, 30), 200, (30,), 50),
            "recovery": lambda: module.Size(30, 80, (3, 8), (8,), 3, 60, (8,)),
            "theorem": lambda: module.Size(
                ((1.05, 1, 340, "diagonal"), (1.05, 1, 340, "logistic")), 2
            ),
            "lowrank": lambda: module.Size(8, 2, 0.05, (4.0, 9.0), 3, 2, (0.3, 0.01), 6),
        }
        return module, sizes[name]()

    return make


class Counted:
    def __init__(self, total):
        self.total, self.names = total, []

    def begin(self, name):
        self.names.append(name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.fixture(scope="session")
def counted():
    """What counts the steps of an experiment, in place of a progress bar."""
    return Counted


@pytest.fixture(scope="session")
def run_all():
    """A function that runs every experiment in a folder."""

    def run(folder, show):
        return runner.run_experiments(
            list(MODULES), quick=True, sources=Sources(), folder=folder, fresh=False, show=show
        )

    return run


@pytest.fixture(scope="session")
def done(tmp_path_factory, toy, run_all):
    """The folder of toy runs, and what was shown while they ran."""
    folder = tmp_path_factory.mktemp("report")
    shown = []

    def show(total):
        shown.append(Counted(total))
        return shown[-1]

    with pytest.MonkeyPatch.context() as patch:
        for name in MODULES:
            module, size = toy(name)
            patch.setattr(module, "QUICK", size)
        list(run_all(folder, show))
        yield folder, shown, show


@pytest.fixture(scope="session")
def rows_of():
    """A function that reads the rows of one CSV file."""

    def read(folder, name):
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    return read


@pytest.fixture(scope="session")
def select():
    """A function that takes one column of the rows with the given entries."""

    def column(rows, name, **where):
        return np.array([float(r[name]) for r in rows if all(r[k] == v for k, v in where.items())])

    return column


@pytest.fixture(scope="session")
def standardized():
    """A function that makes the numpy objective of a problem, as the experiments solve it."""

    def objective(problem, loss):
        matrix = reference.standardize(problem.X, True, True)[0]
        y = problem.y - problem.y.mean() if loss == "squared" else problem.y
        return reference.LinearObjective(matrix, y, loss, ridge=excess.RIDGE[loss])

    return objective

"""Run experiments one after the other, keep what is done, and write the report after each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import Any

from regiht.reproduce import MODULES, pictures, report, store
from regiht.reproduce.listing import timed
from regiht.reproduce.outcome import Steps
from regiht.reproduce.sources import Sources

StepsFactory = Callable[[int], AbstractContextManager[Steps]]

REPORT = "report.html"


def run_experiments(
    names: Sequence[str],
    *,
    quick: bool,
    sources: Sources,
    folder: Path,
    fresh: bool,
    show: StepsFactory,
) -> Iterator[tuple[store.Record, bool]]:
    """Run the experiments and yield each record, with whether it was there already.

    The report of the folder covers all experiments that have left their results in it.
    """
    pictures.require_matplotlib()
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        module = load(name)
        size = module.QUICK if quick else module.FULL
        parameters = module.parameters(size, sources)
        record = None if fresh else store.read(folder, name)
        resumed = store.can_stand_for(record, parameters)
        if record is None or not resumed:
            with show(module.count_steps(size, sources)) as steps:
                outcome, seconds = timed(module.run, size, sources, steps)
            record = store.new_record(name, parameters, seconds, outcome)
            draw(folder, record)
            store.write(folder, record)
        elif not all((folder / f"{name}{suffix}").exists() for suffix in (".png", ".svg")):
            draw(folder, record)
        write_report(folder)
        yield record, resumed


def load(name: str) -> Any:
    """Import the module of an experiment."""
    return import_module(f"regiht.reproduce.{MODULES[name]}")


def draw(folder: Path, record: store.Record) -> None:
    """Save the figure of an experiment."""
    module = load(record.name)
    pictures.save(
        lambda figure: module.draw(figure, record.outcome), title(record), folder / record.name
    )


def title(record: store.Record) -> str:
    """Title of an experiment, saying so if its data are stand-ins."""
    marked = " (with stand-in data, not the paper's)" if record.outcome.stand_ins else ""
    return f"{load(record.name).TITLE}{marked}"


def write_report(folder: Path) -> None:
    """Write one page of all experiments whose results are in the folder."""
    records = [record for name in MODULES if (record := store.read(folder, name)) is not None]
    sections = [
        report.Section(record, title(record), load(record.name).ALT, folder / f"{record.name}.png")
        for record in records
    ]
    (folder / REPORT).write_text(report.page(sections), encoding="utf-8")

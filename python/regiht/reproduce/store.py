"""Results on disk: JSON, CSV and pictures for each experiment, from which a run resumes."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import platform
import sys
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from regiht._core import __version__
from regiht._inputs.checks import check_threads
from regiht.reproduce.outcome import Finding, ListingCheck, Outcome, Table, Verdict

_KINDS = {"int": int, "float": float, "str": str}
_PACKAGES = ("numpy", "scipy", "matplotlib")


@dataclass(frozen=True)
class Record:
    """An outcome with how it came about."""

    name: str
    parameters: dict[str, Any]
    versions: dict[str, str]
    seconds: float
    outcome: Outcome


def code_digest() -> str:
    """Checksum of the experiments' own code: when that changes, old results do not count."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def new_record(name: str, parameters: dict[str, Any], seconds: float, outcome: Outcome) -> Record:
    """Make the record of an experiment that has just been run."""
    versions = {
        "regiht": __version__, "experiments": code_digest(), "python": sys.version.split()[0],
        "platform": platform.platform(), "threads": str(check_threads(None)),
        **{package: metadata.version(package) for package in _PACKAGES},
    }  # fmt: skip
    return Record(name, parameters, versions, seconds, outcome)


def write(folder: Path, record: Record) -> None:
    """Write the tables, then the JSON: where that is, the rest is whole."""
    outcome = record.outcome
    tables = {}
    for name, rows in outcome.tables.items():
        path = folder / f"{record.name}-{name}.csv"
        _write_csv(path, rows)
        kinds = {key: type(value).__name__ for key, value in rows[0].items()} if rows else {}
        tables[name] = {"file": path.name, "columns": kinds}
    content = {
        "experiment": record.name,
        "parameters": record.parameters,
        "versions": record.versions,
        "seconds": record.seconds,
        "stand_ins": outcome.stand_ins,
        "findings": [asdict(finding) for finding in outcome.findings],
        "summary": outcome.summary,
        "listing": asdict(outcome.listing),
        "notes": outcome.notes,
        "tables": tables,
    }
    target = folder / f"{record.name}.json"
    partial = target.with_suffix(".json.part")
    partial.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.replace(target)


def read(folder: Path, name: str) -> Record | None:
    """Read what an earlier run has left; None if that is missing or not whole."""
    try:
        content = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        tables = {
            key: _read_csv(folder / table["file"], table["columns"])
            for key, table in content["tables"].items()
        }
        findings = [_finding(each) for each in content["findings"]]
        outcome = Outcome(
            tables, findings, content["summary"], ListingCheck(**content["listing"]),
            content["notes"], content["stand_ins"],
        )  # fmt: skip
        return Record(
            content["experiment"], content["parameters"], content["versions"],
            content["seconds"], outcome,
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError):
        return None


def can_stand_for(record: Record | None, parameters: dict[str, Any]) -> bool:
    """Whether a record answers this question: the same parameters, version and code."""
    return (
        record is not None
        and record.parameters == as_read(parameters)
        and record.versions["regiht"] == __version__
        and record.versions["experiments"] == code_digest()
    )


def as_read(parameters: dict[str, Any]) -> Any:
    """Parameters as they come back from JSON, with lists for tuples."""
    return json.loads(json.dumps(parameters))


def _finding(content: dict[str, Any]) -> Finding:
    stand_in = content["on_stand_in"]
    return Finding(
        content["claim"], content["measured"], content["rule"], Verdict(content["verdict"]),
        None if stand_in is None else Verdict(stand_in),
    )  # fmt: skip


def _write_csv(path: Path, rows: Table) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else [], lineterminator=os.linesep)
        writer.writeheader()
        writer.writerows(rows)


def _read_csv(path: Path, columns: dict[str, str]) -> Table:
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {key: _KINDS[columns[key]](value) for key, value in row.items()}
            for row in csv.DictReader(file)
        ]

"""What an experiment leaves: tables of curves, findings with verdicts, and the listing's word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

import numpy as np

# Rows of numbers and words, all with the same keys.
Table = list[dict[str, Any]]

METHOD_NAMES = {"iht": "IHT", "regiht": "regularized IHT"}


class Verdict(StrEnum):
    """What became of a claim."""

    REPRODUCED = "reproduced"
    PARTLY = "partly reproduced"
    NOT = "not reproduced"
    OPEN = "open: needs the user's files"


def judge(*, reproduced: bool, partly: bool) -> Verdict:
    """Return the best verdict whose condition holds."""
    if reproduced:
        return Verdict.REPRODUCED
    return Verdict.PARTLY if partly else Verdict.NOT


@dataclass(frozen=True)
class Finding:
    """A claim of the paper and what we measured.

    `rule` says how the verdict follows from the numbers. A claim about data that we do not have
    stays open, and `on_stand_in` is what the rule gives on the data used instead.
    """

    claim: str
    measured: str
    rule: str
    verdict: Verdict
    on_stand_in: Verdict | None = None


def find(claim: str, measured: str, rule: str, verdict: Verdict, *, stand_in: bool) -> Finding:
    """State a finding; one about real data stays open if a stand-in was used."""
    if stand_in:
        return Finding(claim, measured, rule, Verdict.OPEN, on_stand_in=verdict)
    return Finding(claim, measured, rule, verdict)


@dataclass(frozen=True)
class ListingCheck:
    """The same experiment by the paper's listing in numpy, smaller, and what all of it would take.

    `largest_difference` is relative, between objective values of ours and of the listing.
    """

    compared: str
    largest_difference: float
    sample: str
    listing_seconds: float
    our_seconds: float


@dataclass(frozen=True)
class Outcome:
    """All results of one experiment.

    The rows of `tables` go to CSV files, `summary` is the table of the report, `notes` are caveats,
    and `stand_ins` tells whether generated data stands in for real data.
    """

    tables: dict[str, Table]
    findings: list[Finding]
    summary: Table
    listing: ListingCheck
    notes: list[str] = field(default_factory=list)
    stand_ins: bool = False


def column(rows: Sequence[dict[str, Any]], name: str, **where: Any) -> np.ndarray[Any, Any]:
    """Return one column of the rows that have these values."""
    chosen = [row for row in rows if all(row[key] == value for key, value in where.items())]
    return np.array([row[name] for row in chosen])


class Steps(Protocol):
    """What shows progress."""

    def begin(self, name: str) -> None:
        """Show that this step is now being done."""

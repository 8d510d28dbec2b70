"""One page of HTML with all results; pictures are inside, so the file can be sent on its own."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from regiht.reproduce.outcome import Finding, ListingCheck, Table, Verdict
from regiht.reproduce.store import Record

_CLASSES = {
    Verdict.REPRODUCED: "reproduced",
    Verdict.PARTLY: "partly",
    Verdict.NOT: "not",
    Verdict.OPEN: "open",
}

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1c2126; background: #fff;
       max-width: 68rem; margin: 0 auto; padding: 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.3rem; margin-top: 3rem; }
.wide { overflow-x: auto; } .wide:focus { outline: 2px solid #0072b2; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.6rem 0.35rem 0;
         border-bottom: 1px solid #d5dae0; }
.numbers td, .numbers th { white-space: nowrap; }
.numbers { width: auto; }
img { width: 100%; min-width: 36rem; height: auto; }
.verdict { display: inline-block; padding: 0 0.5rem; border-radius: 0.6rem; font-weight: 600;
           border: 1px solid; }
.reproduced { color: #0b5a2b; background: #e6f5ec; }
.partly { color: #6b4a00; background: #fff4d6; }
.not { color: #8a1c1c; background: #fdeaea; } .open { color: #2f3a66; background: #e9ecf9; }
@media (min-width: 45rem) { .verdict { white-space: nowrap; } }
.small { font-size: 0.85rem; color: #4a5560; } dt { font-weight: 600; margin-top: 0.6rem; }
dd { margin: 0; } pre { font-size: 0.8rem; white-space: pre-wrap; }
section.finding { border-left: 4px solid #d5dae0; padding-left: 0.8rem; margin: 1rem 0; }
.findings p { margin: 0.2rem 0; }
"""


@dataclass(frozen=True)
class Section:
    """An experiment on the page."""

    record: Record
    title: str
    alt: str
    picture: Path


def page(sections: Sequence[Section]) -> str:
    """Return the whole page."""
    body = "\n".join([_overview(sections), *(_section(section) for section in sections)])
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>The paper, reproduced by regiht</title>
<style>{_STYLE}</style>
</head>
<body>
{body}
</body>
</html>
"""


def duration(seconds: float) -> str:
    """Write seconds in the unit that suits them."""
    if seconds < 1.0:
        return f"{1000 * seconds:.3g} ms"
    if seconds < 120.0:
        return f"{seconds:.3g} s"
    if seconds < 7200.0:
        return f"{seconds / 60:.3g} minutes"
    return f"{seconds / 3600:.3g} hours"


def _overview(sections: Sequence[Section]) -> str:
    rows = "\n".join(
        f'<tr><td><a href="#{section.record.name}">{escape(section.record.name)}</a></td>'
        f"<td>{escape(finding.claim)}</td><td>{_badge(finding.verdict)}</td></tr>"
        for section in sections
        for finding in section.record.outcome.findings
    )
    checks = [section.record.outcome.listing for section in sections]
    return f"""<header>
<h1>Iterative Hard Thresholding with Adaptive Regularization: the paper's claims, measured</h1>
<p>Every experiment of Axiotis and Sviridenko (ICML 2022), run by <code>regiht reproduce</code>.
Verdicts follow from the measured numbers by the rules stated below.
{_about_stand_ins(sections)}</p>
</header>
<div class="wide" tabindex="0" role="region" aria-label="All claims"><table>
<thead><tr><th>experiment</th><th>claim of the paper</th><th>verdict</th></tr></thead>
<tbody>
{rows}
</tbody></table></div>
<p>{_total_time(checks)}</p>"""


def _about_stand_ins(sections: Sequence[Section]) -> str:
    if not any(section.record.outcome.stand_ins for section in sections):
        return ""
    return (
        "<strong>The paper's data sets were not all at hand.</strong> Generated stand-ins of the "
        "same shape take the place of those that are missing, and are called so wherever they are "
        "shown. What they give is no evidence about the real data: claims about it stay open until "
        "<code>--data-dir</code> names a folder with YearPredictionMSD and rcv1_train.binary."
    )


def _total_time(checks: Sequence[ListingCheck]) -> str:
    ours = sum(check.our_seconds for check in checks)
    theirs = sum(check.listing_seconds for check in checks)
    worst = max((check.largest_difference for check in checks), default=0.0)
    return (
        f"All solves on this page took {duration(ours)} with regiht. The paper's listing in numpy "
        f"would need about {duration(theirs)} for them on the same machine (estimated from the "
        "samples described in each section). Where both were run, objective values differ by at "
        f"most {worst:.1e} relative."
    )


def _section(section: Section) -> str:
    record, outcome = section.record, section.record.outcome
    notes = "".join(f"<li>{escape(note)}</li>" for note in outcome.notes)
    files = ", ".join(f"<code>{record.name}-{escape(name)}.csv</code>" for name in outcome.tables)
    alt = section.alt + (" Some of the data are stand-ins." if outcome.stand_ins else "")
    details = json.dumps(
        {"parameters": record.parameters, "versions": record.versions}, indent=2, ensure_ascii=False
    )
    return f"""<section id="{record.name}">
<h2>{escape(section.title)}</h2>
<div class="findings">
{"".join(_finding(finding) for finding in outcome.findings)}
</div>
<div class="wide" tabindex="0" role="region" aria-label="Figure of {record.name}">
<img src="data:image/png;base64,{_inline(section.picture)}" alt="{escape(alt)}">
</div>
{_table(outcome.summary, section.title)}
<ul class="small">{notes}</ul>
{_listing(outcome.listing)}
<p class="small">The experiment took {duration(record.seconds)} in all. Curves: {files}.</p>
<details><summary>Parameters, seeds and versions</summary><pre>{escape(details)}</pre></details>
</section>"""


def _finding(finding: Finding) -> str:
    open_note = ""
    if finding.on_stand_in is not None:
        open_note = (
            " <span class='small'>(on the stand-in the rule gives: "
            f"{escape(finding.on_stand_in.value)})</span>"
        )
    return f"""<section class="finding">
<p><strong>Claim.</strong> {escape(finding.claim)}</p>
<p><strong>Measured.</strong> {escape(finding.measured)}</p>
<p>{_badge(finding.verdict)}{open_note}</p>
<p class="small">Rule: {escape(finding.rule)}.</p>
</section>
"""


def _listing(check: ListingCheck) -> str:
    return (
        f"<p><strong>Against the numpy listing.</strong> Same results: {escape(check.compared)}; "
        f"the largest relative difference is {check.largest_difference:.1e}. Time: the solves of "
        f"this section took {duration(check.our_seconds)}; the listing would need about "
        f"{duration(check.listing_seconds)}, from {escape(check.sample)}.</p>"
    )


def _table(rows: Table, label: str) -> str:
    if not rows:
        return ""
    head = "".join(f"<th>{escape(key)}</th>" for key in rows[0])
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(str(value))}</td>" for value in row.values()) + "</tr>"
        for row in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="Numbers: {escape(label)}">'
        f'<table class="numbers"><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>'
        "</div>"
    )


def _badge(verdict: Verdict) -> str:
    return f'<span class="verdict {_CLASSES[verdict]}">{escape(verdict.value)}</span>'


def _inline(picture: Path) -> str:
    return base64.b64encode(picture.read_bytes()).decode("ascii")

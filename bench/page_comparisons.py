"""Tables of solvers side by side, for the pages."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from page_text import short_time, source_text, table_text, value_text

# Of the README's table: who, and as what.
COLUMNS = {
    "regiht, best": "`regiht`",
    "regiht, omp": "forward selection (our `omp`)",
    "abess, path": "abess, sizes 1 to s",
    "liblinear l1": "ℓ₁ (liblinear), cut to s",
}
# Of the README's table: the rows; all others are on the page of benchmarks.
SHOWN = {("mushrooms", 3), ("mushrooms", 5), ("breast cancer", 5), ("census income (a9a)", 10),
         ("Reuters news", 20), ("farm ads", 20)}  # fmt: skip
SAME = 1e-6  # of the value: the same
OURS = "regiht, method best"
CLOSE = 1e-2  # a rival that comes so near is one whose time counts


def why(kept: dict[str, Any]) -> str:
    """Some real tables and texts, for the README."""
    chosen = [each for each in kept["figures"]
              if (each["table"].rsplit(",", 1)[0], each["s"]) in SHOWN]  # fmt: skip
    return f"{solvers_text(chosen, COLUMNS)}\n\n{source_text(kept)}"


def default(kept: dict[str, Any]) -> str:
    """All of them, with everybody."""
    everybody = dict.fromkeys(run["who"] for each in kept["figures"] for run in each["runs"])
    names = COLUMNS | {"regiht, regiht": "regularized IHT (our `regiht`)"}
    columns = {who: names.get(who, who) for who in everybody}
    return f"{solvers_text(kept['figures'], columns)}\n\n{source_text(kept)}"


def solvers_text(results: list[dict[str, Any]], columns: dict[str, str]) -> str:
    lines, before = [], None
    for each in results:
        runs = {run["who"]: run for run in each["runs"]}
        best = min(run["value"] for run in each["runs"] if "value" in run)
        cells = [cell_text(runs.get(who), best) for who in columns]
        lines.append([each["table"] if each["table"] != before else "", str(each["s"]), *cells])
        before = each["table"]
    return table_text(["data", "s", *columns.values()], lines)


def cell_text(run: dict[str, Any] | None, best: float) -> str:
    if run is None:
        return "–"
    if "value" not in run:
        return run["status"] if run["status"].startswith("none in") else "failed"
    value = value_text(run["value"])
    if run["value"] <= best * (1 + SAME):
        value = f"**{value}**"
    return f"{value} in\u00a0{short_time(run['seconds'])}"


def values(kept: dict[str, Any]) -> str:
    """The best method of ours against the best rival, at exactly s."""
    lines, silent = [], []
    for (problem, s), group in groupby(kept["figures"], lambda r: (r["problem"], r["s"])):
        runs = list(group)
        mine = next(r for r in runs if r["rival"] == OURS)
        others = [r for r in runs if "value" in r and not r["rival"].startswith("regiht")]
        lines.append([f"{problem} ({mine['kind'].split(',')[0]})", str(s), exact_text(mine),
                      *rivals_text(mine, others)])  # fmt: skip
        silent += [
            f"{r['rival']} on {problem}, s = {s} ({r['status']})"
            for r in runs
            if "value" not in r and r["status"].startswith(("none in", "failed"))
        ]
    header = ["problem", "s", "`best`", "best rival", "`best` takes",
              "fastest rival within 1 % of the best value"]  # fmt: skip
    text = f"{table_text(header, lines)}\n\n{source_text(kept)}"
    return f"{text}\n\nWithout an answer: {'; '.join(silent) or 'nobody'}."


def exact_text(run: dict[str, Any]) -> str:
    return "0" if is_zero(run) else f"{run['value']:.9g}"


def is_zero(run: dict[str, Any]) -> bool:
    return run["value"] <= 1e-20 * run["value_at_zero"]


def rivals_text(mine: dict[str, Any], others: list[dict[str, Any]]) -> list[str]:
    """The best of the others, our time, and the fastest who comes near."""
    if not others:
        return ["none", short_time(mine["seconds"]), "none"]
    least = min(r["value"] for r in others)
    best = min(least, mine["value"])
    room = max(CLOSE * abs(best), 1e-12 * mine["value_at_zero"])
    equal = max(SAME * abs(least), 1e-12 * mine["value_at_zero"])
    names = ", ".join(r["rival"] for r in others if r["value"] <= least + equal)
    first = next(r for r in others if r["value"] == least)
    if abs(mine["value"] - least) <= equal:
        rival = f"the same: {names}"
    else:
        sign = "" if least > mine["value"] else "**lower**: "
        share = f" ({100 * (least / mine['value'] - 1):+.2g} %)" if not is_zero(mine) else ""
        rival = f"{sign}{exact_text(first)}: {names}{share}"
    near = [r for r in others if r["value"] <= best + room]
    if not near:
        return [rival, short_time(mine["seconds"]), "none"]
    fastest = min(near, key=lambda r: r["seconds"])
    times = f"{fastest['rival']}, {fastest['seconds'] / mine['seconds']:.2g} times as long"
    return [rival, short_time(mine["seconds"]), times]


def gaps(kept: dict[str, Any]) -> str:
    """How far from the optimum an answer can be, where the problem has a ridge."""
    lines = [
        [each["problem"], str(each["s"]), each["kind"].split(", ")[1],
         f"{100 * each['gap']:.2g} %"]
        for each in kept["figures"]
        if each["rival"] == OURS and each.get("gap") not in (None, "")
    ]  # fmt: skip
    return f"{table_text(['problem', 's', 'size', 'gap'], lines)}\n\n{source_text(kept)}"


def estimators(kept: dict[str, Any]) -> str:
    """Held-out accuracy: a column for each data set."""
    figures = kept["figures"]
    data = list(dict.fromkeys(each["data"] for each in figures))
    lines = []
    for rival in dict.fromkeys(each["rival"] for each in figures):
        found = {each["data"]: each for each in figures if each["rival"] == rival}
        lines.append([rival, *(accuracy_text(found.get(name)) for name in data)])
    return f"{table_text(['', *data], lines)}\n\n{source_text(kept)}"


def accuracy_text(each: dict[str, Any] | None) -> str:
    if each is None:
        return "–"
    first = each["difference"].startswith("+0.0000 ± 0.0000")
    difference = "" if first else f" ({each['difference'].replace('-', '−')})"
    return f"{each['accuracy']:.4f}{difference}, {short_time(each['seconds'])}"
